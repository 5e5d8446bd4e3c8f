"""Measures of correctness that moved the other way than the metric which decides.

A gate that compares by one metric can pass a candidate whose answers became wrong: short answers
share more words with the expected ones, whether they are right or not. Nor does the metric see
questions that it is not about: whether answers are invented where there is none. The report says so.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.gate.compared_run import ComparedRun, keys_by_name
from assay.gate.journal_rows import RowPair, pair_questions, value_of
from assay.records import Estimand, Metric
from assay.report.description import about_documents
from assay.stats.comparison import paired_effect
from assay.stats.effect import SHARE, Effect, Method
from assay.stats.resample import quantile
from assay.stats.scores import estimand_so_far, method_of_units
from assay.words.message import Message, message, message_n

# What the pairs of a comparison are about: single questions, or questions that were asked often.


class Units(Struct, frozen=True, kw_only=True, eq=False):
    """The documents and the questions of some pairs, as numbers.

    ``chosen`` is what the comparison is about, ``None`` if that depends on the number of documents.
    ``passed_over`` is what the base was about, if that is something else.
    """

    documents: NDArray[np.intp]
    questions: NDArray[np.intp]
    chosen: Estimand | None = None
    passed_over: Estimand | None = None

    @property
    def method(self) -> Method:
        """How the pairs are tested: related ones are no independent observations."""
        return method_of_units(self.documents, self.questions, chosen=self.chosen)

    @property
    def notes(self) -> list[Message | str]:
        """What the comparison is about, if not simply about its pairs."""
        notes: list[Message | str] = []
        method = self.method
        count = len(np.unique(self.documents))
        if self.chosen is not None and count < len(self.documents):
            notes.append(about_documents(self.chosen, count))
        if self.passed_over is not None:
            notes.append(
                message(
                    "the base was about documents: {base}, and the candidate is about documents: {candidate}, which decides; choose one with --documents",
                    base=self.passed_over,
                    candidate=self.chosen,
                )
            )
        if method.unit == "question":
            count = len(np.unique(self.questions))
            notes.append(
                message_n(
                    "{pairs} pairs are answers to {n} question: a question counts once, not each of its pairs",
                    "{pairs} pairs are answers to {n} questions: a question counts once, not each of its pairs",
                    count,
                    pairs=len(self.questions),
                )
            )
        return notes


def units_of(base: ComparedRun, cand: ComparedRun, pairs: Mapping[str, RowPair]) -> Units:
    """The units of these pairs; an item without a document is one by itself.

    They are about what the candidate is about, or else the base, if that was chosen.
    """
    base_keys, cand_keys = keys_by_name(base, cand)
    documents, questions = [], []
    for name, (case, _) in pairs.items():
        question = (base_keys.get(name) or cand_keys[name])[0]
        documents.append((case.source if case is not None else None) or f"\0{name}")
        questions.append((case.asked if case is not None else "") or question)
    chosen = cand.estimand or base.estimand
    return Units(
        documents=_numbered(documents),
        questions=_numbered(questions),
        chosen=chosen,
        passed_over=base.estimand if base.estimand != chosen else None,
    )


def _numbered(names: Sequence[str]) -> NDArray[np.intp]:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.intp)


# The figures of paired values: the mean or percentile of each side, and the tested difference.

Values = NDArray[np.float64]


def tested_effect(
    metric: Metric, before: Values, after: Values, method: Method, weights: Values | None
) -> Effect:
    """The difference of paired values, or of their weighted means, with its interval and its test.

    ``weights`` have the mean 1.
    """
    is_yes_no = bool(np.isin(before, (0, 1)).all() and np.isin(after, (0, 1)).all())
    if metric.kind == "rate" and not is_yes_no:  # means over repeated runs are fractions
        metric = replace(metric, kind="mean")
    return paired_effect(metric, "candidate", "base", after, before, method, weights)


def aggregate_value(metric: Metric, values: Values) -> float:
    """The mean of the values, or the percentile that the metric is."""
    if metric.kind in SHARE:
        return quantile(values, SHARE[metric.kind])
    return math.fsum(values.tolist()) / len(values)


class Movement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A measure of correctness that changed by more than noise, over the pairs that have both.

    If ``is_apart``, the compared metric has no value for any of these pairs, so a loss need not be
    more than noise: nothing else would show it, and ``is_noise`` says so if noise may explain it. ``p`` is
    ``None`` if there is no test.
    """

    metric: str
    base: float
    candidate: float
    pairs: int
    p: float | None
    verdict: Literal["better", "worse"]
    is_apart: bool = False
    is_noise: bool = False

    def is_contrary(self, gain: float, *, passed: bool) -> bool:
        """Whether it moved against a gain; no gain and no loss hides a loss.

        A loss outside of the compared questions is reported wherever the gate passed.
        """
        if self.verdict == "worse":
            return gain >= 0 or (self.is_apart and passed)
        return gain < 0

    def sentence(self, compared: str) -> Message | str:
        """What a reader of the comparison by another metric must know."""
        values = f"{self.base:.4f} → {self.candidate:.4f}{_p_text(self.p)}"
        if self.is_apart and self.verdict == "worse" and self.is_noise:
            return message(
                "{metric} is worse ({values}), which noise may explain, and {compared} is not about these questions: look at both before you trust this verdict",
                metric=self.metric,
                values=values,
                compared=compared,
            )
        if self.is_apart and self.verdict == "worse":
            return message(
                "{metric} became worse ({values}), and {compared} is not about these questions: look at both before you trust this verdict",
                metric=self.metric,
                values=values,
                compared=compared,
            )
        if self.verdict == "worse":
            return message(
                "{metric} became worse by more than noise ({values}), while {compared} did not: look at both before you trust this verdict",
                metric=self.metric,
                values=values,
                compared=compared,
            )
        return message(
            "{metric} became better by more than noise ({values}), while {compared} became worse: look at both before you trust this verdict",
            metric=self.metric,
            values=values,
            compared=compared,
        )


def _p_text(p_value: float | None) -> str:
    if p_value is None:
        return ""
    return ", p < 0.0001" if p_value < 0.0001 else f", p = {p_value:.4f}"


def movements(base: ComparedRun, cand: ComparedRun) -> Iterator[Movement]:
    """The other measures of correctness that changed by more than noise, or on other questions.

    There are none for runs whose answers decided how many questions were asked: they have no test.
    """
    if base.stops_early or cand.stops_early:
        return
    compared = _complete(base, cand).keys()
    after = {each.metric.name: each for each in cand.others}
    for before in base.others:
        other = after.get(before.metric.name)
        if other is None or before.metric.name == cand.metric.name:
            continue
        sides = (
            replace(base, items={key: before.items[key] for key in base.items}),
            replace(cand, items={key: other.items[key] for key in cand.items}),
        )
        if pairs := _complete(*sides):
            is_apart = compared.isdisjoint(pairs)
            yield from _movement(before.metric, sides, pairs, is_apart=is_apart)


def _complete(base: ComparedRun, cand: ComparedRun) -> dict[str, RowPair]:
    """The questions that have a value in both runs."""
    pairs = pair_questions(base, cand)
    return {
        name: pair for name, pair in pairs.items() if None not in {value_of(case) for case in pair}
    }


def _movement(
    metric: Metric,
    sides: tuple[ComparedRun, ComparedRun],
    pairs: Mapping[str, RowPair],
    *,
    is_apart: bool,
) -> Iterator[Movement]:
    """How a metric moved; nothing if it did not, by more than noise or for separate questions."""
    values = [np.array([value_of(pair[side]) for pair in pairs.values()]) for side in (0, 1)]
    units = units_of(*sides, pairs)
    about = estimand_so_far(units.documents, units.chosen)  # this metric may have fewer documents
    method = method_of_units(units.documents, units.questions, chosen=about)
    effect = tested_effect(metric, values[0], values[1], method, None)
    before, after = (aggregate_value(metric, each) for each in values)
    is_shown = effect.p_adjusted is not None and effect.verdict in {"better", "worse"}
    is_worse = after > before if metric.better == "lower" else after < before
    if is_shown or (is_apart and is_worse):
        yield Movement(
            metric=metric.name,
            base=before,
            candidate=after,
            pairs=effect.n,
            p=effect.p_adjusted,
            verdict="worse" if is_worse else "better",
            is_apart=is_apart,
            is_noise=not is_shown,
        )
