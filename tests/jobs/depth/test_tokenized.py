from hypothesis import given
from hypothesis import strategies as st

from assay.jobs.depth.novel import Novel, TokenizedNovel
from assay.text.normalise import Span
from assay.text.tokenizer import load_tokenizer

TEXT = (
    "  Первая глава.\n\nВ лесу было тихо. «Кто там?» — спросил он.\n河水很深。没有人说话！ The end."
)


def tokenized(text: str, tokenizer: str = "o200k") -> TokenizedNovel:
    """A novel with this text."""
    return TokenizedNovel(Novel(text=text), load_tokenizer(tokenizer))


@given(st.text(st.sampled_from("аб .。\n河!?«»1"), max_size=60))
def test_units_cover_the_text_without_gap_or_overlap(text: str):
    """After leading white space, every character is in exactly one unit."""
    novel = tokenized(text)
    pieces = [novel.unit_text(unit, unit + 1) for unit in range(novel.units)]
    assert "".join(pieces) == novel.text.lstrip()
    assert all(piece[:1].strip() for piece in pieces)


def test_the_tokens_at_the_last_bound_are_all_tokens_of_the_novel():
    """The number of tokens before the end of the last unit is that of the whole text."""
    novel = tokenized(TEXT)
    assert novel.tokens_at_bounds[-1] == novel.tokens == load_tokenizer("o200k").count(novel.text)


def test_a_span_is_widened_to_whole_sentences():
    """A span inside a sentence becomes the sentence, without surrounding white space."""
    novel = tokenized(TEXT)
    start = TEXT.index("было")
    extended = novel.whole_sentences(Span(start=start, end=start + 4))
    assert extended.of(TEXT) == "В лесу было тихо."
    assert novel.whole_sentences(extended) == extended


def test_padding_takes_in_more_sentences():
    """Padding in tokens extends the span on both sides, also to whole sentences."""
    novel = tokenized(TEXT)
    start = TEXT.index("河水")
    extended = novel.whole_sentences(Span(start=start, end=start + 2), padding_tokens=5)
    assert extended.of(TEXT).startswith("«Кто там?» — спросил он.")
    assert "没有人说话！" in extended.of(TEXT)


def test_the_head_is_the_first_tokens():
    """The head of N tokens has N tokens when it is encoded, within one token."""
    novel = tokenized(TEXT)
    for tokens in range(novel.tokens + 1):
        assert abs(novel.tokenizer.count(novel.head(tokens)) - tokens) <= 1
    assert novel.head(10**6) == novel.text


def test_filler_leaves_out_evidence_copies_and_mentions():
    """The evidence, its copy and sentences that mention the answer are not filler."""
    text = "Он жил один. Шёл снег. Он купил дом в Москве. Пел дрозд. Шёл снег! Из Москвы писали."
    novel = tokenized(text)
    start = text.index("Шёл")
    filler = novel.filler(Span(start=start, end=start + len("Шёл снег.")), ("Москва",))
    remaining = [run.of(novel.text) for run in filler.runs(0, novel.units)]
    assert remaining == ["Он жил один. ", "Пел дрозд. "]
    assert filler.tokens == filler.before(novel.units)


def test_filler_finds_units_by_tokens():
    """A search by tokens agrees with counting unit by unit without the excluded units."""
    text = " ".join(f"Слово {'очень ' * (number % 5)}номер {number}." for number in range(60))
    novel = tokenized(text)
    start = text.index("номер 30")
    filler = novel.filler(Span(start=start, end=start + 8), ("номер 7", "номер 8", "номер 59"))
    for tokens in range(filler.tokens + 2):
        units = [unit for unit in range(novel.units + 1) if filler.before(unit) <= tokens]
        assert filler.unit(tokens) == units[-1]
        smallest = min(abs(filler.before(unit) - tokens) for unit in range(novel.units + 1))
        assert abs(filler.before(filler.nearest_unit(tokens)) - tokens) == smallest
