"""Values of a benchmark answer that are another one, or the same in another notation."""

import pytest

from assay.scorers.legal.boolean_answer import boolean_verdict
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field.date import date_verdict
from assay.scorers.legal.field.verdict import amount_verdict, count_verdict


def test_an_amount_that_is_only_a_limit_is_another_one():
    """More than 100 000 is not 100 000, unless the question asks for the limit."""
    assert not amount_verdict("более 100 000 рублей", 100000, question="Сколько?").holds
    assert amount_verdict("не более 100 000 рублей", 100000, question="Сколько?").holds
    assert amount_verdict("свыше 100 000 рублей", 100000, question="Свыше какой суммы?").holds


def test_an_ordinal_is_no_count():
    """第三次 is the third time."""
    assert not count_verdict("第三次", 3, "几次？").holds
    assert count_verdict("三次", 3, "几次？").holds


@pytest.mark.parametrize(
    ("expected", "right", "wrong"),
    [("赵强", "赵强先生", "赵强生"), ("李华", "李华说", "李华东"), ("Acme Ltd", "Acme Limited", "Acme GmbH")],
)  # fmt: skip
def test_a_longer_name_or_another_legal_form_is_another_one(expected: str, right: str, wrong: str):
    """A name that goes on is not the expected one, nor is a company of another form."""
    assert entity_verdict(right, expected).holds
    assert not entity_verdict(wrong, expected).holds


def test_a_year_of_two_digits_is_told_by_the_expected_one():
    """12.02.22 is 12 February 2022; with slashes the month comes first, and the reason says so."""
    assert date_verdict("12.02.22", "2022-02-12").holds
    assert not date_verdict("12.02.22", "2022-12-02").holds
    verdict = date_verdict("7/6/2020", "2020-06-07")
    assert not verdict.holds
    assert "month first" in verdict.why


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No doubt he agreed.", True),
        ("No doubt about it, yes.", True),
        ("毫无疑问，是的。", True),
        ("确实如此。", True),
        ("Никаких сомнений: да.", True),
        ("Ни в коем случае.", False),
        ("从未。", False),
    ],
)
def test_how_sure_an_answer_is_says_neither_yes_nor_no(text: str, expected: bool):
    """A doubt that is denied is no denial of what is asked."""
    assert boolean_verdict(text, expected, "Did he agree?").holds
