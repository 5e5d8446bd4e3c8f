"""How each case of an ablation is asked, scored and recorded."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import convert

from assay.data.question import CorpusQuestion
from assay.jobs.spec import JobSpec
from assay.journal import Summary
from assay.records import Answer, Case, Outcome, Passage, Score, Scored, Stage
from assay.runner import Progress, Row, SystemHandler, passage_fields, top_k_placement, unscored_end
from assay.scorers.ablation import METRICS, score_answer

JOB: Final = "ablation"


class AblationHandler(SystemHandler):
    """Asks the system, and scores citations, gold chunks and abstention."""

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """The scores of ``assay.scorers.ablation``."""
        return score_answer(
            case.question.gold,
            _answerable(case),
            answer,
            citation_style=case.variant.settings.get("citation_style", "index"),
        )

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The fields of the published format, and the passages; cited ones with their text."""
        settings = case.variant.settings
        row: dict[str, Any] = {
            "question_id": case.question.id,
            "source": case.question.source,
            "config": case.variant.name,
            "fast_mode": settings.get("fast_mode"),
            "dim": settings.get("search_dim"),
            "top_k": settings.get("top_k") or case.top_k,
            "question": case.question.text,
            "gold_chunk_ids": case.question.gold,
        }
        if settings.get("citation_style", "index") != "index":
            row["citation_style"] = settings["citation_style"]
        answerable = _answerable(case)
        if answerable is not None:
            row["answerable"] = answerable
        if isinstance(outcome, Scored):
            answer = outcome.answer
            row["answer"] = answer.text
            row.update(outcome.scores)
            row["evaluation"] = evaluation(answer.stages)
            row["stages"] = [_timing(stage) for stage in answer.stages]
            cited: Any = outcome.scores["cited_chunk_ids"]
            row["passages"] = passage_fields(
                answer.passages, with_text=lambda passage: passage.id in cited
            )
        return row

    def line(self, progress: Progress, row: Row) -> str:
        """The log line in the published format; a case without scores says how it ended."""
        head = f"[ablation] {progress.done}/{progress.total} config={row['config']} id={row['question_id']}"
        if row["status"] == "scored":
            gold_any = row["gold_metrics"]["gold_hit_any"]
            result = f"elapsed={row['elapsed_s']:.2f}s cite_ok={row['cite_ok']} gold_any={gold_any}"
        elif row["status"] == "failed":
            result = f"elapsed={row['elapsed_s']:.2f}s failed: {row['error']}"
        else:
            result = unscored_end(row)
        return f"{head} {result} ETA~{progress.eta_min:.1f}m"


def evaluation(stages: tuple[Stage, ...]) -> dict[str, Any]:
    """The details of each stage by its name, or the reason why it was skipped."""
    return {
        stage.name: {"skipped": stage.skipped} if stage.skipped else dict(stage.detail)
        for stage in stages
    }


def _answerable(case: Case) -> bool | None:
    """Whether the corpus answers the question; ``None`` if this is not known."""
    question = case.question
    if isinstance(question, CorpusQuestion):
        return question.answerable
    return True if question.gold else None


def _timing(stage: Stage) -> dict[str, Any]:
    timing: dict[str, Any] = {"name": stage.name, "elapsed_s": round(stage.elapsed_s, 6)}
    if stage.skipped:
        timing["skipped"] = stage.skipped
    return timing


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by the current rules."""
    answer = Answer(
        text=row["answer"], passages=tuple(convert(row.get("passages", ()), list[Passage]))
    )
    gold = tuple(row.get("gold_chunk_ids", ()))
    return score_answer(
        gold,
        row.get("answerable", True if gold else None),
        answer,
        citation_style=row.get("citation_style", "index"),
    )


def _label(summary: Summary) -> str | None:
    return None if summary.top_k is None else top_k_placement(summary.top_k).label


SPEC: Final = JobSpec(
    name=JOB,
    metrics=METRICS,
    headline="avg_gold_coverage",
    rescore=rescore_row,
    label=_label,
)
