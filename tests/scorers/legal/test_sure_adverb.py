"""An adverb says how sure an answer is; what follows it decides between yes and no."""

import pytest

from assay.scorers.legal import stated_boolean

NO = (
    ("Did the tenant pay?", "Certainly not."),
    ("Did the tenant pay?", "Of course not!"),
    ("Did the tenant pay?", "Certainly he did not pay."),
    ("Did the tenant pay?", "Hardly."),
    ("Заплатил ли арендатор?", "Конечно, нет."),
    ("Заплатил ли арендатор?", "Разумеется, не заплатил"),
    ("Заплатил ли арендатор?", "Вряд ли."),
    ("承租人付款了吗？", "当然没有。"),
)
YES = (
    ("Did the tenant pay?", "Certainly."),
    ("Did the tenant pay?", "Of course, the tenant paid."),
    ("Заплатил ли арендатор?", "Конечно."),
    ("承租人付款了吗？", "当然。"),
)


@pytest.mark.parametrize(("question", "answer"), NO)
def test_a_sure_denial_is_a_no(question: str, answer: str):
    """It was taken for a yes, because it begins with a word of agreement."""
    assert stated_boolean(answer, question) is False


@pytest.mark.parametrize(("question", "answer"), YES)
def test_a_sure_agreement_is_a_yes(question: str, answer: str):
    """Alone, and before a statement that agrees."""
    assert stated_boolean(answer, question) is True
