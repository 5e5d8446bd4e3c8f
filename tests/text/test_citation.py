import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.citation import (
    LONGEST_RANGE,
    NO_MENTION,
    citation_spans,
    citations_ok,
    extract_citation_numbers,
    extract_page_numbers,
    is_no_mention,
    marked_page_numbers,
    without_citations,
)

OPEN_CLOSE = st.sampled_from(["[]", "【】", "［］", "〔〕"])
SEPARATOR = st.sampled_from([",", ", ", "，", "、", "; "])
PROSE = st.text(alphabet="abc где 文档。 .,!\n", max_size=20)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Yes [1].", [1]), ("是【1】", [1]), ("是［１２］", [12]), ("Да [1, 2]", [1, 2]), ("是[1，2]", [1, 2]),
        ("是[1、3]", [1, 3]), ("[1][2]", [1, 2]), ("[1-3]", [1, 2, 3]), ("[1–3, 7]", [1, 2, 3, 7]),
        ("[3] then [1] then [3]", [3, 1]), ("[3-1]", [3, 2, 1]), ("[^2] 【4†source】", [2, 4]), ("[0]", [0]),
        ("[2020]", [2020]), ("[abc] [1a] [] [1.5] (1) 1", []), ("[2020-08-30] [30.08.2020] [2020-08]", []),
        ("[1-900000000]", [1, 900_000_000]), ("[" + "9" * 5000 + "]", []),
    ],
)  # fmt: skip
def test_citation_numbers_are_read_in_every_notation(text: str, numbers: list[int]):
    """Brackets of every width, lists and ranges are citations; dates and words are not."""
    assert extract_citation_numbers(text) == numbers


@given(st.lists(st.tuples(st.integers(0, 10**6), OPEN_CLOSE, PROSE), max_size=8))
def test_citations_come_back_once_each_in_order(marks: list[tuple[int, str, str]]):
    """With any text between the citations, each number is listed once, at its first position."""
    text = "".join(f"{prose}{pair[0]}{number}{pair[1]}" for number, pair, prose in marks)
    assert extract_citation_numbers(text) == list(dict.fromkeys(number for number, _, _ in marks))


@given(st.lists(st.integers(1, 99), min_size=1, max_size=6), SEPARATOR, OPEN_CLOSE)
def test_a_list_cites_the_same_as_separate_brackets(numbers: list[int], separator: str, pair: str):
    """``[1, 2]`` and ``[1][2]`` are the same citations."""
    in_a_list = pair[0] + separator.join(map(str, numbers)) + pair[1]
    separate = "".join(f"[{number}]" for number in numbers)
    assert extract_citation_numbers(in_a_list) == extract_citation_numbers(separate)


@given(st.integers(1, 10**9 - 1), st.integers(1, 10**9 - 1))
def test_a_range_is_never_longer_than_its_bound(first: int, last: int):
    """A range cites both ends; the numbers between them are cited only in a short range."""
    cited = extract_citation_numbers(f"[{first}-{last}]")
    assert {first, last} <= set(cited)
    assert len(cited) <= LONGEST_RANGE


@given(st.text(alphabet="[]【】()12,- ap.стр第页", max_size=60) | st.text(max_size=200))
def test_without_citations_removes_every_citation(text: str):
    """After the marks are removed from any text, it cites no passage and no page."""
    assert extract_citation_numbers(without_citations(text)) == []
    bare = without_citations(text, pages=True)
    assert not citations_ok(bare, 99) or is_no_mention(bare)
    assert citations_ok(f"{bare} [1]", 1, pages=())


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("(стр. 4)", [4]), ("стр.4, с. 7", [4, 7]), ("на странице 9", [9]), ("(p. 3) and pp. 5-7", [3, 5, 6, 7]),
        ("Page 12, pages 2–3", [12, 2, 3]), ("(стр. 3, 5)", [3, 5]), ("p. 3, 5 days", [3]), ("（第３页）", [3]),
        ("第十二页、第一百零五页", [12, 105]), ("第3至5页", [3, 4, 5]), ("第三、五頁", [3, 5]),
        ("map. 3, step 4, ср. 5, с 6, 第三条", []),
    ],
)  # fmt: skip
def test_page_numbers_are_read_in_three_languages(text: str, pages: list[int]):
    """Page numbers are found in Russian, English and Chinese notation; other numbers are not."""
    assert extract_page_numbers(text) == pages


@pytest.mark.parametrize("strict", NO_MENTION.values())
@pytest.mark.parametrize("frame", ["{}", "{}.", " «{}». ", "“{}”", "{}。", "**{}**\n"])
def test_the_no_mention_sentence_is_recognised_with_any_punctuation(strict: str, frame: str):
    """Punctuation, quotation marks and case do not matter; with more or less it is another one."""
    assert is_no_mention(frame.format(strict))
    assert is_no_mention(frame.format(strict.upper()))
    assert not is_no_mention(frame.format(f"{strict}, 42"))
    assert not is_no_mention(frame.format(strict[:-1]))


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("Thirty days [1].", True), ("Thirty days [1][2].", True), ("Thirty days [1][3].", False),
        ("Thirty days [0].", False), ("Since [2020] thirty days [1].", False), ("Thirty days.", False),
        ("", False), ("文档未提及。", True),
    ],
)  # fmt: skip
def test_an_answer_must_cite_only_its_passages(text: str, ok: bool):
    """With two passages, an answer must cite, and only 1 and 2 are valid."""
    assert citations_ok(text, 2) is ok


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("Тридцать дней (стр. 4).", True), ("三十日(第5页)。", True), ("Thirty days (p. 9).", False),
        ("Thirty days (p. 4), or more (p. 9).", False),
        ("As page 80 of the annex has it, thirty days (p. 4).", True),
        ("Thirty days (see p. 80 of the annex) (p. 4).", True), ("See page 80.", False),
        ("Thirty days [2].", True), ("Thirty days [7] (p. 4).", False),
    ],
)  # fmt: skip
def test_pages_may_be_cited_if_the_style_is_page(text: str, ok: bool):
    """A page cited in brackets must be one of the passages' pages; other mentions are ignored."""
    assert citations_ok(text, 2, pages={4, 5}) is ok


def test_quoting_drops_footnote_marks_only():
    """The footnote mark [12] of a source is removed; a date in brackets and other text stays."""
    text = "Rate 5% [12] from [2020-08-30]【3】, see [a]."
    assert without_citations(text) == "Rate 5% from [2020-08-30], see [a]."
    assert without_citations("Rate 5% (p. 80), (see p. 81).", pages=True) == "Rate 5%, (see p. 81)."
    assert without_citations("a [[1]2] b") == "a b"


def test_citation_spans_cover_numbers_and_pages():
    """The spans cover all citations of numbers and pages; text that looks similar is left out."""
    text = "Да [2, 3], см. стр. 4 и [a], 第３页【5】 [2020-08]."
    spans = [span.of(text) for span in citation_spans(text)]
    assert spans == ["[2, 3]", "стр. 4", "第３页", "【5】"]


def test_a_page_mentioned_in_the_text_is_not_marked():
    """Pages are marked only by brackets that contain nothing else, and each is listed once."""
    assert marked_page_numbers("On page 80: yes (p. 4), (pp. 4-5), (see p. 9).") == [4, 5]
