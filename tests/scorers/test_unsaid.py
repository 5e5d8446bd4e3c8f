"""No scorer of answers reads what an answer has struck out or hidden."""

import pytest

from assay.scorers.correctness import correctness, token_f1
from assay.scorers.legal.boolean_answer import boolean_verdict
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import (
    amount_verdict,
    breakdown_verdict,
    count_verdict,
    date_verdict,
    text_verdict,
)

_HIDES = [
    "~~{}~~",
    "<del>{}</del>",
    "<s>{}</s>",
    "<!-- {} -->",
    "<p hidden>{}</p>",
    '<b style="display:none">{}</b>',
]


@pytest.mark.parametrize("hide", _HIDES)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("500", "600"), ("Paris", "London"), ("60 дней", "30 дней"), ("上海", "北京"), ("Yes", "No")],
)
def test_only_what_is_said_is_compared(hide: str, right: str, wrong: str):
    """An answer says its visible value, and a value that is struck out or hidden is not said."""
    answer = f"{hide.format(wrong)} {right}"
    kept, refused = correctness([right], answer), correctness([wrong], answer)
    assert (kept.exact, kept.f1, kept.contained) == (True, 1.0, True)
    assert (refused.exact, refused.contained) == (False, False)
    assert text_verdict(answer, right).holds
    assert not text_verdict(answer, wrong).holds


@pytest.mark.parametrize("hide", _HIDES)
def test_fields_of_the_benchmark_are_read_from_what_is_said(hide: str):
    """Amounts, counts, dates, names and yes or no that are struck out or hidden do not count."""
    assert not amount_verdict(f"{hide.format('£500')} £600", 500).holds
    assert amount_verdict(f"{hide.format('£500')} £600", 600).holds
    assert breakdown_verdict(f"£100, {hide.format('£250')} £200", [100, 200]).holds
    assert count_verdict(f"{hide.format('3')} 4 keys", 4, "How many keys?").holds
    assert not count_verdict(f"{hide.format('3')} 4 keys", 3, "How many keys?").holds
    assert not date_verdict(f"{hide.format('12 May 2020')} 13 May 2020", "2020-05-12").holds
    assert not entity_verdict(f"{hide.format('Hugh Orme')} Ivo Pell", "Hugh Orme").holds
    assert entity_verdict(f"{hide.format('Hugh Orme')} Ivo Pell", "Ivo Pell").holds
    assert boolean_verdict(f"{hide.format('Yes')} No", False, "Did he pay?").holds
    assert not boolean_verdict(f"{hide.format('Yes')} No", True, "Did he pay?").holds


def test_invisible_characters_neither_break_nor_make_a_match():
    """A word or a number with invisible characters inside is the word or number that is seen."""
    assert entity_verdict("Олег Шве\u200bдов", "Олег Шведов").holds
    assert text_verdict("Pa\u00adris", "Paris").holds
    assert not text_verdict("Par\u200bis", "Par").holds
    assert amount_verdict("£5\u200b00", 500).holds
    assert not amount_verdict("£5\u200b00", 5).holds
    assert token_f1("Москва", "Мос\u2060ква") == 1.0
