from hypothesis import given
from hypothesis import strategies as st

from assay.data.novel.text import Novel
from assay.data.novel.tokenized import TokenizedNovel
from assay.text import Span
from assay.text.tokenizer import load_tokenizer

TEXT = (
    "  Первая глава.\n\nВ лесу было тихо. «Кто там?» — спросил он.\n河水很深。没有人说话！ The end."
)


def tokenized(text: str, tokenizer: str = "o200k") -> TokenizedNovel:
    """The text, encoded."""
    return TokenizedNovel(Novel(text=text), load_tokenizer(tokenizer))


@given(st.text(st.sampled_from("аб .。\n河!?«»1"), max_size=60))
def test_units_cover_the_text_without_gap_or_overlap(text: str):
    """From the first sentence on, every character is in exactly one unit."""
    novel = tokenized(text)
    pieces = [novel.unit_text(unit, unit + 1) for unit in range(novel.units)]
    assert "".join(pieces) == novel.text.lstrip()
    assert all(piece[:1].strip() for piece in pieces)


def test_marks_add_up_to_the_tokens_of_the_novel():
    """The tokens of all units, and those before the first, are the tokens of the text."""
    novel = tokenized(TEXT)
    assert novel.marks[-1] == novel.tokens == load_tokenizer("o200k").count(novel.text)


def test_a_span_is_widened_to_whole_sentences():
    """A span inside a sentence becomes the sentence, without the white space around it."""
    novel = tokenized(TEXT)
    at = TEXT.index("было")
    wide = novel.whole_sentences(Span(start=at, end=at + 4))
    assert wide.of(TEXT) == "В лесу было тихо."
    assert novel.whole_sentences(wide) == wide


def test_padding_takes_in_more_sentences():
    """Padding in tokens widens the span on both sides, to whole sentences again."""
    novel = tokenized(TEXT)
    at = TEXT.index("河水")
    wide = novel.whole_sentences(Span(start=at, end=at + 2), padding_tokens=5)
    assert wide.of(TEXT).startswith("«Кто там?» — спросил он.")
    assert "没有人说话！" in wide.of(TEXT)


def test_the_head_is_the_first_tokens():
    """The first tokens of the novel, by slicing, are as many tokens when encoded."""
    novel = tokenized(TEXT)
    for tokens in range(novel.tokens + 1):
        assert abs(novel.tokenizer.count(novel.head(tokens)) - tokens) <= 1
    assert novel.head(10**6) == novel.text


def test_filler_leaves_out_evidence_copies_and_mentions():
    """The evidence, its second copy and a sentence with the answer are no filler."""
    text = "Он жил один. Шёл снег. Он купил дом в Москве. Пел дрозд. Шёл снег! Из Москвы писали."
    novel = tokenized(text)
    at = text.index("Шёл")
    filler = novel.filler(Span(start=at, end=at + len("Шёл снег.")), ("Москва",))
    left = [run.of(novel.text) for run in filler.runs(0, novel.units)]
    assert left == ["Он жил один. ", "Пел дрозд. "]
    assert filler.tokens == filler.before(novel.units)


def test_filler_finds_units_by_tokens():
    """Searching by tokens agrees with counting unit by unit, barred ones passed over."""
    text = " ".join(f"Слово {'очень ' * (number % 5)}номер {number}." for number in range(60))
    novel = tokenized(text)
    at = text.index("номер 30")
    filler = novel.filler(Span(start=at, end=at + 8), ("номер 7", "номер 8", "номер 59"))
    for tokens in range(filler.tokens + 2):
        places = [unit for unit in range(novel.units + 1) if filler.before(unit) <= tokens]
        assert filler.unit(tokens) == places[-1]
        off = min(abs(filler.before(unit) - tokens) for unit in range(novel.units + 1))
        assert abs(filler.before(filler.nearest_unit(tokens)) - tokens) == off
