"""The citations of an answer, in all forms that a system may give them."""

import pytest

from assay.errors import SystemFailed
from assay.jobs.legal.expectation import CitedPassage
from assay.jobs.legal.reply import bench_answer, read_citations, with_answer
from assay.records import Answer, Passage

PASSAGES = (
    Passage(id="a", text="The price was £5. It was paid.", page=1, rank=2),
    Passage(id="b", text="The boat was old.", page=1, rank=1),
    Passage(id="c", text="It was sold in May.", page=2, rank=3),
)


def cited(text: str, **fields: object) -> list[str | None]:
    """The texts of an answer's citations."""
    answer = Answer(text=text, passages=PASSAGES, **fields)  # type: ignore[arg-type]
    return [citation.text for citation in bench_answer(answer).citations]


def test_numbers_name_passages():
    """``[3]`` cites the third passage; a number larger than their count cites nothing."""
    assert cited("In May [3], see also [9].") == ["It was sold in May."]


def test_pages_name_the_passage_that_is_quoted():
    """The quoted passage of the page is cited; if none is quoted, the best one of the page is."""
    assert cited("The price was £5. (p. 1)") == ["The price was £5. It was paid."]
    assert cited("It cost five pounds (p. 1)") == ["The boat was old."]
    assert cited("It cost five pounds (p. 7)") == []


def test_a_page_without_its_passages_is_still_cited():
    """A page that the text names is a citation even if none of its passages was retrieved."""
    answer = Answer(text="It cost five pounds (p. 7)", passages=PASSAGES)
    assert bench_answer(answer).cited == (CitedPassage(page=7),)


def test_what_is_retrieved_is_not_cited():
    """Passages that the answer does not name are not citations."""
    assert cited("Five pounds.") == []


def test_a_system_is_taken_at_its_word():
    """The system's own list of citations replaces those in the text, even if it is empty."""
    assert cited("Five [1].", extra={"citations": [{"page": 2, "text": "in May"}]}) == ["in May"]
    assert cited("Five [1].", extra={"citations": []}) == []


def test_a_reply_of_structured_fields_alone_gets_an_empty_answer():
    """Only a reply that states something but has no text is changed."""
    assert with_answer({"amount": 5, "answer": None})["answer"] == ""
    for reply in ("x", {"answer": "x", "amount": 5}, {"text": "x"}, {"citations": ["in May"]}):
        assert with_answer(reply) == reply


def test_a_page_may_be_written_out():
    """A page number as text is accepted; citations of another form are a failure of the system."""
    assert read_citations([{"page": "3"}]) == (CitedPassage(page=3),)
    for bad in ([{"page": "three"}], [None], "page 3", {"page": 3}):
        with pytest.raises(SystemFailed, match="citation"):
            read_citations(bad)


def test_thoughts_are_no_answer():
    """Neither the values nor the citations of a thought count."""
    text = "<think>£5 [1]?</think>It was sold in May [3]."
    assert cited(text) == ["It was sold in May."]
    answer = bench_answer(Answer(text=text, passages=PASSAGES))
    assert answer.text == "It was sold in May [3]."
