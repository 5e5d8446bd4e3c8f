"""What the quality job asks, judges and writes down for each case."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.datasets.quality import QualityQuestion
from assay.jobs.kind import Kind
from assay.records import Answer, Case, Outcome, Score, Scored
from assay.runner import Progress, SystemWork
from assay.runner.correction import append_corrections
from assay.runner.progress import Row
from assay.runner.row import last_rows
from assay.runner.work import passage_fields, unscored_end
from assay.scorers.quality import METRICS, Expectation, judged
from assay.systems import System

JOB: Final = "quality"
_OF_PAGES: Final = ("citation_page_exists", "citation_supported")


class QualityWork(SystemWork):
    """Asks the system and judges what the answer says, and the pages it cites.

    The runner knows of a question only what is asked; what the answer is held to is looked
    up here, so that editing it never asks anyone again. ``began`` is called before the first
    case.
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
        """Say that it begins, then prepare the system."""
        self._began()
        await super().prepare()

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """The scores of ``assay.scorers.quality``."""
        expected = self._questions[case.question.id].expected
        return judged(expected, case.question.text, answer.text, self._pages)

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """Question, what its answer is held to, the answer, its scores and its passages."""
        question = self._questions[case.question.id]
        row: dict[str, Any] = {
            "question_id": question.id,
            "source": self._source,
            "config": case.variant.name,
            "run": case.placement["run"],
            "top_k": case.variant.settings.get("top_k") or case.top_k,
            "question": question.text,
            **held_to(question),
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
        """Done, total, question, score and what is missing, time left."""
        head = f"[quality] {progress.done}/{progress.total} id={row['question_id']}"
        if row["status"] == "scored":
            metrics = row["metrics"]
            found = (
                f"score={metrics['score']:.3f} "
                f"include={metrics['include_hits']}/{metrics['include_total']} "
                f"safe={metrics['safe_ok']:.0f} penalty={metrics['citation_penalty']:.1f} "
                f"elapsed={row['elapsed_s']:.2f}s"
            )
        else:
            found = unscored_end(row)
        return f"{head} {found} ETA~{progress.eta_min:.1f}m"


def held_to(question: QualityQuestion) -> dict[str, Any]:
    """The row's own record of what its answer is judged by."""
    return {"expected": msgspec.to_builtins(question.expected), "weight": question.weight}


def judge_anew(journal: Path, questions: Sequence[QualityQuestion], pages: Sequence[str]) -> int:
    """Judge the recorded answers by today's questions and rules; returns how many changed.

    A row whose scores come out different is written again, so that the last of its key is
    right. Nobody is asked.
    """
    known = {question.id: question for question in questions}
    corrections = []
    for row in last_rows(journal).values():
        question = known.get(row["question_id"])
        if question is None or row["status"] != "scored":
            continue
        scores = judged(question.expected, row["question"], row["answer"], pages)
        corrections.append((row, {**held_to(question), **scores}))
    return append_corrections(journal, corrections)


def rescored(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by today's rules.

    What needs the document's pages is kept as it was recorded: a row does not hold them.
    """
    expected = msgspec.convert(row["expected"], Expectation)
    anew = judged(expected, row["question"], row["answer"], None)
    recorded = row.get("metrics", {})
    anew["metrics"].update({name: recorded.get(name) for name in _OF_PAGES})
    anew["unsupported"] = row.get("unsupported", [])
    return anew


KIND: Final = Kind(name=JOB, metrics=METRICS, headline="score", rescore=rescored)
