"""Nouns after numbers, in English and Russian."""

import pytest

from assay.text.width import counted
from assay.words.plural import Count


def test_one_is_no_plural():
    """Only one document is a document; a plural may be irregular."""
    assert [counted(n, "document") for n in (0, 1, 2)] == [
        "0 documents",
        "1 document",
        "2 documents",
    ]
    assert [counted(n, "row is", "rows are") for n in (1, 2)] == ["1 row is", "2 rows are"]


@pytest.mark.parametrize(
    ("number", "noun"),
    [(1, "вопрос"), (2, "вопроса"), (4, "вопроса"), (5, "вопросов"), (11, "вопросов"),
     (12, "вопросов"), (14, "вопросов"), (21, "вопрос"), (112, "вопросов"), (122, "вопроса")],
)  # fmt: skip
def test_russian_has_three_forms(number: int, noun: str):
    """The last digit decides, except from 11 to 14."""
    assert f"{Count(number):вопрос|вопроса|вопросов}" == noun


def test_a_count_is_a_number():
    """Without forms it is formatted as a number."""
    assert f"{Count(1234):,} {Count(3)}" == "1,234 3"
