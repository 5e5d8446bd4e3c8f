"""How each clause of the review job is asked, checked, scored and recorded."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from assay.jobs.contract.classification import RISK_SCORES, Worth
from assay.jobs.contract.clause import ClauseQuestion
from assay.jobs.contract.reply import ParsedReview, parse_review
from assay.jobs.contract.reply_check import (
    Checks,
    Citation,
    Judge,
    Quotation,
    check_citations,
    check_fields,
    check_quotation,
    check_reply,
    check_reply_offline,
    stored_checks,
)
from assay.jobs.contract.score import score_review
from assay.jobs.contract.source import ask_judge
from assay.jobs.contract.spec import ReviewRow
from assay.judge.verifier import Closes
from assay.records import Answer, Case, Outcome, Score, Scored, digest
from assay.runs.handler import SystemHandler, recorded_passages
from assay.runs.row import Row
from assay.systems.protocol import System
from assay.text.thought import without_thoughts

# The scores of a reply, from its text, its checks and the true verdict on the clause.


def truth_of(clause: ClauseQuestion) -> dict[str, Any]:
    """The true verdict on a clause, as the field ``ground_truth`` of its row."""
    truth: dict[str, Any] = {"risk_level": clause.risk_level}
    if clause.rules is not None:
        truth["rules"] = list(clause.rules)
    if clause.risk_id is not None:
        truth["risk_id"] = clause.risk_id
    if clause.laws:
        truth["laws"] = list(clause.laws)
    if clause.reason_keywords:
        truth["reason_keywords"] = list(clause.reason_keywords)
    return truth


def fired_rules(extra: Mapping[str, Any]) -> list[str] | None:
    """The rules that fired according to the system; ``None`` if it does not report them."""
    rules = extra.get("rules")
    return list(map(str, rules)) if isinstance(rules, list | tuple) else None


def score_reply(
    review: ParsedReview,
    checks: Checks,
    truth: Mapping[str, Any],
    *,
    fired: list[str] | None = None,
    worth: Worth = RISK_SCORES,
) -> dict[str, Score]:
    """The fields that scoring adds to a row: the checks, the unread parts, and the scores."""
    scores = score_review(
        review,
        risk_level=truth["risk_level"],
        rules=truth.get("rules"),
        risk_id=truth.get("risk_id"),
        fired=fired,
        evidence_valid=[quotation.valid for quotation in checks.evidence],
        laws_valid=[
            citation.finding == "valid" for citation in checks.citations if citation.finding
        ],
        scores=worth,
    )
    return {
        **check_fields(checks),
        "unread": list(review.unread),
        **scores,
        **_veto_count(checks),
    }


def _veto_count(checks: Checks) -> dict[str, Score]:
    """How many valid quotations the rules refuse; nothing if no model gave the scores."""
    if not any(quotation.veto is not UNSET for quotation in checks.evidence):
        return {}
    return {
        "clause_vetoed": sum(
            quotation.valid and bool(quotation.veto) for quotation in checks.evidence
        )
    }


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded reply by the current rules and the threshold in its row.

    The reply is parsed again. A quotation keeps its recorded score; a quotation without a
    record is scored by the verifier that needs no model. A citation without a record is not
    checked, because a row does not contain the laws. No model is called.
    """
    judged_by = row["judged_by"]
    review = parse_review(row["answer"])
    quotations = {
        quotation.text: quotation for quotation in msgspec.convert(row["evidence"], list[Quotation])
    }
    citations: dict[str, list[Citation]] = {}
    for citation in msgspec.convert(row["citations"], list[Citation]):
        citations.setdefault(citation.text, []).append(citation)
    checks = Checks(
        evidence=tuple(
            with_threshold(
                quotations.get(text) or check_quotation(text, row["question"]),
                judged_by["threshold"],
            )
            for text in review.evidence
        ),
        citations=tuple(
            citation
            for text in review.laws
            for citation in citations.get(text) or check_citations(text, None)
        ),
    )
    return score_reply(
        review,
        checks,
        row["ground_truth"],
        fired=fired_rules(row.get("extra", {})),
        worth=judged_by.get("costs", RISK_SCORES),
    )


def with_threshold(quotation: Quotation, threshold: float) -> Quotation:
    """The quotation with ``valid`` set by this threshold."""
    valid = quotation.score is not None and quotation.score >= threshold
    return msgspec.structs.replace(quotation, valid=valid)


JOB: Final = "review"


class ReviewHandler(SystemHandler):
    """Asks the reviewer, checks its quotations and citations, and scores its verdict.

    A case contains only the text of the clause. The true verdict is looked up here, so that a
    correction to it does not cause new questions, and the reviewer never sees it. ``remote_judge``
    is the judge in the workers of a cluster, if it computes there.
    """

    job = JOB

    def __init__(
        self,
        system: System,
        clauses: Sequence[ClauseQuestion],
        judge: Judge,
        remote_judge: System | None = None,
    ) -> None:
        super().__init__(system)
        self._remote_judge = remote_judge
        self._clauses = {clause.id: clause for clause in clauses}
        self._judge = judge
        self._judge_identity = None if judge.is_offline else f"evidence {digest(judge.checks_by)}"

    @property
    def judge_identity(self) -> str | None:
        """The verifier and the laws; ``None`` if the verifier needs no model."""
        return self._judge_identity

    async def judge(self, case: Case, answer: Answer) -> Checks:
        """Check the quotations and citations of the reply with the verifier's models."""
        if self._remote_judge is not None:
            return await ask_judge(self._remote_judge, case.question, without_thoughts(answer.text))
        return await check_reply(parse_review(answer.text), case.question.text, self._judge)

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """The checks, and the scores of ``assay.jobs.contract``."""
        review = parse_review(answer.text)
        if verdict is None:
            checks = check_reply_offline(review, case.question.text, self._judge)
        else:
            checks = self._by_threshold(stored_checks(verdict))
        return score_reply(
            review,
            checks,
            truth_of(self._clauses[case.question.id]),
            fired=fired_rules(answer.extra),
            worth=self._judge.worth,
        )

    def _by_threshold(self, checks: Checks) -> Checks:
        """The checks with the threshold of today: they may have been made with another."""
        threshold = self._judge.threshold
        evidence = tuple(with_threshold(quotation, threshold) for quotation in checks.evidence)
        return replace(checks, evidence=evidence)

    def recorded_verdict(self, row: Mapping[str, Any]) -> Checks | None:
        """The recorded checks, unless the verifier or the laws have changed."""
        if self._is_checked_by_another(row):
            return None
        return Checks(
            evidence=msgspec.convert(row["evidence"], tuple[Quotation, ...]),
            citations=msgspec.convert(row["citations"], tuple[Citation, ...]),
        )

    def _is_checked_by_another(self, row: Mapping[str, Any]) -> bool:
        before = row.get("judged_by", {})
        return any(before.get(name) != value for name, value in self._judge.checks_by.items())

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """The true verdict and the judge of today, and the scores that they give.

        If only costs, threshold, clauses or rules have changed, the recorded checks are used; with
        another verifier or other laws, quotations and citations are checked again.
        """
        current = {
            "ground_truth": truth_of(self._clauses[case.question.id]),
            "judged_by": self._judge.mark,
        }
        judged: dict[str, Any] = {**row, **current}
        if verdict is not None:
            judged.update(check_fields(stored_checks(verdict)))
        elif self._is_checked_by_another(row):
            review = parse_review(row["answer"])
            judged.update(check_fields(check_reply_offline(review, row["question"], self._judge)))
        return {**judged, **rescore_row(judged)}

    async def close(self) -> None:
        """Close the reviewer and the verifier."""
        await super().close()
        if self._remote_judge is not None:
            await self._remote_judge.close()
        if isinstance(self._judge.reranker, Closes):
            await self._judge.reranker.close()
        await self._judge.embedder.close()

    def row(self, case: Case, outcome: Outcome) -> ReviewRow:
        """The clause, its true verdict, the reply, its checks and its scores."""
        clause = self._clauses[case.question.id]
        row = ReviewRow(
            question_id=clause.id,
            source=clause.source,
            config=case.variant.name,
            settings=case.variant.settings,
            language=clause.language,
            question=clause.text,
            ground_truth=truth_of(clause),
        )
        if not isinstance(outcome, Scored):
            return row
        scores: dict[str, Any] = {**outcome.scores}
        return replace(
            row,
            answer=outcome.answer.text,
            judged_by=self._judge.mark,
            passages=recorded_passages(outcome.answer.passages),
            **scores,
        )

    def result(self, row: Row) -> str:
        """The latency, the stated and the true level, and the valid quotations and laws."""
        assert isinstance(row, ReviewRow)
        quoted = (row.clause_valid or 0) + (row.clause_invalid or 0)
        cited = (row.law_valid or 0) + (row.law_invalid or 0)
        return (
            f"{row.elapsed_text} level={row.risk_level or 'unparsed'} "
            f"true={row.expected_level} evidence={row.clause_valid}/{quoted} "
            f"laws={row.law_valid}/{cited}"
        )
