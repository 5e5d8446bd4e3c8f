"""The tables of a review with metrics that are not means over clauses."""

from collections.abc import Mapping, Sequence
from typing import Final

from assay.jobs.review.variant_outcome import VariantOutcome
from assay.jobs.review.veto import veto_tables
from assay.records import Metric
from assay.report.table import Column, Row, Table, TableCell, with_marks
from assay.report.words import Lang, metric_label, metric_title, word
from assay.scorers.risk import CORPUS, LEVELS, TITLES, UNPARSED, row_shares

_COUNTS: Final = ("kappa_clauses", "quotations", "laws_cited", "unparsed", "unread_parts")
_OF_DEFINED: Final = (
    "quadratic_weighted_kappa",
    "macro_f1_defined",
    "macro_precision_defined",
    "macro_recall_defined",
)
_CLASS_METRICS: Final = ("class_precision", "class_recall", "class_f1")

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

    The metrics of ``_OF_DEFINED`` stand after the others.
    """
    metrics = sorted(CORPUS, key=lambda metric: metric.name in _OF_DEFINED)
    counts = [Column(key=name, title=word(name, lang)) for name in _COUNTS]
    rows = tuple(
        Row(
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
            title=word("corpus", lang),
            columns=(*_columns(metrics, lang), *counts),
            rows=rows,
            notes=(
                word("corpus note", lang),
                word("kappa note", lang),
                *_verifier_note(verifier, lang),
            ),
        ),
        outcomes,
    )


def _marked(table: Table, outcomes: Outcomes) -> Table:
    """The table with marks, unless the variants were scored on other numbers of clauses."""
    totals = {outcome.summary["total"] for outcome in outcomes.values()}
    return with_marks(table) if len(totals) < 2 else table


def _columns(metrics: Sequence[Metric], lang: Lang) -> tuple[Column, ...]:
    return tuple(
        Column(
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
    without_model = [
        word(f"stage {name}", lang)
        for name, part in (("hashed", embedder), ("aligner", reranker))
        if part.startswith(name)
    ]
    note = word("verifier note", lang).format(embedder=embedder, reranker=reranker)
    return (" ".join([note, *without_model]),)


def class_table(outcomes: Outcomes, lang: Lang = "en") -> Table:
    """Precision, recall and F1 of each level."""
    keys = [f"{group}.{TITLES[level]}" for level in LEVELS for group in _CLASS_METRICS]
    columns = tuple(
        Column(
            key=key,
            title=word("of a class", lang).format(
                level=word(f"level {key.partition('.')[2]}", lang),
                metric=word(key.partition(".")[0], lang),
            ),
            better="higher",
        )
        for key in keys
    )
    rows = tuple(Row(label=name, cells=_cells(outcome, keys)) for name, outcome in outcomes.items())
    return _marked(Table(title=word("classes", lang), columns=columns, rows=rows), outcomes)


def confusion_table(outcomes: Outcomes, lang: Lang = "en") -> Table:
    """For each variant and true level, the count and the share of each stated level."""
    titles = [*(TITLES[level] for level in LEVELS), UNPARSED]
    texts = [word(f"level {title}", lang) for title in titles]
    columns = (
        *(Column(key=title, title=text) for title, text in zip(titles, texts, strict=True)),
        *(
            Column(key=f"{title} share", title=f"{text}, %", digits=1)
            for title, text in zip(titles, texts, strict=True)
        ),
    )
    rows = [
        Row(
            label=f"{name}: {word(f'level {TITLES[level]}', lang)}",
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
        title=word("confusion", lang),
        columns=columns,
        rows=tuple(rows),
        label_title=word("true level", lang),
    )


def sweep_table(outcomes: Outcomes, name: str, threshold: float | None, lang: Lang = "en") -> Table:
    """The rate of invention that each threshold for valid quotations would give."""
    points = next(iter(outcomes.values())).sweep if outcomes else ()
    metric = next(metric for metric in CORPUS if metric.name == name)
    columns = tuple(
        Column(key=f"{point.threshold:g}", title=f"{point.threshold:g}") for point in points
    )
    rows = tuple(
        Row(
            label=label,
            cells=tuple(TableCell(value=getattr(point, name)) for point in outcome.sweep),
        )
        for label, outcome in outcomes.items()
    )
    title = word("sweep", lang).format(metric=metric_label(metric, lang))
    notes = (word("sweep note", lang).format(threshold=f"{threshold:g}"),) if threshold else ()
    return Table(title=title, columns=columns, rows=rows, notes=notes)


def _cells(outcome: VariantOutcome, names: Sequence[str]) -> tuple[TableCell, ...]:
    return tuple(
        TableCell(value=outcome.value(name), interval=outcome.intervals.get(name)) for name in names
    )
