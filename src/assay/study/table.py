"""The tables of a study: quality, latency, effects, the bill.

Notes below the tables say what is counted, what is undefined, and why.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from assay.records import Metric
from assay.report.description import about_documents, band_note
from assay.report.label import metric_title, title_of
from assay.report.table.table import (
    LabelledRow,
    Table,
    TableCell,
    TableColumn,
    significance,
    tally_cells,
    tally_columns,
    with_marks,
)
from assay.results.column import Bill, paired_bills
from assay.results.results import Results
from assay.results.run_cases import Doubt
from assay.runs.write import draw_path
from assay.stats.analysis import MetricCell
from assay.stats.corrected import Corrected
from assay.stats.scores import FEWEST_DOCUMENTS
from assay.study.analysis import column_value, early_stop_notes, shared_values, unequal_notes
from assay.study.finding import COMBINED, RunFindings, effect_table, has_gold
from assay.study.repeat import repeat_notes, repeat_tables
from assay.words.language import LANGUAGES, Lang
from assay.words.message import Message, Said, Title, joined, message, message_n, text_of
from assay.words.say import marked, say_in

LABELS: Final = "label"
"""The metric of what people said (``assay.study.labelled``)."""


_DOUBTS: Final[Mapping[Doubt, str]] = {
    "changed": marked("{questions} has changed since this run."),
    "changed current": marked(
        "{questions} has changed since this run; the rows of the questions that are in it now are counted."
    ),
    "changed all": marked(
        "{questions} has changed since this run, so it is not known which rows belong to it; all rows of its variants are counted."
    ),
    "gone": marked(
        "{questions} was not found, so it is not known which rows belong to this run; all rows of its variants are counted."
    ),
}


def table_notes(findings: RunFindings, metrics: Sequence[Metric]) -> Iterable[Said]:
    """The notes below a table of these metrics."""
    if len(findings.analysis.variants) > 1:
        yield message("Baseline: {baseline}.", baseline=findings.baseline)
    if findings.lost_primary and len(findings.analysis.variants) > 1:
        yield message(
            "The primary metric {name} is not known here, so all quality metrics are corrected together.",
            name=findings.lost_primary,
        )
    is_quality = any(metric.name == findings.job.headline for metric in metrics)
    yield from _unit_notes(findings)
    if findings.unlabelled and is_quality:
        yield message_n(
            "{n} question has no gold and counts in no gold column ({known}).",
            "{n} questions have no gold and count in no gold column ({known}).",
            findings.unlabelled,
            known=message_n(
                "{n} of them is known to have no answer",
                "{n} of them are known to have no answer",
                findings.unanswerable,
            ),
        )
    yield from unsure_notes(findings, metrics)
    yield from _corrected_notes(findings, metrics)
    yield from _partial_notes(findings, metrics)
    if not any(metric.family == "latency" for metric in metrics):
        yield from reservations(findings)
    elif not is_quality:
        yield from unequal_notes(findings)
    if findings.results.replayed_latency and not is_quality:
        yield message("Some calls were replayed from the cache: their latency is the recorded one.")


_RECALL: Final = "avg_gold_coverage"
_CEILING: Final = 0.98


def draft_notes(findings: RunFindings) -> Iterable[Said]:
    """What a reader must know first: that nobody has read the questions, and what a high value means."""
    extra = findings.results.summary.extra if findings.results.summary is not None else {}
    drafts, overlap = extra.get("unread_drafts"), extra.get("draft_word_overlap")
    if not drafts:
        return
    yield message_n(
        "{n} of {total} questions is a draft that nobody has read.",
        "{n} of {total} questions are drafts that nobody has read.",
        drafts,
        total=extra.get("questions", findings.results.questions),
    )
    found = [
        value
        for variant in findings.analysis.variants
        if (cell := variant.cells.get(_RECALL)) is not None and (value := cell.value) is not None
    ]
    if overlap is not None and max(found, default=0.0) > _CEILING:
        yield message(
            "{metric} of {value} is a ceiling: drafts share {share} % of their words with the passage; expect less from users' questions.",
            metric=title_of(findings.job.metric(_RECALL)),
            value=f"{max(found):.3f}",
            share=round(100 * overlap),
        )


def about_notes(findings: RunFindings) -> Iterable[Said]:
    """What everything is about, if that depends on documents."""
    analysis, summary = findings.analysis, findings.results.summary
    if analysis.estimand == "fixed" or analysis.unit == "document":
        assert analysis.estimand is not None
        yield about_documents(analysis.estimand, analysis.documents)
    is_chosen = summary is not None and summary.estimand == "sample"
    if is_chosen and 0 < analysis.documents < FEWEST_DOCUMENTS:
        yield message(
            "The run was chosen to be about documents like these, but too few of them have answers so far."
        )


def _unit_notes(findings: RunFindings) -> Iterable[Said]:
    """What everything is about, and what is one observation if it is not a single item."""
    yield from about_notes(findings)
    if findings.analysis.unit == "question":
        yield message_n(
            "Some questions were asked several times: {items} cases are about {n} question. Answers to one question are related, so intervals and tests count a question once.",
            "Some questions were asked several times: {items} cases are about {n} questions. Answers to one question are related, so intervals and tests count a question once.",
            findings.results.questions,
            items=findings.items,
        )


def unsure_notes(findings: RunFindings, metrics: Sequence[Metric]) -> Iterable[Said]:
    """Between which values each value lies because of answers that are unsure."""
    several = len(findings.analysis.variants) > 1
    for metric in metrics:
        for variant in findings.analysis.variants:
            cell = variant.cells[metric.name]
            if cell.band is not None:
                yield unsure_note(metric, cell, variant.name if several else "")


def unsure_note(metric: Metric, cell: MetricCell, variant: str = "") -> Message:
    """Between which values the value of a cell lies because of answers that are unsure."""
    assert cell.band is not None
    assert cell.value is not None
    title = joined((title_of(metric), variant), ", ")
    return band_note(title, cell.value, cell.band.low, cell.band.high, cell.unsure)


def _corrected_notes(findings: RunFindings, metrics: Sequence[Metric]) -> Iterable[Said]:
    """The values that labels of people correct."""
    several = len(findings.analysis.variants) > 1
    for metric in metrics:
        for variant in findings.analysis.variants:
            corrected = variant.cells[metric.name].corrected
            if corrected is not None:
                yield corrected_note(metric, corrected, variant.name if several else "")


def corrected_note(metric: Metric, corrected: Corrected, variant: str = "") -> Message:
    """The value of a cell corrected by labels of people, beside that of the check alone."""
    assert corrected.estimate is not None
    ends = corrected.interval
    between = f" [{ends.low:.3f}, {ends.high:.3f}]" if ends is not None else ""
    return message_n(
        "{metric}, corrected by {n} label of people: {value}.",
        "{metric}, corrected by {n} labels of people: {value}.",
        corrected.labelled,
        metric=joined((title_of(metric), variant), ", "),
        value=f"{corrected.estimate:.3f}{between}",
    )


def _partial_notes(findings: RunFindings, metrics: Sequence[Metric]) -> Iterable[Said]:
    """Which metrics have a value for only some of the cases that were scored, and for how many."""
    by_count: dict[str, list[Title]] = {}
    cases = findings.results.scores.mean_of_draws()
    scored_cases = {name: cases.tally(name).scored for name in cases.variants}
    for metric in metrics:
        pairs = [
            (variant.cells[metric.name].n, scored_cases[variant.name])
            for variant in findings.analysis.variants
        ]
        if metric.family == "quality" and any(0 < n < scored for n, scored in pairs):
            counts = " / ".join(dict.fromkeys(str(n) for n, _ in pairs))
            by_count.setdefault(counts, []).append(title_of(metric))
    if by_count:
        listed = joined(joined((joined(titles, ", "), n), ": ") for n, titles in by_count.items())
        yield message("Not every scored case has a value. n of {metrics}.", metrics=listed)


def terminal_notes(findings: RunFindings) -> list[Said]:
    """What a terminal says below its table: what unsure answers leave open, and reservations."""
    quality = [metric for metric in findings.metrics if metric.family == "quality"]
    return [*about_notes(findings), *unsure_notes(findings, quality), *reservations(findings)]


def reservations(findings: RunFindings) -> list[Said]:
    """What a reader of the numbers must know: which are undefined or left out, and why."""
    return [
        *early_stop_notes(findings),
        *repeat_notes(findings),
        *_look_notes(findings),
        *_undefined_notes(findings),
        *_stage_notes(findings),
        *_job_notes(findings),
        *_label_notes(findings),
        *_row_notes(findings.results),
    ]


def _look_notes(findings: RunFindings) -> Iterable[Said]:
    """That the run grew after its results had been shown, if anything is tested."""
    summary = findings.results.summary
    looks = summary.looks if summary is not None else ()
    if looks and any(effect.p_value is not None for effect in findings.analysis.effects):
        yield message(
            "This run was looked at after {counts} questions, and p-values and intervals hold for one look only: whoever goes on until a difference shows finds one sooner or later. To look while a run grows, use --stop-early.",
            counts=", ".join(map(str, looks)),
        )


def _job_notes(findings: RunFindings) -> Iterable[Said]:
    """What the job itself says about its numbers; a report of another package may say nothing."""
    notes = getattr(findings.job_report, "notes", None)
    if notes is None:
        return
    for texts in zip(*(notes(lang) for lang in LANGUAGES), strict=True):
        yield Title(**dict(zip(LANGUAGES, texts, strict=True)))


def _undefined_notes(findings: RunFindings) -> Iterable[Said]:
    """Why metrics are undefined, and for which variants those with ranks are not compared."""
    by_rank = [metric for metric in findings.job.metrics if metric.by_rank]
    titles = joined((title_of(metric) for metric in by_rank), ", ")
    if findings.replaced_primary and len(findings.analysis.variants) > 1:
        title, other = (
            title_of(findings.job.metric(name))
            for name in (findings.replaced_primary, findings.analysis.primary)
        )
        yield message(
            "A variant has no value of the primary metric {title}, so {other} decides.",
            title=title,
            other=other,
        )
    yield from (note for note in _rank_notes(findings, titles) if note.n)
    if findings.reordered and by_rank:
        names = ", ".join(findings.reordered)
        yield message(
            "Only the order of the passages differs in {variants}, so {metrics} are not compared.",
            variants=names,
            metrics=titles,
        )
    left_out = findings.results.summary and findings.results.summary.extra.get("questions_left_out")
    if left_out:
        yield message_n(
            "{n} question whose gold chunks are not all in the corpus was left out.",
            "{n} questions whose gold chunks are not all in the corpus were left out.",
            left_out,
        )


def _rank_notes(findings: RunFindings, metrics: Said) -> Iterable[Message]:
    """How many answers have no value, and why; the names of the ``metrics`` of ranks."""
    yield message_n(
        "{n} expected answer says that there is none, so an abstention is right: mark such questions `answerable: false`.",
        "{n} expected answers say that there is none, so an abstention is right: mark such questions `answerable: false`.",
        findings.expected_none,
    )
    yield (
        message_n(
            "{n} answer does not say which passages were retrieved: its gold metrics and citation score are undefined.",
            "{n} answers do not say which passages were retrieved: their gold metrics and citation scores are undefined.",
            findings.unknown_passages,
        )
        if has_gold(findings)
        else message_n(
            "{n} answer does not say which passages were retrieved: its citation score is undefined.",
            "{n} answers do not say which passages were retrieved: their citation scores are undefined.",
            findings.unknown_passages,
        )
    )
    yield message_n(
        "{n} answer lists its passages in the order of the prompt and without ranks: {metrics} are undefined for it.",
        "{n} answers list their passages in the order of the prompt and without ranks: {metrics} are undefined for them.",
        findings.unranked,
        metrics=metrics,
    )
    yield message_n(
        "{n} answer has ranks for only some passages, or the same rank twice: {metrics} are undefined for it.",
        "{n} answers have ranks for only some passages, or the same rank twice: {metrics} are undefined for them.",
        findings.misranked,
        metrics=metrics,
    )
    yield message_n(
        "{n} answer has more than k passages: the metrics at k are about the best k, and undefined if ranks are not known.",
        "{n} answers have more than k passages: the metrics at k are about the best k, and undefined if ranks are not known.",
        findings.overlong,
    )


def _stage_notes(findings: RunFindings) -> Iterable[Said]:
    """Which stages a system skipped, so that switching them on had no effect in these cases."""
    cases = {
        each.name: each.tally.scored + each.tally.answered for each in findings.analysis.variants
    }
    for each in findings.results.skipped_stages:
        total = cases.get(each.variant, each.cases)
        fields = {"stage": each.stage, "n": each.cases, "total": total}
        if len(cases) > 1:
            yield message_n(
                "{stage} was skipped in {n} of {total} case of {variant}: {reason}.",
                "{stage} was skipped in {n} of {total} cases of {variant}: {reason}.",
                total,
                **fields,
                variant=each.variant,
                reason=Message(each.reason),
            )
        else:
            yield message_n(
                "{stage} was skipped in {n} of {total} case: {reason}.",
                "{stage} was skipped in {n} of {total} cases: {reason}.",
                total,
                **fields,
                reason=Message(each.reason),
            )


def _label_notes(findings: RunFindings) -> Iterable[Said]:
    """How many answers people have labelled."""
    variants = findings.analysis.variants
    labelled = sum(each.cells[LABELS].n for each in variants if LABELS in each.cells)
    if labelled:
        total = sum(each.tally.scored + each.tally.answered for each in variants)
        yield message(
            "Labels of people: {n} of {total} answers are labelled, and the value is about these.",
            n=labelled,
            total=total,
        )
        if has_draw(findings):
            yield message(
                "Unsure answers are likelier to be drawn for labelling, so the mean of the labels is no rate of all answers; the corrected rate is one.",
            )


def has_draw(findings: RunFindings) -> bool:
    """Whether answers were drawn for labelling, unsure ones with a larger probability."""
    return draw_path(findings.results.path).is_file()


def _row_notes(results: Results) -> Iterable[Said]:
    """Which rows of the file were used, if not all of them."""
    if results.doubt and results.summary is not None:
        yield message(_DOUBTS[results.doubt], questions=results.summary.questions_path)
    if results.lost:
        yield message_n(
            "{n} answer that the provider's filter withheld counts as wrong.",
            "{n} answers that the provider's filter withheld count as wrong.",
            results.lost,
        )
    if results.cut:
        yield message_n(
            "{n} answer was cut off at the limit of tokens.",
            "{n} answers were cut off at the limit of tokens.",
            results.cut,
        )
    if results.in_part:
        yield message_n(
            "Of {n} answer only the beginning and the end were scored.",
            "Of {n} answers only the beginning and the end were scored.",
            results.in_part,
        )
    if results.outside:
        yield message_n(
            "{n} recorded row is not part of this run.",
            "{n} recorded rows are not part of this run.",
            results.outside,
        )
    if results.unasked:
        yield message_n(
            "{n} case of this run has not been asked yet. A verdict that is looked at before the end of a run is wrong more often than 5% of the time.",
            "{n} cases of this run have not been asked yet. A verdict that is looked at before the end of a run is wrong more often than 5% of the time.",
            results.unasked,
        )


# The best and the worst value of each metric, if the variants were measured on the same cases.
#
# A failed case, an answer that nobody labelled or a metric that is undefined for some answers leaves a
# variant with other cases than its neighbours. The larger mean is then not the better one: its cases may
# have been easier.


_QUALITY: Final = message("Quality")
_LATENCY: Final = message("Latency")
_BILL: Final = {
    "calls": message("calls"),
    "replayed_calls": message("of them replayed"),
    "prompt_tokens": message("tokens in"),
    "completion_tokens": message("tokens out"),
    "cost": message("cost", "column"),
    "paid": message("paid", "column"),
    "judge_cost": message("judges' cost"),
    "judge_paid": message("paid for judges"),
}


def with_fair_marks(table: Table, findings: RunFindings) -> Table:
    """The table with the marks that also hold for the cases that all variants have in common.

    A run that stopped early is marked by its shared questions alone; a note says so.
    """
    if findings.spared:
        return with_marks(table, shared_values(findings))
    marked = with_marks(table)
    common = common_values(findings)
    if not common:
        return marked
    fair = with_marks(table, common)
    rows = tuple(
        replace(
            row,
            cells=tuple(
                cell if cell.mark == other.mark else replace(cell, mark=None)
                for cell, other in zip(row.cells, fair_row.cells, strict=True)
            ),
        )
        for row, fair_row in zip(marked.rows, fair.rows, strict=True)
    )
    return replace(marked, rows=rows)


def common_values(findings: RunFindings) -> Mapping[tuple[str, str], float | None]:
    """The values of metrics over common cases, by variant and metric, where the cases differ.

    Variants without any value of a metric do not count. The value is ``None`` if no case is common.
    """
    answers = findings.results.scores
    cases = answers.mean_of_draws()
    common: dict[tuple[str, str], float | None] = {}
    for metric in findings.metrics:
        scores = answers if metric.is_percentile else cases
        counts = {variant.cells[metric.name].n for variant in findings.analysis.variants}
        if counts <= {0, len(scores.items)}:  # every case: usual, and known without looking
            continue
        columns = {name: scores.column(metric.field, name) for name in scores.variants}
        known = {name: np.isfinite(values) for name, values in columns.items()}
        present = [mask for mask in known.values() if mask.any()]
        shared = np.logical_and.reduce(present) if present else np.zeros(len(scores.items), bool)
        if all(np.array_equal(mask, shared) for mask in present):
            continue
        for name, values in columns.items():
            chosen = values[shared] if known[name].any() else values[:0]
            common[name, metric.name] = column_value(chosen, metric.kind)
    return common


_SHOWN_LATENCY: Final = "p50_latency_s"
"""The latency that is beside the quality in a terminal."""


def metrics_table(findings: RunFindings, lang: Lang = "en") -> Table | None:
    """The metrics that the job shows together, and the one that decides, under their names.

    The one that decides leads if it is not the job's own; a metric without any value is left out.
    ``None`` if the job shows none together.

    Intervals and marks of significance are in the tables of the families.
    """
    if not findings.job.overview:
        return None
    known = {metric.name: metric for metric in findings.metrics}
    own, primary = findings.job.overview, findings.analysis.primary
    first = findings.leading or ((primary,) if primary and primary not in own else ())
    names = dict.fromkeys((*first, *own))
    metrics = [known[name] for name in names if name in known]
    columns = [
        TableColumn(key=metric.name, title=metric.name, better=metric.better) for metric in metrics
    ]
    rows = [
        LabelledRow(
            label=variant.name,
            cells=(
                *(_cell(variant.cells[metric.name]) for metric in metrics),
                *tally_cells(variant.tally, spared=findings.stops_early),
            ),
        )
        for variant in findings.analysis.variants
    ]
    return with_fair_marks(
        Table(
            title=say_in(lang, "Overview"),
            columns=(*columns, *tally_columns(lang, spared=findings.stops_early)),
            rows=tuple(rows),
            notes=tuple(
                text_of(note, lang)
                for note in (*unequal_notes(findings), *unsure_notes(findings, metrics))
            ),
        ),
        findings,
    )


def _cell(cell: MetricCell, *, with_interval: bool = False) -> TableCell:
    """A value with what unsure answers leave open."""
    return TableCell(
        value=cell.value,
        interval=cell.interval if with_interval else None,
        band=cell.band,
        unsure=cell.unsure,
    )


def quality_table(findings: RunFindings, lang: Lang = "en") -> Table:
    """Each variant's quality, with intervals and marks of significance against the baseline."""
    return _metric_table(
        findings,
        [metric for metric in findings.metrics if metric.family == "quality"],
        lang,
        _QUALITY,
    )


def latency_table(findings: RunFindings, lang: Lang = "en") -> Table:
    """Each variant's latency: mean, median, 95th percentile."""
    return _metric_table(
        findings,
        [metric for metric in findings.metrics if metric.family == "latency"],
        lang,
        _LATENCY,
    )


def _metric_table(
    findings: RunFindings, metrics: Sequence[Metric], lang: Lang, title: Message
) -> Table:
    stars = {
        (effect.variant, effect.metric): significance(effect.p_adjusted)
        for effect in findings.analysis.effects
        if effect.verdict in {"better", "worse"}
    }
    unjudged = any(variant.tally.answered for variant in findings.analysis.variants)
    spared = findings.stops_early
    columns = [
        TableColumn(
            key=metric.name,
            title=metric_title(metric, lang),
            name=metric.name,
            better=metric.better,
        )
        for metric in metrics
    ]
    rows = [
        LabelledRow(
            label=variant.name,
            cells=(
                *(
                    replace(
                        _cell(variant.cells[metric.name], with_interval=True),
                        significance=stars.get((variant.name, metric.name), ""),
                    )
                    for metric in metrics
                ),
                *tally_cells(variant.tally, unjudged=unjudged, spared=spared),
            ),
        )
        for variant in findings.analysis.variants
    ]
    return with_fair_marks(
        Table(
            title=title.text_in(lang),
            columns=(*columns, *tally_columns(lang, unjudged=unjudged, spared=spared)),
            rows=tuple(rows),
            notes=tuple(text_of(note, lang) for note in table_notes(findings, metrics)),
        ),
        findings,
    )


def bill_table(findings: RunFindings, lang: Lang = "en") -> Table | None:
    """Calls, tokens and money by variant; ``None`` where no call was metered.

    The marks compare what the cases cost that all variants have scored: failed cases cost little.
    """
    bills = findings.results.bills
    judge_keys = _judge_keys(findings)
    if not judge_keys and not any(bill.calls or bill.cost is not None for bill in bills.values()):
        return None
    keys = (*(key for key in _BILL if not key.startswith("judge")), *judge_keys)
    columns = tuple(
        TableColumn(
            key=key,
            title=_BILL[key].text_in(lang),
            digits=6,
            better="lower" if key == "cost" else None,
        )
        for key in keys
    )
    rows = tuple(
        LabelledRow(label=name, cells=tuple(TableCell(value=_amount(bill, key)) for key in keys))
        for name, bill in bills.items()
    )
    table = Table(title=say_in(lang, "Calls and cost"), columns=columns, rows=rows)
    if findings.spared:  # who was asked less costs less
        return table
    priced = tuple(name for name, bill in bills.items() if bill.cost is not None)
    paired = paired_bills(findings.results.scores, priced)
    return with_marks(table, {(name, "cost"): bill.cost for name, bill in paired.items()})


def _judge_keys(findings: RunFindings) -> tuple[str, ...]:
    """The fields of the bill about judges, if judges cost anything."""
    bills = findings.results.bills.values()
    has_judges = any(bill.judge_cost is not UNSET for bill in bills)
    return ("judge_cost", "judge_paid") if has_judges else ()


def _amount(bill: Bill, key: str) -> float | None:
    amount: float | UnsetType | None = getattr(bill, key)
    return None if isinstance(amount, UnsetType) else amount


def _has_latency(findings: RunFindings) -> bool:
    """Whether an answer of the run has a latency; those in a table of another tool may have none."""
    return any(
        variant.cells[metric.name].value is not None
        for metric in findings.metrics
        if metric.family == "latency"
        for variant in findings.analysis.variants
    )


def tables(findings: RunFindings, lang: Lang = "en") -> list[Table]:
    """All tables of the report, in the order of the page; none of latencies that nobody knows."""
    overview = metrics_table(findings, lang)
    listed = [overview] if overview else []
    listed.append(quality_table(findings, lang))
    if _has_latency(findings):
        listed.append(latency_table(findings, lang))
    listed += repeat_tables(findings, lang)
    listed += findings.job_report.tables(lang) if findings.job_report else []
    if findings.analysis.effects:
        listed.append(effect_table(findings, findings.analysis.effects, lang))
    if findings.combined:
        listed.append(effect_table(findings, findings.combined, lang, COMBINED))
    bill = bill_table(findings, lang)
    return [*listed, bill] if bill else listed


def short_table(findings: RunFindings, lang: Lang = "en") -> Table:
    """What a terminal shows: quality and the median latency, and the job's own columns."""
    metrics = [
        metric
        for metric in findings.metrics
        if metric.family == "quality" or metric.name == _SHOWN_LATENCY
    ]
    table = _metric_table(findings, metrics, lang, _QUALITY)
    return _with_job_columns(_without_marks(table, _SHOWN_LATENCY), findings, lang)


def _without_marks(table: Table, key: str) -> Table:
    """The table without marks in a column: latency differs from run to run by chance."""
    keys = [column.key for column in table.columns]
    if key not in keys:
        return table
    place = keys.index(key)
    rows = (
        replace(
            row,
            cells=(
                *row.cells[:place],
                replace(row.cells[place], mark=None),
                *row.cells[place + 1 :],
            ),
        )
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _with_job_columns(table: Table, findings: RunFindings, lang: Lang = "en") -> Table:
    """The table with the columns of the job's first table, put before the counts."""
    if findings.job_report is None or not (more := findings.job_report.tables(lang)):
        return table
    place = [column.key for column in table.columns].index("scored")
    known = {row.label: row.cells for row in more[0].rows}
    return replace(
        table,
        columns=(*table.columns[:place], *more[0].columns, *table.columns[place:]),
        rows=tuple(
            replace(row, cells=(*row.cells[:place], *known[row.label], *row.cells[place:]))
            for row in table.rows
        ),
    )


def overview_table(findings: RunFindings) -> Table:
    """One flat table for programs: every metric by its own name, counts and the bill."""
    metrics = findings.job.metrics
    bill = ("calls", "prompt_tokens", "completion_tokens", "cost", "paid", *_judge_keys(findings))
    columns = (
        *(TableColumn(key=metric.name, title=metric.name, digits=6) for metric in metrics),
        *tally_columns(unjudged=True, spared=findings.stops_early),
        *(TableColumn(key=key, title=key, digits=6) for key in bill),
    )
    rows = tuple(
        LabelledRow(
            label=variant.name,
            cells=(
                *(_cell(variant.cells[metric.name], with_interval=True) for metric in metrics),
                *tally_cells(variant.tally, unjudged=True, spared=findings.stops_early),
                *(
                    TableCell(value=_amount(findings.results.bills[variant.name], key))
                    for key in bill
                ),
            ),
        )
        for variant in findings.analysis.variants
    )
    return _with_job_columns(Table(columns=columns, rows=rows), findings)
