"""Exact match and F1 beside values computed by hand."""

import pytest

from assay.checks.overlap import answer_tokens, is_exact, token_f1

TABLE = [
    # expected, answer, exact, F1 by tokens (Chinese: characters)
    ("违约金", "违约金。", True, 1.0),
    ("三十日内", "应在三十日内提出", False, 2 * 3 / (3 + 7)),
    ("北京", "南京", False, 0.5),
    ("2020年8月30日", "签订于2020-08-30", False, 2 * 1 / (1 + 4)),
    ("Москва", "в Москве", False, 2 * 1 / (1 + 2)),
    ("городской суд", "Городского суда", True, 1.0),
    ("ёлка", "елки", True, 1.0),
    ("30 августа 2020 г.", "2020-08-30", True, 1.0),
    ("директор", "бухгалтер", False, 0.0),
    ("the red gate", "a red, red gate", False, 0.8),
    ("235", "1235", False, 0.0),
]


@pytest.mark.parametrize(("expected", "answer", "exact", "f1"), TABLE)
def test_overlap_has_the_values_computed_by_hand(
    expected: str, answer: str, exact: bool, f1: float
):
    """Each measure has the value in the table."""
    assert is_exact(expected, answer) is exact
    assert token_f1(expected, answer) == pytest.approx(f1)


def test_chinese_is_compared_by_words_on_request():
    """Swapped characters share all characters and no word."""
    assert token_f1("合同解除", "除解同合") == 1.0
    assert token_f1("合同解除", "除解同合", chinese="word") < 1.0


def test_articles_and_citations_are_no_tokens():
    """As SQuAD defines it; a text of articles only has them all the same."""
    assert answer_tokens("The pump [1], a valve (p. 3)") == ["pump", "valve"]
    assert answer_tokens("the") == ["the"]
