"""The number of a month from its name."""

import re
from functools import cache

from assay.text.lexicon import expressions


def month_number(name: str) -> int:
    """The number of a month, 1 to 12, from its name or abbreviation in English or Russian."""
    return next(number for pattern, number in _month_numbers() if pattern.fullmatch(name))


@cache
def _month_numbers() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple(
        (re.compile(month, re.IGNORECASE), number)
        for language in ("en", "ru")
        for table in ("months", "months_short", "months_adjective")[: 1 if language == "en" else 3]
        for number, month in enumerate(expressions(f"date.{table}", language), 1)
    )
