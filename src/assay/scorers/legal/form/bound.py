"""Whether a value is a limit from above or from below: at most, 以上, не менее."""

import re
from typing import Final, Literal

from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

Side = Literal["upper", "lower"]
_UPPER_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.upper_before')})\Z")
_UPPER_AFTER: Final = lazy_pattern(lambda: alternatives("form.upper_after"))
_LOWER_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.lower_before')})\Z")
_LOWER_AFTER: Final = lazy_pattern(lambda: alternatives("form.lower_after"))
_SIDES: Final[tuple[tuple[Side, re.Pattern[str], re.Pattern[str]], ...]] = (
    ("upper", _UPPER_BEFORE, _UPPER_AFTER),
    ("lower", _LOWER_BEFORE, _LOWER_AFTER),
)
_NEAR: Final = 24


def bound(text: str, span: Span) -> Side | None:
    """On which side the value at ``span`` is a limit, if it is one.

    >>> bound("at most 5 kg", Span(start=8, end=12)), bound("5 kg", Span(start=0, end=4))
    ('upper', None)
    """
    before = text[max(0, span.start - _NEAR) : span.start]
    # The upper ones are longer: "not more than" ends like "more than".
    for side, is_before, is_after in _SIDES:
        if is_before.search(before) or is_after.match(text, span.end):
            return side
    return None


def without_bound(wording: str, span: Span) -> str:
    """``wording`` with spaces for the words that make a limit of the value at ``span``."""
    start, end = span.start, span.end
    for _, is_before, is_after in _SIDES:
        if match := is_before.search(wording[: span.start]):
            start = min(start, match.start())
        if match := is_after.match(wording, span.end):
            end = max(end, match.end())
    gap, tail = " " * (span.start - start), " " * (end - span.end)
    return wording[:start] + gap + span.of(wording) + tail + wording[end:]
