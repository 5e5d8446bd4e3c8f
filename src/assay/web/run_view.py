"""One run as the page shows it: sentences, numbers, charts, tables and the set-up."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec.structs import replace

from assay.data.foreign_value import without_secrets
from assay.errors import AssayError, UseError
from assay.records import Metric, RunHeader, Tally
from assay.report.label import metric_title, title_of
from assay.report.look import MINUS, MISSING
from assay.report.table.table import (
    Table,
    TableCell,
    TableColumn,
    column_titles,
    is_defined,
    legend,
    shown_interval,
    shown_number,
)
from assay.results.job import job_spec_of
from assay.runs.resume import resume_line
from assay.runs.summary import Summary, read_summary
from assay.runs.write import is_being_written, summary_path
from assay.stats.analysis import VariantSummary
from assay.study.finding import RunFindings
from assay.study.finding_text import compared_effects, verdicts
from assay.study.history import PastRun, past_run
from assay.study.observation import observations
from assay.study.table import (
    about_notes,
    corrected_note,
    draft_notes,
    latency_table,
    quality_table,
    reservations,
    tables,
    unsure_note,
)
from assay.systems.load import SIDE_BY_SIDE
from assay.systems.logged import LOG
from assay.web.about import broken_note, count_broken, shown_amount, shown_value
from assay.web.api import Cell, Counts, GroupField, RunCard, RunView, Setup, TableView, VariantView
from assay.web.chart import charts
from assay.web.compare_view import (
    corrected_view,
    difference_view,
    interval_view,
    metric_infos,
    primary_metric,
    run_effects,
)
from assay.web.judge.read import run_judges
from assay.web.language import named_metric, undefined_text
from assay.web.query import Columns, failures
from assay.web.run_index import RunIndex
from assay.web.text_store import Interval
from assay.words.language import LANGUAGES, Lang
from assay.words.message import Message, Said, Title, message
from assay.words.say import say_in

# One run in the list of runs, from its summary; its rows are read only if it has not ended.


def run_card(run_id: str, journal: Path) -> RunCard:
    """The card of a run. A problem with its files is shown in the card."""
    past = past_run(journal)
    try:
        summary = read_summary(summary_path(journal))
    except (AssayError, OSError):
        summary = None
    metric = _metric(summary)
    results: Mapping[str, Any] = summary.results if summary else {}
    variants: Mapping[str, Any] = results.get("variants", {})
    shown = results.get("baseline") or next(iter(variants), "")
    values: Mapping[str, Any] = variants.get(shown, {})
    name = metric.name if metric else ""
    unsure: Mapping[str, Any] = values.get("unsure", {}).get(name, {})
    return RunCard(
        id=run_id,
        name=past.name,
        job=past.job,
        kind=past.kind,
        system=summary.system if summary else "",
        state=_state(past, journal),
        counts=counts(past.tally, past.total),
        started_at=past.started_at,
        completed_at=summary.completed_at if summary else None,
        questions=past.questions,
        variants=past.variants,
        metric=title_of(metric) if metric else None,
        headline=values.get(name),
        interval=_interval(values.get("intervals", {}).get(name)),
        unsure=unsure.get("n", 0),
        band=Interval(low=unsure["low"], high=unsure["high"]) if unsure else None,
        finding=_finding(results, metric),
        paid=past.paid,
        elapsed_s=summary.elapsed_s if summary else None,
        problem=past.problem,
        broken_lines=count_broken(journal),
    )


def with_state(card: RunCard, journal: Path) -> RunCard:
    """The card of a run whose rows have not changed: it may have begun or ended since."""
    if card.state not in {"running", "partial", "ended"}:
        return card
    is_running = is_being_written(journal)
    return replace(card, state="running" if is_running else _stopped(card.counts))


def counts(tally: Tally, total: int | None, unparsed: int = 0) -> Counts:
    """The counts of a tally."""
    return Counts(
        scored=tally.scored,
        answered=tally.answered,
        failed=tally.failed,
        skipped=tally.skipped,
        unparsed=unparsed,
        spared=tally.spared or 0,
        total=total,
    )


def _state(past: PastRun, journal: Path) -> str:
    """``complete``, ``ended``, ``partial``, ``running``, ``failed`` or ``unreadable``."""
    if past.state in {"complete", "failed", "unreadable"}:
        return past.state
    if is_being_written(journal):
        return "running"
    return "ended" if past.state == "ended" else "partial"


def _stopped(ends: Counts) -> str:
    """``ended`` if every case was asked, although some have no score, otherwise ``partial``."""
    asked = ends.scored + ends.answered + ends.failed + ends.skipped + ends.spared
    return "ended" if ends.total and asked >= ends.total else "partial"


def _metric(summary: Summary | None) -> Metric | None:
    """The metric that is shown for the run: its primary one."""
    if summary is None:
        return None
    name = summary.results.get("method", {}).get("primary") or summary.results.get("headline")
    try:
        return job_spec_of(summary).metric(name)
    except UseError:  # a job or metric of a package that is not installed
        return None


def _interval(ends: Any) -> Interval | None:
    return Interval(low=ends[0], high=ends[1]) if ends else None


def _finding(results: Mapping[str, Any], metric: Metric | None) -> Message | None:
    """The clearest difference to the baseline in a few words; ``None`` if none is shown."""
    if metric is None:
        return None
    effects = [
        effect
        for effect in results.get("effects", ())
        if effect["metric"] == metric.name and effect["baseline"] == results.get("baseline")
    ]
    place = _clearest(
        (effect["verdict"], effect["p_adjusted"], effect["difference"]) for effect in effects
    )
    if place is None:
        return None
    best = effects[place]
    return message(
        "{variant}: {verdict}, {amount}",
        variant=best["variant"],
        verdict=message("better") if best["verdict"] == "better" else message("worse"),
        amount=shown_amount(best["difference"], metric),
    )


def _clearest(effects: Iterable[tuple[str, float | None, float | None]]) -> int | None:
    """The place of the clearest difference, by verdict, p-value and size; ``None`` if none is shown.

    >>> _clearest([("worse", 0.01, -0.164), ("unclear", 0.4, 0.3), ("worse", 0.01, -0.29)])
    2
    """
    shown = [
        (1.0 if p is None else p, -abs(difference), place)
        for place, (verdict, p, difference) in enumerate(effects)
        if verdict in {"better", "worse"} and difference is not None
    ]
    return min(shown)[-1] if shown else None


# What was run on what: facts, the header without secrets, and the command that was typed.
#
# A page may be sent to others, so folders of this computer are left out of paths.


def setup_view(findings: RunFindings) -> Setup:
    """The set-up of a run; it is empty if there is no summary."""
    summary = findings.results.summary
    if summary is None:
        return Setup(facts=(), command="", resume="", header={})
    words = typed_command(summary)
    return Setup(
        facts=tuple(_facts(findings, summary)),
        command=shlex.join(words),
        resume="" if summary.system.startswith(LOG) else resume_line(words),
        header=_header(summary, findings.results.path),
    )


def _facts(findings: RunFindings, summary: Summary) -> Iterator[tuple[Message, Said]]:
    digest, questions = summary.questions_sha256, summary.questions_path
    journal = findings.results.path
    facts: dict[str, Said | int | None] = {
        "description": summary.extra.get("description"),
        "system": system_text(summary.system),
        "questions": findings.results.questions,
        "questions file": Message(shown_path(questions, journal)) if questions else None,
        "questions hash": digest[:16] if digest else None,
        "limit": summary.limit or None,
        "top_k": summary.top_k,
        "baseline": findings.baseline if len(findings.analysis.variants) > 1 else None,
        "primary": named_metric(primary_metric(findings)),
        "started": _readable(summary.started_at),
        "completed": _readable(summary.completed_at),
        "redact": summary.redact or None,
        "seconds": None if summary.elapsed_s is None else f"{summary.elapsed_s:.1f}",
        "version": summary.assay_version,
        "python": summary.python_version,
        "file": journal.name,
    }
    for key, value in facts.items():
        if value is not None and value != "":
            yield _FACTS[key], str(value) if isinstance(value, int) else value


_FACTS: Final = {
    "description": message("description"),
    "system": message("system"),
    "questions": message("questions"),
    "questions file": message("file of questions"),
    "questions hash": message("SHA-256 of the questions"),
    "limit": message("limit"),
    "top_k": message("top k"),
    "baseline": message("baseline"),
    "primary": message("primary metric"),
    "started": message("started"),
    "completed": message("completed"),
    "redact": message("redaction"),
    "seconds": message("duration, s"),
    "version": message("version of assay"),
    "python": message("version of Python"),
    "file": message("file"),
}


def system_text(system: str) -> str | Message:
    """The name of a system; that of several systems side by side in words."""
    return message("side by side") if system == SIDE_BY_SIDE else system


def _readable(moment: str | None) -> str:
    """A time as headers have it, for people.

    >>> _readable("2026-11-17T11:35:20Z")
    '2026-11-17 11:35:20 UTC'
    """
    return (moment or "").replace("T", " ").removesuffix("Z") + (" UTC" if moment else "")


def shown_path(text: str, journal: Path) -> str:
    """A path from the workspace of a journal, or only its name if it is somewhere else.

    >>> shown_path("/home/me/ws/eval/q.jsonl", Path("/home/me/ws/experiments/a.jsonl"))
    'eval/q.jsonl'
    >>> shown_path("/data/secret/q.jsonl", Path("/home/me/ws/experiments/a.jsonl"))
    'q.jsonl'
    """
    path = Path(text)
    if not path.is_absolute() or any(character in text for character in "\n\0"):
        return text
    folder = journal.resolve().parent
    for root in (folder, *folder.parents[:2]):
        if len(root.parts) > 2 and path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name


def _header(summary: Summary, journal: Path) -> Mapping[str, Any]:
    """The header of the run without secrets, and without variants, which are shown apart."""
    fields = {
        name: value
        for name in RunHeader.__struct_fields__
        if name != "variants" and (value := getattr(summary, name)) is not msgspec.UNSET
    }
    header: Mapping[str, Any] = _without_folders(
        without_secrets(msgspec.to_builtins(fields)), journal
    )
    return header


def _without_folders(value: Any, journal: Path) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_folders(item, journal) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_folders(item, journal) for item in value]
    return shown_path(value, journal) if isinstance(value, str) else value


def typed_command(summary: Summary | None) -> tuple[str, ...]:
    """The words of the last command that worked on the run; empty if none is recorded."""
    for stretch in reversed(summary.stretches if summary else ()):
        if stretch.command:
            return tuple(stretch.command)
    return ()


MOST_NAMES: Final = 500
"""How many sources and tags are listed."""
MOST_TABLE_ROWS: Final = 400
_INTERVAL: Final = re.compile(r"\[[-+0-9., ]+\]")


def run_view(index: RunIndex, card: RunCard, shown_field: str = "") -> RunView:
    """Everything about a run except its items and groups."""
    findings, scores = index.findings, index.findings.results.scores
    columns = Columns(index)
    total = findings.results.summary.total if findings.results.summary else None
    tally = _sum(variant.tally for variant in findings.analysis.variants)
    unparsed = int(np.count_nonzero(columns.unparsed))
    metric = primary_metric(findings)
    judged = run_judges(index).views
    tags = [tag for each in index.listed.tags.values() for tag in each]
    return RunView(
        card=msgspec.structs.replace(card, counts=counts(tally, total, unparsed)),
        sentences=(*draft_notes(findings), *_sentences(findings, metric)),
        reservations=(
            *((broken_note(index.repaired),) if index.repaired else ()),
            *reservations(findings),
        ),
        about=tuple(about_notes(findings)),
        primary=metric.name,
        baseline=findings.baseline,
        metrics=metric_infos(findings.metrics),
        variants=tuple(_variants(findings, columns)),
        differences=tuple(map(difference_view, run_effects(findings))),
        charts=charts(findings),
        tables=_tables(findings),
        setup=setup_view(findings),
        sources=tuple(filter(None, index.listed.sources.values()))[:MOST_NAMES],
        tags=tuple(dict.fromkeys(tags))[:MOST_NAMES],
        items=findings.items,
        outside=findings.results.outside,
        failures=failures(index, columns),
        stops_early=findings.stops_early,
        judges=judged.judges,
        judge_pairs=judged.pairs,
        judge_preferences=judged.preferences,
        unsure=int(np.count_nonzero(columns.unsure)),
        fields=tuple(
            GroupField(name=name, values=values)
            for name, values in index.fields.offered(scores.items).items()
        ),
        shown_field=shown_field,
    )


def _sum(tallies: Iterator[Tally]) -> Tally:
    listed = list(tallies)
    names = ("scored", "answered", "failed", "skipped", "spared")
    return Tally(**{name: sum(getattr(tally, name) or 0 for tally in listed) for name in names})


def _sentences(findings: RunFindings, metric: Metric) -> Iterator[Said]:
    """The verdicts, the clearest first; for a single variant its value of the primary metric.

    Where it is not known which answers are right, what they show by themselves comes first.
    """
    if (found := observations(findings)) is not None:
        yield from found.sentences
        if len(findings.analysis.variants) == 1 and not found.is_labelled:
            return
    if len(findings.analysis.variants) > 1:
        sentences = verdicts(findings, metric)
        effects = compared_effects(findings, metric)
        place = _clearest((each.verdict, each.p_adjusted, each.difference) for each in effects)
        if place is not None:
            sentences.insert(0, sentences.pop(place))
        yield from sentences
        return
    for variant in findings.analysis.variants:
        cell = variant.cells[metric.name]
        ends = cell.interval
        between = f" [{ends.low:.3f}, {ends.high:.3f}]" if ends else ""
        title = title_of(metric)
        if cell.value is None:
            yield message("{metric} has no value: no answer was scored", metric=title)
        else:
            shown = shown_value(cell.value) + between
            facts: dict[str, Any] = {"metric": title, "value": shown, "n": cell.n}
            yield (
                message("{metric}: {value}, over {n} answers", **facts)
                if findings.results.scores.draws is None
                else message("{metric}: {value}, over {n} questions with several answers", **facts)
            )
        if cell.band is not None:
            yield unsure_note(metric, cell)
        if (corrected := cell.corrected) is not None:
            yield corrected_note(metric, corrected)


def _variants(findings: RunFindings, columns: Columns) -> Iterator[VariantView]:
    marks = _marks(findings)
    summary = findings.results.summary
    settings = {each.name: each.settings for each in summary.variants} if summary else {}
    for number, variant in enumerate(findings.analysis.variants):
        bill = findings.results.bills[variant.name]
        amounts = {
            name: amount if isinstance(amount := getattr(bill, name), int | float) else None
            for name in ("cost", "paid", "judge_paid")
        }
        yield VariantView(
            name=variant.name,
            is_baseline=variant.name == findings.baseline,
            counts=counts(variant.tally, None, int(np.count_nonzero(columns.unparsed[number]))),
            cells={
                metric.name: _cell(variant, metric, marks.get((variant.name, metric.name), ""))
                for metric in findings.metrics
            },
            cost=amounts["cost"],
            paid=amounts["paid"],
            judge_paid=amounts["judge_paid"],
            calls=bill.calls or None,
            prompt_tokens=bill.prompt_tokens or None,
            completion_tokens=bill.completion_tokens or None,
            settings=without_secrets(dict(settings.get(variant.name, {}))),
            order=findings.ordered.get(variant.name),
        )


def _marks(findings: RunFindings) -> dict[tuple[str, str], str]:
    """The best and worst values, as the tables mark them."""
    return {
        (row.label, column.key): cell.mark or ""
        for table in (quality_table(findings), latency_table(findings))
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
    }


def _cell(variant: VariantSummary, metric: Metric, mark: str) -> Cell:
    cell = variant.cells[metric.name]
    return Cell(
        value=cell.value,
        n=cell.n,
        interval=interval_view(cell.interval),
        unsure=cell.unsure,
        band=interval_view(cell.band),
        corrected=corrected_view(cell.corrected),
        reason=undefined_text(metric) if cell.value is None else None,
        is_best=mark == "best",
        is_worst=mark == "worst",
    )


def _tables(findings: RunFindings) -> tuple[TableView, ...]:
    listed = [
        [_titled(table, findings, lang) for table in tables(findings, lang)] for lang in LANGUAGES
    ]
    return tuple(table_view(*each) for each in zip(*listed, strict=True))


def _titled(table: Table, findings: RunFindings, lang: Lang) -> Table:
    """The table with titles of metrics: the overview of a report has their names for programs."""
    known = {metric.name: metric for metric in findings.job.metrics}
    return msgspec.structs.replace(
        table,
        columns=tuple(
            msgspec.structs.replace(
                column, title=metric_title(known[column.title], lang), name=column.title
            )
            if column.title in known
            else column
            for column in table.columns
        ),
    )


def table_view(en: Table, zh: Table, ru: Table) -> TableView:
    """One table in three languages."""
    each = (en, zh, ru)
    titles = [list(column_titles(table, lang)) for table, lang in zip(each, LANGUAGES, strict=True)]
    notes = [_notes(table, lang) for table, lang in zip(each, LANGUAGES, strict=True)]
    shown = [_rows(table) for table in each]
    return TableView(
        title=Title(en=en.title, zh=zh.title, ru=ru.title),
        columns=tuple(_joined(*parts) for parts in zip(*titles, strict=True)),
        rows=tuple(
            tuple(_one(*cells) for cells in zip(*rows, strict=True))
            for rows in zip(*shown, strict=True)
        ),
        notes=tuple(_joined(*parts) for parts in zip(*notes, strict=True)),
        marks=tuple(
            ("", *(cell.mark or "" for cell in row.cells)) for row in en.rows[:MOST_TABLE_ROWS]
        ),
    )


def _notes(table: Table, lang: Lang) -> list[str]:
    """The legend of a table; the page marks the best and the worst value with signs."""
    printed, shown = (
        say_in(lang, "Bold: best of the column. Italic: worst."),
        message("▲ best, ▽ worst of a column.").text_in(lang),
    )
    return [shown if note == printed else note for note in legend(table, lang)]


def _rows(table: Table) -> list[list[str]]:
    return [
        [
            row.label,
            *(_shown(cell, col) for cell, col in zip(row.cells, table.columns, strict=True)),
        ]
        for row in table.rows[:MOST_TABLE_ROWS]
    ]


def _shown(cell: TableCell, column: TableColumn) -> str:
    """A value with its stars and its interval; with a real minus sign, as everywhere on the page."""
    if cell.value is None or not is_defined(cell.value):
        return MISSING
    if isinstance(cell.value, str):
        return cell.value.replace("-", MINUS) if _INTERVAL.fullmatch(cell.value) else cell.value
    parts = (
        shown_number(cell.value, column) + cell.significance,
        shown_interval(cell.interval, column),
    )
    return " ".join(filter(None, parts)).replace("-", MINUS)


def _joined(en: str, zh: str, ru: str) -> Title:
    return Title(en=en, zh=zh, ru=ru)


def _one(en: str, zh: str, ru: str) -> str | Title:
    return en if en == zh == ru else Title(en=en, zh=zh, ru=ru)
