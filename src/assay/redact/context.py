"""Words near a number that say what it is, or that it is something harmless."""

import re
from functools import cache
from typing import Final

from assay.text.lexicon import expressions

NEAR: Final = 24
"""How many characters before a value a word may stand to be about it."""
_STOP: Final = re.compile(r"[.;。；!?！？\n](?=\s|$)|[。；！？\n]")


def has_context(text: str, start: int, kind: str, near: int = NEAR) -> bool:
    """Whether a word for ``kind`` stands shortly before ``start``, in the same clause.

    >>> text = "ИНН 7707083893, счёт 40702810"
    >>> has_context(text, 4, "inn"), has_context(text, 21, "inn", near=8)
    (True, False)
    """
    return _pattern(kind).search(_before(text, start, near)) is not None


def is_harmless(text: str, start: int) -> bool:
    """Whether the number at ``start`` is introduced as that of a contract, an article or a book.

    >>> is_harmless("договор № 4111111111111111", 10)
    True
    """
    before = _before(text, start, 16)
    return _pattern("harmless").search(before) is not None


def _before(text: str, start: int, near: int) -> str:
    before = text[max(0, start - near) : start]
    ends = list(_STOP.finditer(before))
    # "Tel. 555" and "тел. 8 916" keep their word: a full stop ends a clause only before a capital
    return before[ends[-1].end() :] if ends and ends[-1][0] in "。；！？\n;!?" else before


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(expressions(f"redact.{kind}")), re.IGNORECASE)
