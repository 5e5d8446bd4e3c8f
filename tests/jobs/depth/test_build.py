from bisect import bisect_left
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import CaseSkipped
from assay.jobs.depth.chronicle.story import Chronicle, chronicle
from assay.jobs.depth.context import Context, build_context, forbidden_phrases, skip_reason
from assay.jobs.depth.novel import Novel, TokenizedNovel
from assay.jobs.depth.question import NovelQuestion
from assay.text.language import Language
from assay.text.normalise import Span
from assay.text.tokenizer import load_tokenizer

LANGUAGES: tuple[Language, ...] = ("zh", "ru", "en")
WORDS = {
    "zh": ["河", "山", "走", "看", "大人", "说", "天", "月亮", "青", "树", "来", "去"],
    "ru": ["лес", "дом", "шёл", "тихо", "рекой", "над", "снег", "очень", "старый", "мост"],
    "en": ["the", "river", "ran", "slowly", "past", "old", "mill", "and", "town", "while", "rain"],
}


@cache
def story_and_novel(language: Language, tokens: int = 60_000) -> tuple[Chronicle, TokenizedNovel]:
    """A chronicle and its tokenized text."""
    story = chronicle(language, tokens=tokens)
    return story, TokenizedNovel(Novel(text=story.text), load_tokenizer("o200k"))


def assert_guaranteed(
    novel: TokenizedNovel, context: Context, span: Span, target: int, depth: float
) -> None:
    """Check the guarantees of a context by counting in its text alone."""
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
    """Check that the filler is whole sentences in the novel's order without repetition."""
    passage = novel.whole_sentences(span)
    first, last = novel.unit_range(passage)
    units: list[int] = []
    for part in context.parts:
        part_units = range(*novel.unit_range(part))
        assert part.start in {novel.bounds[part_units[0]], passage.start, passage.end}
        bound = novel.bounds[part_units[-1] + 1]
        assert part.end in {bound, novel.trimmed(part.start, bound), passage.end}
        units.extend(unit for unit in part_units if not first <= unit < last)
    assert all(left < right for left, right in pairwise(units))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", [1_000, 4_000, 16_000, 50_000])
def test_guarantees_hold_over_a_chronicle(language: Language, target: int):
    """All guarantees hold for several lengths and depths in each language."""
    story, novel = story_and_novel(language)
    for question in story.questions[3::20]:
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
    """Paragraphs of random sentences in one language; some sentences may repeat."""
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
    text: str, position: float, depth: float, target: int
):
    """For any text, a context either satisfies every guarantee or is not built."""
    novel = TokenizedNovel(Novel(text=text), load_tokenizer("o200k"))
    unit = int(position * (novel.units - 1))
    span = Span(start=novel.bounds[unit], end=novel.bounds[unit + 1])
    try:
        context = build_context(novel, span, target_tokens=target, depth=depth)
    except CaseSkipped:
        return
    assert_guaranteed(novel, context, span, target, depth)
    assert_whole_and_in_order(novel, context, span)


@pytest.mark.parametrize("tokenizer", ["chars", "o200k"])
def test_guarantees_hold_for_other_tokenizers(tokenizer: str):
    """The guarantees hold in tokens of the chosen tokenizer."""
    story, _ = story_and_novel("ru")
    novel = TokenizedNovel(Novel(text=story.text), load_tokenizer(tokenizer))
    span = story.questions[10].evidence
    assert span is not None
    for target in (1_000, 20_000):
        context = build_context(novel, span, target_tokens=target, depth=0.25)
        total = novel.tokenizer.count(context.text)
        assert abs(total - target) <= 0.01 * target
        before = novel.tokenizer.count(context.text[: context.evidence.start])
        rest = total - novel.tokenizer.count(context.evidence.of(context.text))
        assert abs(before / rest - 0.25) <= 0.005


def test_evidence_stays_at_home_where_it_can():
    """With enough text on both sides, the context is the text around the evidence."""
    story, novel = story_and_novel("en")
    span = story.questions[len(story.questions) // 2].evidence
    assert span is not None
    context = build_context(novel, span, target_tokens=20_000, depth=0.5)
    assert context.in_place
    assert len(context.parts) <= 3


def test_evidence_is_moved_where_the_novel_ends_too_soon():
    """Evidence from the start of the novel can be at the end of a context of later text."""
    story, novel = story_and_novel("en")
    span = story.questions[0].evidence
    assert span is not None
    context = build_context(novel, span, target_tokens=40_000, depth=1.0)
    assert not context.in_place
    assert_guaranteed(novel, context, span, 40_000, 1.0)


def test_no_filler_mentions_the_answer_or_repeats_the_evidence():
    """Sentences that mention the answer, also inflected, and copies of the evidence are left out."""
    story, _ = story_and_novel("ru")
    lines = story.text.split("\n\n")
    leak = "Все знали, что Велимору она так и не увидела."
    evidence = "Ключ лежал под третьей ступенью."
    for index in range(3, len(lines), 9):
        lines[index] += f" {leak} {evidence}"
    novel = TokenizedNovel(Novel(text="\n\n".join(lines)), load_tokenizer("o200k"))
    start = novel.text.index(evidence)
    context = build_context(
        novel,
        Span(start=start, end=start + len(evidence)),
        target_tokens=10_000,
        depth=0.5,
        forbidden=("Велимора",),
    )
    assert context.text.count(evidence) == 1
    assert "Велимор" not in context.text


def test_evidence_inside_a_sentence_brings_the_whole_sentence():
    """If the evidence is a part of a sentence, the whole sentence is placed."""
    _, novel = story_and_novel("en")
    unit = novel.units // 2
    start = novel.bounds[unit] + 6
    context = build_context(
        novel, Span(start=start, end=start + 5), target_tokens=2_000, depth=0.25
    )
    sentence = novel.unit_text(unit, unit + 1).strip()
    assert context.evidence.of(context.text) == sentence


def test_evidence_longer_than_the_context_is_skipped():
    """If there is no room for filler, the case is skipped with that reason."""
    _, novel = story_and_novel("en")
    span = Span(start=0, end=novel.offset(1_500))
    for target in (1_000, 1_550):
        with pytest.raises(CaseSkipped, match="leaves no room"):
            build_context(novel, span, target_tokens=target, depth=0.5)
        assert "leaves no room" in str(skip_reason(novel, span, target_tokens=target))


def test_a_novel_too_short_is_skipped_and_never_repeated():
    """A length beyond the novel is skipped; the reason gives both numbers of tokens."""
    story, novel = story_and_novel("zh")
    span = story.questions[0].evidence
    assert span is not None
    with pytest.raises(CaseSkipped, match="are needed"):
        build_context(novel, span, target_tokens=novel.tokens * 2, depth=0.5)
    assert skip_reason(novel, span, target_tokens=novel.tokens * 2) is not None
    assert skip_reason(novel, span, target_tokens=novel.tokens // 2) is None


def test_an_answer_that_is_everywhere_leaves_too_little():
    """Sentences that mention the answer are no filler; only ``build_context`` checks this."""
    story, novel = story_and_novel("zh")
    span = story.questions[0].evidence
    assert span is not None
    target = novel.tokens - 2_000
    assert skip_reason(novel, span, target_tokens=target) is None
    with pytest.raises(CaseSkipped, match="mention the answer"):
        build_context(novel, span, target_tokens=target, depth=0.5, forbidden=("的",))


def test_sentences_too_long_to_fit_are_skipped():
    """If no run of whole sentences has the length, the case is skipped."""
    text = "Мост стоял. " + " ".join("Старый " + "очень " * 700 + "дом." for _ in range(6))
    novel = TokenizedNovel(Novel(text=text), load_tokenizer("o200k"))
    with pytest.raises(CaseSkipped, match="no run of whole sentences"):
        build_context(novel, Span(start=0, end=11), target_tokens=1_000, depth=0.5)


def test_empty_evidence_is_skipped():
    """A span that contains only white space is refused as evidence."""
    _, novel = story_and_novel("en")
    start = novel.text.index("\n\n")
    with pytest.raises(CaseSkipped, match="empty"):
        build_context(novel, Span(start=start, end=start + 2), target_tokens=1_000, depth=0.5)


def question(kind: str, answers: tuple[str, ...], **choices: str) -> NovelQuestion:
    """A question with these answers."""
    return NovelQuestion(id="q", text="?", question_type=kind, answers=answers, choices=choices)  # type: ignore[arg-type]


def test_open_answers_are_forbidden_and_choices_where_they_tell():
    """All accepted answers are forbidden; a correct choice only if it is rare."""
    _, novel = story_and_novel("en")
    assert forbidden_phrases(question("open", ("no", "7")), novel) == ("no", "7")
    choices = {"a": "Zanxiwulf the mariner", "b": "yes", "c": "weather", "d": "the river"}
    multiple = question("multiple_choice", ("a", "b", "d"), **choices)
    assert len(novel.mentions.of("the river")) > 0.01 * novel.units
    assert forbidden_phrases(multiple, novel) == ("Zanxiwulf the mariner", "yes")


def test_a_short_choice_in_a_short_text_is_kept_out_of_the_filler():
    """A rare name of three Chinese characters is forbidden; a frequent name is not."""
    text = "猴王住在花果山。花果山有水。" + "老人走过了桥。" * 60
    novel = TokenizedNovel(Novel(text=text), load_tokenizer("chars"))
    single = question("single_choice", ("a",), a="花果山", b="五行山")
    assert forbidden_phrases(single, novel) == ("花果山",)
    context = build_context(
        novel, Span(start=0, end=8), target_tokens=300, depth=0.5, forbidden=("花果山",)
    )
    assert context.text.count("花果山") == 1
    assert forbidden_phrases(question("single_choice", ("a",), a="老人", b="猴王"), novel) == ()
