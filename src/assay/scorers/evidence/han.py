"""Chinese characters in one script, before texts are compared."""

import re
from typing import Final

from assay.text import HAN, simplified
from assay.text.lexicon import lazy_pattern

_HAN: Final = lazy_pattern(f"[{HAN}]", re.NOFLAG)


def simplified_han(text: str) -> str:
    """``text`` with traditional Chinese characters replaced by simplified ones.

    Each character is replaced by exactly one, so offsets stay the same.

    >>> simplified_han("違約金"), simplified_han("penalty")
    ('违约金', 'penalty')
    """
    # The conversion table takes 0.2 s to load, so it is loaded only for Chinese text.
    return simplified(text) if _HAN.search(text) else text
