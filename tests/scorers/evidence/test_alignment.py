"""Tokens of contracts, and a quotation laid beside a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scorers.evidence.alignment import align
from assay.scorers.evidence.token import names, tokens, uncapitalised

TEXTS = st.text(alphabet="abc АбВ不得可以12 %.,;甲方乙元日not не", max_size=60)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("within 5 business days", [("number", "5 workday", "most")]),
        ("свыше 3 часов", [("number", "3 hour", "least")]),
        ("不超过20%", [("number", "20 percent", "most")]),
        ("трёхдневный срок", [("number", "72 hour", None), ("word", "срок", None)]),
        ("一昼夜", [("number", "24 hour", None)]),
        ("half the fee", [("number", "50 percent", None), ("word", "price", None)]),
        ("被许可方不得", [("party", "被许可方", None), ("denial", "not", None)]),
        ("不可抗力", [("word", "不可抗力", None)]),
        ("no later than 9 March 2031", [("date", "2031-03-09", "most")]),
        ("за каждый час", [("word", "кажд", None), ("unit", "1 hour", None)]),
        ("each party", [("party", "both", None)]),
    ],
)
def test_tokens_carry_what_decides(text: str, wanted: list[tuple[str, str, str | None]]):
    """Values come with unit and bound, denials and parties as such, forms of a word as one."""
    assert [(token.kind, token.key, token.bound) for token in tokens(text)] == wanted


def test_additive_words_are_no_denials():
    """除…外，还 adds to what is named; 除…外 alone leaves it out."""
    adds = tokens("除支付租金外，还应支付电费。")
    leaves_out = tokens("除节假日外，每天开放。")
    assert [t.kind for t in adds].count("denial") == 0
    assert [t.kind for t in leaves_out].count("denial") == 1


def test_names_are_words_with_a_capital_inside_a_sentence():
    """The first word of a sentence is no name for its capital alone."""
    text = "Rent is due monthly. The Lodger pays Quill House. rent"
    assert names(text) == {"lodger", "quill", "hous"}
    assert "rent" in uncapitalised(text)


def test_a_partial_quotation_is_carried_whole():
    """Part of a sentence scores 1, and the part it covers is known."""
    there = tokens("The boat is moored at the pier, and the crew sleeps ashore.")
    side = align(tokens("the crew sleeps ashore"), there)
    assert side.score == 1.0
    assert [token.form for token in there[side.first : side.last]] == ["crew", "sleeps", "ashore"]


def test_kin_and_synonyms_count():
    """Other forms and other words of one meaning carry, an unrelated word does not."""
    there = tokens("Арендатор возвращает ключи")
    assert align(tokens("Арендатор вернул ключи"), there).score > 0.9
    assert align(tokens("Арендатор потерял ключи"), there).score < 0.8


def test_an_invented_end_costs_more_than_its_words():
    """A stretch that the sentence has nothing of is charged beyond its share."""
    there = tokens("The crew sleeps ashore on weekdays")
    side = align(tokens("The crew sleeps ashore on weekdays and eats hot soup nightly"), there)
    assert side.score < side.carried - 0.2


def test_nothing_to_compare_scores_nothing():
    """No tokens on either side give 0, not an error."""
    assert align((), tokens("rent")).score == 0.0
    assert align(tokens("rent"), ()).score == 0.0


@given(TEXTS, TEXTS)
def test_scores_stay_in_bounds(one: str, other: str):
    """Any two texts give a score and an order in 0..1 and a stretch inside the sentence."""
    quoted, there = tokens(one), tokens(other)
    side = align(quoted, there)
    assert 0.0 <= side.score <= side.carried <= 1.0 + 1e-9
    assert 0.0 <= side.order <= 1.0
    assert 0 <= side.first <= side.last <= len(there)
