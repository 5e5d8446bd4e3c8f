"""How each case of the quality job is asked, scored and recorded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from assay.jobs.quality.expectation import Expectation
from assay.jobs.quality.question import QualityQuestion
from assay.jobs.quality.score import score_answer
from assay.jobs.quality.spec import QualityRow
from assay.records import Answer, Case, Outcome, Score, Scored
from assay.runs.handler import SystemHandler, recorded_passages
from assay.runs.row import Row as JournalRow
from assay.systems.protocol import System

JOB: Final = "quality"
_PAGE_METRICS: Final = ("citation_page_exists", "citation_supported")


class QualityHandler(SystemHandler):
    """Asks the system, and scores the phrases and the page citations of the answer.

    A case contains only what is asked. The expected phrases are looked up here, so that a
    change to them does not cause new questions. ``began`` is called before the first case.
    """

    job = JOB

    def __init__(
        self,
        system: System,
        questions: Sequence[QualityQuestion],
        pages: Sequence[str],
        *,
        source: str,
        began: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(system)
        self._questions = {question.id: question for question in questions}
        self._pages = pages
        self._source = source
        self._began = began

    async def prepare(self) -> None:
        """Call ``began``, then prepare the system."""
        self._began()
        await super().prepare()

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The scores of ``assay.jobs.quality``."""
        return self._scores(case.question.id, case.question.text, answer.text)

    def _scores(self, question_id: str, question: str, answer: str) -> dict[str, Any]:
        expected = self._questions[question_id].expected
        return score_answer(expected, question, answer, self._pages)

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: object) -> Mapping[str, Any]:
        """The current expectation, and the scores that it gives."""
        scores = self._scores(case.question.id, row["question"], row["answer"])
        return {**expectation_fields(self._questions[case.question.id]), **scores}

    def row(self, case: Case, outcome: Outcome) -> QualityRow:
        """The question, its expected phrases, the answer, its scores and its passages."""
        question = self._questions[case.question.id]
        row = QualityRow(
            question_id=question.id,
            source=self._source,
            config=case.variant.name,
            run=case.placement["run"],
            top_k=case.variant.settings.get("top_k") or case.top_k,
            question=question.text,
            **expectation_fields(question),
        )
        if not isinstance(outcome, Scored):
            return row
        scores: dict[str, Any] = {**outcome.scores}
        return replace(
            row,
            answer=outcome.answer.text,
            passages=recorded_passages(outcome.answer.passages, seals_ids=True),
            **scores,
        )

    def where(self, row: JournalRow) -> str:
        """Nothing: the question's id says which case it is."""
        return ""

    def result(self, row: JournalRow) -> str:
        """The score, its terms, and the latency."""
        assert isinstance(row, QualityRow)
        assert row.metrics
        metrics = row.metrics
        return (
            f"score={metrics['score']:.3f} "
            f"include={metrics['include_hits']}/{metrics['include_total']} "
            f"safe={metrics['safe_ok']:.0f} penalty={metrics['citation_penalty']:.1f} "
            f"{row.elapsed_text}"
        )


def expectation_fields(question: QualityQuestion) -> dict[str, Any]:
    """The fields of a row that say how its answer is scored."""
    return {
        "expected": msgspec.to_builtins(question.expected),
        "weight": question.weight,
        "expected_answer": question.answers or UNSET,
    }


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by the current rules.

    A row does not contain the pages of the document, so metrics that need them are kept as
    they were recorded.
    """
    expected = msgspec.convert(row["expected"], Expectation)
    scores = score_answer(expected, row["question"], row["answer"], None)
    recorded = row.get("metrics", {})
    scores["metrics"].update({name: recorded.get(name) for name in _PAGE_METRICS})
    scores["unsupported"] = row.get("unsupported", [])
    return scores
