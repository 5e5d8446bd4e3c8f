import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import exact_match

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=150)
ANY = st.text(st.characters(exclude_categories=()))

EXACT = [
    ("在北京。", "在北京", True), ("北 京", "北京", True), ("四万二千元", "42,000元。", True), ("42000元", "４２０００元", True),
    ("2020年8月30日", "2020-08-30", True), ("30 августа 2020 г.", "Aug 30, 2020", True), ("Ёлка", "елка!", True),
    ("The cat", "cat.", True), ("«Ромашка»", '"Ромашка"', True), ("235,0", "235.0", True),
    ("$5", "5 долларов", True), ("в Москве", "Москва", False), ("北京", "南京", False), ("5%", "5", False),
    ("235", "1235", False), ("A", "B", False), ("A", "", False), ("", "", True),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "same"), EXACT)
def test_exact_match(a: str, b: str, same: bool):
    """An exact match ignores notation, but not different words."""
    assert exact_match(a, b) is same
    assert exact_match(b, a) is same


@PROPERTY
@given(ANY)
def test_an_answer_matches_itself(text: str):
    """Any text is an exact match of itself."""
    assert exact_match(text, text)
