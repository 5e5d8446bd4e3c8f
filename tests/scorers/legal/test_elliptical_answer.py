"""Yes and no by an auxiliary verb alone, and a denial that only gives the reason."""

import pytest

from assay.scorers.legal.boolean_answer import stated_boolean


@pytest.mark.parametrize(
    ("question", "answer", "stated"),
    [
        ("Does it contain a penalty?", "It does: clause 4 bars any delay.", True),
        ("Does it contain a penalty?", "It does not: clause 4 only asks for a notice.", False),
        ("Has he paid?", "He has; nothing is left to pay.", True),
        ("Has he paid?", "He hasn't – the account is empty.", False),
        ("Did she find the clause enforceable?", "She held that the clause was unenforceable because it had not been shown to him.", False),
        ("Did she find the clause unenforceable?", "She held that the clause was unenforceable because it had not been shown to him.", True),
        ("Признан ли пункт действительным?", "Пункт признан недействительным потому что его не показали.", False),
    ],
)  # fmt: skip
def test_the_first_verb_decides(question: str, answer: str, stated: bool):
    """An auxiliary verb alone answers, and what is denied in the reason does not count."""
    assert stated_boolean(answer, question) is stated
