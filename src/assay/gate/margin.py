"""Whether a candidate is worse by more than a margin, or differs by more than one.

A gate asks for *non-inferiority*: a loss of more than the margin, the largest that does not matter, must
be ruled out. It is ruled out if the 95 % interval of the difference leaves out every larger loss; then a
candidate whose true loss is the margin passes in about 2.5 % of runs (G. Piaggio et al., "Reporting of
noninferiority and equivalence randomized trials", JAMA 308, 2012). *Equivalence* rules out a gain of more
than the margin too: the whole interval must be inside (D. J. Schuirmann, "A comparison of the two
one-sided tests procedure and the power approach", Journal of Pharmacokinetics and Biopharmaceutics 15,
1987). What the interval leaves out is ruled out, and nothing else: if the interval has both a loss that
matters and one that does not, the gate cannot tell, and says how many more questions would.
"""

import math
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Metric
from assay.stats.comparison import column_of
from assay.stats.difference import Contrast, moments, share_of_others
from assay.stats.effect import SHARE, Method, Unit
from assay.stats.interval import Interval
from assay.stats.planning import CRITICAL, POWER, units_for_margin, units_without_change
from assay.words.message import Message, message, message_n

MarginKind = Literal["not worse", "equivalent"]
MarginOutcome = Literal["passed", "failed", "unclear"]


class Margin(Struct, frozen=True, kw_only=True):
    """What is asked: whether a loss, or for ``equivalent`` any difference, is larger than ``size``."""

    kind: MarginKind
    size: float

    @property
    def option(self) -> str:
        """The option of the command that asks this."""
        return "--margin" if self.kind == "not worse" else "--equivalent"


class PairedSpread(Struct, frozen=True, kw_only=True):
    """What the pairs of a comparison say about how many of them are needed.

    ``spread`` is the standard deviation of the differences of the ``units``; ``None`` if only the
    interval tells, as for a percentile. ``is_score`` if all values are between 0 and 1.
    """

    units: int
    unit: Unit
    is_score: bool
    spread: float | None = None


class MarginResult(Struct, frozen=True, kw_only=True):
    """What the interval says about a margin; ``low`` and ``high`` are its ends, positive is better.

    ``more`` is about how many more units would tell, with a probability of 80 %: if nothing changed in
    truth, or, where so many do not tell, if the difference is what was seen. ``labels`` is how many
    labels of each side would tell instead, if the difference is corrected by labels and the labels
    are what is lacking. Both are ``None`` if the outcome is clear or the number is not known.
    """

    kind: MarginKind
    size: float
    outcome: MarginOutcome
    low: float | None
    high: float | None
    unit: Unit
    is_score: bool
    more: int | None = None
    labels: int | None = None
    is_corrected: bool = False

    def sentence(self, metric: Metric, name: Message | str) -> Message:
        """What is known about the margin; ``name`` is what the metric is called."""
        amount = amount_text(metric, self.size, is_score=self.is_score)
        if self.outcome == "unclear":
            text = {
                "not worse": message(
                    "cannot tell whether {metric} is worse by more than {amount}: {what}",
                    metric=name,
                    amount=amount,
                    what=self._what_would_tell(),
                ),
                "equivalent": message(
                    "cannot tell whether {metric} differs by more than {amount}: {what}",
                    metric=name,
                    amount=amount,
                    what=self._what_would_tell(),
                ),
            }
            return text[self.kind]
        if self.outcome == "passed" and self.kind == "equivalent":
            return message("{metric} differs by at most {amount}", metric=name, amount=amount)
        if self.outcome == "passed":
            return message(
                "{metric} is not worse by more than {amount}", metric=name, amount=amount
            )
        if self.low is not None and self.low > 0:
            return message("{metric} is better by more than {amount}", metric=name, amount=amount)
        return message("{metric} is worse by more than {amount}", metric=name, amount=amount)

    def _what_would_tell(self) -> Message:
        if self.low is None:
            return message("the difference has no interval")
        if self.labels is not None:
            return message("about {n} labels of each side would tell", n=self.labels)
        if self.more is None:
            return message("the difference is too close to the margin")
        n = two_digits(self.more)
        if self.unit == "document":
            return message_n(
                "about {n} more document would tell", "about {n} more documents would tell", n
            )
        if self.is_corrected:
            return message_n(
                "about {n} more question, with labels as now, would tell",
                "about {n} more questions, with labels as now, would tell",
                n,
            )
        return message_n(
            "about {n} more question would tell", "about {n} more questions would tell", n
        )


def two_digits(n: int) -> int:
    """A number that is only about right, rounded up to two digits.

    >>> two_digits(1234), two_digits(243), two_digits(8)
    (1300, 250, 8)
    """
    step = int(10 ** max(0, len(str(n)) - 2))
    return math.ceil(n / step) * step


def amount_text(metric: Metric, size: float, *, is_score: bool) -> Message | str:
    """A difference in words: points of 100 for a score, else a value in the unit of the metric.

    >>> str(amount_text(Metric(name="score", field="score"), 0.03, is_score=True))
    '3 points'
    """
    if is_score:
        points = round(100 * size, 10)
        return message_n(
            "{points} point", "{points} points", 1 if points == 1 else 2, points=f"{points:g}"
        )
    if metric.unit:
        unit = message(metric.unit, "unit")
        return message("{value} {unit}", value=f"{size:g}", unit=unit)
    return f"{size:g}"


def paired_spread(
    metric: Metric,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    method: Method,
    weights: NDArray[np.float64] | None,
) -> PairedSpread:
    """The spread of these pairs, over the units of the method and with its weights."""
    found = moments(Contrast(((1.0, after), (-1.0, before))).changes(), method.units, weights)
    units = found.units if found is not None else 0
    is_known = found is not None and metric.kind not in SHARE
    return PairedSpread(
        units=units,
        unit=method.unit,
        is_score=all(column_of(metric, values).is_score for values in (before, after)),
        spread=found.error * math.sqrt(units) if found is not None and is_known else None,
    )


def refuse_together(option: str, other: str) -> None:
    """Raise ``UseError`` because a margin is given together with another condition."""
    raise UseError(
        f"{option} and {other} contradict each other, because {option} goes by the interval of the "
        "difference and by nothing else: give one of them"
    )


def refuse_size(margin: Margin, *, is_score: bool) -> None:
    """Raise ``UseError`` for a margin that every difference of scores is smaller than."""
    if is_score and margin.size >= 1:
        raise UseError(
            f"{margin.option} {margin.size:g}: scores are between 0 and 1, so no difference is larger; "
            f"for {margin.size:g} points of 100 use {margin.option} {margin.size / 100:g}"
        )


def with_unseen(
    interval: Interval | None,
    difference: float | None,
    weights: NDArray[np.float64] | None,
    pairs: PairedSpread,
) -> Interval | None:
    """The interval, wider if few questions have most of the weight.

    They say as much as ``(Σ w)² / Σ w²`` equal ones (L. Kish, "Survey sampling", 1965). If these are fewer
    than half of them, a change of the heavy ones is easily not in the sample, and the interval allows for
    as large a share of such changes as Clopper and Pearson do for none of so many.
    """
    if interval is None or difference is None or weights is None or not pairs.is_score:
        return interval
    equal = float(weights.sum() ** 2 / (weights @ weights))
    if 2 * equal >= len(weights):
        return interval
    other = share_of_others(equal, interval.level)
    low, high = min(interval.low, difference - other), max(interval.high, difference + other)
    return replace(interval, low=low, high=high)


def margin_result(
    margin: Margin,
    metric: Metric,
    interval: Interval | None,
    difference: float | None,
    pairs: PairedSpread,
) -> MarginResult:
    """What the interval of a difference, candidate minus base, says about the margin.

    >>> interval = Interval(low=-0.02, high=0.05, level=0.95, method="t")
    >>> pairs = PairedSpread(units=100, unit="item", is_score=True, spread=0.2)
    >>> margin = Margin(kind="not worse", size=0.03)
    >>> margin_result(margin, Metric(name="s", field="s"), interval, 0.01, pairs).outcome
    'passed'
    """
    empty = MarginResult(
        kind=margin.kind,
        size=margin.size,
        outcome="unclear",
        low=None,
        high=None,
        unit=pairs.unit,
        is_score=pairs.is_score,
    )
    if interval is None or difference is None:
        return empty
    low, high, gain = interval.low, interval.high, difference
    if metric.better == "lower":
        low, high, gain = -high, -low, -gain
    outcome = _outcome(margin, low, high)
    return MarginResult(
        kind=margin.kind,
        size=margin.size,
        outcome=outcome,
        low=low + 0.0,
        high=high + 0.0,
        unit=pairs.unit,
        is_score=pairs.is_score,
        more=_more(margin, gain, max(gain - low, high - gain), pairs)
        if outcome == "unclear"
        else None,
    )


def _outcome(margin: Margin, low: float, high: float) -> MarginOutcome:
    """By the ends of the interval, of which a positive one is better."""
    is_two_sided = margin.kind == "equivalent"
    if low >= -margin.size and not (is_two_sided and high > margin.size):
        return "passed"
    if high < -margin.size or (is_two_sided and low > margin.size):
        return "failed"
    return "unclear"


def _more(margin: Margin, gain: float, half_width: float, pairs: PairedSpread) -> int | None:
    """About how many more units would tell; ``None`` if that is not known."""
    size, units = margin.size, pairs.units
    if pairs.spread == 0:  # all differences are alike, so the interval allows for others
        seen = max(-gain, 0.0) if margin.kind == "not worse" else abs(gain)
        needed = units_without_change(abs(size - seen) / (1 + seen))
        return None if needed is None else max(needed - units, 1)
    # equivalence must rule out both sides
    power = POWER if margin.kind == "not worse" else (1 + POWER) / 2
    room = abs(size + gain if margin.kind == "not worse" else size - abs(gain))
    wide = half_width * math.sqrt(units) / CRITICAL
    spread = wide if pairs.spread is None else pairs.spread
    for each, distance in ((spread, size), (spread, room), (wide, room)):
        needed = units_for_margin(each, distance, power=power)
        if needed is not None and needed > units:
            return needed - units
    return None
