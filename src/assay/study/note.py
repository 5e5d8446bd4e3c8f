"""The notes below the tables of a study: what they count, what is undefined, and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from assay.records import Metric
from assay.report.label import title_of
from assay.results.read import Results
from assay.results.run_cases import Doubt
from assay.runs.write import draw_path
from assay.stats.analysis import Cell
from assay.stats.corrected import Corrected
from assay.stats.scores import FEWEST_DOCUMENTS
from assay.study.analysis import early_stop_notes, unequal_notes
from assay.study.finding import RunFindings, has_gold
from assay.words.language import LANGUAGES
from assay.words.message import Message, Said, Title, joined, message, message_n
from assay.words.say import marked

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


def _unit_notes(findings: RunFindings) -> Iterable[Said]:
    """What is resampled and tested, if it is not single items."""
    analysis = findings.analysis
    if analysis.clustered:
        yield message(
            "Intervals and tests resample whole documents ({n}).",
            n=findings.results.documents,
        )
    elif analysis.documents >= FEWEST_DOCUMENTS:
        yield message(
            "The questions come from {n} documents. The intervals of values hold for new documents like these; tests and the intervals of differences hold for new questions about these documents.",
            n=findings.results.documents,
        )
    elif analysis.documents:
        yield message_n(
            "The questions come from {n} document, too few to resample: intervals and tests are about questions of this document.",
            "The questions come from {n} documents, too few to resample: intervals and tests are about questions of these documents.",
            findings.results.documents,
        )
    if analysis.by_question:
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


def unsure_note(metric: Metric, cell: Cell, variant: str = "") -> Message:
    """Between which values the value of a cell lies because of answers that are unsure."""
    assert cell.band is not None
    return message_n(
        "{value} between {low} and {high} by {n} unsure answer: {metric}.",
        "{value} between {low} and {high} by {n} unsure answers: {metric}.",
        cell.unsure,
        metric=joined((title_of(metric), variant), ", "),
        value=f"{cell.value:.3f}",
        low=f"{cell.band.low:.3f}",
        high=f"{cell.band.high:.3f}",
    )


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
    for metric in metrics:
        pairs = [
            (variant.cells[metric.name].n, variant.tally.scored)
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
    return [*unsure_notes(findings, quality), *reservations(findings)]


def reservations(findings: RunFindings) -> list[Said]:
    """What a reader of the numbers must know: which are undefined or left out, and why."""
    return [
        *early_stop_notes(findings),
        *_undefined_notes(findings),
        *_stage_notes(findings),
        *_job_notes(findings),
        *_label_notes(findings),
        *_row_notes(findings.results),
    ]


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
        yield (
            message_n(
                "{stage} was skipped in {n} of {total} case of {variant}: {reason}.",
                "{stage} was skipped in {n} of {total} cases of {variant}: {reason}.",
                cases.get(each.variant, each.cases),
                stage=each.stage,
                n=each.cases,
                total=cases.get(each.variant, each.cases),
                variant=each.variant,
                reason=Message(each.reason),
            )
            if len(cases) > 1
            else message_n(
                "{stage} was skipped in {n} of {total} case: {reason}.",
                "{stage} was skipped in {n} of {total} cases: {reason}.",
                cases.get(each.variant, each.cases),
                stage=each.stage,
                n=each.cases,
                total=cases.get(each.variant, each.cases),
                variant=each.variant,
                reason=Message(each.reason),
            )
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
