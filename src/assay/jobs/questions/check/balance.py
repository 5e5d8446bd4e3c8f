"""Whether the questions are spread over documents, and over the places in them."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.jobs.questions.check.finding import Finding
from assay.jobs.questions.check.item import Item
from assay.jobs.questions.check.passage import Evidence, Passages

FIFTHS: Final = 5
LEAST_QUESTIONS: Final = 20
"""Fewer questions say nothing about balance."""
MOST_MOVED: Final = 0.5
"""A larger share of questions at the wrong place is a finding."""


class Balance(Struct, frozen=True, kw_only=True):
    """How many questions are about which document and which fifth of it.

    ``sources_moved`` is the share of questions that would have to be about another document so that
    each document has as many as its length says; ``fifths_moved`` is the same for the fifths. Gold
    that reaches over several fifths counts for each of them by its share.
    ``None`` if fewer than 20 questions have a known place.
    """

    located: int = 0
    sources: dict[str, int] = {}
    without: int = 0
    fifths: tuple[float, ...] = (0.0,) * FIFTHS
    sources_moved: float | None = None
    fifths_moved: float | None = None


class Places:
    """Counts where the gold of questions is."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._sources: Counter[str] = Counter()
        self._fifths = [0.0] * FIFTHS
        self._located = 0

    def add(self, item: Item, evidence: Evidence) -> None:
        """Count a question by its first gold passage."""
        if not evidence.passages or not self._passages.is_corpus:
            return
        first = min(evidence.passages)
        self._located += 1
        self._sources[self._passages.chunks[first].source] += 1
        for number, share in enumerate(_shares(*self._passages.extent(item, evidence))):
            self._fifths[number] += share

    def balance(self) -> Balance:
        """What was counted."""
        lengths = self._passages.lengths if self._passages.is_corpus else {}
        enough = self._located >= LEAST_QUESTIONS
        return Balance(
            located=self._located,
            sources=dict(self._sources.most_common()),
            without=sum(source not in self._sources for source in lengths),
            fifths=tuple(round(count, 1) for count in self._fifths),
            sources_moved=_moved(self._sources, lengths) if enough and len(lengths) > 1 else None,
            fifths_moved=_moved_fifths(self._fifths) if enough else None,
        )


def balance_findings(balance: Balance) -> Iterator[Finding]:
    """Findings about the whole set."""
    if balance.sources_moved is not None and balance.sources_moved > MOST_MOVED:
        top, count = next(iter(balance.sources.items()))
        yield Finding(
            kind="unbalanced_sources",
            what=f"{balance.sources_moved:.0%} of the questions would have to be about other "
            f"documents: {count} of {balance.located} are about {top}, and {balance.without} "
            "documents have none",
        )
    if balance.fifths_moved is not None and balance.fifths_moved > MOST_MOVED:
        shown = ", ".join(f"{count:.0f}" for count in balance.fifths)
        yield Finding(
            kind="unbalanced_positions",
            what=f"{balance.fifths_moved:.0%} of the questions would have to be about other places: "
            f"the fifths of the documents have {shown} questions",
        )


def _shares(low: float, high: float) -> list[float]:
    """The shares of a stretch in the fifths; a point is in one of them.

    >>> [round(share, 2) for share in _shares(0.0, 0.5)], _shares(1.0, 1.0)
    ([0.4, 0.4, 0.2, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0])
    """
    if high - low < 1 / (100 * FIFTHS):
        place = min(FIFTHS - 1, max(0, math.floor((low + high) / 2 * FIFTHS)))
        return [float(number == place) for number in range(FIFTHS)]
    return [
        max(0.0, min(high, (number + 1) / FIFTHS) - max(low, number / FIFTHS)) / (high - low)
        for number in range(FIFTHS)
    ]


def _moved(counts: Mapping[str, int], sizes: Mapping[str, int]) -> float:
    """Half the sum of the differences between two distributions (total variation)."""
    total, size = sum(counts.values()), sum(sizes.values())
    return _total_variation(
        (counts.get(name, 0) / total, sizes[name] / max(1, size)) for name in sizes
    )


def _moved_fifths(counts: Sequence[float]) -> float:
    total = sum(counts) or 1.0
    return _total_variation((count / total, 1 / FIFTHS) for count in counts)


def _total_variation(pairs: Iterable[tuple[float, float]]) -> float:
    return sum(abs(left - right) for left, right in pairs) / 2
