"""What the rules object to where a model has checked the quotations.

The score of the model against the threshold is the seed's check, and its rate keeps the seed's
name. The rules (numbers, dates, negation, names and so on) may refuse what the model accepts; the
rate after this veto is beside it, and every such quotation is listed.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from assay.jobs.contract.classification import (
    RISK_SCORES,
    chance_agreement,
    predicted_counts,
    true_counts,
)
from assay.jobs.contract.level import LEVELS, TITLES
from assay.jobs.contract.score import (
    clause_outcomes,
    matrix_of,
    review_metrics,
    share_after_veto,
    totals_of,
)
from assay.jobs.contract.spec import AFTER_VETO, CORPUS, ReportRow
from assay.records import without_draw
from assay.report.label import metric_title
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.stats.interval import Interval, wilson
from assay.stats.mean_interval import jackknife_interval, mean_interval
from assay.stats.resample import Floats
from assay.words.language import Lang
from assay.words.say import say_in

# Confidence intervals of a review's metrics by the jackknife over clauses.
#
# A metric depends only on totals over the clauses, so clauses with the same outcome are
# interchangeable: the value without a clause is computed once for each distinct outcome.

Statistic: TypeAlias = Callable[[Floats], Mapping[str, Floats]]
"""Computes values from rows of totals, one value for each row; NaN means undefined."""


def review_intervals(
    rows: Iterable[Mapping[str, Any]],
    *,
    scores: Sequence[Sequence[float]] = RISK_SCORES,
    pooled: Mapping[str, int] = {},
    elsewhere: Collection[str] = (),
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Intervals of all metrics of ``review_metrics`` and of ``avg_latency``.

    ``pooled`` has the number of items of each metric that is a share of items, of which a clause
    may have several. Metrics in ``elsewhere`` have ``None``: their intervals do not need the spread
    between clauses.

    An interval is ``None`` if the metric is undefined, also without one of the clauses, if there are
    fewer than two clauses, and if the metric is the same without each clause but neither 0 nor 1 (see
    ``jackknife_interval``). Rows that are not scored are left out.
    """
    scored = [row for row in rows if row.get("status", "scored") == "scored"]
    outcomes = clause_outcomes(scored)
    answers = len(scored) / len(outcomes) if outcomes else 1.0  # to each clause
    matrix = np.array(matrix_of(totals_of(outcomes)), dtype=np.float64) / answers
    intervals = total_intervals(
        outcomes,
        lambda totals: review_metrics(totals, scores),
        most={
            **_independent_clauses(matrix),
            **{name: count / answers for name, count in pooled.items()},
        },
        chance={
            f"{name}_weighted_kappa": float(chance_agreement(matrix, power))
            for power, name in enumerate(("linear", "quadratic"), 1)
        },
        elsewhere=elsewhere,
        level=level,
    )
    timed = [row for row in scored if row.get("elapsed_s") is not None]
    keys = [without_draw(str(row.get("key") or number)) for number, row in enumerate(timed)]
    _, clauses = np.unique(np.array(keys, dtype=object), return_inverse=True)
    intervals["avg_latency"] = mean_interval(
        np.array([row["elapsed_s"] for row in timed], dtype=np.float64),
        level=level,
        is_score=False,
        clusters=clauses if len(set(keys)) < len(keys) else None,
    )
    return intervals


def total_intervals(
    outcomes: Sequence[Sequence[int]],
    statistic: Statistic,
    *,
    most: Mapping[str, float] = {},
    chance: Mapping[str, float] = {},
    elsewhere: Collection[str] = (),
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Intervals of the values that ``statistic`` computes from totals of outcomes.

    ``most`` and ``chance`` are those of ``jackknife_interval``, for the metrics that have them. The
    result is empty if there are no outcomes; for a single outcome all intervals are ``None``.

    >>> share = lambda totals: {"share": totals[:, 0] / totals.sum(axis=1)}
    >>> interval = total_intervals([(1, 0)] * 8 + [(0, 1)] * 2, share)["share"]
    >>> interval.low < 0.8 < interval.high
    True
    """
    if not outcomes:
        return {}
    distinct = Counter(map(tuple, outcomes))
    # sorted, so that the result does not depend on the order in which cases ended
    table: Floats = np.array(sorted(distinct), dtype=np.float64)
    counts: Floats = np.array([distinct[row] for row in sorted(distinct)], dtype=np.float64)
    total: Floats = counts @ table
    observed, left_out = statistic(total[np.newaxis]), statistic(total - table)
    return {
        name: None
        if name in elsewhere
        else jackknife_interval(
            float(value[0]),
            left_out[name],
            counts,
            count=len(outcomes),
            most=most.get(name, math.inf),
            chance=chance.get(name, 0.0),
            level=level,
        )
        for name, value in observed.items()
    }


def _independent_clauses(matrix: Floats) -> dict[str, float]:
    """To how many clauses of equal weight the clauses behind an F score or a macro mean amount.

    An F1 score has its own denominator, and F2 has the clauses that are or were called high. In a macro
    mean the clauses of a rare level count more: they amount to ``C² / Σ 1/n`` (L. Kish, "Survey
    sampling", 1965).
    """
    true, predicted = true_counts(matrix), predicted_counts(matrix)
    high = LEVELS.index("high")

    def of_classes(counts: Floats) -> float:
        seen = counts[counts > 0]
        return len(seen) ** 2 / float((1 / seen).sum()) if len(seen) else math.inf

    return {
        "high_risk_f2": float(true[high] + predicted[high] - matrix[high, high]),
        **{
            f"class_f1.{TITLES[level]}": float(true[k] + predicted[k])
            for k, level in enumerate(LEVELS)
        },
        **{
            f"macro_{part}{suffix}": of_classes(predicted if part == "precision" else true)
            for part in ("f1", "precision", "recall")
            for suffix in ("", "_defined")
        },
    }


class VetoDisagreement(Struct, frozen=True, kw_only=True):
    """A quotation that the model accepts and the rules refuse."""

    question_id: str
    quotation: str
    score: float | None
    veto: tuple[str, ...]


class VetoOutcome(Struct, frozen=True, kw_only=True):
    """The quotations of a variant that a model has checked.

    ``invalid`` were refused by the model; ``disagreements`` were accepted by it and refused by
    the rules.
    """

    quotations: int
    invalid: int
    disagreements: tuple[VetoDisagreement, ...]

    @property
    def rate(self) -> float:
        """The share of quotations that the model or the rules refuse."""
        return share_after_veto(self.invalid, len(self.disagreements), self.quotations)

    @property
    def interval(self) -> Interval | None:
        """Wilson's interval of the rate."""
        return wilson(self.invalid + len(self.disagreements), self.quotations)

    def fields(self) -> dict[str, Any]:
        """The outcome as fields of the summary."""
        return {
            AFTER_VETO.name: self.rate,
            "clause_vetoed": len(self.disagreements),
            "verifier_disagreements": [
                {
                    "question_id": item.question_id,
                    "quotation": item.quotation,
                    "score": item.score,
                    "veto": list(item.veto),
                }
                for item in self.disagreements
            ],
        }


def veto_outcome(rows: Iterable[ReportRow]) -> VetoOutcome | None:
    """The outcome of a variant; ``None`` if no model has checked its quotations."""
    checked = [
        (row, quotation) for row in rows for quotation in row.evidence if quotation.veto is not None
    ]
    if not checked:
        return None
    return VetoOutcome(
        quotations=len(checked),
        invalid=sum(not quotation.valid for _, quotation in checked),
        disagreements=tuple(
            VetoDisagreement(
                question_id=row.question_id,
                quotation=quotation.text,
                score=quotation.score,
                veto=quotation.veto or (),
            )
            for row, quotation in checked
            if quotation.valid and quotation.veto
        ),
    )


def veto_tables(
    outcomes: Mapping[str, VetoOutcome | None], rates: Mapping[str, TableCell], lang: Lang
) -> list[Table]:
    """The two rates beside each other and the disagreements; no table without a model.

    ``rates`` are the cells of ``clause_hallucination_rate``.
    """
    checked = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    if not checked:
        return []
    seed = next(metric for metric in CORPUS if metric.name == "clause_hallucination_rate")
    rate_table = Table(
        title=say_in(lang, "The model and the rules"),
        columns=(
            TableColumn(key=seed.name, title=metric_title(seed, lang), better="lower"),
            TableColumn(key=AFTER_VETO.name, title=metric_title(AFTER_VETO, lang), better="lower"),
            TableColumn(key="clause_vetoed", title=say_in(lang, "refused by the rules only")),
            TableColumn(key="quotations", title=say_in(lang, "quotations", context="column")),
        ),
        rows=tuple(
            LabelledRow(
                label=name,
                cells=(
                    rates[name],
                    TableCell(value=outcome.rate, interval=outcome.interval),
                    TableCell(value=len(outcome.disagreements)),
                    TableCell(value=outcome.quotations),
                ),
            )
            for name, outcome in checked.items()
        ),
        notes=(
            say_in(
                lang,
                "The model's score against the threshold is the first rate. The rules on numbers, dates, negation and names may refuse what the model accepts; the second rate counts this too.",
            ),
        ),
    )
    rows = [
        LabelledRow(
            label=f"{name}: {item.question_id}",
            cells=(
                TableCell(value=item.quotation),
                TableCell(value=item.score),
                TableCell(value="; ".join(item.veto)),
            ),
        )
        for name, outcome in checked.items()
        for item in outcome.disagreements
    ]
    return [rate_table, _listing(rows, lang)] if rows else [rate_table]


def _listing(rows: Sequence[LabelledRow], lang: Lang) -> Table:
    return Table(
        title=say_in(lang, "Quotations that the model accepts and the rules refuse"),
        label_title=say_in(lang, "variant: clause"),
        columns=(
            TableColumn(key="quotation", title=say_in(lang, "quotation"), align="left"),
            TableColumn(key="score", title=say_in(lang, "score")),
            TableColumn(key="veto", title=say_in(lang, "objections of the rules"), align="left"),
        ),
        rows=tuple(rows),
    )
