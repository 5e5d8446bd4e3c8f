"""The comparison as JUnit suites: the gate's own two checks, and one for each question."""

from collections.abc import Iterator

from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.jobs.compare.wording import (
    change_line,
    cut,
    difference_line,
    number_text,
    regression_line,
    run_label,
)
from assay.report.junit import Check, Outcome, Suite
from assay.stats import SHARE

GATE, QUESTIONS = "assay.gate", "assay.questions"
LONGEST_ANSWER = 2000


def suites(found: Comparison) -> list[Suite]:
    """Suites that fail where the gate does, and where a single question regressed."""
    facts = {
        "base": run_label(found.base),
        "candidate": run_label(found.cand),
        "metric": found.metric.name,
        "base_value": number_text(found.base_value),
        "candidate_value": number_text(found.cand_value),
        "paired_difference": difference_line(found),
    }
    return [
        Suite(name=GATE, checks=list(_gate(found)), properties=facts),
        Suite(name=QUESTIONS, checks=[_question(item, found) for item in found.items]),
    ]


def invalid_suites(reason: str) -> list[Suite]:
    """One check that is an error, not a failure: there was nothing to compare."""
    check = Check(name="comparable", group=GATE, outcome="error", message=reason, detail=reason)
    return [Suite(name=GATE, checks=[check])]


def _gate(found: Comparison) -> Iterator[Check]:
    yield Check(
        name="delta",
        group=GATE,
        outcome="failure" if found.delta_fault else "passed",
        message=found.delta_fault,
        detail=difference_line(found),
    )
    yield Check(
        name="regressions",
        group=GATE,
        outcome="failure" if found.regression_fault else "passed",
        message=found.regression_fault,
        detail=regression_line(found),
    )


def _question(item: QuestionPair, found: Comparison) -> Check:
    return Check(
        name=item.id,
        group=QUESTIONS,
        outcome=_outcome(item, found),
        message=change_line(item),
        detail="\n".join(
            [
                change_line(item),
                f"question: {item.question}",
                f"base: {cut(item.answer_before, LONGEST_ANSWER)}",
                f"candidate: {cut(item.answer_after, LONGEST_ANSWER)}",
            ]
        ),
    )


def _outcome(item: QuestionPair, found: Comparison) -> Outcome:
    match item.standing:
        case "worse":
            # a percentile is not a matter of single questions
            return "passed" if found.metric.kind in SHARE else "failure"
        case "missing":
            return "skipped" if found.limits.allow_missing else "failure"
        case "not compared":
            return "skipped"
        case _:
            return "passed"
