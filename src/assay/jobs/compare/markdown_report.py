"""The comparison as Markdown, for a pull request's comment or the summary of a CI job."""

from collections.abc import Sequence

from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.jobs.compare.wording import (
    UNSURE,
    correction_line,
    cut,
    difference_line,
    direction,
    headline,
    mean_name,
    metric_line,
    number_text,
    plain_interval_line,
    regression_line,
    run_counts,
    run_label,
    unsure_line,
)
from assay.report.table import escape_markdown
from assay.report.words import said, value_word
from assay.words import language, say

LONGEST_ID = 60
LONGEST_QUESTION = 120
LONGEST_ANSWER = 400


def as_markdown(comparison: Comparison, *, most: int = 20) -> str:
    """The verdict, the figures, tables of what changed, and the answers in a folded section.

    At most ``most`` questions are listed in each table; 0 lists all.
    """
    metric = comparison.metric
    unit = f" ({value_word('unit', metric.unit, language())})" if metric.unit else ""
    base = f"{_without_mentions(run_label(comparison.base))}, {run_counts(comparison.base)}"
    cand = f"{_without_mentions(run_label(comparison.cand))}, {run_counts(comparison.cand)}"
    plain, corrected = plain_interval_line(comparison), correction_line(comparison)
    lines = [
        f"### {'✅' if comparison.passed else '❌'} {say('Answer quality')}: {_without_mentions(headline(comparison))}",
        "",
        *_warnings(comparison),
        f"| {_without_mentions(metric_line(comparison, direction(metric)))}{unit} | {say('base')} | {say('candidate')} | {say('change')} |",
        "| --- | ---: | ---: | ---: |",
    ]
    if comparison.base_weighted is not None:
        lines.append(_figures(say("weighted"), comparison.base_weighted, comparison.cand_weighted))
    lines += [
        _figures(
            say("{mean} of {n} {n:pair|pairs}", mean=mean_name(metric), n=comparison.effect.n),
            comparison.base_value,
            comparison.cand_value,
        ),
        "",
        f"- {say('paired difference')}: {_without_mentions(difference_line(comparison))}",
        *([f"- {say('plain interval')}: {plain}"] if plain else []),
        *([f"- {say('unsure')}: {unsure}"] if (unsure := unsure_line(comparison)) else []),
        *([f"- {say('corrected by labels')}: {corrected}"] if corrected else []),
        f"- {say('regressions')}: {_without_mentions(regression_line(comparison))}",
        f"- {say('base')}: {base}",
        f"- {say('candidate')}: {cand}",
        *(
            f"- {say('note')}: {_without_mentions(said(note, language()))}"
            for note in comparison.notes
        ),
        "",
    ]
    lines += _table("Changed, worst first", comparison.items_with("worse", "better"), most)
    lines += _table("Without a value in the candidate", comparison.items_with("missing"), most)
    lines += _table("Not compared", comparison.items_with("not compared"), most)
    lines += _table("Only in the candidate", comparison.items_with("added"), most)
    lines += _answers(comparison.items_with("worse", "missing", "better"), most)
    return "\n".join(lines).rstrip() + "\n"


def _warnings(comparison: Comparison) -> list[str]:
    """A quoted line for each warning, before the figures."""
    lines = [_without_mentions(said(line, language())) for line in comparison.warnings]
    return [part for line in lines for part in (f"> ⚠️ **{say('warning')}**: {line}", "")]


def invalid_markdown(reason: str) -> str:
    """The Markdown for runs that cannot be compared."""
    lang = language()
    lines = [f"- {_without_mentions(said(line, lang))}" for line in reason.splitlines()]
    head = f"### ⚠️ {say('Answer quality')}: {say('the runs cannot be compared')}"
    return "\n".join([head, "", say("This says nothing about quality."), "", *lines, ""])


def _figures(label: str, before: float | None, after: float | None) -> str:
    change = None if before is None or after is None else after - before
    return f"| {label} | {number_text(before)} | {number_text(after)} | {number_text(change, signed=True)} |"


def _table(title: str, items: Sequence[QuestionPair], most: int) -> list[str]:
    if not items:
        return []
    listed = items[:most] if most else items
    lines = [
        f"#### {say(title)} ({len(items)})",
        "",
        f"| id | {say('question')} | {say('base')} | {say('candidate')} | {say('change')} |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for item in listed:
        change = None if item.gain is None else (item.after or 0.0) - (item.before or 0.0)
        last = said(item.reason, language()) or number_text(change, signed=True)
        if item.unsure:
            last = f"{last} ({say(UNSURE[item.unsure])})"
        lines.append(
            f"| {_without_mentions(cut(item.id, LONGEST_ID))} "
            f"| {_without_mentions(cut(item.question, LONGEST_QUESTION))} "
            f"| {number_text(item.before)} | {number_text(item.after)} | {_without_mentions(last)} |"
        )
    if len(items) > len(listed):
        lines += ["", say("{n} more are not listed.", n=len(items) - len(listed))]
    return [*lines, ""]


def _answers(items: Sequence[QuestionPair], most: int) -> list[str]:
    shown = [item for item in (items[:most] if most else items) if _has_answer(item)]
    if not shown:
        return []
    lines = ["<details>", f"<summary>{say('Answers')}</summary>", ""]
    for item in shown:
        name = _without_mentions(cut(item.id, LONGEST_ID))
        question = _without_mentions(cut(item.question, LONGEST_QUESTION))
        lines += [
            f"- **{name}** {question}",
            f"  - {say('base')}: {_without_mentions(cut(item.answer_before, LONGEST_ANSWER)) or '–'}",
            f"  - {say('candidate')}: {_without_mentions(cut(item.answer_after, LONGEST_ANSWER)) or '–'}",
        ]
    return [*lines, "", "</details>", ""]


def _has_answer(item: QuestionPair) -> bool:
    return bool(item.answer_before or item.answer_after)


def _without_mentions(text: str) -> str:
    r"""Escaped text that mentions nobody: a comment must not notify people an answer names.

    >>> _without_mentions("ask @ann about #7")
    'ask @<!-- -->ann about \\#<!-- -->7'
    """
    return escape_markdown(text).replace("@", "@<!-- -->").replace("\\#", "\\#<!-- -->")
