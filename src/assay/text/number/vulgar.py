"""Fractions of one character: ½, ⅛, ⅓."""

import re
from typing import Final

from assay.text.lexicon import lazy_pattern

VULGAR: Final = {
    "½": "0.5", "¼": "0.25", "¾": "0.75", "⅕": "0.2", "⅖": "0.4", "⅗": "0.6", "⅘": "0.8",
    "⅛": "0.125", "⅜": "0.375", "⅝": "0.625", "⅞": "0.875", "⅒": "0.1",
}  # fmt: skip
REPEATING: Final = lazy_pattern(r"(?:(?<![0-9]{4})\s)?[⅓⅔⅙⅚⅐⅑]", re.NOFLAG)
"""Fractions without an end as decimals: a number with one is not read."""
# A space may be between them, unless the number looks like a year: "in 2020 ½ of them".
VULGAR_NEXT: Final = lazy_pattern(r"(?:(?<![0-9]{4})\s)?([½¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅒])", re.NOFLAG)
MAY_FOLLOW: Final = frozenset("½¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅒又")
