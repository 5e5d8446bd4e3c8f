"""Whether a text states an answer: the same comparison as the score of a run."""

import pytest

from assay.checks.answer import check_answer
from assay.questions.check.stated_answer import is_stated, unstated


@pytest.mark.parametrize(
    ("answer", "text"), [("可以", "不可以。"), ("can", "They can't."), ("Иванов", "Иван пришёл.")]
)
def test_a_denied_answer_is_not_stated(answer: str, text: str):
    """The check compares as the run does: what the run calls wrong does not pass."""
    assert not is_stated(answer, text)
    assert check_answer(answer, text).outcome != "right"


@pytest.mark.parametrize(
    ("answer", "text"), [("Иванов", "Спор с Ивановым."), ("不可抗力", "属于不可抗力。")]
)
def test_another_form_of_the_answer_is_stated(answer: str, text: str):
    """What the check accepts, the run scores as contained."""
    assert is_stated(answer, text)
    assert check_answer(answer, text).outcome == "right"


@pytest.mark.parametrize(
    ("answer", "evidence", "question"),
    [
        ("120 crowns", "Lamps cost 4 crowns a metre and day.", "What do 6 metres for 5 days cost?"),
        ("15%", "Above 10 hours the bill falls by 5% an hour.", "How much less after 13 hours?"),
        (
            "34800 crowns",
            "They supply 6,000 kg. A kilogram is 5.8 crowns.",
            "What is paid a month?",
        ),
    ],
)
def test_an_answer_may_be_computed_from_the_evidence(answer: str, evidence: str, question: str):
    """Amounts times prices, and rates for what is above a limit, are no fault of the gold."""
    assert unstated([answer], evidence, question) == ""
    assert unstated(["777 crowns"], evidence, question)
