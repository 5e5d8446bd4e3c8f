"""What is said of answers where nobody has said what is right."""

import pytest

from assay.checks.catalogue import (
    abstained,
    other_language,
    unsupported_figure,
    unsupported_quotation,
    without_passages,
)
from assay.checks.scorer import Subject
from assay.records import Passage

NOTICE = "Notice is given in writing, thirty days ahead."


def subject(answer: str, *passages: str, question: str = "How long is the notice?") -> Subject:
    """An answer with the texts of its passages."""
    found = tuple(Passage(id=str(n), text=text) for n, text in enumerate(passages))
    return Subject(
        job="ablation", question_id="q", question=question, answer=answer, passages=found, row={}
    )


@pytest.mark.parametrize(
    ("answer", "passage", "why"),
    [
        ("It is 30 days.", NOTICE, ""),
        ("It is 45 days.", NOTICE, "“45”"),
        ("通知期为四十五天。", "通知期为三十天。", "“四十五”"),
        ("Срок составляет 45 дней.", "Срок составляет тридцать дней.", "“45”"),
        ("See page 7 [1].", NOTICE, None),
    ],
)
def test_a_figure_is_looked_up_in_any_notation(answer: str, passage: str, why: str | None):
    """An answer without figures takes no part, and neither does a citation."""
    found = unsupported_figure.SCORER.grade(subject(answer, passage))
    assert (found and found.why) == why


def test_a_figure_of_the_question_is_not_invented():
    """It was said before the answer."""
    asked = subject("Yes, 45 days are enough.", NOTICE, question="Are 45 days enough?")
    assert unsupported_figure.SCORER.value(asked) is False


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It says “given in writing, thirty days ahead”.", False),
        ("It says “given in writing, twenty days ahead”.", True),
        ("It speaks of “notice”.", None),
        ("В документе сказано: «срок можно продлить один раз».", True),
    ],
)
def test_a_quotation_is_looked_up_in_the_passages(answer: str, expected: bool | None):
    """A word or two in quotation marks are no quotation."""
    assert unsupported_quotation.SCORER.value(subject(answer, NOTICE)) is expected


def test_nothing_is_looked_up_without_texts():
    """Where passages have only names, or nothing says what was retrieved, there is no value."""
    for scorer in (unsupported_figure.SCORER, unsupported_quotation.SCORER):
        assert scorer.value(subject("It says “45 days after the first notice”.", "")) is None
    unknown = Subject(
        job="ablation", question_id="q", question="?", answer="45", row={"passages_known": False}
    )
    assert without_passages.SCORER.value(unknown) is None
    assert without_passages.SCORER.value(subject("45")) is True


def test_an_abstention_may_be_unsure():
    """Then both values are possible."""
    clear = abstained.SCORER.grade(subject("I could not find that in the documents."))
    assert clear is not None
    assert (clear.value, clear.at_least) == (True, None)
    assert abstained.SCORER.grade(subject(" ")) is None


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Сколько дней?", "It is thirty days.", True),
        ("合同期限多长？", "合同的期限从今年五月开始一共是三十天整。", False),
        ("How long?", "30", None),
    ],
)
def test_the_language_of_an_answer(question: str, answer: str, expected: bool | None):
    """A number or a name has none."""
    assert other_language.SCORER.value(subject(answer, question=question)) is expected
