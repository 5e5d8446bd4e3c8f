"""Tokens of contract sentences, and the alignment of a quotation with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scorers.evidence.alignment import align
from assay.scorers.evidence.token import names, tokens, uncapitalised

TEXTS = st.text(alphabet="abc АбВ不得可以12 %.,;甲方乙元日not не", max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_tokens_have_kind_key_and_bound(text: str, expected: list[tuple[str, str, str | None]]):
    """Values include unit and bound, denials and parties are kinds, forms of a word share a key."""
    assert [(token.kind, token.key, token.bound) for token in tokens(text)] == expected


def test_additive_words_are_no_denials():
    """除…外，还 means "in addition to" and is no denial; 除…外 alone means "except" and is one."""
    additive = tokens("除支付租金外，还应支付电费。")
    exclusive = tokens("除节假日外，每天开放。")
    assert [token.kind for token in additive].count("denial") == 0
    assert [token.kind for token in exclusive].count("denial") == 1


def test_names_are_words_with_a_capital_inside_a_sentence():
    """The first word of a sentence is not a name just because it has a capital letter."""
    text = "Rent is due monthly. The Lodger pays Quill House. rent"
    assert names(text) == {"lodger", "quill", "hous"}
    assert "rent" in uncapitalised(text)


def test_a_partial_quotation_is_carried_whole():
    """A part of a sentence scores 1, and the alignment knows which tokens it covers."""
    source = tokens("The boat is moored at the pier, and the crew sleeps ashore.")
    aligned = align(tokens("the crew sleeps ashore"), source)
    covered = source[aligned.first : aligned.last]
    assert aligned.score == 1.0
    assert [token.form for token in covered] == ["crew", "sleeps", "ashore"]


def test_other_forms_and_synonyms_count():
    """Other forms of a word and synonyms get credit; an unrelated word does not."""
    source = tokens("Арендатор возвращает ключи")
    assert align(tokens("Арендатор вернул ключи"), source).score > 0.9
    assert align(tokens("Арендатор потерял ключи"), source).score < 0.8


def test_an_invented_end_costs_more_than_its_words():
    """A run of tokens that the sentence does not contain costs more than its missing credits."""
    source = tokens("The crew sleeps ashore on weekdays")
    aligned = align(tokens("The crew sleeps ashore on weekdays and eats hot soup nightly"), source)
    assert aligned.score < aligned.carried - 0.2


def test_nothing_to_compare_scores_nothing():
    """If the quotation or the sentence has no tokens, the score is 0 and nothing is raised."""
    assert align((), tokens("rent")).score == 0.0
    assert align(tokens("rent"), ()).score == 0.0


@given(TEXTS, TEXTS)
def test_scores_stay_in_bounds(quotation: str, sentence: str):
    """For any two texts, score and order are in 0..1 and the covered range is in the sentence."""
    quoted, source = tokens(quotation), tokens(sentence)
    aligned = align(quoted, source)
    assert 0.0 <= aligned.score <= aligned.carried <= 1.0 + 1e-9
    assert 0.0 <= aligned.order <= 1.0
    assert 0 <= aligned.first <= aligned.last <= len(source)
