"""Whether a value in a text is denied: the one home of this question."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from assay.text import Token, word_set

NEAR: Final = 5
"""A negation further away than this belongs to something else."""
CLAUSE_MARK: Final = re.compile(r"[.;:!?,。；：！？，、\n]")


def is_denied(text: str, found: Sequence[Token], start: int, *, directly: bool = False) -> bool:
    """Whether a negation stands before the place ``start`` in its clause.

    ``directly``: with nothing but small words between.

    ``found`` are the tokens of ``text``.

    >>> from assay.text import tokens
    >>> text = "It is not in Paris, but in Rome."
    >>> is_denied(text, tokens(text), 13), is_denied(text, tokens(text), 27)
    (True, False)
    """
    negation = word_set("negation")
    place = bisect_left(found, start, key=attrgetter("start"))
    for index in range(place - 1, max(-1, place - 1 - NEAR), -1):
        token = found[index]
        if CLAUSE_MARK.search(text, token.end, start):
            return False
        pair = found[index - 1].word + token.word if index else ""
        if token.word in negation or pair in negation:
            return True
        if directly and not token.is_small:
            return False
    return False
