"""When a comparison is decided: paired differences are taken in the order that was planned.

Answers arrive in any order, and quick ones may differ from slow ones. Whoever took differences as
they arrive would stop at a selection. So a difference counts only once all pairs before it in the
planned order have ended, and a decision depends on that order alone: a run that was killed and
resumed, or one that asks more cases at a time, comes to the same decision after the same number of
questions.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.stats.resample import Floats
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

    ``verdict`` was certain after ``questions`` questions, of which ``pairs`` had a value in both.
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


class SequentialComparison:
    """The differences of one variant to the baseline, in planned order, until they decide.

    A score of ``None`` is undefined: the question does not count. If the claim is about the set, it
    counts as no difference, because the number of such questions is not known in advance.

    A ``recorded`` decision stays as it is: answers of failed cases that came later do not change it. It does
    not count if the scores of today do not show it.
    """

    def __init__(
        self, rule: StopRule, *, level: float, recorded: RecordedDecision | None = None
    ) -> None:
        self._rule = rule
        self._level = level
        self._recorded = recorded
        self._least: list[float] = []
        self._most: list[float] = []
        self._questions: list[int] = []  # how many questions had ended with each pair
        self._ended = 0
        self._unknown = 0
        self._watches = self._new_watches()
        self.decision: Decision | None = None

    def add(self, score: ScoreRange | None, base: ScoreRange | None) -> None:
        """Take the next question in planned order; nothing changes after a decision."""
        if self.decision is not None:
            return
        self._ended += 1
        self._take(score, base)
        if self._recorded is not None and self._ended == self._recorded.questions:
            self._decide()

    def _take(self, score: ScoreRange | None, base: ScoreRange | None) -> None:
        if score is None or base is None:
            if self._rule.size is None:
                return
            score = base = ScoreRange(0.0, 0.0)
        self._least.append(score.low - base.high)
        self._most.append(score.high - base.low)
        self._questions.append(self._ended)
        self._unknown += self._least[-1] != self._most[-1]
        if self._recorded is None and self._is_due(self._least[-1], self._most[-1]):
            self._decide()

    def end(self) -> Decision:
        """The decision; "undecided" if there is none after all questions."""
        self._decide()
        return self.decision or self._decision("undecided", len(self._least))

    def sequence(self, places: int = 60) -> list[SequencePoint]:
        """The interval after some of the questions, evenly spread, for a picture."""
        end = self.decision.pairs if self.decision else len(self._least)
        if not end:
            return []
        marks: list[int] = np.unique(np.linspace(1, end, min(places, end), dtype=int)).tolist()
        ranges = self._pairs(end)
        known = ranges.least == ranges.most
        sums, counts = np.where(known, ranges.least, 0.0).cumsum(), known.cumsum()
        bounds = bounds_after(ranges, self._level, self._rule.size, marks)
        return [
            SequencePoint(
                questions=self._questions[n - 1],
                difference=float(sums[n - 1] / counts[n - 1]) if counts[n - 1] else None,
                low=low,
                high=high,
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

    def _is_due(self, least: float, most: float) -> bool:
        """Whether the pair may have decided: an exact look at all pairs takes time."""
        won = [
            [each.add((least + 1) / 2 if each.above else (1 - most) / 2) for each in watches]
            for watches in self._watches
        ]
        return any(all(each) for each in won)

    def _decide(self) -> None:
        if self.decision is not None or not self._least:
            return
        pairs, size = self._pairs(len(self._least)), self._rule.size
        better, worse = first_rejection(pairs, 0.0, self._level, size)
        found: dict[SequentialVerdict, int | None] = {"better": better, "worse": worse}
        if self._rule.margin:
            above, _ = first_rejection(pairs, -self._rule.margin, self._level, size)
            _, below = first_rejection(pairs, self._rule.margin, self._level, size)
            found["equivalent"] = max(above, below) if above and below else None
        decided = {verdict: after for verdict, after in found.items() if after is not None}
        recorded, self._recorded = self._recorded, None
        if recorded and recorded.verdict in decided and recorded.questions == self._ended:
            found_before = self._decision(recorded.verdict, len(self._least))
            self.decision = replace(found_before, questions=recorded.questions)
            return
        if decided:
            verdict = min(decided, key=decided.__getitem__)
            self.decision = self._decision(verdict, decided[verdict])

    def _decision(self, verdict: SequentialVerdict, pairs: int) -> Decision:
        ranges = self._pairs(pairs)
        known = ranges.least[ranges.least == ranges.most]
        low, high = bounds_at(ranges, self._level, self._rule.size)
        return Decision(
            verdict=verdict,
            questions=self._ended if verdict == "undecided" else self._questions[pairs - 1],
            pairs=pairs,
            unknown=pairs - len(known),
            difference=float(known.mean()) if len(known) else None,
            low=low,
            high=high,
        )

    def _pairs(self, count: int) -> PairedRange:
        least: Floats = np.array(self._least[:count], dtype=np.float64)
        most: Floats = np.array(self._most[:count], dtype=np.float64)
        return PairedRange(least, most)


class Decisions:
    """The comparisons of all variants of a run with its baseline.

    ``note`` takes how a case ended, in any order. ``decided`` are the variants that need not be asked
    any further; with all of them, the baseline needs no more questions either.
    """

    def __init__(
        self,
        rule: StopRule,
        baseline: str,
        variants: Sequence[str],
        questions: Sequence[str],
        recorded: Mapping[str, RecordedDecision] | None = None,
    ) -> None:
        self.baseline = baseline
        others = [name for name in variants if name != baseline]
        level = rule.level / max(len(others), 1)
        self.comparisons: Mapping[str, SequentialComparison] = {
            name: SequentialComparison(rule, level=level, recorded=(recorded or {}).get(name))
            for name in others
        }
        self._questions = questions
        self._place = {question: place for place, question in enumerate(questions)}
        self._next = dict.fromkeys(others, 0)
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
        scores, place = self._scores, self._next[name]
        while (place, name) in scores and (place, self.baseline) in scores:
            self.comparisons[name].add(scores[place, name], scores[place, self.baseline])
            place += 1
        self._next[name] = place
