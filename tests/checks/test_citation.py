import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.citation import citation_numbers, citation_range_ok, cite_ok, cited_chunk_ids
from assay.records import Passage
from assay.text.citation import NO_MENTION

PASSAGES = [Passage(id="a", page=4), Passage(id="b", page=5), Passage(id="c", page=5)]
ANSWERS = st.text(alphabet="ab [](),-0123文。p.", max_size=40)


@pytest.mark.parametrize(
    ("text", "count", "ok"),
    [
        ("Thirty days [1].", 2, True),
        ("Thirty days [1][3].", 2, False),
        ("Thirty days.", 2, False),
        ("", 2, False),
        ("Thirty days [1].", 0, False),
        *((sentence, 0, True) for sentence in NO_MENTION.values()),
        ("The contract is silent on this.", 2, False),
    ],
)
def test_citations_are_valid_by_the_definition(text: str, count: int, ok: bool):
    """Valid are the fixed no-mention sentence, and answers with citations that are all in range."""
    assert cite_ok(text, count) is ok


@given(ANSWERS, st.integers(0, 4))
def test_valid_citations_are_in_range(text: str, count: int):
    """An answer is valid exactly if it cites something and all citations are in range."""
    in_range = all(1 <= number <= count for number in citation_numbers(text))
    assert citation_range_ok(text, count) is (in_range and bool(citation_numbers(text)))
    assert cite_ok(text, count) is citation_range_ok(text, count)


def test_a_refusal_is_valid_without_a_citation_and_has_none_in_range():
    """The first user's design: no citation is no citation in range; the sentence is valid as it is."""
    assert (citation_range_ok("文档未提及。", 3), cite_ok("文档未提及。", 3)) == (False, True)


def test_pages_count_only_if_they_may_be_cited():
    """A page of the passages is valid, another page is not, and without ``pages`` neither is."""
    pages = {4, 5}
    assert cite_ok("Thirty days (p. 4).", 3, pages=pages)
    assert not cite_ok("Thirty days (p. 4).", 3)
    assert citation_range_ok("Thirty days (p. 4).", 3, pages=pages)
    assert not citation_range_ok("Thirty days (p. 9).", 3, pages=pages)
    assert not citation_range_ok("Thirty days (p. 4) [9].", 3, pages=pages)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Yes [3][1].", ["c", "a"]),
        ("Yes [1-2], [2].", ["a", "b"]),
        ("Yes [0][4].", []),
        ("Да (стр. 5).", ["b", "c"]),
        ("是（第四页）。", ["a"]),
        ("Yes [3] (p. 5).", ["c", "b"]),
        ("Page 5 says so.", ["b", "c"]),
        ("Page 5 says so [1].", ["a"]),
        ("Page 5 says so (p. 4).", ["a"]),
        ("Yes (p. 9).", []),
        ("Yes.", []),
    ],
)
def test_cited_passages_are_found_by_number_and_by_page(text: str, ids: list[str]):
    """Each passage is listed once, a page cites all its passages, and others are ignored."""
    assert cited_chunk_ids(text, PASSAGES) == ids


def test_a_page_cites_nothing_without_the_page_style():
    """A page number is no citation if only passage numbers may be cited."""
    assert cited_chunk_ids("Yes [3] (p. 4).", PASSAGES, pages=False) == ["c"]


@given(ANSWERS, st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 3)), max_size=4))
def test_only_retrieved_passages_are_cited(text: str, ids_and_pages: list[tuple[str, int]]):
    """For any text, all cited ids belong to the passages and are listed once."""
    passages = [Passage(id=name, page=page) for name, page in ids_and_pages]
    cited = cited_chunk_ids(text, passages)
    assert set(cited) <= {passage.id for passage in passages}
    assert len(cited) == len(set(cited))
