"""The sign of a number: a hyphen that is a minus sign, or a word such as минус, 零下."""

import re
from functools import lru_cache
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern

_LINKS: Final = "—~至到-"
_WORD: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.negative')})\s?\Z")
# In «минус пять-семь градусов» the sign belongs to both ends of the range.
_RANGE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('number.negative')})\s?[^\s\-—~]{{1,14}}[{_LINKS}]\Z"
)
_AFTER: Final = lazy_pattern(lambda: alternatives("number.negative_after", "ru"))
# A hyphen is a minus sign only if the text before it shows that it is not part of a range, a code
# or a compound word.
_MINUS: Final = lazy_pattern(
    r"(?:\A|(?<![0-9%])\s|[(\[{<>=≤≥≈:：，,;；…\"'«“「/为是到至达约于了率差]|\.\.)-\Z", re.NOFLAG
)
# In a Chinese text no space is before a minus sign: 保持在-25℃, 净利润-300万元.
_HAN_MINUS: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.minus_after', 'zh')})-\Z")
_TEMPERATURE_BEFORE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('number.temperature_before', 'zh')})-\Z"
)
_TEMPERATURE: Final = lazy_pattern(lambda: alternatives("number.temperature", "zh"))
_COLUMN: Final = r"(?:\(?[0-9][0-9., ]*\)?[^\S\n|]*[|\s])"
# A line of accounts before a number in brackets, perhaps with other columns between them.
_ACCOUNTS: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('number.account')})[^\S\n]?(?:{_COLUMN}+|(?P<row>)"
        rf"|(?:(?<=\s)[^\W\d_]+,?[^\S\n]?){{0,4}}[$€£¥₽]?[:：|][^\S\n]*{_COLUMN}*)\(\Z"
    )
)
# Right after the words of a line: a large number at its end, not the mark of a footnote.
_AMOUNT_OF_ROW: Final = lazy_pattern(
    r"[$€£¥₽]?[0-9]{1,3}(?:[, ][0-9]{3})+(?:\.[0-9]+)?\)\s*(?:\Z|\n)", re.NOFLAG
)
_FIRST_HAN: Final = "\u4e00"
_AFTER_FIRST: Final = "℃%~—-"
"""Between the ends of a range, before the sign of the second one: -5℃--3℃."""
_REACH: Final = 24
_LINE: Final = 64
_MONEY_SIGNS: Final = frozenset("$€£¥₽")


def sign_start(text: str, start: int, end: int) -> int | None:
    """Where the sign of a negative number begins, or ``None`` if the number is positive.

    ``start`` is where the number or the currency before it begins, and ``end`` is where it ends.
    If the sign is a word after the number, or before the first number of its range, the answer is
    ``start``.

    >>> sign_start("minus 5", 6, 7), sign_start("3-5", 2, 3)
    (0, None)
    """
    before = text[max(0, start - _REACH) : start]
    word = _length_of_word(before)
    if word:
        return start - word
    if before.endswith("-") and (_MINUS.search(before) or start == 1):
        return start - 1
    if before.endswith("-") and _is_minus_in_chinese(before, text, end):
        return start - 1
    is_in_range = before[-1:] in _LINKS and _RANGE.search(before)
    return start if is_in_range or _AFTER.match(text, end) else None


@lru_cache(maxsize=1 << 12)
def _length_of_word(before: str) -> int:
    """How long the word for minus at the end of ``before`` is; 0 if there is none."""
    word = _WORD.search(before)
    return len(word.group()) if word else 0


def inner_sign(text: str, start: int, end: int) -> bool:
    """Whether a number is negative by a mark between a sign of money and it: $-5, $(5).

    >>> inner_sign("$(1,234)", 2, 7), inner_sign("$(5 or 6)", 2, 3)
    (True, False)
    """
    if text[max(0, start - 2) : start - 1] not in _MONEY_SIGNS:
        return False
    return text[start - 1] == "-" or text[start - 1] + text[end : end + 1] == "()"


def is_in_accounts(text: str, start: int, end: int) -> bool:
    """Whether a number in brackets is negative as in accounts: Operating result: (4,310).

    >>> is_in_accounts("Operating result: (4,310)", 19, 24), is_in_accounts("Group (4,310)", 7, 12)
    (True, False)
    """
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return False
    line = _ACCOUNTS.search(text, max(0, start - _LINE), start)
    if line is None or line["row"] is None:
        return line is not None
    return _AMOUNT_OF_ROW.match(text, start) is not None


def follows_account(text: str, start: int) -> bool:
    """Whether the bracket before ``start`` follows the words of a line of accounts.

    >>> follows_account("Net loss (5) million", 10), follows_account("Group (5) million", 7)
    (True, False)
    """
    return _ACCOUNTS.search(text, max(0, start - _LINE), start) is not None


def _is_minus_in_chinese(before: str, text: str, end: int) -> bool:
    """Whether a hyphen without a space is a minus sign: 在-25℃, but not 歼-20 or 5度-25度."""
    if before[-2:-1] < _FIRST_HAN and before[-2:-1] not in _AFTER_FIRST:
        return False
    if _HAN_MINUS.search(before):
        return True
    return bool(_TEMPERATURE_BEFORE.search(before) and _TEMPERATURE.match(text, end))
