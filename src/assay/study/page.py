"""The report of a study as one Markdown page with its charts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.errors import JournalWriteFailed
from assay.records import Metric
from assay.report.label import metric_label
from assay.report.look import MISSING
from assay.report.table.format import as_markdown, escape_markdown
from assay.report.table.table import Table
from assay.runs.summary import Summary, read_summary, write_atomically
from assay.runs.write import summary_path
from assay.study.finding import Change, RunFindings, changed_questions
from assay.study.finding_text import verdicts
from assay.study.observation import Observations, observations
from assay.study.table import draft_notes, short_table, tables, terminal_notes
from assay.words.language import Lang
from assay.words.message import Said, message, text_of
from assay.words.say import say_in

LONGEST_ANSWER = 600


_FACTS: Final = {
    "system": message("system"),
    "questions": message("questions"),
    "primary": message("primary metric"),
    "top_k": message("top_k"),
    "state": message("state"),
    "started": message("started"),
    "completed": message("completed"),
    "redact": message("redaction"),
}
_STATES: Final = {
    "running": message("running", "state"),
    "complete": message("complete", "state"),
    "partial": message("partial", "state"),
    "ended": message("finished, not every case is scored", "state"),
}
_REDACTED: Final = {
    "outputs": message(
        "personal data is masked in what is written and shown; scores are those of the text as it was"
    ),
    "calls": message(
        "personal data is masked, also in what was sent: models and systems on other computers read masked text, so their answers may differ"
    ),
}


class Report(Struct, frozen=True, kw_only=True):
    """The files that were written, and what a terminal shows of them."""

    findings: RunFindings
    table: Table
    notes: tuple[str, ...]
    sentences: tuple[str, ...]
    page: Path
    charts: tuple[Path, ...] = ()


def write_report(
    findings: RunFindings,
    *,
    metric: str | None = None,
    lang: Lang = "en",
    charts: str | None = "png",
    most_changes: int = 20,
    further: Sequence[Table] = (),
    beside: Path | None = None,
    notes: Sequence[str] = (),
) -> Report:
    """Write ``NAME.md`` and ``NAME/charts/`` beside the journal of the run.

    ``further`` are tables that follow those of the study. If the rows were read from a copy, the
    journal is ``beside``. ``notes`` say what a reader must know first.
    """
    journal = beside or findings.results.path
    chosen = findings.job.metric(metric or findings.analysis.primary)
    drawn = draw_charts(findings, metric, journal, charts, lang) if charts else []
    page = journal.with_suffix(".md")
    # the summary may have been completed after the rows were analysed
    summary = read_summary(summary_path(journal))
    text = page_text(
        findings,
        summary,
        chosen,
        [chart.relative_to(page.parent) for chart in drawn],
        lang,
        most_changes=most_changes,
        further=further,
        notes=notes,
    )
    write_atomically(page, text.encode())
    return Report(
        findings=findings,
        table=short_table(findings, lang),
        notes=(*notes, *(text_of(note, lang) for note in terminal_notes(findings))),
        sentences=tuple(text_of(each, lang) for each in verdicts(findings, chosen)),
        page=page,
        charts=tuple(drawn),
    )


def draw_charts(
    findings: RunFindings, metric: str | None, journal: Path, suffix: str, lang: Lang
) -> list[Path]:
    """Draw the charts of a run into ``NAME/charts/`` beside its journal."""
    # matplotlib takes most of a second to load, and only charts need it
    from assay.study.chart import draw  # noqa: PLC0415

    folder = journal.with_suffix("") / "charts"
    chosen = findings.job.metric(metric or findings.analysis.primary)
    try:
        drawn = draw(findings, chosen, folder, suffix, lang)
        return drawn + (
            findings.job_report.charts(folder, suffix, lang) if findings.job_report else []
        )
    except OSError as error:
        raise JournalWriteFailed(
            f"{folder}: charts cannot be written: {error.strerror or error}"
        ) from None


def page_text(
    findings: RunFindings,
    summary: Summary | None,
    metric: Metric,
    charts: Sequence[Path],
    lang: Lang = "en",
    *,
    most_changes: int = 20,
    further: Sequence[Table] = (),
    notes: Sequence[str] = (),
) -> str:
    """The report as one Markdown page; the paths of the ``charts`` are relative to it."""
    lines = [f"# {escape_markdown(findings.results.name)}", ""]
    for note in (*(text_of(note, lang) for note in draft_notes(findings)), *notes):
        lines += [escape_markdown(note), ""]
    lines += _facts(findings, summary, lang) if summary is not None else []
    if (found := observations(findings)) is not None:
        lines += _observed(found, lang)
    is_compared = len(findings.analysis.variants) > 1
    if is_compared:
        said = [
            f"- {escape_markdown(text_of(sentence, lang))}"
            for sentence in verdicts(findings, metric)
        ]
        lines += [f"## {say_in(lang, 'Findings')}", "", *(said or [MISSING]), ""]
    lines += [as_markdown(table, lang) for table in (*tables(findings, lang), *further)]
    if charts:
        lines += [f"## {say_in(lang, 'Charts')}", ""]
        lines += [f"![{escape_markdown(chart.stem)}](<{chart.as_posix()}>)\n" for chart in charts]
    if is_compared:
        lines += _changes(findings, metric, lang, most_changes)
    return "\n".join(lines).rstrip() + "\n"


def _observed(found: Observations, lang: Lang) -> list[str]:
    """What the answers show by themselves, with examples."""

    def shown(text: Said) -> str:
        return escape_markdown(text_of(text, lang))

    lines = [f"## {say_in(lang, 'What the answers show')}", "", shown(found.head), ""]
    for each in found.counted:
        who = f"{escape_markdown(each.variant)}: " if each.variant else ""
        lines.append(f"- {who}{shown(each.text)}")
        for example in each.examples:
            name, said = example.question_id, example.why or example.answer
            lines.append(
                f"  - **{escape_markdown(name)}** {escape_markdown(_cut(example.question))} → "
                f"{escape_markdown(_cut(said))}"
            )
    lines += [f"- {shown(fact)}" for fact in found.facts]
    return [*lines, "", *([shown(found.next_step), ""] if found.next_step else [])]


def _facts(findings: RunFindings, summary: Summary, lang: Lang) -> list[str]:
    """What was run: its description, and a list of facts."""
    description = summary.extra.get("description")
    questions = str(findings.results.questions)
    if summary.questions_path:
        questions += f" ({say_in(lang, summary.questions_path)})"
    state = _state(findings, summary)
    facts = {
        "system": say_in(lang, summary.system),
        "questions": questions,
        "primary": _primary(findings, lang),
        "top_k": summary.top_k,
        "state": _STATES[state].text_in(lang) if state in _STATES else state,
        "started": summary.started_at,
        "completed": summary.completed_at,
        "redact": _REDACTED[summary.redact].text_in(lang) if summary.redact else "",
    }
    return [
        *([escape_markdown(str(description)), ""] if description else []),
        *(
            f"- {_FACTS[key].text_in(lang)}: {escape_markdown(str(value))}"
            for key, value in facts.items()
            if value
        ),
        "",
    ]


def _state(findings: RunFindings, summary: Summary) -> str:
    """The state as ``assay list`` says it: a run that has asked every case has ended.

    It is not complete if rows are missing that it once had.
    """
    if summary.state == "partial" and not findings.results.unasked:
        return "ended"
    is_cut = summary.state == "complete" and findings.results.unasked > 0
    return "partial" if is_cut else summary.state


def _primary(findings: RunFindings, lang: Lang) -> str:
    """The primary metric, if there is something to compare."""
    name = findings.analysis.primary
    if len(findings.analysis.variants) < 2 or not name:
        return ""
    return metric_label(findings.job.metric(name), lang)


def _changes(findings: RunFindings, metric: Metric, lang: Lang, most: int) -> list[str]:
    lines = [
        f"## {say_in(lang, 'What changed')}: {escape_markdown(metric_label(metric, lang))}",
        "",
    ]
    for variant in findings.analysis.variants:
        if variant.name == findings.baseline:
            continue
        changes, total = changed_questions(
            findings.results, metric, variant.name, findings.baseline, most=most
        )
        lines += [f"### {escape_markdown(variant.name)}: {total}", ""]
        for change in changes:
            lines += _change(change, findings.baseline)
        if total > len(changes):
            lines += [
                say_in(
                    lang,
                    "… and {n} more; assay report --changes 0 lists all.",
                    n=total - len(changes),
                ),
                "",
            ]
    return lines


def _change(change: Change, baseline: str) -> list[str]:
    scores = f"({change.before:.3g} → {change.after:.3g})"
    return [
        f"- **{escape_markdown(change.question_id)}** {escape_markdown(_cut(change.question))} {scores}",
        f"  - {escape_markdown(baseline)}: {escape_markdown(_cut(change.answer_before)) or '–'}",
        f"  - {escape_markdown(change.variant)}: {escape_markdown(_cut(change.answer_after)) or '–'}",
        "",
    ]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}…"
