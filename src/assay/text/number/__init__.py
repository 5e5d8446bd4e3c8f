"""Numbers in three languages, written as digits, Chinese numerals or words, with their units."""

from assay.text.number.han import NUMERAL
from assay.text.number.number import (
    Number,
    canonical,
    numbers,
    read_numbers,
    same_number,
    same_value,
)
from assay.text.number.numeral import numeral_value
from assay.text.number.part import is_part_of_value
from assay.text.number.roman import roman_value
from assay.text.number.unit import unit_after
from assay.text.number.word import words_value

__all__ = [
    "NUMERAL",
    "Number",
    "canonical",
    "is_part_of_value",
    "numbers",
    "numeral_value",
    "read_numbers",
    "roman_value",
    "same_number",
    "same_value",
    "unit_after",
    "words_value",
]
