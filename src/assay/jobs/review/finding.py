"""Fields, tables and charts of a review that are not means over clauses."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.jobs.results import Results
from assay.jobs.review.table import review_tables
from assay.jobs.review.variant_outcome import VariantOutcome, variant_outcomes
from assay.report.table import Table
from assay.report.words import Lang, metric_label, metric_title, word
from assay.scorers.risk import CORPUS, METRICS
from assay.text import Count

CHARTED: Final = ("linear_weighted_kappa", "high_risk_f2", "macro_f1", "hallucination_rate")
"""The metrics that have a bar chart, in addition to the metric of the report."""

SHOWN: Final = 3
"""How many texts of unread parts a note shows."""
ABOUT_RULES: Final = ("risk_id_accuracy", "rule_recall", "rule_precision")
"""The metrics that are undefined if no reply reports rules."""


class ReviewFindings:
    """The outcomes of the variants of a run as summary fields, tables and charts."""

    def __init__(self, results: Results) -> None:
        extra: Mapping[str, Any] = results.summary.extra if results.summary else {}
        self._baseline: str | None = extra.get("baseline")
        self._threshold: float | None = extra.get("threshold")
        self._verifier: str | None = extra.get("verifier")
        self._outcomes = variant_outcomes(results)
        self._has_rules = any(
            row.rule_target or row.risk_id_total for row in results.job_rows.values()
        )

    def fields(self, variant: str) -> Mapping[str, Any]:
        """Every metric with its count and its interval, and the sweep over thresholds."""
        outcome = self._outcomes[variant]
        metrics = {
            name: value
            for name, value in outcome.summary.items()
            if name not in {"answered", "failed", "skipped"}  # the summary has these counts already
        }
        return {
            **metrics,
            "n": outcome.counts,
            "intervals": {
                name: [interval.low, interval.high]
                for name, interval in outcome.intervals.items()
                if interval is not None
            },
            "threshold_sweep": msgspec.to_builtins(list(outcome.sweep)),
            **(outcome.veto.fields() if outcome.veto else {}),
        }

    def tables(self, lang: Lang = "en") -> list[Table]:
        """The tables of all clauses, of the classes, of confusion and of the threshold sweep."""
        return review_tables(self._outcomes, self._threshold, lang, self._verifier)

    def notes(self, lang: Lang = "en") -> list[str]:
        """What the rates do not cover: parts of replies that were not read, rules not reported."""
        notes = []
        for name, outcome in self._outcomes.items():
            if count := outcome.summary["unread_parts"]:
                texts = "; ".join(outcome.unread[:SHOWN])
                notes.append(
                    word("unread parts note", lang).format(
                        variant=name,
                        n=Count(count),
                        total=outcome.summary["total"],
                        texts=f"{texts}; …" if len(outcome.unread) > SHOWN else texts,
                    )
                )
        silent = [name for name, outcome in self._outcomes.items() if not outcome.reports_rules]
        if silent and self._has_rules:
            metrics = [*METRICS, *CORPUS]
            titles = [
                metric_title(metric, lang) for metric in metrics if metric.name in ABOUT_RULES
            ]
            notes.append(
                word("silent rules note", lang).format(
                    variants=", ".join(silent), metrics=", ".join(titles)
                )
            )
        return notes

    def charts(self, folder: Path, suffix: str, lang: Lang = "en") -> list[Path]:
        """A confusion matrix for each variant, and bar charts of the metrics in ``CHARTED``."""
        # matplotlib takes most of a second to load, and only charts need it
        from assay.report.chart import Bar, bar_chart, confusion_chart  # noqa: PLC0415

        drawn = []
        counts = sorted({_clauses(outcome) for outcome in self._outcomes.values()})
        numbers = "–".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
        for metric in CORPUS:
            bars = [
                Bar(
                    name=name,
                    value=outcome.value(metric.name),
                    interval=outcome.intervals.get(metric.name),
                )
                for name, outcome in self._outcomes.items()
            ]
            if metric.name in CHARTED and any(bar.value is not None for bar in bars):
                path = folder / f"bar-{metric.name}.{suffix}"
                label = metric_label(metric, lang)
                drawn.append(
                    bar_chart(
                        bars,
                        path,
                        label=label,
                        title=f"n = {numbers}",
                        baseline=self._baseline,
                        is_share="kappa" not in metric.name,
                        lang=lang,
                    )
                )
        taken: set[str] = set()
        for name, outcome in self._outcomes.items():
            path = folder / f"confusion-{file_name(name, taken)}.{suffix}"
            title = f"{name} (n = {_clauses(outcome)})"
            drawn.append(confusion_chart(outcome.matrix, path, title=title, lang=lang))
        return drawn


def file_name(name: str, taken: set[str]) -> str:
    """A file name for the variant ``name`` that is not in ``taken``; it is added to ``taken``.

    >>> taken = set()
    >>> file_name("a/b", taken), file_name("a:b", taken)
    ('a_b', 'a_b_2')
    """
    stem = unique = re.sub(r"[^\w.+-]", "_", name)
    number = 1
    while unique.casefold() in taken:
        number += 1
        unique = f"{stem}_{number}"
    taken.add(unique.casefold())
    return unique


def _clauses(outcome: VariantOutcome) -> int:
    """How many clauses the matrix of a variant counts."""
    return int(sum(map(sum, outcome.matrix)))
