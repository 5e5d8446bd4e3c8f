"""Where an answer says an expected value, and where it only mentions it."""

import pytest

from assay.scorers.mention import answer_span, is_beyond
from assay.text import Span

# expected, the same said, the same only mentioned
TABLE = [
    ("Paris", ["It is not London but Paris.", "Paris, not London"],
     ["London rather than Paris", "Paris is wrong; it is London."]),
    ("Tokyo", ["Not Kyoto, but Tokyo"],
     ["Tokyo is not the capital", "Kyoto instead of Tokyo", "Tokyo or Kyoto", "Kyoto or Tokyo"]),
    ("Париж", ["Не Лондон, а Париж."], ["Париж — неверно, Лондон.", "Лондон вместо Парижа", "Париж или Лондон"]),
    ("北京", ["不是上海，而是北京。", "北京市"], ["北京错误，是上海", "北京或上海", "北京不是首都", "北京大学"]),
    ("30 days", ["within 30 days"], ["more than 30 days", "30 days or more"]),
    ("pay the rent", ["Tenants must pay the rent or leave."], ["pay the rent or leave"]),
    ("王明", ["王明先生", "王明说", "是王明。", "王明和李华", "王明月初付款"], ["王明月", "王明明"]),
    ("南京", ["南京市", "在南京"], ["南京东路"]),
    ("中国", ["中国的", "中国人"], ["中国银行"]),
    ("大学", ["一所大学"], ["大学生"]),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "right", "wrong"), TABLE)
def test_a_mention_counts_if_it_is_said_of_the_thing_itself(
    expected: str, right: list[str], wrong: list[str]
):
    """Denied, corrected, undecided and longer names do not count."""
    assert [text for text in right if answer_span(expected, text) is None] == []
    assert [text for text in wrong if answer_span(expected, text) is not None] == []


def test_a_question_that_denies_may_be_answered_by_what_is_not_so():
    """Which city is not the capital? Tokyo is not the capital."""
    text = "Tokyo is not the capital"
    assert answer_span("Tokyo", text, "Which city is not the capital?") is not None


def test_a_limit_that_is_asked_for_is_the_value():
    """From which sum on? More than 100."""
    text = "more than 100 dollars"
    assert is_beyond(text, Span(start=10, end=21))
    assert not is_beyond(text, Span(start=10, end=21), "Payments above which sum are reported?")
