"""Whether a clause takes up with a pronoun what the clause before it is about."""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.legal.rival import overlap, predicate_of
from assay.scorers.legal.root import content_words
from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

_SUBJECT: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('clause.subject_pronoun')})")
_OBJECT: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('clause.object_pronoun', 'ru')})")
_WORD: Final = re.compile(r"[^\W\d_]+")


def is_taken_up(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause with the value goes on about the one who is asked about.

    The clause before it must not answer the question itself.

    >>> text = "Ann was the band's drummer; she played the drums for years."
    >>> clauses = [Span(start=0, end=26), Span(start=27, end=58)]
    >>> is_taken_up(clauses, text, Span(start=43, end=48), "What did Ann play in the band?")
    True
    """
    index = next((i for i, clause in enumerate(clauses) if overlap(clause, span)), 0)
    if not index:
        return False
    own, before = clauses[index].of(text), clauses[index - 1].of(text)
    if not _SUBJECT.match(own) and not _OBJECT.match(own):
        return False
    asked, told = content_words(question), content_words(before)
    roots = [root for word in _WORD.findall(before) if (root := content_words(word))]
    if not roots:
        return False
    if _OBJECT.match(own):
        return roots[-1] <= asked and predicate_of(question) not in told
    new = asked & content_words(own) - told
    return bool(new) and roots[0] <= asked
