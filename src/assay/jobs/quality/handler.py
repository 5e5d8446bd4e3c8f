"""How each case of the quality job is asked, scored and recorded."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.quality import QualityQuestion
from assay.jobs.spec import JobSpec
from assay.journal import append_corrections, last_rows
from assay.records import Answer, Case, Outcome, Score, Scored
from assay.runner import Progress, Row, SystemHandler, passage_fields, unscored_end
from assay.scorers.quality import METRICS, Expectation, score_answer
from assay.systems import System

JOB: Final = "quality"
_PAGE_METRICS: Final = ("citation_page_exists", "citation_supported")


class QualityHandler(SystemHandler):
    """Asks the system, and scores the phrases and the page citations of the answer.

    A case contains only what is asked. The expected phrases are looked up here, so that a
    change to them does not cause new questions. ``began`` is called before the first case.
    """

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

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """The scores of ``assay.scorers.quality``."""
        expected = self._questions[case.question.id].expected
        return score_answer(expected, case.question.text, answer.text, self._pages)

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The question, its expected phrases, the answer, its scores and its passages."""
        question = self._questions[case.question.id]
        row: dict[str, Any] = {
            "question_id": question.id,
            "source": self._source,
            "config": case.variant.name,
            "run": case.placement["run"],
            "top_k": case.variant.settings.get("top_k") or case.top_k,
            "question": question.text,
            **expectation_fields(question),
        }
        if isinstance(outcome, Scored):
            row["answer"] = outcome.answer.text
            row.update(outcome.scores)
            cited: Any = outcome.scores["cited_pages"]
            row["passages"] = passage_fields(
                outcome.answer.passages, with_text=lambda passage: passage.page in cited
            )
        return row

    def line(self, progress: Progress, row: Row) -> str:
        """The log line: progress, question, score or how the case ended, time left."""
        head = f"[quality] {progress.done}/{progress.total} id={row['question_id']}"
        if row["status"] == "scored":
            metrics = row["metrics"]
            result = (
                f"score={metrics['score']:.3f} "
                f"include={metrics['include_hits']}/{metrics['include_total']} "
                f"safe={metrics['safe_ok']:.0f} penalty={metrics['citation_penalty']:.1f} "
                f"elapsed={row['elapsed_s']:.2f}s"
            )
        else:
            result = unscored_end(row)
        return f"{head} {result} ETA~{progress.eta_min:.1f}m"


def expectation_fields(question: QualityQuestion) -> dict[str, Any]:
    """The fields of a row that say how its answer is scored."""
    return {"expected": msgspec.to_builtins(question.expected), "weight": question.weight}


def judge_again(journal: Path, questions: Sequence[QualityQuestion], pages: Sequence[str]) -> int:
    """Score the recorded answers with the current questions and rules.

    If a row changes, it is appended again, because the last row of a key counts. The system is
    not asked. Returns how many rows changed.
    """
    by_id = {question.id: question for question in questions}
    corrections = []
    for row in last_rows(journal).values():
        question = by_id.get(row["question_id"])
        if question is None or row["status"] != "scored":
            continue
        scores = score_answer(question.expected, row["question"], row["answer"], pages)
        corrections.append((row, {**expectation_fields(question), **scores}))
    return append_corrections(journal, corrections)


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


SPEC: Final = JobSpec(name=JOB, metrics=METRICS, headline="score", rescore=rescore_row)
