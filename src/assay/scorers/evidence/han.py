"""Chinese characters in one script, before texts are compared."""

import re
from typing import Final

from assay.text import HAN, simplified
from assay.text.lexicon import lazy_pattern
from assay.text.number import NUMERAL

_HAN: Final = lazy_pattern(f"[{HAN}]", re.NOFLAG)
_FORMAL: Final = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟圆", "一二三四五六七八九十百千元")
"""Formal characters of numerals and of the currency, as on receipts, and the usual ones."""
_IS_FORMAL: Final = lazy_pattern("[壹贰叁肆伍陆柒捌玖拾佰仟圆]", re.NOFLAG)
# No part of it can fail, so each run of digits is read once, however long it is.
_RUN: Final = lazy_pattern(f"[{NUMERAL}0-9][{NUMERAL}0-9.,]*圆?", re.NOFLAG)


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
    if not _IS_FORMAL.search(text):
        return text
    return _RUN.sub(lambda run: _usual(run.group()), text)


def _usual(run: str) -> str:
    """A numeral in usual characters; one formal character alone may be a surname or a verb: 陆, 拾."""
    numeral = run.removesuffix("圆")
    is_money = numeral != run and numeral[-1] not in ".,"
    characters = len(numeral.rstrip("0123456789.,"))
    if characters > 1 or (is_money and len(numeral) == 1):
        numeral = numeral.translate(_FORMAL)
    return numeral + ("元" if is_money else run[len(numeral) :])
