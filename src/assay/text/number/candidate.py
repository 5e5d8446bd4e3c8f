"""A number as it was read from digits, numerals or words, before its sign and unit are added."""

from decimal import Context, Decimal
from typing import Final, NamedTuple

# The precision is enough for sums of scaled parts. A number that needs no arithmetic is exact at
# any length.
EXACT: Final = Context(prec=400)
ONE: Final = Decimal(1)


class Reading(NamedTuple):
    """A value and its position in the surface text.

    ``scale`` is the largest scale word of the number (``млн``, ``万``), or 1 if there is none.
    ``alternative`` is the other value if a separator is ambiguous. ``percent`` is true if the
    number itself contains the word for percent (``百分之五``).
    """

    start: int
    end: int
    value: Decimal
    alternative: Decimal | None = None
    scale: Decimal = ONE
    percent: bool = False


def scaled(value: Decimal, scale: Decimal) -> Decimal:
    """The exact product of ``value`` and ``scale``; ``value`` itself if the scale is 1."""
    return value if scale == ONE else EXACT.multiply(value, scale)
