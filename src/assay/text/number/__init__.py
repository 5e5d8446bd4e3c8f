"""Numbers in three languages, written as digits, Chinese numerals or words, with their units."""

from assay.text.number.han import NUMERAL, numeral_value
from assay.text.number.number import (
    Number,
    numbers,
    read_numbers,
    same_number,
    same_value,
)
from assay.text.number.word import is_part_of_value, ordinal_value, words_value

__all__ = [
    "NUMERAL",
    "Number",
    "is_part_of_value",
    "numbers",
    "numeral_value",
    "ordinal_value",
    "read_numbers",
    "same_number",
    "same_value",
    "words_value",
]
