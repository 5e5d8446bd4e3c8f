"""What the rules object to where a model has checked the quotations.

The score of the model against the threshold is the seed's check, and its rate keeps the seed's
name. The rules (numbers, dates, negation, names and so on) may refuse what the model accepts; the
rate after this veto is beside it, and every such quotation is listed.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct

from assay.jobs.contract.classification import RISK_SCORES
from assay.jobs.contract.score import clause_outcomes, review_metrics, share_after_veto
from assay.jobs.contract.spec import AFTER_VETO, CORPUS, ReportRow
from assay.records import without_draw
from assay.report.label import metric_title
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.stats.interval import Interval, bca_bounds, wilson
from assay.stats.mean_interval import clustered_share, jackknife_variance, mean_interval
from assay.stats.resample import Floats, resample_counts, stream
from assay.words.language import Lang
from assay.words.say import say_in

# Confidence intervals of a review's metrics by the bootstrap over clauses.
#
# A metric depends only on totals over the clauses, so clauses with the same outcome are
# interchangeable. A resample is therefore how often each distinct outcome occurs in it, multiplied
# by the matrix of outcomes. For many clauses this is a multinomial draw, whose cost does not depend
# on their number. All metrics are computed from the same draws.

RESAMPLES: Final = 10_000
FEWEST_DEFINED: Final = 0.9
"""A metric has an interval only if it is defined in at least this share of the resamples."""

MOST_COUNTED: Final = 400
"""Up to this many clauses, all variants share the draws of clauses; above, outcomes are drawn."""

Statistic: TypeAlias = Callable[[Floats], Mapping[str, Floats]]
"""Computes values from rows of totals, one value for each row; NaN means undefined."""


def review_intervals(
    rows: Iterable[Mapping[str, Any]],
    *,
    scores: Sequence[Sequence[float]] = RISK_SCORES,
    pooled: Mapping[str, int] = {},
    elsewhere: Collection[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Intervals of all metrics of ``review_metrics`` and of ``avg_latency``.

    ``pooled`` has the number of items of each metric that is a share of items, of which a clause
    may have several. Its interval has Wilson's form (see ``clustered_share``). Metrics in
    ``elsewhere`` have ``None``: their intervals need no resampling. The others have BCa intervals.

    An interval is ``None`` if the metric is undefined, if there are fewer than two clauses, or
    if the metric is undefined in too many resamples. Rows that are not scored are left out. A
    metric with the same value in all resamples, for example a rate of 1, has an interval of
    width zero.
    """
    scored = [row for row in rows if row.get("status", "scored") == "scored"]
    intervals = total_intervals(
        clause_outcomes(scored),
        lambda totals: review_metrics(totals, scores),
        pooled=pooled,
        elsewhere=elsewhere,
        resamples=resamples,
        seed=seed,
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
    pooled: Mapping[str, int] = {},
    elsewhere: Collection[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Intervals of the values that ``statistic`` computes from totals of outcomes.

    They are BCa intervals, except for ``pooled`` and ``elsewhere`` (see ``review_intervals``).
    The result is empty if there are no outcomes; for a single outcome all intervals are
    ``None``.

    >>> share = lambda totals: {"share": totals[:, 0] / totals.sum(axis=1)}
    >>> interval = total_intervals([(1, 0)] * 8 + [(0, 1)] * 2, share)["share"]
    >>> interval.low < 0.8 < interval.high
    True
    """
    if not outcomes:
        return {}
    # sorted, so that the result does not depend on the order in which cases ended
    distinct = dict(sorted(Counter(map(tuple, outcomes)).items()))
    table: Floats = np.array(list(distinct), dtype=np.float64)
    counts: Floats = np.array(list(distinct.values()), dtype=np.float64)
    total: Floats = counts @ table
    observed = statistic(total[np.newaxis])
    clauses = len(outcomes)
    if clauses < 2:
        return dict.fromkeys(observed)
    # each total of all resamples is contiguous, so that NumPy works on thousands of them at once
    draws = statistic((table.T @ _drawn(counts, resamples, seed)).T)
    left_out = statistic(total - table)
    intervals: dict[str, Interval | None] = dict.fromkeys(observed)
    for name in observed.keys() - set(elsewhere):
        value, drawn = float(observed[name][0]), draws[name]
        defined = drawn[np.isfinite(drawn)]
        if not np.isfinite(value) or len(defined) < FEWEST_DEFINED * len(drawn):
            continue
        if name in pooled:
            variance = _variance(left_out[name], counts)
            intervals[name] = clustered_share(value, pooled[name], variance, clauses, level)
        else:
            skew = _acceleration(left_out[name], counts)
            low, high = bca_bounds(defined, value, skew, level)
            intervals[name] = Interval(low=low, high=high, level=level, method="bca")
    return intervals


def _drawn(counts: Floats, resamples: int, seed: int) -> Floats:
    """How often each distinct outcome is in each resample: a row for each outcome."""
    clauses = int(counts.sum())
    if clauses <= MOST_COUNTED:
        ends = np.cumsum(counts).astype(np.intp)
        # split, because reduceat takes a column at a time, which is slow
        alike = np.split(resample_counts(clauses, resamples, seed), ends[:-1])
        return np.array([items.sum(axis=0, dtype=np.uint16) for items in alike], np.float64)
    drawn = stream(seed, "review").multinomial(clauses, counts / clauses, size=resamples)
    return drawn.T.astype(np.float64)


def _variance(left_out: Floats, counts: Floats) -> float:
    """The variance of a metric between samples of clauses, from its values without each clause."""
    defined = np.isfinite(left_out)
    values, weights = left_out[defined], counts[defined]
    return jackknife_variance(values - np.average(values, weights=weights), weights)


def _acceleration(left_out: Floats, counts: Floats) -> float:
    """The acceleration of BCa: the skewness of the jackknife values divided by six.

    Each distinct outcome has as much weight as the number of its clauses.
    """
    defined = np.isfinite(left_out)
    values, weights = left_out[defined], counts[defined]
    if not len(values):
        return 0.0
    deviations = np.average(values, weights=weights) - values
    squares = float(weights @ (deviations * deviations))
    return float(weights @ deviations**3) / (6 * squares**1.5) if squares > 1e-24 else 0.0


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
