"""How each case of an ablation is asked, scored and recorded."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET, convert
from msgspec.structs import replace

from assay.data.question import CorpusQuestion
from assay.jobs.ablation.row import AblationRow
from assay.journal import Row
from assay.records import Answer, Case, Outcome, Passage, Score, Scored, Stage
from assay.runner import SystemHandler, recorded_passages
from assay.scorers.ablation import score_answer

JOB: Final = "ablation"


class AblationHandler(SystemHandler):
    """Asks the system, and scores citations, gold chunks and abstention."""

    job = JOB

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The scores of ``assay.scorers.ablation``."""
        return score_answer(
            case.question.gold,
            _answerable(case),
            answer,
            citation_style=case.variant.settings.get("citation_style", "index"),
            question=case.question.text,
        )

    def row(self, case: Case, outcome: Outcome) -> AblationRow:
        """The fields of the published format, and the passages; cited ones with their text."""
        settings = case.variant.settings
        citation_style = settings.get("citation_style", "index")
        answerable = _answerable(case)
        row = AblationRow(
            question_id=case.question.id,
            source=case.question.source,
            config=case.variant.name,
            fast_mode=settings.get("fast_mode"),
            dim=settings.get("search_dim"),
            top_k=settings.get("top_k") or case.top_k,
            question=case.question.text,
            gold_chunk_ids=case.question.gold,
            citation_style=UNSET if citation_style == "index" else citation_style,
            answerable=UNSET if answerable is None else answerable,
        )
        if not isinstance(outcome, Scored):
            return row
        answer = outcome.answer
        cited: Any = outcome.scores["cited_chunk_ids"]
        scores: dict[str, Any] = {**outcome.scores}
        return replace(
            row,
            answer=answer.text,
            evaluation=evaluation(answer.stages),
            stages=[_timing(stage) for stage in answer.stages],
            passages=recorded_passages(
                answer.passages, with_text=lambda passage: passage.id in cited
            ),
            **scores,
        )

    def result(self, row: Row) -> str:
        """Latency, citations in order, any gold chunk; in the published format."""
        assert isinstance(row, AblationRow)
        gold_any = row.gold_metrics["gold_hit_any"] if row.gold_metrics else None
        return f"elapsed={row.elapsed_s:.2f}s cite_ok={row.cite_ok} gold_any={gold_any}"


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
        question=row.get("question"),
    )
