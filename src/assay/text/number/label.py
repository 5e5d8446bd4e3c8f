"""Digits that are no number: a label with a letter (Room 12B), a code (5G), and a telephone number."""

import re
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern

_REACH: Final = 24
"""So many characters before a number may be the word whose label it is."""
_LABELLED: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.label_before')})\Z")
_LABEL_NEXT: Final = lazy_pattern(lambda: alternatives("number.label_after"))
_LETTER: Final = re.compile("[A-ZА-Я](?![A-Za-zА-Яа-яЁё0-9_])")
# Generations of a network, and dimensions.
_CODE: Final = re.compile(r"(?<![\d.,$€£¥₽])(?:[2-6]G|[1-4]D)(?![A-Za-z0-9_])")
_TELEPHONE: Final = re.compile(
    r"(?:(?<=\+)[1-9][0-9]{0,2}|(?<![0-9.,])[78])[ -]?(?:\([0-9]{3}\)|(?<=[ -])[0-9]{3})[ -]?"
    r"[0-9]{3}[ -](?:[0-9]{4}|[0-9]{2}[ -][0-9]{2})(?![0-9])"
    # +7(916)1234567, +44 20 7946 0958
    r"|(?<=\+)[1-9][0-9]{0,2} ?(?:\([0-9]{2,4}\) ?[0-9]{6,8}|[0-9]{2,4}(?: [0-9]{2,4}){2,4})(?![0-9])"
    # (495) 123-45-67
    r"|(?<=\()[0-9]{3,5}\) ?[0-9]{1,3}-[0-9]{2}-[0-9]{2}(?![0-9])"
    # 010-62345678, 020 7946 0958
    r"|(?<![0-9.,])(?<![0-9][ -])0[0-9]{2,4}(?:-[0-9]{7,8}|[ -][0-9]{3,4}[ -][0-9]{4})(?![0-9])"
)


def label_end(text: str, start: int, end: int) -> int | None:
    """Where a label ends whose digits are ``text[start:end]``; ``None`` if they are none.

    A capital letter directly after the digits is no scale after or before a word for what has labels.

    >>> label_end("Room 12B", 5, 7), label_end("a 2B pencil", 2, 3), label_end("Revenue 12B", 8, 10)
    (8, 4, None)
    """
    if _LETTER.match(text, end) is None:
        return None
    if _CODE.match(text, start):
        return end + 1
    is_label = is_labelled(text, start) or _LABEL_NEXT.match(text, end + 1)
    return end + 1 if is_label else None


def is_labelled(text: str, start: int) -> bool:
    """Whether a word for what has labels is before ``start``: Flat 3/4, дом 5/7."""
    return _LABELLED.search(text, max(0, start - _REACH), start) is not None


def telephone_end(text: str, start: int) -> int | None:
    """Where a telephone number ends whose first digit is at ``start``; ``None`` if there is none.

    >>> telephone_end("+7 495 123-45-67", 1), telephone_end("+7 495 123", 1)
    (16, None)
    """
    match = _TELEPHONE.match(text, start)
    return match.end() if match else None
