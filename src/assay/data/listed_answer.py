"""Expected answers that look like several in one text; they are never cut silently."""

import re
from typing import Final

from assay.text import HAN

_MARK: Final = re.compile(r"\s*[|｜]+\s*|\s+/+\s+|\s*[;；]\s*|\s*\n\s*")
_MOST_LETTERS: Final = 40
_MOST_HAN: Final = 12
_HAN: Final = re.compile(f"[{HAN}]")


def looks_listed(text: str) -> bool:
    """Whether a text looks like several short answers: ``A|B``, ``A / B``, ``A; B`` or lines.

    >>> looks_listed("Paris|Lutetia"), looks_listed("北京；北平"), looks_listed("60 km/h")
    (True, True, False)
    >>> looks_listed("The seller pays the tax for each month; the buyer pays for the transport.")
    False
    """
    parts = _MARK.split(text.strip())
    return len(parts) > 1 and all(parts) and all(map(_is_short, parts))


def _is_short(part: str) -> bool:
    return len(part) <= (_MOST_HAN if _HAN.search(part) else _MOST_LETTERS)
