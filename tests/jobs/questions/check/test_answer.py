"""Whether a text states an answer: the same comparison as the score of a run."""

import pytest

from assay.jobs.questions.check.answer import is_stated
from assay.scorers.correctness import correctness


@pytest.mark.parametrize(
    ("answer", "text"), [("可以", "不可以。"), ("can", "They can't."), ("Иванов", "Иван пришёл.")]
)
def test_a_denied_answer_is_not_stated(answer: str, text: str):
    """The check compares as the run does: what the run calls wrong does not pass."""
    assert not is_stated(answer, text)
    assert not correctness([answer], text).contained


@pytest.mark.parametrize(
    ("answer", "text"), [("Иванов", "Спор с Ивановым."), ("不可抗力", "属于不可抗力。")]
)
def test_another_form_of_the_answer_is_stated(answer: str, text: str):
    """What the check accepts, the run scores as contained."""
    assert is_stated(answer, text)
    assert correctness([answer], text).contained
