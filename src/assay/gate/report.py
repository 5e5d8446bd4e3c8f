"""The comparison as Markdown, for a pull request's comment or the summary of a CI job."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from assay.gate.compared_run import ComparedRun
from assay.gate.compatibility import metrics_of_one
from assay.gate.gate import Comparison, Limits
from assay.gate.journal_rows import QuestionPair
from assay.gate.report_wording import (
    UNSURE,
    change_line,
    correction_line,
    cut,
    difference_line,
    direction,
    headline,
    margin_hint,
    margin_line,
    margin_sentence,
    mean_name,
    metric_line,
    number_text,
    regression_line,
    run_counts,
    run_label,
    unsure_line,
)
from assay.records import OUTPUT_VERSION
from assay.report.junit import JUnitCase, JUnitOutcome, Suite
from assay.report.table.format import escape_markdown
from assay.stats.effect import SHARE
from assay.words.language import language
from assay.words.message import Message, text_of
from assay.words.say import say, say_n

LONGEST_ID = 60
LONGEST_QUESTION = 120
LONGEST_ANSWER = 400


def as_markdown(comparison: Comparison, *, most: int = 20) -> str:
    """The verdict, the figures, tables of what changed, and the answers in a folded section.

    At most ``most`` questions are listed in each table; 0 lists all.
    """
    metric = comparison.metric
    unit = f" ({say(metric.unit, 'unit')})" if metric.unit else ""
    base = f"{_without_mentions(run_label(comparison.base))}, {run_counts(comparison.base)}"
    cand = f"{_without_mentions(run_label(comparison.cand))}, {run_counts(comparison.cand)}"
    corrected = correction_line(comparison)
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
            say_n(
                "{mean} of {n} pair",
                "{mean} of {n} pairs",
                comparison.effect.n,
                mean=mean_name(metric),
            ),
            comparison.base_value,
            comparison.cand_value,
        ),
        "",
        f"- {say('paired difference')}: {_without_mentions(difference_line(comparison))}",
        *([f"- {say('unsure')}: {unsure}"] if (unsure := unsure_line(comparison)) else []),
        *([f"- {say('corrected by labels')}: {corrected}"] if corrected else []),
        *(
            [f"- {say('margin')}: {_without_mentions(margin)}"]
            if (margin := margin_line(comparison))
            else []
        ),
        f"- {say('regressions')}: {_without_mentions(regression_line(comparison))}",
        f"- {say('base')}: {base}",
        f"- {say('candidate')}: {cand}",
        *(
            f"- {say('note')}: {_without_mentions(text_of(note, language()))}"
            for note in comparison.notes
        ),
        "",
    ]
    lines += _table("Changed, worst first", comparison.items_with("worse", "better"), most)
    lines += _table("Without a value in the candidate", comparison.items_with("missing"), most)
    lines += _table("Not compared", comparison.items_with("not compared"), most)
    lines += _table("Only in the candidate", comparison.items_with("added"), most)
    lines += _answers(comparison.items_with("worse", "missing", "better"), most)
    if hint := _escaped(margin_hint(comparison)):
        lines += [hint]
    return "\n".join(lines).rstrip() + "\n"


def _escaped(text: Message | str) -> str:
    return _without_mentions(text_of(text, language()))


def _warnings(comparison: Comparison) -> list[str]:
    """A quoted line for each warning, before the figures."""
    lines = [_without_mentions(text_of(line, language())) for line in comparison.warnings]
    return [part for line in lines for part in (f"> ⚠️ **{say('warning')}**: {line}", "")]


def invalid_markdown(reasons: Sequence[Message | str]) -> str:
    """The Markdown for runs that cannot be compared."""
    lang = language()
    lines = [f"- {_without_mentions(text_of(line, lang))}" for line in reasons]
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
        last = text_of(item.reason, language()) or number_text(change, signed=True)
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


# The comparison as JSON, for other programs.

_METRIC_FIELDS: Final = ("name", "field", "title", "kind", "better", "unit")


def as_json(comparison: Comparison) -> str:
    """The comparison as JSON; questions that stayed the same are counted but not listed."""
    changed = comparison.items_with("worse", "missing", "better")
    content: dict[str, Any] = {
        "schema_version": OUTPUT_VERSION,
        "verdict": "passed" if comparison.passed else "failed",
        "reasons": [*map(str, comparison.faults)],
        "metric": {name: getattr(comparison.metric, name) for name in _METRIC_FIELDS},
        "delta": comparison.delta,
        "gain": comparison.gain,
        "limits": _limits(comparison.limits),
        "base": _run_fields(comparison.base, comparison.base_value, comparison.base_weighted),
        "candidate": _run_fields(comparison.cand, comparison.cand_value, comparison.cand_weighted),
        "effect": {**msgspec.to_builtins(comparison.effect), "note": str(comparison.effect.note)},
        "regressions": comparison.regressions,
        "same": len(comparison.items_with("same")),
        "changed": [_item_fields(item) for item in changed if item.standing != "missing"],
        "missing": [_item_fields(item) for item in changed if item.standing == "missing"],
        "not_compared": [_item_fields(item) for item in comparison.items_with("not compared")],
        "added": [_item_fields(item) for item in comparison.items_with("added")],
        "notes": [*map(str, comparison.notes)],
        "warnings": [*map(str, comparison.warnings)],
        "contrary": comparison.contrary,
    }
    if comparison.margin is not None:
        content["margin"] = {
            **msgspec.to_builtins(comparison.margin),
            "sentence": str(margin_sentence(comparison)),
        }
    if hint := str(margin_hint(comparison)):
        content["hint"] = hint
    if comparison.unsure is not None:
        content["unsure"] = comparison.unsure
    if comparison.correction is not None:
        content["correction"] = {
            **msgspec.to_builtins(comparison.correction),
            "reason": str(comparison.correction.reason),
        }
    return _to_json(content)


def invalid_json(reasons: Sequence[Message | str]) -> str:
    """The JSON for runs that cannot be compared."""
    return _to_json(
        {
            "schema_version": OUTPUT_VERSION,
            "verdict": "invalid",
            "reasons": [*map(str, reasons)],
        }
    )


def _limits(limits: Limits) -> dict[str, Any]:
    """The limits; without a margin, its options are left out."""
    fields = msgspec.structs.asdict(limits) | {"max_regressions": limits.allowed_regressions}
    margins = ("margin", "equivalent", "pass_if_unclear")
    return {name: value for name, value in fields.items() if name not in margins or value}


def _run_fields(run: ComparedRun, value: float, weighted: float | None) -> dict[str, Any]:
    statuses = [case.status for case in run.items.values()]
    return {
        "path": str(run.path),
        "job": run.job,
        "variant": run.variant,
        "state": run.state,
        "value": value,
        "weighted_score": weighted,
        "questions": len(statuses),
        "scored": statuses.count("scored"),
        "answered_cases": run.answered,
        "skipped": statuses.count("skipped"),
        "failed_cases": run.failed,
        "hashes": run.hashes,
    }


def _item_fields(item: QuestionPair) -> dict[str, Any]:
    fields = msgspec.structs.asdict(item)
    fields["reason"] = str(item.reason)
    return {name: value for name, value in fields.items() if value not in {None, ""}}


def _to_json(content: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


# The comparison as JUnit suites: two checks of the gate, and one check for each question.

GATE, QUESTIONS = "assay.gate", "assay.questions"
LONGEST_JUNIT_ANSWER = 2000


def suites(comparison: Comparison) -> list[Suite]:
    """The suites: checks fail if the gate fails and if a single question regressed."""
    warnings = [text_of(line, language()) for line in comparison.warnings]
    properties = {
        "base": run_label(comparison.base),
        "candidate": run_label(comparison.cand),
        "metric": comparison.metric.name,
        **_values(comparison),
        "paired_difference": difference_line(comparison),
        **({"unsure": unsure} if (unsure := unsure_line(comparison)) else {}),
        **(
            {"margin": margin}
            if (margin := text_of(margin_sentence(comparison), language()))
            else {}
        ),
        **({"hint": hint} if (hint := text_of(margin_hint(comparison), language())) else {}),
        **{
            f"metrics_only_in_{where}": ", ".join(sorted(names))
            for where, names in metrics_of_one(comparison.base, comparison.cand).items()
            if names
        },
        **({"warning": "; ".join(warnings)} if warnings else {}),
    }
    return [
        Suite(name=GATE, checks=list(_gate(comparison)), properties=properties),
        Suite(name=QUESTIONS, checks=[_question(item, comparison) for item in comparison.items]),
    ]


def _values(comparison: Comparison) -> dict[str, str]:
    """The values that decide; if they are weighted, the plain means as well."""
    plain = number_text(comparison.base_value), number_text(comparison.cand_value)
    if not comparison.is_weighted:
        return {"base_value": plain[0], "candidate_value": plain[1]}
    return {
        "base_value": number_text(comparison.base_weighted),
        "candidate_value": number_text(comparison.cand_weighted),
        "base_unweighted": plain[0],
        "candidate_unweighted": plain[1],
    }


def invalid_suites(reasons: Sequence[Message | str]) -> list[Suite]:
    """A single check with an error, not a failure, because the runs cannot be compared."""
    text = "\n".join(text_of(line, language()) for line in reasons)
    check = JUnitCase(name="comparable", group=GATE, outcome="error", message=text, detail=text)
    return [Suite(name=GATE, checks=[check])]


def _gate(comparison: Comparison) -> Iterator[JUnitCase]:
    margin = comparison.margin
    yield JUnitCase(
        name="delta" if margin is None else "margin",
        group=GATE,
        outcome="failure" if comparison.delta_fault else "passed",
        kind="assay" if margin is None or margin.outcome != "unclear" else "unclear",
        message=text_of(comparison.delta_fault, language()),
        detail=difference_line(comparison),
    )
    yield JUnitCase(
        name="regressions",
        group=GATE,
        outcome="failure" if comparison.regression_fault else "passed",
        message=text_of(comparison.regression_fault, language()),
        detail=regression_line(comparison),
    )

    for each, line in zip(comparison.contrary, comparison.warnings, strict=True):
        yield JUnitCase(  # servers list skipped checks with their message, and the gate still decides
            name=f"contrary {each.metric}",
            group=GATE,
            outcome="skipped",
            message=text_of(line, language()),
        )


def _question(item: QuestionPair, comparison: Comparison) -> JUnitCase:
    return JUnitCase(
        name=item.id,
        group=QUESTIONS,
        outcome=_outcome(item, comparison),
        message=change_line(item),
        detail="\n".join(
            [
                change_line(item),
                f"{say('question')}: {item.question}",
                f"{say('base')}: {cut(item.answer_before, LONGEST_JUNIT_ANSWER)}",
                f"{say('candidate')}: {cut(item.answer_after, LONGEST_JUNIT_ANSWER)}",
            ]
        ),
    )


def _outcome(item: QuestionPair, comparison: Comparison) -> JUnitOutcome:
    match item.standing:
        case "worse":
            # a percentile does not depend on single questions, and with a margin they do not count
            is_counted = comparison.limits.asked is None or comparison.limits.counts_worse
            return "failure" if is_counted and comparison.metric.kind not in SHARE else "passed"
        case "missing":
            return "skipped" if comparison.limits.allow_missing else "failure"
        case "not compared":
            return "skipped"
        case _:
            return "passed"
