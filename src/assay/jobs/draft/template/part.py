"""Parts of a sentence put together again: with one left out, or with a capital letter."""

import re
from typing import Final

from assay.text import HAN, Span

EDGE: Final = ",，;； "
"""What may be left over at the edges of a part."""
_END: Final = re.compile(r"[\s,，]*[.。]$")
_HAN: Final = re.compile(f"[{HAN}]")


def without_end(text: str) -> str:
    """A sentence without the point at its end."""
    return _END.sub("", text)


def without(text: str, slot: Span) -> str:
    """A sentence without one of its parts and without the point at its end.

    >>> without("In 1874, the bridge was opened.", Span(start=0, end=7))
    'the bridge was opened'
    """
    before = text[: slot.start].rstrip(EDGE)
    after = without_end(text[slot.end :])
    if not before:
        return after.strip(EDGE)
    joint = "" if after[:1] in {",", "，", ""} or _HAN.match(before[-1]) else " "
    return f"{before}{joint}{after.lstrip()}".rstrip(EDGE)


def capitalised(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
