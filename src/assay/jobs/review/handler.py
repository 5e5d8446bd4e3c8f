"""How each clause of the review job is asked, checked, scored and recorded."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assay.data.contract import ClauseQuestion
from assay.jobs.review.check import Checks, Judge, check_fields, check_reply
from assay.jobs.review.score import fired_rules, rescore_row, score_reply, truth_of
from assay.jobs.spec import JobSpec
from assay.journal import append_corrections, last_rows
from assay.models import Deadline, current_deadline, metering_part
from assay.records import Answer, Case, Outcome, Score, Scored
from assay.runner import Progress, Row, SystemHandler, passage_fields, unscored_end
from assay.scorers.risk import METRICS
from assay.scorers.risk.reply import parse_review
from assay.systems import System

if TYPE_CHECKING:
    from assay.jobs.results import Results
    from assay.jobs.review.finding import ReviewFindings

JOB: Final = "review"


class CheckedAnswer(Answer, frozen=True, kw_only=True):
    """A reply with its checked quotations and citations."""

    checks: Checks = Checks()


class ReviewHandler(SystemHandler):
    """Asks the reviewer, checks its quotations and citations, and scores its verdict.

    A case contains only the text of the clause. The true verdict is looked up here, so that a
    correction to it does not cause new questions, and the reviewer never sees it.
    """

    def __init__(self, system: System, clauses: Sequence[ClauseQuestion], judge: Judge) -> None:
        super().__init__(system)
        self._clauses = {clause.id: clause for clause in clauses}
        self._judge = judge

    async def ask(self, case: Case) -> Answer:
        """Ask the reviewer and check the reply; the latency does not include the checks."""
        deadline = current_deadline.get() or Deadline(math.inf)
        started_s = deadline.used_s()
        with metering_part() as part:
            answer = await super().ask(case)
        # measured here, because a case also waits while replies to other cases are checked
        latency_s = deadline.used_s() - started_s + part.replayed_s
        with deadline.paused():
            checks = await check_reply(parse_review(answer.text), case.question.text, self._judge)
        fields = {name: getattr(answer, name) for name in Answer.__struct_fields__}
        if answer.latency_s is None:
            fields["latency_s"] = latency_s
        return CheckedAnswer(**fields, checks=checks)

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """The checks, and the scores of ``assay.scorers.risk``."""
        return score_reply(
            parse_review(answer.text),
            answer.checks if isinstance(answer, CheckedAnswer) else Checks(),
            truth_of(self._clauses[case.question.id]),
            fired=fired_rules(answer.extra),
            worth=self._judge.worth,
        )

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The clause, its true verdict, the reply, its checks and its scores."""
        clause = self._clauses[case.question.id]
        row: dict[str, Any] = {
            "question_id": clause.id,
            "source": clause.source,
            "config": case.variant.name,
            "settings": case.variant.settings,
            "language": clause.language,
            "question": clause.text,
            "ground_truth": truth_of(clause),
        }
        if isinstance(outcome, Scored):
            answer = outcome.answer
            row["answer"] = answer.text
            row["judged_by"] = self._judge.mark
            row.update(outcome.scores)
            row["passages"] = passage_fields(answer.passages)
        return row

    def line(self, progress: Progress, row: Row) -> str:
        """The log line: progress, variant, clause, stated and true level, valid quotations."""
        head = f"[review] {progress.done}/{progress.total} config={row['config']} id={row['question_id']}"
        if row["status"] == "scored":
            level = row["risk_level"] or "unparsed"
            quoted = row["clause_valid"] + row["clause_invalid"]
            cited = row["law_valid"] + row["law_invalid"]
            result = (
                f"elapsed={row['elapsed_s']:.2f}s level={level} true={row['expected_level']} "
                f"evidence={row['clause_valid']}/{quoted} laws={row['law_valid']}/{cited}"
            )
        else:
            result = unscored_end(row)
        return f"{head} {result} ETA~{progress.eta_min:.1f}m"


def judge_again(journal: Path, clauses: Sequence[ClauseQuestion], judge: Judge) -> int:
    """Score the recorded replies with the current clauses and judge.

    If a row changes, it is appended again, because the last row of a key counts. The reviewer
    is not asked. If only costs, threshold or clauses have changed, the recorded checks are
    used; with another verifier or other laws, quotations and citations are checked again.
    Returns how many rows changed.
    """
    by_id = {clause.id: clause for clause in clauses}
    corrections = []
    for row in last_rows(journal).values():
        clause = by_id.get(row["question_id"])
        if clause is None or row.get("status") != "scored":
            continue
        current = {"ground_truth": truth_of(clause), "judged_by": judge.mark}
        if all(row.get(name) == value for name, value in current.items()):
            continue
        corrections.append((row, _corrected_row(row, current, judge)))
    return append_corrections(journal, corrections)


def _corrected_row(
    recorded: Mapping[str, Any], current: Mapping[str, Any], judge: Judge
) -> dict[str, Any]:
    """The recorded row with the current truth and judge, and the scores they give."""
    row = {**recorded, **current}
    before, after = recorded.get("judged_by", {}), current["judged_by"]
    if any(before.get(name) != after[name] for name in ("verifier", "laws")):
        review = parse_review(row["answer"])
        checks = asyncio.run(check_reply(review, row["question"], judge))
        row.update(check_fields(checks))
    row.update(rescore_row(row))
    return row


def _findings(results: "Results") -> "ReviewFindings":
    # only the end of a run needs the tables and the statistics
    from assay.jobs.review.finding import ReviewFindings  # noqa: PLC0415

    return ReviewFindings(results)


SPEC: Final = JobSpec(
    name=JOB,
    metrics=METRICS,
    headline="weighted_accuracy",
    rescore=rescore_row,
    report=_findings,
)
