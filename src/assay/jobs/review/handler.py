"""What the review job asks, checks, judges and writes down for each clause."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assay.data.contract import ClauseQuestion
from assay.jobs.review.check import Checks, Judge, check_reply, checks_from_row
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
    """A reply with what was found of its quotations and citations."""

    checks: Checks = Checks()


class ReviewHandler(SystemHandler):
    """Asks the reviewer, checks what it quotes and cites, and judges its verdict.

    The runner knows of a clause only its text; what is true of it is looked up here, so that
    correcting it never asks anyone again, and no reviewer is shown it.
    """

    def __init__(self, system: System, clauses: Sequence[ClauseQuestion], judge: Judge) -> None:
        super().__init__(system)
        self._clauses = {clause.id: clause for clause in clauses}
        self._judge = judge

    async def ask(self, case: Case) -> Answer:
        """The reply with its checks; the time they take is not the reviewer's."""
        deadline = current_deadline.get() or Deadline(math.inf)
        began = deadline.used_s()
        with metering_part() as part:
            answer = await super().ask(case)
        # measured here, for a case also waits while others' quotations are checked
        latency_s = deadline.used_s() - began + part.replayed_s
        with deadline.paused():
            checks = await check_reply(parse_review(answer.text), case.question.text, self._judge)
        fields = {name: getattr(answer, name) for name in Answer.__struct_fields__}
        if answer.latency_s is None:
            fields["latency_s"] = latency_s
        return CheckedAnswer(**fields, checks=checks)

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """The checks and the scores of ``assay.scorers.risk.score``."""
        return score_reply(
            parse_review(answer.text),
            answer.checks if isinstance(answer, CheckedAnswer) else Checks(),
            truth_of(self._clauses[case.question.id]),
            fired=fired_rules(answer.extra),
            worth=self._judge.worth,
        )

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The clause and what is true of it, the reply, its checks and its scores."""
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
        """Done, total, variant, clause, the level that was said and is true, what held."""
        head = f"[review] {progress.done}/{progress.total} config={row['config']} id={row['question_id']}"
        if row["status"] == "scored":
            said = row["risk_level"] or "unparsed"
            quoted = row["clause_valid"] + row["clause_invalid"]
            cited = row["law_valid"] + row["law_invalid"]
            found = (
                f"elapsed={row['elapsed_s']:.2f}s level={said} true={row['expected_level']} "
                f"evidence={row['clause_valid']}/{quoted} laws={row['law_valid']}/{cited}"
            )
        else:
            found = unscored_end(row)
        return f"{head} {found} ETA~{progress.eta_min:.1f}m"


def judge_anew(journal: Path, clauses: Sequence[ClauseQuestion], judge: Judge) -> int:
    """Judge recorded replies as this run judges; returns how many rows changed. Nobody is asked.

    A row that comes out different is written again, so that the last of its key is right. New
    costs, a new threshold or corrected clauses use the checks on record; another verifier or
    other laws check anew.
    """
    known = {clause.id: clause for clause in clauses}
    corrections = []
    for row in last_rows(journal).values():
        clause = known.get(row["question_id"])
        if clause is None or row.get("status") != "scored":
            continue
        anew = {"ground_truth": truth_of(clause), "judged_by": judge.mark}
        if all(row.get(name) == value for name, value in anew.items()):
            continue
        corrections.append((row, _judged_anew({**row, **anew}, row, judge)))
    return append_corrections(journal, corrections)


def _judged_anew(row: dict[str, Any], before: Mapping[str, Any], judge: Judge) -> dict[str, Any]:
    then, now = before.get("judged_by", {}), row["judged_by"]
    if any(then.get(name) != now[name] for name in ("verifier", "laws")):
        review = parse_review(row["answer"])
        checks = asyncio.run(check_reply(review, row["question"], judge))
        row.update(checks_from_row(checks))
    row.update(rescore_row(row))
    return row


def _findings(results: "Results") -> "ReviewFindings":
    # NumPy takes 0.2 s to import, and only the end of a run needs it
    from assay.jobs.review.finding import ReviewFindings  # noqa: PLC0415

    return ReviewFindings(results)


SPEC: Final = JobSpec(
    name=JOB,
    metrics=METRICS,
    headline="weighted_accuracy",
    rescore=rescore_row,
    report=_findings,
)
