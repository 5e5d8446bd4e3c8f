"""Where an answer tells with a verb what is expected as a noun: "the pump failed" for "failure of the pump"."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.scorers.evidence import tokens
from assay.scorers.legal.root import content_words
from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

_PAIR: Final = 2
_LEAST: Final = 4
"""So many letters the noun and the verb must have in common at their beginning …"""
_MOST: Final = 5
"""… and so many more the noun may have."""
_NEAR: Final = 3
"""So many words may stand between the verb and the one who or what does it."""
_WORD: Final = re.compile(r"(?!the\b)[^\W\d_]{3,}", re.IGNORECASE)
_CUT: Final = lazy_pattern(lambda: rf"[,.;:!?\n]+|{alternatives('clause.cut')}")
_VERB_END: Final = lazy_pattern(lambda: rf"\w{{0,2}}(?:{alternatives('form.verb_end')})")
_PREFIX: Final = lazy_pattern(lambda: alternatives("form.verb_prefix"))
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))


@cache
def _parts(wording: str) -> tuple[str, ...]:
    return tuple(token.form.lower() for token in tokens(wording))


def deed_mentions(wording: str, text: str) -> Iterator[Span]:
    """The spans of ``text`` that tell with a verb what ``wording`` says with two nouns.

    >>> [span.start for span in deed_mentions("failure of the pump", "It rained, the pump failed.")]
    [15]
    """
    parts = _parts(wording)
    if len(parts) != _PAIR or not all(part.isalpha() for part in parts):
        return
    start = 0
    for cut in [*_CUT.finditer(text), None]:
        end = cut.start() if cut else len(text)
        if not _NEGATION.search(text, start, end):
            yield from _in_clause(parts, text, start, end)
        start = cut.end() if cut else end


def _in_clause(parts: tuple[str, ...], text: str, start: int, end: int) -> Iterator[Span]:
    found = list(_WORD.finditer(text, start, end))
    for noun, other in (parts, parts[::-1]):
        doers = [i for i, m in enumerate(found) if content_words(m[0]) == content_words(other)]
        deeds = [i for i, m in enumerate(found) if _is_deed(noun, m[0].lower())]
        for doer, deed in ((a, b) for a in doers for b in deeds if 0 < abs(a - b) <= _NEAR):
            first, last = sorted((doer, deed))
            yield Span(start=found[first].start(), end=found[last].end())


def _is_deed(noun: str, word: str) -> bool:
    """Whether ``word`` is a verb of which ``noun`` is made: failed, failure; обанкротился, банкротство."""
    if noun != word and content_words(noun) == content_words(word) and noun.isascii():
        return True  # fallen, fell
    for verb in (
        word[size:] for size in range(_MOST) if not size or _PREFIX.fullmatch(word[:size])
    ):
        pairs = zip(noun, verb, strict=False)
        common = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(noun), len(verb)))
        if common >= _LEAST and len(noun) - common <= _MOST:
            return _VERB_END.fullmatch(verb, common) is not None
    return False
