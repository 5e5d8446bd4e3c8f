"""Expected answers that look like several in one text; they are never cut silently."""

import re
from typing import Final

from assay.text import HAN

_BAR: Final = re.compile(r"\s*[|｜]+\s*|\s+/+\s+")
_STOP: Final = re.compile(r"\s*[;；\n]\s*")
"""Signs that stand between clauses of one answer too: what they part must be short."""
_END: Final = re.compile(r"[.。!！?？:：]\Z")
_MOST_LETTERS: Final = 40
_MOST_WORDS: Final = 3
_MOST_HAN: Final = 8
_HAN: Final = re.compile(f"[{HAN}]")


def looks_listed(text: str, *, is_cell: bool = True) -> bool:
    """Whether a text looks like several short answers: ``A|B``, ``A / B``, ``A; B`` or lines.

    JSON has lists: if the text ``is_cell`` not, a semicolon parts what the answer says together.

    >>> looks_listed("Paris|Lutetia"), looks_listed("北京；北平"), looks_listed("60 km/h")
    (True, True, False)
    >>> looks_listed("Shirts every twelve months; 11 crowns a month for washing.")
    False
    """
    text = text.strip()
    if _END.search(text):
        return False
    barred, parted = _BAR.split(text), _STOP.split(text)
    if len(barred) > 1 and all(0 < len(part) <= _MOST_LETTERS for part in barred):
        return True
    return is_cell and len(parted) > 1 and all(map(_is_short, parted))


def _is_short(part: str) -> bool:
    if _HAN.search(part):
        return len(part) <= _MOST_HAN
    return 0 < len(part.split()) <= _MOST_WORDS
