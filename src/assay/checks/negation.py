"""Whether a value in a text is denied: the one home of this question."""

import re
from collections.abc import Sequence
from typing import Final

from assay.text.lists import word_set
from assay.text.token import Token

_NEAR: Final = 5
"""A negation further away than this belongs to something else."""
_CLAUSE_MARK: Final = re.compile(r"[.;:!?,。；：！？，、\n]")


def is_denied(text: str, found: Sequence[Token], start: int) -> bool:
    """Whether a negation stands before the place ``start`` in its clause.

    ``found`` are the tokens of ``text``.

    >>> from assay.text.token import tokens
    >>> text = "It is not in Paris, but in Rome."
    >>> is_denied(text, tokens(text), 13), is_denied(text, tokens(text), 27)
    (True, False)
    """
    negation = word_set("negation")
    before = [token for token in found if token.end <= start]
    for index in range(len(before) - 1, max(-1, len(before) - 1 - _NEAR), -1):
        token = before[index]
        if _CLAUSE_MARK.search(text, token.end, start):
            return False
        pair = before[index - 1].word + token.word if index else ""
        if token.word in negation or pair in negation:
            return True
    return False
