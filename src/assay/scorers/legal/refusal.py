"""Whether an answer denies after the value that it does what the question asks about.

"Those with a blue card cannot open the vault" denies it in the same clause, and "the east channel is
silted up, and the fleet did not take it" in the next one, with a word that stands for the value.
"""

import re
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import HAN, Span
from assay.text.lexicon import alternatives, lazy_pattern

_HAN: Final = re.compile(f"[{HAN}]")
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))
_LIFTED: Final = lazy_pattern(lambda: alternatives("clause.negation_lifted"))
_NOT_IT: Final = lazy_pattern(lambda: alternatives("clause.denied_anaphor"))
"""At the beginning of the next clause: it was not taken, nobody went there."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_NEAR: Final = 2
_NEAR_HAN: Final = 4
"""So many words or characters after the denial are denied."""
_LONGEST: Final = 16
"""A text of more content words may tell of several things."""


def is_refused_later(text: str, clause: Span, span: Span, question: str | None) -> bool:
    """Whether a denial after the value is one of what the question asks about.

    >>> text = "Those with a blue card cannot open the vault."
    >>> clause = Span(start=0, end=44)
    >>> is_refused_later(text, clause, Span(start=11, end=22), "Which card opens the vault?")
    True
    """
    if question is None or len(content_words(text)) > _LONGEST:
        return False
    after = text[span.end : clause.end]
    denial = _NEGATION.search(after)
    if denial and not _LIFTED.search(after) and _is_asked(after[denial.end() :], question):
        return True
    denied = _NOT_IT.match(text, clause.end)
    if denied is None or _NEGATION.search(text, clause.start, span.start):
        return False
    if _HAN.search(question):
        return any(character in question for character in denied["deed"])
    return bool(content_words(denied.group()) & content_words(question))


def _is_asked(rest: str, question: str) -> bool:
    """Whether one of the next words is a word of the question."""
    if _HAN.search(question):
        near = rest[:_NEAR_HAN]
        return any(near[i : i + 2] in question for i in range(len(near) - 1))
    near = " ".join(_WORD.findall(rest)[:_NEAR])
    return bool(content_words(near) & content_words(question))
