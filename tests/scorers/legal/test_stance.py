"""Whether an answer asserts a value that it names, or denies it."""

import pytest

from assay.scorers.legal.stance import is_denied

DENIED = [
    ("It isn't {} but £1,400.", "£1,450"),
    ("The rent isn’t {}, it's £1,400.", "£1,450"),
    ("The rent won't be {}.", "£1,450"),
    ("The rent can't have been {}.", "£1,450"),
    ("It doesn't end on {}.", "31 August 2026"),
    ("It did not close at {}.", "6 pm"),
    ("It is not {} but £1,400.", "£1,450"),
    ("The rent is {}? No, £1,400.", "£1,450"),
    ("Плата — {}? Нет, 1400 рублей.", "1450 рублей"),
    ("租金是{}？不是，是1400元。", "1450元"),
]
ASSERTED = [
    ("It isn't much: {}.", "£1,450"),
    ("It didn't end until {}.", "31 August 2026"),
    ("It doesn't just end on {}, it starts anew.", "31 August 2026"),
    ("The fee must not exceed {}.", "£1,450"),
    ("I don't doubt it: {}.", "£1,450"),
    ("Is it {}? Yes, no doubt.", "£1,450"),
]


@pytest.mark.parametrize(("answer", "value"), DENIED)
def test_a_denied_value_is_not_asserted(answer: str, value: str):
    """A value after a denial is denied, also if the denial is short or has its own verb."""
    start = answer.index("{")
    assert is_denied(answer.format(value), start, start + len(value))


@pytest.mark.parametrize(("answer", "value"), ASSERTED)
def test_a_denial_of_something_else_denies_no_value(answer: str, value: str):
    """A limit, an "until" and a denial before a colon leave the value as it is."""
    start = answer.index("{")
    assert not is_denied(answer.format(value), start, start + len(value))
