"""The notes below the tables of a study: what they count, what is undefined, and why."""

from collections.abc import Iterable, Sequence
from typing import Final

from assay.records import Metric
from assay.report.label import metric_title, retold, word
from assay.results.read import Results
from assay.runs.write import draw_path
from assay.stats.analysis import Cell
from assay.stats.corrected import Corrected
from assay.stats.scores import FEWEST_DOCUMENTS
from assay.study.analysis import early_stop_notes, unequal_notes
from assay.study.finding import RunFindings, has_gold
from assay.words.language import Lang
from assay.words.plural import Count

LABELS: Final = "label"
"""The metric of what people said (``assay.study.labelled``)."""


def table_notes(findings: RunFindings, metrics: Sequence[Metric], lang: Lang) -> Iterable[str]:
    """The notes below a table of these metrics."""
    if len(findings.analysis.variants) > 1:
        yield word("baseline note", lang).format(baseline=findings.baseline)
    if findings.lost_primary and len(findings.analysis.variants) > 1:
        yield word("lost primary note", lang).format(name=findings.lost_primary)
    is_quality = any(metric.name == findings.job.headline for metric in metrics)
    yield from _unit_notes(findings, lang)
    if findings.unlabelled and is_quality:
        yield word("gold note", lang).format(
            n=Count(findings.unlabelled), unanswerable=Count(findings.unanswerable)
        )
    yield from unsure_notes(findings, metrics, lang)
    yield from _corrected_notes(findings, metrics, lang)
    yield from _partial_notes(findings, metrics, lang)
    if not any(metric.family == "latency" for metric in metrics):
        yield from reservations(findings, lang)
    elif not is_quality:
        yield from unequal_notes(findings, lang)
    if findings.results.replayed_latency and not is_quality:
        yield word("replayed note", lang)


def _unit_notes(findings: RunFindings, lang: Lang) -> Iterable[str]:
    """What is resampled and tested, if it is not single items."""
    analysis = findings.analysis
    if analysis.clustered:
        yield word("clustered note", lang).format(n=Count(findings.results.documents))
    elif analysis.documents >= FEWEST_DOCUMENTS:
        yield word("few documents note", lang).format(n=Count(findings.results.documents))
    elif analysis.documents:
        yield word("documents note", lang).format(n=Count(findings.results.documents))
    if analysis.by_question:
        yield word("by question note", lang).format(
            n=Count(findings.results.questions), items=findings.items
        )


def unsure_notes(findings: RunFindings, metrics: Sequence[Metric], lang: Lang) -> Iterable[str]:
    """Between which values each value lies because of answers that are unsure."""
    several = len(findings.analysis.variants) > 1
    for metric in metrics:
        for variant in findings.analysis.variants:
            cell = variant.cells[metric.name]
            if cell.band is not None:
                yield unsure_note(metric, cell, lang, variant.name if several else "")


def unsure_note(metric: Metric, cell: Cell, lang: Lang, variant: str = "") -> str:
    """Between which values the value of a cell lies because of answers that are unsure."""
    assert cell.band is not None
    title = metric_title(metric, lang)
    return word("unsure note", lang).format(
        metric=f"{title}, {variant}" if variant else title,
        value=f"{cell.value:.3f}",
        low=f"{cell.band.low:.3f}",
        high=f"{cell.band.high:.3f}",
        n=Count(cell.unsure),
    )


def _corrected_notes(findings: RunFindings, metrics: Sequence[Metric], lang: Lang) -> Iterable[str]:
    """The values that labels of people correct."""
    several = len(findings.analysis.variants) > 1
    for metric in metrics:
        for variant in findings.analysis.variants:
            corrected = variant.cells[metric.name].corrected
            if corrected is not None:
                yield corrected_note(metric, corrected, lang, variant.name if several else "")


def corrected_note(metric: Metric, corrected: Corrected, lang: Lang, variant: str = "") -> str:
    """The value of a cell corrected by labels of people, beside that of the check alone."""
    assert corrected.estimate is not None
    title = metric_title(metric, lang)
    ends = corrected.interval
    between = f" [{ends.low:.3f}, {ends.high:.3f}]" if ends is not None else ""
    return word("corrected note", lang).format(
        metric=f"{title}, {variant}" if variant else title,
        value=f"{corrected.estimate:.3f}{between}",
        n=Count(corrected.labelled),
    )


def _partial_notes(findings: RunFindings, metrics: Sequence[Metric], lang: Lang) -> Iterable[str]:
    """Which metrics have a value for only some of the cases that were scored, and for how many."""
    by_count: dict[str, list[str]] = {}
    for metric in metrics:
        pairs = [
            (variant.cells[metric.name].n, variant.tally.scored)
            for variant in findings.analysis.variants
        ]
        if metric.family == "quality" and any(0 < n < scored for n, scored in pairs):
            counts = " / ".join(dict.fromkeys(str(n) for n, _ in pairs))
            by_count.setdefault(counts, []).append(metric_title(metric, lang))
    if by_count:
        listed = "; ".join(f"{', '.join(titles)}: {n}" for n, titles in by_count.items())
        yield word("partial note", lang).format(metrics=listed)


def terminal_notes(findings: RunFindings, lang: Lang = "en") -> list[str]:
    """What a terminal says below its table: what unsure answers leave open, and reservations."""
    quality = [metric for metric in findings.metrics if metric.family == "quality"]
    return [*unsure_notes(findings, quality, lang), *reservations(findings, lang)]


def reservations(findings: RunFindings, lang: Lang = "en") -> list[str]:
    """What a reader of the numbers must know: which are undefined or left out, and why."""
    return [
        *early_stop_notes(findings, lang),
        *_undefined_notes(findings, lang),
        *_stage_notes(findings, lang),
        *_job_notes(findings, lang),
        *_label_notes(findings, lang),
        *_row_notes(findings.results, lang),
    ]


def _job_notes(findings: RunFindings, lang: Lang) -> Iterable[str]:
    """What the job itself says about its numbers; a report of another package may say nothing."""
    notes = getattr(findings.job_report, "notes", None)
    return notes(lang) if notes is not None else ()


def _undefined_notes(findings: RunFindings, lang: Lang) -> Iterable[str]:
    """Why metrics are undefined, and for which variants those with ranks are not compared."""
    by_rank = [metric for metric in findings.job.metrics if metric.by_rank]
    titles = ", ".join(metric_title(metric, lang) for metric in by_rank)
    if findings.replaced_primary and len(findings.analysis.variants) > 1:
        title, other = (
            metric_title(findings.job.metric(name), lang)
            for name in (findings.replaced_primary, findings.analysis.primary)
        )
        yield word("replaced primary note", lang).format(title=title, other=other)
    counts = (
        ("expected none note", findings.expected_none),
        ("passages note" if has_gold(findings) else "citations note", findings.unknown_passages),
        ("rank note", findings.unranked),
        ("misranked note", findings.misranked),
        ("overlong note", findings.overlong),
    )
    yield from (word(name, lang).format(n=Count(n), metrics=titles) for name, n in counts if n)
    if findings.reordered and by_rank:
        names = ", ".join(findings.reordered)
        yield word("reordered note", lang).format(variants=names, metrics=titles)
    left_out = findings.results.summary and findings.results.summary.extra.get("questions_left_out")
    if left_out:
        yield word("left out note", lang).format(n=Count(left_out))


def _stage_notes(findings: RunFindings, lang: Lang) -> Iterable[str]:
    """Which stages a system skipped, so that switching them on had no effect in these cases."""
    cases = {
        each.name: each.tally.scored + each.tally.answered for each in findings.analysis.variants
    }
    for each in findings.results.skipped_stages:
        several = "variant stage note" if len(cases) > 1 else "stage note"
        yield word(several, lang).format(
            stage=each.stage,
            n=Count(each.cases),
            total=Count(cases.get(each.variant, each.cases)),
            variant=each.variant,
            reason=retold("fault", each.reason, lang),
        )


def _label_notes(findings: RunFindings, lang: Lang) -> Iterable[str]:
    """How many answers people have labelled."""
    variants = findings.analysis.variants
    labelled = sum(each.cells[LABELS].n for each in variants if LABELS in each.cells)
    if labelled:
        total = sum(each.tally.scored + each.tally.answered for each in variants)
        yield word("label note", lang).format(n=labelled, total=total)
        if has_draw(findings):
            yield word("label note drawn", lang)


def has_draw(findings: RunFindings) -> bool:
    """Whether answers were drawn for labelling, unsure ones with a larger probability."""
    return draw_path(findings.results.path).is_file()


def _row_notes(results: Results, lang: Lang) -> Iterable[str]:
    """Which rows of the file were used, if not all of them."""
    if results.doubt and results.summary is not None:
        yield word(f"doubt {results.doubt}", lang).format(questions=results.summary.questions_path)
    if results.lost:
        yield word("lost note", lang).format(n=Count(results.lost))
    if results.cut:
        yield word("cut note", lang).format(n=Count(results.cut))
    if results.in_part:
        yield word("in part note", lang).format(n=Count(results.in_part))
    if results.outside:
        yield word("outside note", lang).format(n=Count(results.outside))
    if results.unasked:
        yield word("unasked note", lang).format(n=Count(results.unasked))
