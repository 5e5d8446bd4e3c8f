"""A number as it was read from digits, numerals or words, before its sign and unit are added."""

from decimal import Context, Decimal
from typing import Final, NamedTuple

# The precision is enough for sums of scaled parts. A number that needs no arithmetic is exact at
# any length.
EXACT: Final = Context(prec=400)
ONE: Final = Decimal(1)
# A quotient may have infinitely many digits; thirty digits are the same on every machine.
QUOTIENT: Final = Context(prec=30)


class Reading(NamedTuple):
    """A value and its position in the surface text.

    ``scale`` is the largest scale word of the number (``млн``, ``万``), or 1 if there is none.
    ``alternative`` is the other value if a separator is ambiguous. ``percent`` is true if the
    number itself contains the word for percent (``百分之五``), and ``currency`` is the code of a
    currency that it contains (``三块五``). ``approximate`` is true if the number says so itself
    (``三十多万``). A reading that is not ``readable`` has no meaningful value: it covers an
    expression that is not understood, so that no part of it is taken for a number.
    """

    start: int
    end: int
    value: Decimal
    alternative: Decimal | None = None
    scale: Decimal = ONE
    percent: bool = False
    currency: str | None = None
    approximate: bool = False
    readable: bool = True


def scaled(value: Decimal, scale: Decimal) -> Decimal:
    """The exact product of ``value`` and ``scale``; ``value`` itself if the scale is 1."""
    return value if scale == ONE else EXACT.multiply(value, scale)
