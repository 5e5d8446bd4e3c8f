"""The judged expressions of numbers and dates, and whether they are read as they should be."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from assay.text import Number, dates, read_numbers
from tests.support.path import JUDGED

Outcome = Literal["read", "unmarked", "unread", "wrong"]


class Expression(NamedTuple):
    """An expression, its kind (number or date), its language, and what must be read from it."""

    kind: str
    language: str
    text: str
    expected: str


def expressions(part: str) -> Iterator[Expression]:
    """The expressions of ``tuned`` or ``untouched``."""
    kind = language = ""
    path = JUDGED / "expression" / f"{part}.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            _, kind, language = line.split()
        elif line:
            text, _, expected = line.rpartition(" = ")
            yield Expression(kind, language, text, expected)


def _is_equal(reading: Number, value: Fraction) -> bool:
    """Whether a number has the value; 70 percent also has the value 0.7, and 7 per mille 0.007."""
    found = Fraction(reading.value)
    forms = (found, found / {"percent": 100, "permille": 1000}.get(reading.unit or "", 1))
    return any(abs(form - value) <= Fraction(1, 10**12) * abs(value) for form in forms)


def outcome(expression: Expression) -> Outcome:
    """Whether the expression is read, read without its mark, not read, or read wrongly."""
    if expression.kind == "date":
        isos = [date.iso for date in dates(expression.text)]
        expected_isos = [] if expression.expected == "-" else expression.expected.split(",")
        return "read" if isos == expected_isos else "wrong" if isos else "unread"
    readings = read_numbers(expression.text)
    expected = expression.expected.lstrip("~")
    values = [] if expected == "-" else [Fraction(value) for value in expected.split(",")]
    if len(readings) != len(values) or not all(map(_is_equal, readings, values)):
        return "wrong" if readings else "unread"
    marked = all(reading.approximate for reading in readings)
    return "read" if marked or not expression.expected.startswith("~") else "unmarked"
