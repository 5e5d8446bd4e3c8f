"""Dates, quantities and names that an answer gives."""

from assay.scorers.value.name_word import NOT_NAMES
from assay.scorers.value.name_word import TITLES
from assay.scorers.value.date import answer_dates
from assay.scorers.value.quantity import codes
from assay.scorers.value.name_word import is_starter
from assay.scorers.value.quantity import long_numbers
from assay.scorers.value.quantity import quantities
from assay.scorers.value.quantity import references
from assay.scorers.value.quantity import times_of_day

__all__ = [
    "NOT_NAMES",
    "TITLES",
    "answer_dates",
    "codes",
    "is_starter",
    "long_numbers",
    "quantities",
    "references",
    "times_of_day",
]
