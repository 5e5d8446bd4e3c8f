"""A number as one of the readers found it, before signs and units are looked at."""

from decimal import Context, Decimal
from typing import Final, NamedTuple

# Wide enough for sums of scaled parts; a number that needs no arithmetic is exact at any length.
EXACT: Final = Context(prec=400)
ONE: Final = Decimal(1)


class Reading(NamedTuple):
    """A value and where it stands in the surface text.

    ``scale`` is the largest power word in it (``млн``, ``万``), 1 where there is none;
    ``alternative`` is the other reading of an ambiguous separator; ``percent`` says that the
    words of the number itself said percent (``百分之五``).
    """

    start: int
    end: int
    value: Decimal
    alternative: Decimal | None = None
    scale: Decimal = ONE
    percent: bool = False


def scaled(value: Decimal, scale: Decimal) -> Decimal:
    """``value`` times ``scale``, exact, and untouched where there is nothing to do."""
    return value if scale == ONE else EXACT.multiply(value, scale)
