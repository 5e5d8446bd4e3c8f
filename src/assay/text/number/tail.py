"""What may follow a number and belongs to it: a half, an odd amount, scale words."""

from decimal import Decimal
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.candidate import ONE

LETTER: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0400-\u052f_"
"""Letters of words that are not Chinese, for a character class."""
_ADDITIONS: Final = {"half": "0.5", "quarter": "0.25", "three_quarters": "0.75"}
_SCALES: Final = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "ten": 10,
    "dozen": 12,
    "lakh": 10**5,
    "crore": 10**7,
}


def _addition_expression() -> str:
    counted = "|".join((alternatives("number.counted"), alternatives("number.measured")))
    counted = rf"(?:\s(?:{counted})[{LETTER}]*)?"
    groups = (f"(?P<{name}>{alternatives(f'number.addition.{name}')})" for name in _ADDITIONS)
    return rf"{counted}[\s-](?:{'|'.join(groups)})(?![{LETTER}])"


def _scale_expression() -> str:
    groups = (f"(?P<{name}>{alternatives(f'number.scale.{name}')})" for name in _SCALES)
    before = rf"(?:\s{{0,2}}|-|-?(?:{alternatives('number.case_suffix')})\s)"
    return rf"{before}(?:{'|'.join(groups)})(?![{LETTER}])"


_ADDITION: Final = lazy_pattern(_addition_expression)
_SCALE: Final = lazy_pattern(_scale_expression)
_ODD: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.odd')})(?![{LETTER}])")
_AFTER_SCORE: Final = lazy_pattern(lambda: alternatives("number.after_score", "en"))
_UNREADABLE: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('number.unreadable_after')})"
        rf"|(?:\s{{0,2}}|-)(?:{alternatives('number.unreadable_scale')})(?![{LETTER}])"
    )
)


# Without rupees, "cr" is a credit.
_RUPEES: Final = lazy_pattern(r"(?:₹|\b(?:rs\.?|inr)) ?\Z")
_CRORE: Final = lazy_pattern(r" ?cr(?:s|\.)?(?!\w)")


def crore_end(text: str, start: int, end: int) -> int | None:
    """Where the short word for ten million rupees ends after a number from ``start`` to ``end``.

    >>> crore_end("₹12 cr", 1, 3), crore_end("450.00 CR", 0, 6)
    (6, None)
    """
    match = _CRORE.match(text, end)
    is_money = match is not None and _RUPEES.search(text, max(0, start - 6), start)
    return match.end() if match is not None and is_money else None


def addition(text: str, end: int) -> tuple[Decimal, int] | None:
    """What is added to a number that ends at ``end``, and where this ends: "and a half".

    >>> addition("two hours and a half", 3)
    (Decimal('0.5'), 20)
    """
    match = _ADDITION.match(text, end)
    return (Decimal(_ADDITIONS[str(match.lastgroup)]), match.end()) if match else None


def odd_end(text: str, end: int) -> int | None:
    """The end of words which say that a number is a little more: 300-odd, с лишним."""
    match = _ODD.match(text, end)
    return match.end() if match else None


def after_score(text: str, end: int) -> tuple[str, int] | None:
    """The number that is added to a score of years, and where it ends: threescore years and ten.

    >>> after_score("threescore years and ten", 10)
    ('ten', 24)
    """
    match = _AFTER_SCORE.match(text, end)
    return (match[1].lower(), match.end()) if match else None


def unreadable_end(text: str, end: int) -> int | None:
    """The end of words that change a number in a way that is not understood: three score."""
    match = _UNREADABLE.match(text, end)
    return match.end() if match else None


def scale_words(text: str, end: int) -> tuple[Decimal, int]:
    """The product of the scale words after a number in digits, and where they end.

    >>> scale_words("5 hundred thousand", 1)
    (Decimal('100000'), 18)
    """
    scale = ONE
    while (match := _SCALE.match(text, end)) is not None and scale < 10**9:
        scale *= _SCALES[str(match.lastgroup)]
        end = match.end()
    return scale, end
