"""Numbers with a comparator: ``>1234.5``, ``более 99``, ``不少于 5``, ``at least 10``.

A comparator has one of four meanings, which it may express by a sign or in words of any of the
three languages. A phrase is found where the answer has its number with a comparator of the same
meaning: ``более 99`` is in "свыше 99", but not in "не более 99" and not in "99".
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from assay.text.normalise import Span, normalised
from assay.text.sentence import pieces

_REACH: Final = 40
"""How many characters before and after a number may belong to its comparator."""


class Compared(NamedTuple):
    """The meaning of a phrase's comparator, and the rest of the phrase, which has the number."""

    meaning: str
    rest: str


class _Patterns(NamedTuple):
    meanings: Mapping[str, str]
    leading: re.Pattern[str]
    before: re.Pattern[str]
    after_meanings: Mapping[str, str]
    after: re.Pattern[str]


def compared_phrase(phrase: str) -> Compared | None:
    """The comparator and the rest of a phrase; ``None`` if it does not begin with a comparator.

    >>> compared_phrase("более 99%"), compared_phrase("≥ 5 лет").meaning
    (Compared(meaning='more', rest='99%'), 'at_least')
    >>> compared_phrase("более важно") is None
    True
    """
    patterns = _patterns()
    match = patterns.leading.match(phrase.strip())
    if match is None:
        return None
    rest = phrase.strip()[match.end() :].strip()
    parts = pieces(rest)
    if not parts or parts[0].number is None:
        return None
    return Compared(meaning=patterns.meanings[_key(match[1])], rest=rest)


def has_comparator(meaning: str, text: str, span: Span) -> bool:
    """Whether the number at ``span`` has a comparator of this meaning, and no other one.

    >>> has_comparator("more", "Выросла более чем на 99%.", Span(start=21, end=24))
    True
    >>> has_comparator("more", "не более 99", Span(start=9, end=11))
    False
    """
    patterns = _patterns()
    before = _folded(text[max(0, span.start - _REACH) : span.start])
    after = _folded(text[span.end : span.end + _REACH])
    match = patterns.before.search(before)
    if match is not None:
        return patterns.meanings[_key(match[1])] == meaning
    following = patterns.after.match(after)
    return following is not None and patterns.after_meanings[_key(following[1])] == meaning


def _key(words: str) -> str:
    return " ".join(_folded(words).replace(",", " ").split())


def _folded(text: str) -> str:
    return normalised(text, fold_case=True)


@cache
def _patterns() -> _Patterns:
    source = files("assay.jobs.quality") / "comparator.toml"
    table = tomllib.loads(source.read_text(encoding="utf-8"))
    filler = rf"(?:\s*(?:{'|'.join(table.pop('filler'))})(?=\s|\Z))?"
    meanings = {_key(word): meaning for meaning, words in table.items() for word in words["before"]}
    after = {_key(word): meaning for meaning, words in table.items() for word in words["after"]}
    return _Patterns(
        meanings=meanings,
        leading=re.compile(rf"({_alternatives(meanings)})", re.IGNORECASE),
        # the longest expression wins, because the search begins farthest to the left
        before=re.compile(rf"({_alternatives(meanings)}){filler}[\s$€£¥₽]*\Z"),
        after_meanings=after,
        after=re.compile(rf"[^.;,。；，]{{0,12}}?\s*({_alternatives(after)})"),
    )


def _alternatives(words: Mapping[str, str]) -> str:
    """An alternation of the words, the longest first; words of letters match as a whole."""
    return "|".join(map(_expression, sorted(words, key=len, reverse=True)))


def _expression(word: str) -> str:
    escaped = r",?\s+".join(map(re.escape, word.split()))
    if re.search(r"[a-zа-я]", word):
        return rf"(?<![^\W\d_]){escaped}(?![^\W\d_])"
    return escaped
