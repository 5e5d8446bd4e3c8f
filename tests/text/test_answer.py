import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import exact_match, token_f1

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=150)
ANY = st.text(st.characters(exclude_categories=()))

EXACT = [
    ("在北京。", "在北京", True),
    ("北 京", "北京", True),
    ("四万二千元", "42,000元。", True),
    ("42000元", "４２０００元", True),
    ("2020年8月30日", "2020-08-30", True),
    ("30 августа 2020 г.", "Aug 30, 2020", True),
    ("Ёлка", "елка!", True),
    ("The cat", "cat.", True),
    ("«Ромашка»", '"Ромашка"', True),
    ("235,0", "235.0", True),
    ("$5", "5 долларов", True),
    ("в Москве", "Москва", False),
    ("北京", "南京", False),
    ("5%", "5", False),
    ("235", "1235", False),
    ("A", "B", False),
    ("A", "", False),
    ("", "", True),
]


@pytest.mark.parametrize(("a", "b", "same"), EXACT)
def test_exact_match(a: str, b: str, same: bool):
    """Writing makes no difference to an exact match; wording does."""
    assert exact_match(a, b) is same
    assert exact_match(b, a) is same


F1 = [
    ("在北京。", "在北京", 1.0),
    ("北京大学", "北京", 2 / 3),
    ("красной машины", "красная машина", 1.0),
    ("красная машина", "синяя машина", 0.5),
    ("the red car", "red car", 1.0),
    ("red car", "blue car", 0.5),
    ("car car", "car", 2 / 3),
    ("42 000 руб.", "42000 рублей", 1.0),
    ("да", "нет", 0.0),
    ("да", "", 0.0),
    ("", "", 1.0),
]


@pytest.mark.parametrize(("a", "b", "expected"), F1)
def test_token_f1(a: str, b: str, expected: float):
    """F1 counts characters in Chinese, stems in Russian, words in English."""
    assert token_f1(a, b) == pytest.approx(expected)


@PROPERTY
@given(ANY, ANY)
def test_f1_is_symmetric_and_bounded(a: str, b: str):
    """F1 lies between 0 and 1, does not depend on the order, and is 1 for equal answers."""
    assert 0.0 <= token_f1(a, b) <= 1.0
    assert token_f1(a, b) == token_f1(b, a)
    assert token_f1(a, a) == 1.0
    assert exact_match(a, a)
