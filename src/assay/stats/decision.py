"""When a comparison is decided: paired differences are taken in the order that was planned.

Answers arrive in any order, and quick ones may differ from slow ones. Whoever took differences as
they arrive would stop at a selection. So a difference counts only once all pairs before it in the
planned order have ended, and a decision depends on that order alone: a run that was killed and
resumed, or one that asks more cases at a time, comes to the same decision after the same number of
questions.

If a run is about documents like these, questions about one document are no independent observations.
Then documents are asked one after the other, and a document counts once, when all its questions have
ended.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from msgspec import Struct

from assay.stats.sequence import CapitalWatch, PairedRange, bounds_after, bounds_at, first_rejection

SequentialVerdict = Literal["better", "worse", "equivalent", "undecided"]

SEQUENTIAL_VERDICTS: Final = frozenset(get_args(SequentialVerdict))


class StopRule(Struct, frozen=True, kw_only=True):
    """When to stop.

    ``level`` is the probability that any of the decisions of a run is wrong; it is shared equally by the
    variants. A difference smaller than ``margin`` does not matter: a variant whose difference is
    certainly smaller is equivalent; with 0, nothing is. ``size`` is the number of questions if the
    claim is about this set, or ``None`` if it is about questions like these.
    """

    level: float = 0.05
    margin: float = 0.0
    size: int | None = None


class Decision(Struct, frozen=True, kw_only=True):
    """What is known about the difference of a variant to the baseline.

    ``verdict`` was certain after ``questions`` questions, of which ``pairs`` were defined in both.
    Positive differences are better. ``low`` and ``high`` are the ends of the interval at that moment,
    ``unknown`` is the number of pairs of which a score was missing.
    """

    verdict: SequentialVerdict
    questions: int
    pairs: int
    unknown: int
    difference: float | None
    low: float
    high: float


class RecordedDecision(Struct, frozen=True, kw_only=True):
    """What a run decided about a variant when it stopped asking it, and after how many questions."""

    verdict: SequentialVerdict
    questions: int


class SequencePoint(Struct, frozen=True, kw_only=True):
    """The mean difference after ``questions`` questions, and the interval at that moment."""

    questions: int
    difference: float | None
    low: float
    high: float


class ScoreRange(Struct, frozen=True, gc=False):
    """What is known about a score: one value, or its smallest and largest possible value."""

    low: float
    high: float


UNKNOWN: Final = ScoreRange(0.0, 1.0)
"""The score of a case that failed or is not judged."""


ScorePair = tuple[ScoreRange | None, ScoreRange | None]
"""The scores of a question with a variant and with the baseline; ``None`` if one is undefined."""


class _Observation(NamedTuple):
    """What one unit, a question or a document, says about the difference.

    ``least`` and ``most`` are the ends of its mean difference over ``pairs`` questions with a defined
    difference. It was known for all but ``unknown`` of these, with the sum ``known``. ``ended`` is the
    number of questions that had ended with it.
    """

    least: float
    most: float
    pairs: int
    unknown: int
    known: float
    ended: int


class SequentialComparison:
    """The differences of one variant to the baseline, in planned order, until they decide.

    A unit is a question, or a document with at most ``largest`` questions. A question with an undefined
    score does not count, just as in the tables.

    A ``recorded`` decision stays as it is: answers of failed cases that came later do not change it. It does
    not count if the scores of today do not show it.
    """

    def __init__(
        self,
        rule: StopRule,
        *,
        level: float,
        recorded: RecordedDecision | None = None,
        largest: int = 1,
    ) -> None:
        self._rule = rule
        self._level = level
        self._recorded = recorded
        self._largest = largest
        self._observations: list[_Observation] = []
        self._ended = 0
        self._watches = self._new_watches()
        self.decision: Decision | None = None

    def add(self, score: ScoreRange | None, base: ScoreRange | None) -> None:
        """Take the next question in planned order; nothing changes after a decision."""
        self.add_unit([(score, base)])

    def add_unit(self, pairs: Sequence[ScorePair]) -> None:
        """Take the questions of the next unit; nothing changes after a decision."""
        if self.decision is not None:
            return
        self._ended += len(pairs)
        found = _observation(pairs, self._ended)
        self._observations.append(found)
        is_repeated = self._recorded is not None and self._ended == self._recorded.questions
        if is_repeated or (self._recorded is None and self._is_due(found)):
            self._decide()

    def end(self) -> Decision:
        """The decision; "undecided" if there is none after all questions."""
        self._decide()
        return self.decision or self._decision("undecided", len(self._observations))

    def sequence(self, places: int = 60) -> list[SequencePoint]:
        """The interval after some of the units, evenly spread, for a picture."""
        decided = self.decision
        seen = [
            each
            for each in self._observations
            if decided is None or each.ended <= decided.questions
        ]
        if not any(each.pairs for each in seen):
            return []
        count = len(seen)
        marks: list[int] = np.unique(np.linspace(1, count, min(places, count), dtype=int)).tolist()
        bounds = bounds_after(self._ranges(count), self._level, self._rule.size, marks)
        return [
            SequencePoint(
                questions=seen[n - 1].ended, difference=_difference(seen[:n]), low=low, high=high
            )
            for n, (low, high) in zip(marks, bounds, strict=True)
        ]

    def _new_watches(self) -> list[tuple[CapitalWatch, ...]]:
        """For each verdict, the bets that must all be won: watched after every pair."""
        rule, threshold = self._rule, math.log(2 / self._level)

        def watch(claim: float, *, above: bool) -> CapitalWatch:
            mean = (claim + 1) / 2 if above else (1 - claim) / 2
            return CapitalWatch(mean, threshold, rule.size, above=above)

        watches: list[tuple[CapitalWatch, ...]] = [
            (watch(0.0, above=True),),
            (watch(0.0, above=False),),
        ]
        if rule.margin:
            watches.append((watch(-rule.margin, above=True), watch(rule.margin, above=False)))
        return watches

    def _is_due(self, found: _Observation) -> bool:
        """Whether the unit may have decided: an exact look at all units takes time."""
        share = found.pairs / self._largest
        won = [
            [
                each.add((found.least + 1) / 2 if each.above else (1 - found.most) / 2, share)
                for each in watches
            ]
            for watches in self._watches
        ]
        return any(all(each) for each in won)

    def _decide(self) -> None:
        if self.decision is not None or not any(each.pairs for each in self._observations):
            return
        ranges, size = self._ranges(len(self._observations)), self._rule.size
        better, worse = first_rejection(ranges, 0.0, self._level, size)
        found: dict[SequentialVerdict, int | None] = {"better": better, "worse": worse}
        if self._rule.margin:
            above, _ = first_rejection(ranges, -self._rule.margin, self._level, size)
            _, below = first_rejection(ranges, self._rule.margin, self._level, size)
            found["equivalent"] = max(above, below) if above and below else None
        decided = {verdict: after for verdict, after in found.items() if after is not None}
        recorded, self._recorded = self._recorded, None
        if recorded and recorded.verdict in decided and recorded.questions == self._ended:
            self.decision = self._decision(recorded.verdict, len(self._observations))
        elif decided:
            verdict = min(decided, key=decided.__getitem__)
            self.decision = self._decision(verdict, decided[verdict])

    def _decision(self, verdict: SequentialVerdict, units: int) -> Decision:
        seen = self._observations[:units]
        low, high = bounds_at(self._ranges(units), self._level, self._rule.size)
        return Decision(
            verdict=verdict,
            questions=seen[-1].ended if seen else 0,
            pairs=sum(each.pairs for each in seen),
            unknown=sum(each.unknown for each in seen),
            difference=_difference(seen),
            low=low,
            high=high,
        )

    def _ranges(self, units: int) -> PairedRange:
        least, most, pairs, *_ = (
            np.array(self._observations[:units], dtype=np.float64)
            .reshape(units, len(_Observation._fields))
            .T
        )
        return PairedRange(least, most, pairs / self._largest)


def _observation(pairs: Sequence[ScorePair], ended: int) -> _Observation:
    """What these questions of one unit say."""
    least = most = known = 0.0
    defined = unknown = 0
    for score, base in pairs:
        if score is None or base is None:
            continue
        low, high = score.low - base.high, score.high - base.low
        least, most, defined = least + low, most + high, defined + 1
        if low == high:
            known += low
        else:
            unknown += 1
    count = max(defined, 1)
    return _Observation(least / count, most / count, defined, unknown, known, ended)


def _difference(seen: Sequence[_Observation]) -> float | None:
    """The mean difference over all questions whose difference is known."""
    count = sum(each.pairs - each.unknown for each in seen)
    return math.fsum(each.known for each in seen) / count if count else None


class Decisions:
    """The comparisons of all variants of a run with its baseline.

    ``note`` takes how a case ended, in any order. ``decided`` are the variants that need not be asked
    any further; with all of them, the baseline needs no more questions either. ``sizes`` are the numbers
    of questions of the units in the order of asking, if a unit is not a question: a unit counts when all
    its questions have ended.
    """

    def __init__(
        self,
        rule: StopRule,
        baseline: str,
        variants: Sequence[str],
        questions: Sequence[str],
        recorded: Mapping[str, RecordedDecision] | None = None,
        *,
        sizes: Sequence[int] = (),
    ) -> None:
        self.baseline = baseline
        others = [name for name in variants if name != baseline]
        level = rule.level / max(len(others), 1)
        self.comparisons: Mapping[str, SequentialComparison] = {
            name: SequentialComparison(
                rule,
                level=level,
                recorded=(recorded or {}).get(name),
                largest=max(sizes, default=1),
            )
            for name in others
        }
        self._questions = questions
        self._place = {question: place for place, question in enumerate(questions)}
        self._end_of = _unit_ends(sizes, len(questions))
        self._next = dict.fromkeys(others, 0)
        self._ready = dict.fromkeys(others, 0)
        self._scores: dict[tuple[int, str], ScoreRange | None] = {}

    @property
    def decided(self) -> set[str]:
        """The variants whose comparison is decided; the baseline too if all others are."""
        names = {name for name, each in self.comparisons.items() if each.decision is not None}
        return {*names, self.baseline} if len(names) == len(self.comparisons) else names

    def note(self, question: str, variant: str, score: ScoreRange | None) -> None:
        """Note the score of a case; ``None`` if it is undefined."""
        self._scores[self._place[question], variant] = score
        changed = self.comparisons if variant == self.baseline else (variant,)
        for name in changed:
            self._advance(name)

    def _advance(self, name: str) -> None:
        """Take all units whose questions have ended, up to the first that has an open one."""
        scores, place, start = self._scores, self._ready[name], self._next[name]
        while (place, name) in scores and (place, self.baseline) in scores:
            place += 1
            if self._end_of[place - 1] == place:
                pairs = [
                    (scores[at, name], scores[at, self.baseline]) for at in range(start, place)
                ]
                self.comparisons[name].add_unit(pairs)
                start = place
        self._ready[name], self._next[name] = place, start


def _unit_ends(sizes: Sequence[int], questions: int) -> Sequence[int]:
    """For each place in the order of asking, the place after the last question of its unit.

    >>> list(_unit_ends((2, 1), 3)), list(_unit_ends((), 3))
    ([2, 2, 3], [1, 2, 3])
    """
    ends = np.cumsum(sizes, dtype=int) if sizes else np.arange(1, questions + 1)
    every: list[int] = np.repeat(ends, sizes).tolist() if sizes else ends.tolist()
    return every
