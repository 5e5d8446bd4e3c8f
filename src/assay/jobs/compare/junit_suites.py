"""The comparison as JUnit suites: two checks of the gate, and one check for each question."""

from collections.abc import Iterator

from assay.jobs.compare.compatibility import metrics_of_one
from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.jobs.compare.wording import (
    change_line,
    cut,
    difference_line,
    number_text,
    regression_line,
    run_label,
    unsure_line,
)
from assay.report.junit import Check, Outcome, Suite
from assay.report.words import said
from assay.stats import SHARE
from assay.words import language, say

GATE, QUESTIONS = "assay.gate", "assay.questions"
LONGEST_ANSWER = 2000


def suites(comparison: Comparison) -> list[Suite]:
    """The suites: checks fail if the gate fails and if a single question regressed."""
    warnings = [said(line, language()) for line in comparison.warnings]
    properties = {
        "base": run_label(comparison.base),
        "candidate": run_label(comparison.cand),
        "metric": comparison.metric.name,
        **_values(comparison),
        "paired_difference": difference_line(comparison),
        **({"unsure": unsure} if (unsure := unsure_line(comparison)) else {}),
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


def invalid_suites(reason: str) -> list[Suite]:
    """A single check with an error, not a failure, because the runs cannot be compared."""
    text = "\n".join(said(line, language()) for line in reason.splitlines())
    check = Check(name="comparable", group=GATE, outcome="error", message=text, detail=text)
    return [Suite(name=GATE, checks=[check])]


def _gate(comparison: Comparison) -> Iterator[Check]:
    yield Check(
        name="delta",
        group=GATE,
        outcome="failure" if comparison.delta_fault else "passed",
        message=said(comparison.delta_fault, language()),
        detail=difference_line(comparison),
    )
    yield Check(
        name="regressions",
        group=GATE,
        outcome="failure" if comparison.regression_fault else "passed",
        message=said(comparison.regression_fault, language()),
        detail=regression_line(comparison),
    )

    for each, line in zip(comparison.contrary, comparison.warnings, strict=True):
        yield Check(  # servers list skipped checks with their message, and the gate still decides
            name=f"contrary {each.metric}",
            group=GATE,
            outcome="skipped",
            message=said(line, language()),
        )


def _question(item: QuestionPair, comparison: Comparison) -> Check:
    return Check(
        name=item.id,
        group=QUESTIONS,
        outcome=_outcome(item, comparison),
        message=change_line(item),
        detail="\n".join(
            [
                change_line(item),
                f"{say('question')}: {item.question}",
                f"{say('base')}: {cut(item.answer_before, LONGEST_ANSWER)}",
                f"{say('candidate')}: {cut(item.answer_after, LONGEST_ANSWER)}",
            ]
        ),
    )


def _outcome(item: QuestionPair, comparison: Comparison) -> Outcome:
    match item.standing:
        case "worse":
            # a percentile does not depend on single questions
            return "passed" if comparison.metric.kind in SHARE else "failure"
        case "missing":
            return "skipped" if comparison.limits.allow_missing else "failure"
        case "not compared":
            return "skipped"
        case _:
            return "passed"
