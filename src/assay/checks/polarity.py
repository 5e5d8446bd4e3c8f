"""Whether an answer says yes or no: its first word decides, or nothing does."""

import re
from typing import Final

from assay.text import tokens, word_set

_LONGEST_ZH: Final = 3
_END: Final = re.compile(r"[^\S\n]*(?:\Z|\n|(?!\.\s?\d|[-/]\w|['’]\w)[^\w\s\"'“”«‘’„])")
"""The end of a text, or a mark: not a word that goes on, nor a point of an abbreviation (No. 5)."""


def polarity(text: str) -> bool | None:
    """Whether ``text`` begins with yes or with no; ``None`` if it begins with neither.

    A word with which a sentence goes on decides nothing.

    >>> polarity("Yes, twice."), polarity("否（第2页）"), polarity("No problem! Yes, it is.")
    (True, False, None)
    """
    found = tokens(text[:80])[:_LONGEST_ZH]
    for size in range(len(found), 0, -1):
        if _END.match(text, found[size - 1].end):
            head = "".join(token.word for token in found[:size])
            if head in word_set("yes"):
                return True
            if head in word_set("no"):
                return False
    return None


def expected_polarity(expected: str) -> bool | None:
    """Whether an accepted answer is nothing but yes, or nothing but no.

    >>> expected_polarity("Нет."), expected_polarity("no limit") is None
    (False, True)
    """
    whole = "".join(token.word for token in tokens(expected[:80]))
    return True if whole in word_set("yes") else False if whole in word_set("no") else None


def is_denying(answer: str) -> bool:
    """Whether an answer denies anything: the way it leans where it says neither yes nor no.

    >>> is_denying("The tenant may not sublet."), is_denying("The tenant may sublet.")
    (True, False)
    """
    return any(token.word in word_set("negation") for token in tokens(answer))
