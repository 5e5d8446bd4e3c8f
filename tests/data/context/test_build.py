from bisect import bisect_left
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.chronicle.story import Chronicle, chronicle
from assay.data.context.build import Context, build_context, skip_reason
from assay.data.context.forbidden_phrase import forbidden_phrases
from assay.data.novel.question import NovelQuestion
from assay.data.novel.text import Novel
from assay.data.novel.tokenized import TokenizedNovel
from assay.errors import CaseSkipped
from assay.text import Language, Span
from assay.text.tokenizer import load_tokenizer

LANGUAGES: tuple[Language, ...] = ("zh", "ru", "en")
WORDS = {
    "zh": ["河", "山", "走", "看", "大人", "说", "天", "月亮", "青", "树", "来", "去"],
    "ru": ["лес", "дом", "шёл", "тихо", "рекой", "над", "снег", "очень", "старый", "мост"],
    "en": ["the", "river", "ran", "slowly", "past", "old", "mill", "and", "town", "while", "rain"],
}


@cache
def told(language: Language, tokens: int = 60_000) -> tuple[Chronicle, TokenizedNovel]:
    """A chronicle and its tokens."""
    made = chronicle(language, tokens=tokens)
    return made, TokenizedNovel(Novel(text=made.text), load_tokenizer("o200k"))


def assert_guaranteed(
    novel: TokenizedNovel, context: Context, span: Span, target: int, depth: float
) -> None:
    """Hold a context to what it promises, counted from its text alone."""
    starts = novel.tokenizer.starts(context.text)
    passage = novel.whole_sentences(span).of(novel.text)
    before = bisect_left(starts, context.evidence.start)
    evidence = bisect_left(starts, context.evidence.end) - before
    assert context.tokens == len(starts)
    assert abs(len(starts) - target) <= 0.01 * target
    assert abs(before / (len(starts) - evidence) - depth) <= 0.005
    assert (context.evidence_start_token, context.evidence_tokens) == (before, evidence)
    assert context.actual_depth == before / (len(starts) - evidence)
    assert context.evidence.of(context.text) == passage
    assert context.text.count(passage) == 1
    assert context.text == "".join(part.of(novel.text) for part in context.parts)
    if depth == 0:
        assert context.text.startswith(passage)
    if depth == 1:
        assert context.text.endswith(passage)


def assert_whole_and_in_order(novel: TokenizedNovel, context: Context, span: Span) -> None:
    """Filler is whole sentences in the novel's order, none of it twice."""
    passage = novel.whole_sentences(span)
    first, last = novel.unit_range(passage)
    units: list[int] = []
    for part in context.parts:
        touched = range(*novel.unit_range(part))
        assert part.start in {novel.bounds[touched[0]], passage.start, passage.end}
        bound = novel.bounds[touched[-1] + 1]
        assert part.end in {bound, novel.trimmed(part.start, bound), passage.end}
        units.extend(unit for unit in touched if not first <= unit < last)
    assert all(left < right for left, right in pairwise(units))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", [1_000, 4_000, 16_000, 50_000])
def test_guarantees_hold_over_a_chronicle(language: Language, target: int):
    """Length, depth, verbatim evidence, whole sentences and order hold for every depth."""
    made, novel = told(language)
    for question in made.questions[3::20]:
        span, forbidden = question.evidence, forbidden_phrases(question, novel)
        assert span is not None
        for depth in (0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0):
            context = build_context(
                novel, span, target_tokens=target, depth=depth, forbidden=forbidden
            )
            assert_guaranteed(novel, context, span, target, depth)
            assert_whole_and_in_order(novel, context, span)


@st.composite
def stories(draw: st.DrawFn) -> str:
    """Text of random sentences in one language, some of them repeated, in paragraphs."""
    language = draw(st.sampled_from(LANGUAGES))
    random = Random(draw(st.integers(0, 2**32)))
    space, stop = ("", "。") if language == "zh" else (" ", ". ")
    longest = draw(st.sampled_from((4, 12, 30)))
    lines = []
    for _ in range(draw(st.integers(20, 400))):
        words = random.choices(WORDS[language], k=random.randint(1, longest))
        line = space.join(words)
        lines.append(line[0].upper() + line[1:] + stop + random.choice(("", "", "\n\n")))
    return "".join(lines)


@settings(max_examples=100)
@given(stories(), st.floats(0, 1), st.floats(0, 1), st.integers(300, 3000))
def test_guarantees_hold_over_random_text_or_the_case_is_skipped(
    text: str, place: float, depth: float, target: int
):
    """Whatever the text, a context either keeps every promise or is not built."""
    novel = TokenizedNovel(Novel(text=text), load_tokenizer("o200k"))
    unit = int(place * (novel.units - 1))
    span = Span(start=novel.bounds[unit], end=novel.bounds[unit + 1])
    try:
        context = build_context(novel, span, target_tokens=target, depth=depth)
    except CaseSkipped:
        return
    assert_guaranteed(novel, context, span, target, depth)
    assert_whole_and_in_order(novel, context, span)


@pytest.mark.parametrize("tokenizer", ["chars", "o200k"])
def test_guarantees_hold_for_other_tokenizers(tokenizer: str):
    """The promises are in tokens of the tokenizer that was asked for."""
    made, _ = told("ru")
    novel = TokenizedNovel(Novel(text=made.text), load_tokenizer(tokenizer))
    span = made.questions[10].evidence
    assert span is not None
    for target in (1_000, 20_000):
        context = build_context(novel, span, target_tokens=target, depth=0.25)
        total = novel.tokenizer.count(context.text)
        assert abs(total - target) <= 0.01 * target
        before = novel.tokenizer.count(context.text[: context.evidence.start])
        rest = total - novel.tokenizer.count(context.evidence.of(context.text))
        assert abs(before / rest - 0.25) <= 0.005


def test_evidence_stays_at_home_where_it_can():
    """With enough novel on either side the context is the evidence's own surroundings."""
    made, novel = told("en")
    span = made.questions[len(made.questions) // 2].evidence
    assert span is not None
    context = build_context(novel, span, target_tokens=20_000, depth=0.5)
    assert context.in_place
    assert len(context.parts) <= 3


def test_evidence_is_moved_where_the_novel_ends_too_soon():
    """Evidence at the novel's start is put at the end of a context, among later filler."""
    made, novel = told("en")
    span = made.questions[0].evidence
    assert span is not None
    context = build_context(novel, span, target_tokens=40_000, depth=1.0)
    assert not context.in_place
    assert_guaranteed(novel, context, span, 40_000, 1.0)


def test_no_filler_mentions_the_answer_or_repeats_the_evidence():
    """Sentences that give the answer away, inflected too, and copies of the evidence are out."""
    made, _ = told("ru")
    lines = made.text.split("\n\n")
    leak = "Все знали, что Велимору она так и не увидела."
    twice = "Ключ лежал под третьей ступенью."
    for place in range(3, len(lines), 9):
        lines[place] += f" {leak} {twice}"
    novel = TokenizedNovel(Novel(text="\n\n".join(lines)), load_tokenizer("o200k"))
    at = novel.text.index(twice)
    context = build_context(
        novel,
        Span(start=at, end=at + len(twice)),
        target_tokens=10_000,
        depth=0.5,
        forbidden=("Велимора",),
    )
    assert context.text.count(twice) == 1
    assert "Велимор" not in context.text


def test_evidence_inside_a_sentence_brings_the_whole_sentence():
    """A part of a sentence is placed with the sentence it stands in."""
    _, novel = told("en")
    unit = novel.units // 2
    start = novel.bounds[unit] + 6
    context = build_context(
        novel, Span(start=start, end=start + 5), target_tokens=2_000, depth=0.25
    )
    whole = novel.unit_text(unit, unit + 1).strip()
    assert context.evidence.of(context.text) == whole


def test_evidence_longer_than_the_context_is_skipped():
    """No room for filler is said with both sizes."""
    _, novel = told("en")
    span = Span(start=0, end=novel.offset(1_500))
    for check in (1_000, 1_550):
        with pytest.raises(CaseSkipped, match="leaves no room"):
            build_context(novel, span, target_tokens=check, depth=0.5)
        assert "leaves no room" in (skip_reason(novel, span, target_tokens=check) or "")


def test_a_novel_too_short_is_skipped_and_never_repeated():
    """A length beyond the novel is skipped with what there is and what is needed."""
    made, novel = told("zh")
    span = made.questions[0].evidence
    assert span is not None
    with pytest.raises(CaseSkipped, match="are needed"):
        build_context(novel, span, target_tokens=novel.tokens * 2, depth=0.5)
    assert skip_reason(novel, span, target_tokens=novel.tokens * 2) is not None
    assert skip_reason(novel, span, target_tokens=novel.tokens // 2) is None


def test_an_answer_that_stands_everywhere_leaves_too_little():
    """Sentences that mention the answer do not count as filler, which only building finds out."""
    made, novel = told("zh")
    span = made.questions[0].evidence
    assert span is not None
    target = novel.tokens - 2_000
    assert skip_reason(novel, span, target_tokens=target) is None
    with pytest.raises(CaseSkipped, match="mentions the answer"):
        build_context(novel, span, target_tokens=target, depth=0.5, forbidden=("的",))


def test_sentences_too_long_to_fit_are_skipped():
    """Where no run of whole sentences has the length, the case is skipped."""
    text = "Мост стоял. " + " ".join("Старый " + "очень " * 700 + "дом." for _ in range(6))
    novel = TokenizedNovel(Novel(text=text), load_tokenizer("o200k"))
    with pytest.raises(CaseSkipped, match="no run of whole sentences"):
        build_context(novel, Span(start=0, end=11), target_tokens=1_000, depth=0.5)


def test_empty_evidence_is_skipped():
    """A span of nothing but white space is no evidence."""
    _, novel = told("en")
    at = novel.text.index("\n\n")
    with pytest.raises(CaseSkipped, match="empty"):
        build_context(novel, Span(start=at, end=at + 2), target_tokens=1_000, depth=0.5)


def question(kind: str, answers: tuple[str, ...], **choices: str) -> NovelQuestion:
    """A question with those answers."""
    return NovelQuestion(id="q", text="?", question_type=kind, answers=answers, choices=choices)  # type: ignore[arg-type]


def test_open_answers_are_forbidden_and_choices_where_they_tell():
    """Every accepted answer counts; a right choice, however short, only if it is rare."""
    _, novel = told("en")
    assert forbidden_phrases(question("open", ("no", "7")), novel) == ("no", "7")
    choices = {"a": "Zanxiwulf the mariner", "b": "yes", "c": "weather", "d": "the river"}
    asked = question("multiple_choice", ("a", "b", "d"), **choices)
    assert len(novel.mentions.of("the river")) > 0.01 * novel.units
    assert forbidden_phrases(asked, novel) == ("Zanxiwulf the mariner", "yes")


def test_a_short_choice_in_a_short_text_is_kept_out_of_the_filler():
    """A name of three Chinese characters is forbidden; one that stands everywhere is not."""
    told_of = "猴王住在花果山。花果山有水。" + "老人走过了桥。" * 60
    novel = TokenizedNovel(Novel(text=told_of), load_tokenizer("chars"))
    asked = question("single_choice", ("a",), a="花果山", b="五行山")
    assert forbidden_phrases(asked, novel) == ("花果山",)
    context = build_context(
        novel, Span(start=0, end=8), target_tokens=300, depth=0.5, forbidden=("花果山",)
    )
    assert context.text.count("花果山") == 1
    assert forbidden_phrases(question("single_choice", ("a",), a="老人", b="猴王"), novel) == ()
