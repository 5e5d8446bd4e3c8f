"""The tables of a review with metrics that are not means over clauses."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.jobs.contract.classification import row_shares
from assay.jobs.contract.level import LEVELS, TITLES
from assay.jobs.contract.score import UNPARSED
from assay.jobs.contract.spec import CORPUS, METRICS
from assay.jobs.contract.variant_outcome import VariantOutcome, variant_outcomes
from assay.jobs.contract.veto import veto_tables
from assay.records import Metric
from assay.report.label import metric_label, metric_title
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn, with_marks
from assay.results.results import Results
from assay.words.language import Lang
from assay.words.message import message
from assay.words.say import say_in, say_n_in

_COUNTS: Final = {
    "kappa_clauses": message("replies with a level"),
    "quotations": message("quotations", "column"),
    "laws_cited": message("citations of laws checked"),
    "unparsed": message("unparsed"),
    "unread_parts": message("replies with unread parts"),
}
_OF_DEFINED: Final = (
    "quadratic_weighted_kappa",
    "macro_f1_defined",
    "macro_precision_defined",
    "macro_recall_defined",
)
_CLASS_METRICS: Final = {
    "class_precision": message("precision"),
    "class_recall": message("recall"),
    "class_f1": message("F1"),
}

Outcomes = Mapping[str, VariantOutcome]


def review_tables(
    outcomes: Outcomes, threshold: float | None, lang: Lang = "en", verifier: str | None = None
) -> list[Table]:
    """All tables in the order of the report.

    ``verifier`` names the two stages that checked the quotations, as in the header of the run.
    """
    return [
        corpus_table(outcomes, lang, verifier),
        class_table(outcomes, lang),
        confusion_table(outcomes, lang),
        sweep_table(outcomes, "clause_hallucination_rate", threshold, lang),
        sweep_table(outcomes, "hallucination_rate", threshold, lang),
        *veto_tables(
            {name: outcome.veto for name, outcome in outcomes.items()},
            {
                name: _cells(outcome, ["clause_hallucination_rate"])[0]
                for name, outcome in outcomes.items()
            },
            lang,
        ),
    ]


def corpus_table(outcomes: Outcomes, lang: Lang = "en", verifier: str | None = None) -> Table:
    """Kappa, F2, macro scores over three levels and pooled rates, with intervals and counts.

    The metrics of ``_OF_DEFINED`` are after the others.
    """
    metrics = sorted(CORPUS, key=lambda metric: metric.name in _OF_DEFINED)
    counts = [TableColumn(key=name, title=title.text_in(lang)) for name, title in _COUNTS.items()]
    rows = tuple(
        LabelledRow(
            label=name,
            cells=(
                *_cells(outcome, [metric.name for metric in metrics]),
                TableCell(value=outcome.summary["kappa_clauses"]),
                TableCell(value=outcome.counts["clause_hallucination_rate"]),
                TableCell(value=outcome.counts["law_hallucination_rate"]),
                TableCell(value=outcome.summary["unparsed"]),
                TableCell(value=outcome.summary["unread_parts"]),
            ),
        )
        for name, outcome in outcomes.items()
    )
    return _marked(
        Table(
            title=say_in(lang, "The whole set"),
            columns=(*_columns(metrics, lang), *counts),
            rows=rows,
            notes=(
                say_in(
                    lang,
                    "Intervals: Wilson's for shares of clauses, and by the spread between clauses for pooled rates, kappa and F scores. Rates of hallucination and of rules are pooled: counts over all clauses, not a mean of clauses.",
                ),
                say_in(
                    lang,
                    "Kappa is over the replies that could be read; an unparsed reply is wrong elsewhere.",
                ),
                *_verifier_note(verifier, lang),
            ),
        ),
        outcomes,
    )


def _marked(table: Table, outcomes: Outcomes) -> Table:
    """The table with marks, unless the variants were scored on other numbers of clauses."""
    totals = {outcome.summary["total"] for outcome in outcomes.values()}
    return with_marks(table) if len(totals) < 2 else table


def _columns(metrics: Sequence[Metric], lang: Lang) -> tuple[TableColumn, ...]:
    return tuple(
        TableColumn(
            key=metric.name,
            title=metric_title(metric, lang),
            name=metric.name,
            better=metric.better,
        )
        for metric in metrics
    )


def _verifier_note(verifier: str | None, lang: Lang) -> tuple[str, ...]:
    """What checked the quotations: the embedder of the first stage, the reranker of the second."""
    embedder, _, reranker = (verifier or "").partition(" + ")
    if not reranker:
        return ()
    without_model = []
    if embedder.startswith("hashed"):
        without_model.append(say_in(lang, "The first stage hashes words and uses no model."))
    if reranker.startswith("aligner"):
        without_model.append(
            say_in(lang, "The second stage aligns words and values and uses no model.")
        )
    note = say_in(
        lang,
        "Quotations are checked in two stages: embedding recall by {embedder}, reranking by {reranker}.",
        embedder=embedder,
        reranker=reranker,
    )
    return (" ".join([note, *without_model]),)


def class_table(outcomes: Outcomes, lang: Lang = "en") -> Table:
    """Precision, recall and F1 of each level."""
    keys = [f"{group}.{TITLES[level]}" for level in LEVELS for group in _CLASS_METRICS]
    columns = tuple(
        TableColumn(
            key=key,
            title=say_in(
                lang,
                "{level}: {metric}",
                level=say_in(lang, key.partition(".")[2], "level"),
                metric=_CLASS_METRICS[key.partition(".")[0]],
            ),
            better="higher",
        )
        for key in keys
    )
    rows = tuple(
        LabelledRow(label=name, cells=_cells(outcome, keys)) for name, outcome in outcomes.items()
    )
    return _marked(
        Table(title=say_in(lang, "By level of risk"), columns=columns, rows=rows), outcomes
    )


def confusion_table(outcomes: Outcomes, lang: Lang = "en") -> Table:
    """For each variant and true level, the count and the share of each stated level."""
    titles = [*(TITLES[level] for level in LEVELS), UNPARSED]
    texts = [say_in(lang, title, "level") for title in titles]
    columns = (
        *(TableColumn(key=title, title=text) for title, text in zip(titles, texts, strict=True)),
        *(
            TableColumn(key=f"{title} share", title=f"{text}, %", digits=1)
            for title, text in zip(titles, texts, strict=True)
        ),
    )
    rows = [
        LabelledRow(
            label=f"{name}: {say_in(lang, TITLES[level], 'level')}",
            cells=(
                *(TableCell(value=int(count)) for count in counts),
                *(TableCell(value=None if share is None else 100 * share) for share in shares),
            ),
        )
        for name, outcome in outcomes.items()
        for level, counts, shares in zip(
            LEVELS, outcome.matrix, row_shares(outcome.matrix), strict=True
        )
    ]
    return Table(
        title=say_in(lang, "Confusion: levels that are true by levels that were said"),
        columns=columns,
        rows=tuple(rows),
        label_title=say_in(lang, "variant: true level"),
    )


def sweep_table(outcomes: Outcomes, name: str, threshold: float | None, lang: Lang = "en") -> Table:
    """The rate of invention that each threshold for valid quotations would give."""
    points = next(iter(outcomes.values())).sweep if outcomes else ()
    metric = next(metric for metric in CORPUS if metric.name == name)
    columns = tuple(
        TableColumn(key=f"{point.threshold:g}", title=f"{point.threshold:g}") for point in points
    )
    rows = tuple(
        LabelledRow(
            label=label,
            cells=tuple(TableCell(value=getattr(point, name)) for point in outcome.sweep),
        )
        for label, outcome in outcomes.items()
    )
    title = say_in(
        lang, "{metric}, by the threshold of verification", metric=metric_label(metric, lang)
    )
    notes = (
        (say_in(lang, "The run's own threshold is {threshold}.", threshold=f"{threshold:g}"),)
        if threshold
        else ()
    )
    return Table(title=title, columns=columns, rows=rows, notes=notes)


def _cells(outcome: VariantOutcome, names: Sequence[str]) -> tuple[TableCell, ...]:
    return tuple(
        TableCell(value=outcome.value(name), interval=outcome.intervals.get(name)) for name in names
    )


# Fields, tables and charts of a review that are not means over clauses.

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
        counted: dict[tuple[int, int], list[str]] = {}
        for name, outcome in self._outcomes.items():
            if outcome.draws > 1:
                answers = outcome.summary["total"]
                counts = answers, round(answers / outcome.draws)
                counted.setdefault(counts, []).append(name)
        notes = [
            say_in(
                lang,
                "{variant}: the figures of the whole set, its classes and its matrix count {answers} answers to {clauses} clauses; intervals count a clause once.",
                variant=", ".join(names),
                answers=answers,
                clauses=clauses,
            )
            for (answers, clauses), names in counted.items()
        ]
        for name, outcome in self._outcomes.items():
            if count := outcome.summary["unread_parts"]:
                texts = "; ".join(outcome.unread[:SHOWN])
                notes.append(
                    say_n_in(
                        lang,
                        "{variant}: {n} of {total} replies has a part that was not read, so quotations and laws in it are not checked: {texts}.",
                        "{variant}: {n} of {total} replies have parts that were not read, so quotations and laws in them are not checked: {texts}.",
                        count,
                        variant=name,
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
                say_in(
                    lang,
                    "{variants}: no reply reports rules or risk ids, so {metrics} are undefined.",
                    variants=", ".join(silent),
                    metrics=", ".join(titles),
                )
            )
        return notes

    def charts(self, folder: Path, suffix: str, lang: Lang = "en") -> list[Path]:
        """A confusion matrix for each variant, and bar charts of the metrics in ``CHARTED``."""
        # matplotlib takes most of a second to load, and only charts need it
        from assay.report.chart.bar import bar_chart, confusion_chart  # noqa: PLC0415
        from assay.report.chart.scatter import Bar  # noqa: PLC0415

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
