"""A second opinion on whether an answer abstains, learned from answers that people have labelled.

The rules find the statement that refuses and the one that answers, but they know only the wordings
that somebody wrote down. The opinion knows no statements: it adds up how often each word, and each
pair of words near each other, stood in answers that abstain and in answers that do not. The two
err on different answers, so ``verdict`` weighs one against the other.

The words of an answer become *marks*: the stem of a word, a single Chinese character, ``#`` for a
figure, and ``Q`` for what is repeated from the question. The weights of the *terms* made of them are in
``opinion.json``; ``tools/learn_abstention.py`` learns them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from pkgutil import get_data
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from assay.scorers.abstention.sentence import said
from assay.text import HAN, Normalised, Span, normalise, normalised, stem

_LETTER: Final = rf"(?:(?![{HAN}])[^\W\d_])"
_TOKEN: Final = re.compile(
    rf"\d+(?:[.,:/-]\d+)*|[{HAN}]|{_LETTER}+(?:'{_LETTER}+)?|[^\s\w\"'«»『』「」]|_"
)
_HAN: Final = re.compile(f"[{HAN}]")
_STOP: Final = str.maketrans("。、", ".,")
_FIGURE: Final = "#"
_ASKED: Final = "Q"
_SHORT: Final = 3
"""A word of so few letters is not taken for one of the question: it is in every answer."""
_NEAR: Final = 4
"""Two marks that are at most so far apart make a term."""
_FIRST: Final = 12
"""So many marks are the beginning of an answer; what stands there has terms of its own."""
_FEWEST: Final = 46
"""On an answer with fewer terms the opinion never speaks against a refusal: "Hits: 0"."""
_FEW: Final = 80
"""The opinion on an answer with fewer terms is as weak as if it had so many."""
_HEAD: Final = 1500
_TAIL: Final = 500
"""Of a very long answer, so many marks of its beginning and of its end are weighed."""


class Mark(NamedTuple):
    """What stands for a word of an answer, and where the word begins in its normal form."""

    text: str
    start: int


class Opinion(Struct, frozen=True, kw_only=True):
    """The log odds that an answer abstains, by its wording, and what each term adds to them.

    ``form`` is the normal form of the answer; ``shares`` are what the terms add, each with the offset in
    it at which the term first begins.
    """

    log_odds: float
    form: Normalised
    shares: tuple[tuple[int, float], ...]

    def share(self, span: Span) -> float:
        """What the terms that begin in a stretch of the answer add."""
        places = ((self.form.original_span(at, at).start, share) for at, share in self.shares)
        return sum(share for start, share in places if span.start <= start < span.end)


def opinion(answer: str, question: str | None = None) -> Opinion:
    """What the wording of ``answer`` says; at least zero if it has few words.

    >>> opinion("I could not find this in the files.").log_odds > 0
    True
    >>> opinion("The monthly rent of the two rooms is 5,000 euros.").log_odds > 0
    False
    """
    form = _form(answer)
    starts = _term_starts(form, question)
    scale, known = term_scale(len(starts)), _weights()
    shares = tuple((start, known[term] * scale) for term, start in starts.items() if term in known)
    log_odds = sum(share for _, share in shares)
    is_short = len(starts) < _FEWEST
    return Opinion(log_odds=max(0.0, log_odds) if is_short else log_odds, form=form, shares=shares)


def term_scale(terms: int) -> float:
    """By how much each weight of an answer with so many terms is multiplied."""
    return 1 / sqrt(max(terms, _FEW))


def terms(answer: str, question: str | None) -> list[str]:
    """The terms of an answer, each once."""
    return list(_term_starts(_form(answer), question))


def _form(answer: str) -> Normalised:
    return normalise(said(answer), fold_case=True, simplify=True)


def _term_starts(form: Normalised, question: str | None) -> dict[str, int]:
    """The terms of an answer, each with the offset at which it first begins."""
    marks = list(_marks(form.text, question))
    if len(marks) > _HEAD + _TAIL:
        marks = marks[:_HEAD] + marks[-_TAIL:]
    starts: dict[str, int] = {}
    for term, start in _terms(marks):
        starts.setdefault(term, start)
    return starts


def _terms(marks: Sequence[Mark]) -> Iterator[tuple[str, int]]:
    beginning = marks[:_FIRST]
    yield from ((f"^{mark.text}", mark.start) for mark in beginning)
    yield from ((f"^{a.text} {b.text}", a.start) for a, b in pairwise(beginning))
    for index, (text, start) in enumerate(marks):
        yield text, start
        near = marks[index + 1 : index + 1 + _NEAR]
        if not near:
            return
        yield f"{text} {near[0].text}", start
        if len(near) > 1 and _HAN.match(text):
            yield f"{text} {near[0].text} {near[1].text}", start
        for other in near[1:]:
            yield f"{text} _ {other.text}", start


def _marks(text: str, question: str | None) -> Iterator[Mark]:
    """The marks of a text in normal form; of a run of words of the question only the first."""
    asked = _asked(normalised(question or "", fold_case=True, simplify=True))
    tokens = list(_tokens(text))
    was_asked = False
    for index, (token, start) in enumerate(tokens):
        before = tokens[index - 1][0] if index else ""
        after = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        mark = _mark(token)
        is_asked = (
            before + token in asked or token + after in asked
            if _HAN.match(token)
            else mark in asked or token in asked
        )
        if not is_asked:
            yield Mark(mark, start)
        elif not was_asked:
            yield Mark(_ASKED, start)
        was_asked = is_asked


def _asked(question: str) -> frozenset[str]:
    """The stems and figures of a question, and each two Chinese characters in a row."""
    tokens = [token for token, _ in _tokens(question)]
    pairs = {a + b for a, b in pairwise(tokens) if _HAN.match(a) and _HAN.match(b)}
    long = {_mark(token) for token in tokens if len(token) > _SHORT and token[0].isalpha()}
    return frozenset(pairs | long | {token for token in tokens if token[0].isdigit()})


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The words, characters and signs of a text, each with its offset."""
    for match in _TOKEN.finditer(text.translate(_STOP)):
        yield match.group(), match.start()


@lru_cache(maxsize=1 << 14)
def _mark(token: str) -> str:
    if token[0].isdigit():
        return _FIGURE
    return stem(token) if token[0].isalpha() and not _HAN.match(token) else token


@cache
def _weights() -> dict[str, float]:
    written = get_data(__package__, "opinion.json")
    assert written is not None, "the package has its weights"
    return msgspec.json.decode(written, type=dict[str, float])
