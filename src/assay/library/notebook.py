"""How a notebook shows a run, a comparison and a list of cases: small tables, also in the dark.

The HTML has no style sheet and no script, because pages of notebooks remove them. Colours are those
of the page around it, and a blue that can be seen on white and on black. Texts of questions and answers
are escaped.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import nan
from typing import TYPE_CHECKING, Any, Final

from assay.records import Metric
from assay.report.label import metric_title
from assay.report.look import MINUS, MISSING, real_minus, shown_p
from assay.report.table.format import as_text
from assay.report.table.table import (
    TableColumn,
    is_defined,
    on_one_line,
    shown_interval,
    shown_number,
)
from assay.runs.progress import duration, tally_facts
from assay.stats.interval import Interval
from assay.text.width import shortened
from assay.words.language import language
from assay.words.message import text_of
from assay.words.say import listed, say, say_n

if TYPE_CHECKING:
    from assay.library.comparison import Comparison
    from assay.library.result import Run
    from assay.stats.effect import Effect
    from assay.study.finding import RunFindings

_BLUE, _GOOD, _BAD = "#3d85c6", "#2e9e6b", "#d9534f"
_FAINT: Final = "opacity:.65"
_LINE: Final = "border-top:1px solid rgba(128,128,128,.35)"
_MOST_METRICS: Final = 8
_MOST_BESIDE: Final = 3
_MOST_NOTES: Final = 4
_MOST_REASONS: Final = 3
_MOST_CASES: Final = 20
_MOST_CHANGES: Final = 5
_LONGEST: Final = 200
_WIDTH, _HEIGHT = 96, 12


def run_text(run: "Run") -> str:
    """A run for a terminal: its table, or the intervals of its only variant, and its counts."""
    lines = [_head(run)]
    if run.tally.scored:
        # imported here because a comparison needs neither
        from assay.jobs.answers.failed_question import interval_lines  # noqa: PLC0415
        from assay.study.table import short_table  # noqa: PLC0415

        findings, lang = run.findings, language()
        one = interval_lines(findings)
        lines += _seen(findings)
        lines += one or ["", as_text(short_table(findings, lang), lang)]
        lines += [*_sentences(findings)]
    return "\n".join([*lines, "", _counts(run), *_failures(run), *_notes(run)])


def run_html(run: "Run") -> str:
    """A run for a notebook."""
    parts = [f"<div><b>{_text(run.name)}</b> {_faint(_facts(run))}</div>"]
    if run.tally.scored:
        findings = run.findings
        several = len(findings.analysis.variants) > 1
        parts += [f"<div>{_text(each)}</div>" for each in _seen(findings)]
        parts.append(_variants_html(findings) if several else _metrics_html(findings))
        parts += [f"<div>{_text(each)}</div>" for each in _sentences(findings)]
    below = "<br>".join(map(_text, (_counts(run), *_failures(run), *_notes(run))))
    parts.append(f"<div style='{_FAINT};font-size:.9em'>{below}</div>")
    return _block(parts)


def _head(run: "Run") -> str:
    return f"{run.name}  {_facts(run)}"


def _facts(run: "Run") -> str:
    """What was asked: how many questions, of which system."""
    summary = run.summary
    questions = summary.extra.get("questions")
    asked = say_n("{n} question", "{n} questions", questions) if isinstance(questions, int) else ""
    system = say(summary.system).rpartition("@")[0] or say(summary.system)
    return " · ".join(filter(None, (asked, system)))


def _counts(run: "Run") -> str:
    """How the cases ended, what they cost, and why no more were asked."""
    summary = run.summary
    facts = tally_facts(summary.tally, summary.total)
    if summary.paid is not None:
        facts.append(say("{cost:.4f} spent", cost=summary.paid))
    if summary.elapsed_s:
        facts.append(duration(summary.elapsed_s))
    if run.stopped is not None:
        facts.append(say("stopped: {why}", why=run.stopped))
    return listed(facts)


def _failures(run: "Run") -> Iterable[str]:
    """The most frequent reasons of failed cases, each with its count."""
    reasons = (
        Counter(str(case["error"]) for case in run.failures) if run.tally.failed else Counter()
    )
    for reason, count in reasons.most_common(_MOST_REASONS):
        yield f"{count} × {shortened(on_one_line(reason), _LONGEST)}"


def _notes(run: "Run") -> Iterable[str]:
    shown = run.notes[:_MOST_NOTES]
    yield from (say("note: {note}", note=note) for note in shown)
    if len(run.notes) > len(shown):
        yield say("{n} more are not listed.", n=len(run.notes) - len(shown))


def _seen(findings: "RunFindings") -> list[str]:
    """What the answers show by themselves, if nobody has said which are right."""
    from assay.study.observation import observations  # noqa: PLC0415 - as in run_text

    found = observations(findings)
    return [text_of(each, language()) for each in found.sentences] if found is not None else []


def _sentences(findings: "RunFindings") -> list[str]:
    """The findings of the metric that decides; none for one variant."""
    from assay.study.finding_text import verdicts  # noqa: PLC0415 - as in run_text

    if len(findings.analysis.variants) < 2:
        return []
    chosen = findings.job.metric(findings.analysis.primary)
    return [text_of(each, language()) for each in verdicts(findings, chosen)]


def _metrics_html(findings: "RunFindings") -> str:
    """The metrics of the only variant, one a row."""
    (variant,) = findings.analysis.variants
    rows = []
    quality = [each for each in findings.metrics if each.family == "quality"]
    latency = [each for each in findings.metrics if each.family == "latency"]
    for metric in (*quality[:_MOST_METRICS], *latency[:1]):
        cell = variant.cells[metric.name]
        if is_defined(cell.value):
            rows.append(
                (
                    _text(metric_title(metric, language())),
                    *_figures(cell.value, cell.interval, metric),
                    _faint(f"n={cell.n}"),
                )
            )
    return _table([], rows)


def _variants_html(findings: "RunFindings") -> str:
    """The variants, one a row: the metric that decides, the difference, and a few other metrics."""
    analysis, lang = findings.analysis, language()
    primary = findings.job.metric(analysis.primary)
    others = [
        each for each in findings.metrics if each.family == "quality" and each.name != primary.name
    ][:_MOST_BESIDE]
    head = [
        "", metric_title(primary, lang), "", "",
        say("Difference to {baseline}", baseline=findings.baseline),
        *(metric_title(each, lang) for each in others),
    ]  # fmt: skip
    effects = {
        effect.variant: effect
        for effect in analysis.effects
        if effect.metric == primary.name and effect.baseline == findings.baseline
    }
    rows = []
    for variant in analysis.variants:
        cell = variant.cells[primary.name]
        rows.append(
            (
                _text(variant.name),
                *_figures(cell.value, cell.interval, primary),
                _difference(effects.get(variant.name)),
                *(_number(variant.cells[each.name].value) for each in others),
            )
        )
    return _table(head, rows)


def _figures(value: Any, interval: Interval | None, metric: Metric) -> tuple[str, str, str]:
    """A value, its interval, and both as a picture if it is a share."""
    shown = shown_interval(interval, TableColumn(key=""))
    picture = "" if metric.unit else _picture(value, interval)
    return f"<b>{_number(value)}</b>", _faint(shown), picture


def _number(value: Any) -> str:
    if value is None or not is_defined(value):
        return MISSING
    return _text(shown_number(value, TableColumn(key="")))


def _difference(effect: "Effect | None") -> str:
    if effect is None or effect.difference is None:
        return MISSING
    return _signed(
        effect.difference, effect.interval, is_clear=effect.verdict in {"better", "worse"}
    )


def _signed(value: float, interval: Interval | None, *, is_clear: bool) -> str:
    """A difference with its interval; a clear one is bold."""
    column = TableColumn(key="", signed=True)
    shown = _text(real_minus(shown_number(value, column)))
    bold = f"<b>{shown}</b>" if is_clear else shown
    return f"{bold} {_faint(shown_interval(interval, column).replace('-', MINUS))}"


def _faint(text: str) -> str:
    return f"<span style='{_FAINT}'>{_text(text)}</span>"


def _picture(value: Any, interval: Interval | None) -> str:
    """A share between 0 and 1 as a point on a line, with its interval."""
    if value is None or not is_defined(value):
        return ""

    def x(share: float) -> float:
        return round(4 + min(max(share, 0.0), 1.0) * (_WIDTH - 8), 1)

    y = _HEIGHT / 2
    ends = ""
    if interval is not None and is_defined(interval.low) and is_defined(interval.high):
        ends = (
            f"<line x1='{x(interval.low)}' x2='{x(interval.high)}' y1='{y}' y2='{y}' "
            f"stroke='{_BLUE}' stroke-opacity='.5' stroke-width='4' stroke-linecap='round'/>"
        )
    return (
        f"<svg width='{_WIDTH}' height='{_HEIGHT}' style='vertical-align:middle' aria-hidden='true'>"
        f"<line x1='4' x2='{_WIDTH - 4}' y1='{y}' y2='{y}' stroke='currentColor' "
        f"stroke-opacity='.25'/>{ends}<circle cx='{x(value)}' cy='{y}' r='3.5' fill='{_BLUE}'/></svg>"
    )


def comparison_html(comparison: "Comparison") -> str:
    """A comparison for a notebook: the verdict, both values, and what changed."""
    colour, mark = (_GOOD, "✓") if comparison.passed else (_BAD, "✗")
    sign = f"<span style='color:{colour};font-weight:bold'>{mark}</span>"
    parts = [f"<div>{sign} <b>{_text(comparison.sentence)}</b></div>"]
    parts += [f"<div style='color:{_BAD}'>{_text(line)}</div>" for line in comparison.warnings]
    if comparison.difference is not None:
        low, high = comparison.interval or (nan, nan)
        ends = Interval(low=low, high=high, level=0.95, method="")
        p = "" if comparison.p is None else f"p = {shown_p(comparison.p)}".replace("= <", "<")
        head = [say("base"), say("candidate"), say("difference"), ""]
        values = _number(comparison.base), _number(comparison.candidate)
        cells = [*values, _signed(comparison.difference, ends, is_clear=True), _faint(p)]
        parts.append(_table(["", *head], [[_text(comparison.metric or ""), *cells]]))
        parts += _changes_html(comparison.changed)
    parts += [
        f"<div style='{_FAINT};font-size:.9em'>{_text(note)}</div>" for note in comparison.notes
    ]
    return _block(parts)


def _changes_html(changed: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """The questions that changed, the worst first."""
    rows = [
        [
            _text(_short(case["question"] or case["question_id"])),
            _number(case["base"]),
            _number(case["candidate"]),
            _text(_short(case["answer_candidate"])),
        ]
        for case in changed[:_MOST_CHANGES]
    ]
    if rows:
        head = [say("question"), say("base"), say("candidate"), say("answer of the candidate")]
        yield _table(head, rows, is_text=True)
    if left := len(changed) - len(rows):
        yield f"<div style='{_FAINT}'>{_text(say('{n} more are not listed.', n=left))}</div>"


def list_html(names: Sequence[str], cases: Sequence[Mapping[str, Any]]) -> str:
    """Cases as a table: the first ones, with long texts cut."""
    rows = [[_text(_short(case.get(name))) for name in names] for case in cases[:_MOST_CASES]]
    left = len(cases) - len(rows)
    more = [f"<div style='{_FAINT}'>{_text(say('{n} more are not listed.', n=left))}</div>"]
    return _block([_table(names, rows, is_text=True), *(more if left else [])])


def _short(value: Any) -> str:
    if value is None:
        return MISSING
    text = on_one_line(str(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, is_text: bool = False) -> str:
    """A table; the cells are HTML already, and the titles are not."""

    def cell(tag: str, number: int, content: str, more: str = "") -> str:
        side = "left" if is_text or number == 0 else "right"
        wrap = "normal" if is_text else "nowrap"
        style = f"text-align:{side};padding:.15em .9em .15em 0;white-space:{wrap};{more}"
        return f"<{tag} style='{style}'>{content}</{tag}>"

    lines = []
    if any(head):
        titles = (
            cell(
                "th",
                number,
                _text(title),
                f"{_FAINT};font-weight:normal;white-space:normal;vertical-align:bottom",
            )
            for number, title in enumerate(head)
        )
        lines.append(f"<tr>{''.join(titles)}</tr>")
    for row in rows:
        cells = (cell("td", number, content, _LINE) for number, content in enumerate(row))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        "<table style='border-collapse:collapse;border:none;margin:.4em 0;"
        f"font-variant-numeric:tabular-nums'>{''.join(lines)}</table>"
    )


def _block(parts: Sequence[str]) -> str:
    return f"<div style='line-height:1.45'>{''.join(parts)}</div>"


def _text(text: str) -> str:
    return escape(on_one_line(text))
