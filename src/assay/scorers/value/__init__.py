"""Dates, quantities, codes and name words in the text of an answer."""

from assay.scorers.value.date import answer_dates
from assay.scorers.value.name_word import is_starter, not_names, titles
from assay.scorers.value.quantity import codes, long_numbers, quantities, references, times_of_day

__all__ = [
    "answer_dates",
    "codes",
    "is_starter",
    "long_numbers",
    "not_names",
    "quantities",
    "references",
    "times_of_day",
    "titles",
]
