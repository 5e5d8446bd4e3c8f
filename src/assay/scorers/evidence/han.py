"""Chinese characters in one script, before texts are compared."""

import re
from typing import Final

from assay.text import HAN, simplified
from assay.text.lexicon import lazy_pattern
from assay.text.number import NUMERAL

_HAN: Final = lazy_pattern(f"[{HAN}]", re.NOFLAG)
_FORMAL: Final = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟圆", "一二三四五六七八九十百千元")
"""Formal characters of numerals and of the currency, as on receipts, and the usual ones."""
# One formal character alone may be a surname (陆, 伍) or a verb (拾).
_NUMERALS: Final = re.compile(f"[{NUMERAL}0-9][{NUMERAL}0-9.,]*[{NUMERAL}]圆?|[{NUMERAL}0-9]圆")


def simplified_han(text: str) -> str:
    """``text`` with traditional Chinese characters replaced by simplified ones.

    Each character is replaced by exactly one, so offsets stay the same.

    >>> simplified_han("違約金"), simplified_han("penalty")
    ('违约金', 'penalty')
    """
    # The conversion table takes 0.2 s to load, so it is loaded only for Chinese text.
    return simplified(text) if _HAN.search(text) else text


def usual_numerals(text: str) -> str:
    """``text``, in simplified characters, with the usual characters in its Chinese numerals.

    >>> usual_numerals("伍仟圆整"), usual_numerals("陆某捡拾")
    ('五千元整', '陆某捡拾')
    """
    return _NUMERALS.sub(lambda run: run.group().translate(_FORMAL), text)
