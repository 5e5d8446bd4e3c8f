"""A second opinion on whether an answer abstains, learned from labelled answers.

The rules find the statement that refuses and the one that answers, but they know only the wordings
that somebody wrote down. The opinion knows no statements: it adds up how often each word, and each
pair of words near each other, stood in answers that abstain and in answers that do not. The two
err on different answers, so ``verdict`` weighs one against the other.

The words of an answer become *marks*: the stem of a word, a single Chinese character, ``#`` for a
figure, and ``Q`` for what is repeated from the question. Marks near each other in a sentence make
*terms*, and each term has three weights:

- what it says about the whole answer: these are added up;
- how much a sentence with it refuses, and how much it answers. One sentence that refuses or that
  answers is enough, so of the sentences the strongest counts (by a soft maximum), and a plain answer
  at the end is not outvoted by all that was said before it. What a sentence is beside its words, such as
  whether it has the figure that is asked for, counts as well (``setting.py``).

The weights are in ``opinion.json``; ``tools/learn_abstention.py`` learns them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import exp, log, sqrt
from pkgutil import get_data
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from assay.scorers.abstention.question import focus
from assay.scorers.abstention.sentence import said
from assay.scorers.abstention.setting import Setting, settings
from assay.text import HAN, Span, normalised, sentences, stem

_LETTER: Final = rf"(?:(?![{HAN}])[^\W\d_])"
_TOKEN: Final = re.compile(
    rf"\d+(?:[.,:/-]\d+)*|[{HAN}]|{_LETTER}+(?:'{_LETTER}+)?|[^\s\w\"'«»『』「」]|_"
)
_HAN: Final = re.compile(f"[{HAN}]")
_FIRST_HAN: Final = "\u2e80"
_CUT: Final = re.compile(r"[;；\n]")
_STOP: Final = str.maketrans("。、", ".,")
_FIGURE: Final = "#"
_ASKED: Final = "Q"
_SHORT: Final = 3
"""A word of so few letters is not taken for one of the question: it is in every answer."""
_NEAR: Final = 4
"""Two marks of a sentence that are at most so far apart make a term."""
_FIRST: Final = 12
_LAST: Final = 14
"""So many marks are the beginning and the end of an answer; what stands there has terms of its own."""
_FEWEST: Final = 12
"""On an answer with fewer marks the opinion never speaks against a refusal: "Hits: 0"."""
BRIEF: Final = 20
"""An answer with fewer marks in which the rules find no refusal needs stronger words to be one."""
LONG: Final = 100
"""In an answer with so many marks, a refusal without a claim by the rules is right as often as wrong."""
_FEW: Final = 16
_FEW_IN_SENTENCE: Final = 8
"""The opinion on an answer, or a sentence, with fewer marks is as weak as if it had so many."""
_REFUSES: Final = 0.5
_TENTH: Final = 0.1
_HEAD: Final = 9000
_TAIL: Final = 3000
"""Of a very long answer, so many characters of its beginning and of its end are weighed."""


class Marked(NamedTuple):
    """The marks of a sentence, where it stands in the answer, and its setting."""

    span: Span
    marks: Sequence[str]
    setting: Setting


class View(NamedTuple):
    """How much the wording of a sentence refuses, and how much it answers."""

    span: Span
    refusal: float
    claim: float


class Opinion(Struct, frozen=True, kw_only=True):
    """The log odds that an answer abstains, by its wording, and the view of each sentence.

    ``is_brief`` says that the answer has so few words that the rules know better, and ``is_long`` that it
    has so many that a refusal which the rules find in it says little. ``refuses`` says whether a sentence does.
    """

    log_odds: float
    is_brief: bool = True
    is_long: bool = False
    views: tuple[View, ...] = ()

    @property
    def refuses(self) -> bool:
        """Whether a sentence refuses by its words. Much prose about documents is near to it, and none does."""
        return any(view.refusal > _REFUSES for view in self.views)

    def refusal_in(self, span: Span) -> float:
        """How much the sentences of a stretch of the answer refuse rather than answer."""
        return max(
            (
                view.refusal - view.claim
                for view in self.views
                if view.span.start < span.end and span.start < view.span.end
            ),
            default=0.0,
        )


class Balance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much each part counts: added up, they are the log odds that an answer abstains.

    ``whole`` is for the sum over all terms, ``sentence`` for the strongest refusal less the strongest claim;
    ``first``, ``most`` and ``least`` for how much the first sentence, the one that refuses most and the one
    that refuses least refuse rather than answer. The others are for what the rules find. What is asked for
    counts only beside the words of a sentence: a question alone does not tell whether it was answered.
    """

    start: float
    whole: float
    sentence: float
    first: float
    most: float
    least: float
    refusal: float
    refusal_in_long: float
    no_refusal: float
    no_refusal_in_brief: float
    claim_first: float
    claim_first_in_brief: float
    claim_first_unasked: float
    claim_later: float
    claim_of_several: float

    def highest(self, *, is_long: bool) -> float:
        """The most that the rules can add."""
        refusal = self.refusal_in_long if is_long else self.refusal
        return max(refusal, self.no_refusal, self.claim_first_in_brief, *self._of_claims)

    @property
    def of_words(self) -> tuple[float, ...]:
        """How much each part of the opinion counts."""
        return (self.whole, self.sentence, self.first, self.most, self.least)

    @property
    def lowest(self) -> float:
        """The least that the rules can add if there is any statement, and the answer is not brief."""
        return min(self.refusal_in_long, self.refusal, self.no_refusal, *self._of_claims)

    @property
    def _of_claims(self) -> tuple[float, ...]:
        return (
            self.claim_first,
            self.claim_first_unasked,
            self.claim_later,
            self.claim_of_several,
        )


class Weights(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was learned.

    A term has its weights for the whole answer, for a refusal and for a claim, in tenths.
    """

    balance: Balance
    refusal: Setting
    claim: Setting
    terms: dict[str, tuple[int, int, int]]


def opinion(answer: str, question: str | None = None) -> Opinion:
    """What the wording of ``answer`` says; nothing against a refusal if it has few words.

    >>> opinion("I could not find this in the files.").log_odds > 0
    True
    >>> opinion("The monthly rent of the two rooms is 5,000 euros.").log_odds > 0
    False
    """
    marked, learned = marked_sentences(answer, question), weights()
    said_by_words, views = weighed(marked, learned)
    count = sum(len(sentence.marks) for sentence in marked)
    if count < _FEWEST:
        said_by_words = max(0.0, said_by_words)
    log_odds = learned.balance.start + said_by_words
    return Opinion(log_odds=log_odds, is_brief=count < BRIEF, is_long=count >= LONG, views=views)


def weighed(marked: Sequence[Marked], learned: Weights) -> tuple[float, tuple[View, ...]]:
    """What the terms of an answer add to the log odds, and the view of each sentence."""
    if not marked:
        return 0.0, ()
    known = learned.terms
    everywhere: dict[str, tuple[int, int, int]] = {}
    views = []
    for span, marks, setting in marked:
        found = {term: known[term] for term in sentence_terms(marks) if term in known}
        everywhere |= found
        refusal = claim = 0
        for _, of_refusal, of_claim in found.values():
            refusal += of_refusal
            claim += of_claim
        scale = _TENTH * sentence_scale(len(marks))
        views.append(
            View(
                span,
                setting.times(learned.refusal) + scale * refusal,
                setting.times(learned.claim) + scale * claim,
            )
        )
    marks = [mark for sentence in marked for mark in sentence.marks]
    everywhere |= {term: known[term] for term in edge_terms(marks) if term in known}
    whole = _TENTH * answer_scale(len(marks)) * sum(weight[0] for weight in everywhere.values())
    parts = (whole, *by_sentences(views))
    shares = learned.balance.of_words
    return sum(a * b for a, b in zip(shares, parts, strict=True)), tuple(views)


def by_sentences(views: Sequence[View]) -> tuple[float, float, float, float]:
    """What the balance weighs beside the sum over all terms, in the order of its fields."""
    strongest = _soft_maximum(v.refusal for v in views) - _soft_maximum(v.claim for v in views)
    rather = [view.refusal - view.claim for view in views]
    return strongest, rather[0], max(rather), min(rather)


def _soft_maximum(values: Iterable[float]) -> float:
    """The logarithm of the sum of the exponentials: at least the largest, and more if several are large."""
    listed = list(values)
    largest = max(listed)
    return largest + log(sum(exp(value - largest) for value in listed))


def answer_scale(marks: int) -> float:
    """By how much each weight of an answer with so many marks is multiplied."""
    return 1 / sqrt(max(marks, _FEW))


def sentence_scale(marks: int) -> float:
    """By how much each weight of a sentence with so many marks is multiplied."""
    return 1 / sqrt(max(marks, _FEW_IN_SENTENCE))


def sentence_terms(marks: Sequence[str]) -> Iterator[str]:
    """The terms of a sentence: its marks, and those that are near each other. Some come twice."""
    count = len(marks)
    for index, mark in enumerate(marks):
        yield mark
        near = marks[index + 1 : index + 1 + _NEAR]
        if not near:
            return
        yield mark + " " + near[0]
        if index + 2 < count and _is_han(mark):
            yield f"{mark} {near[0]} {near[1]}"
        start = mark + " _ "
        for other in near[1:]:
            yield start + other


def edge_terms(marks: Sequence[str]) -> Iterator[str]:
    """The terms of the beginning and of the end of an answer."""
    for sign, edge in (("^", marks[:_FIRST]), ("$", marks[-_LAST:])):
        yield from (sign + mark for mark in edge)
        yield from (f"{sign}{mark} {following}" for mark, following in pairwise(edge))


def marked_sentences(answer: str, question: str | None) -> list[Marked]:
    """The sentences of an answer that have a word or a sign, each with its marks."""
    plain = said(answer)
    asked = _asked(normalised(question or "", fold_case=True, simplify=True))
    pieces = ((span, *_marks(_tokens(span.of(plain)), asked)) for span in _pieces(plain))
    found = [(span, marks, repeated) for span, marks, repeated in pieces if marks]
    around = settings(
        [span.of(plain) for span, _, _ in found],
        [len(marks) for _, marks, _ in found],
        [len(repeated) / len(asked) if asked else 0.0 for _, _, repeated in found],
        [_FIGURE in marks for _, marks, _ in found],
        (question, focus(question)) if question else None,
    )
    return [
        Marked(span, marks, setting)
        for (span, marks, _), setting in zip(found, around, strict=True)
    ]


def _pieces(plain: str) -> Iterator[Span]:
    """The sentences of a text, also cut at a semicolon and at the end of a line."""
    for sentence in _outer_sentences(plain):
        start = sentence.start
        for cut in _CUT.finditer(plain, sentence.start, sentence.end):
            yield Span(start=start, end=cut.end())
            start = cut.end()
        if start < sentence.end:
            yield Span(start=start, end=sentence.end)


def _outer_sentences(plain: str) -> list[Span]:
    """The sentences of a text; of a very long one, those of its beginning and of its end."""
    if len(plain) <= _HEAD + _TAIL:
        return sentences(plain)
    at = len(plain) - _TAIL
    end = [Span(start=at + s.start, end=at + s.end) for s in sentences(plain[at:])]
    return [*sentences(plain[:_HEAD]), *end]


def _marks(tokens: Sequence[str], asked: frozenset[str]) -> tuple[list[str], set[str]]:
    """The marks of a sentence, and what of the question it repeats.

    Of a run of words of the question only the first has a mark.
    """
    marks: list[str] = []
    repeated: set[str] = set()
    was_asked = False
    for index, token in enumerate(tokens):
        mark = _mark(token)
        if not asked:
            marks.append(mark)
            continue
        if _is_han(token):
            before = tokens[index - 1] + token if index else token
            after = token + tokens[index + 1] if index + 1 < len(tokens) else token
            found = {before, after} & asked
        else:
            found = {mark, token} & asked
        repeated |= found
        if not found:
            marks.append(mark)
        elif not was_asked:
            marks.append(_ASKED)
        was_asked = bool(found)
    return marks, repeated


@lru_cache(maxsize=64)
def _asked(question: str) -> frozenset[str]:
    """The stems and figures of a question, and each two Chinese characters in a row."""
    tokens = _TOKEN.findall(question.translate(_STOP))
    pairs = {a + b for a, b in pairwise(tokens) if _is_han(a) and _is_han(b)}
    long = {_mark(token) for token in tokens if len(token) > _SHORT and token[0].isalpha()}
    return frozenset(pairs | long | {token for token in tokens if token[0].isdigit()})


def _tokens(text: str) -> list[str]:
    """The words, characters and signs of a text."""
    return _TOKEN.findall(normalised(text, fold_case=True, simplify=True).translate(_STOP))


def _is_han(token: str) -> bool:
    # most tokens are decided by the comparison, which is faster
    return token >= _FIRST_HAN and _HAN.match(token) is not None


@lru_cache(maxsize=1 << 14)
def _mark(token: str) -> str:
    if token[0].isdigit():
        return _FIGURE
    return stem(token) if token[0].isalpha() and not _is_han(token) else token


@cache
def weights() -> Weights:
    """What was learned, read once."""
    written = get_data(__package__, "opinion.json")
    assert written is not None, "the package has its weights"
    return msgspec.json.decode(written, type=Weights)
