"""How each case of an ablation is asked, scored and recorded."""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from msgspec import UNSET, UnsetType, convert, to_builtins
from msgspec.structs import replace

from assay.data.question import CorpusQuestion, QuestionWithRow
from assay.jobs.ablation.row import AblationRow
from assay.journal import Row
from assay.records import (
    Answer,
    Case,
    GoldSpan,
    Outcome,
    Passage,
    Prompt,
    Question,
    Score,
    Scored,
    Stage,
)
from assay.runner import SystemHandler, recorded_passages
from assay.scorers.ablation import score_answer
from assay.scorers.retrieval import ranks_of
from assay.scorers.span import SPAN_SHARE
from assay.systems import (
    KnowsChunks,
    System,
    corpus_sha256,
    dimension,
    lists_by_rank,
    local_copy,
)

JOB: Final = "ablation"
Rows: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The further fields of the lines of questions, by the id of the question."""


class AblationHandler(SystemHandler):
    """Asks the system, and scores citations, gold chunks and abstention.

    ``reordered`` are the names of the variants whose passages are in another order than those of
    the baseline. For them, as for a system that declares it, the order is not taken for the rank.
    ``rows`` are the further fields of each question's line, if the system takes them.
    ``span_share`` is the share of a gold span that the passages must cover.
    """

    job = JOB

    def __init__(
        self,
        system: System,
        reordered: Collection[str] = (),
        rows: Rows | None = None,
        *,
        span_share: float = SPAN_SHARE,
    ) -> None:
        super().__init__(system)
        self._span_share = span_share
        self._reordered = reordered
        self._rows = rows

    @cached_property
    def _kept_chunks(self) -> frozenset[str]:
        """The ids of the chunks whose texts the corpus keeps; none for a system without one."""
        system = local_copy(self.system)
        is_kept = corpus_sha256(system) and isinstance(system, KnowsChunks)
        return frozenset(system.chunk_ids) if is_kept else frozenset()

    def compose(self, case: Case) -> Prompt:
        """The question without its gold, which the system must not see."""
        return Prompt(question=asked(case.question, self._rows))

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The scores of ``assay.scorers.ablation``."""
        return score_answer(
            case.question.gold,
            _answerable(case.question),
            answer,
            citation_style=case.variant.settings.get("citation_style", "index"),
            order_is_rank=self._order_is_rank(case),
            top_k=_top_k(case),
            question=case.question.text,
            spans=_spans(case.question),
            span_share=self._span_share,
            accepted=_answers(case.question),
        )

    def _span_fields(self, case: Case) -> dict[str, Any]:
        """The fields of the row about its gold spans."""
        spans = _spans(case.question)
        return {
            "gold_spans": spans or UNSET,
            "gold_span_share": self._span_share if spans else UNSET,
        }

    def _order_is_rank(self, case: Case) -> bool:
        return lists_by_rank(self.system) and case.variant.name not in self._reordered

    def _passage_fields(
        self, case: Case, passages: tuple[Passage, ...] | None
    ) -> dict[str, bool | UnsetType]:
        """The fields of the row that say what is not known about its passages."""
        listed = passages or ()
        has_ranks = any(passage.rank is not None for passage in listed)
        is_ranked = all(passage.rank is not None for passage in listed)
        top_k = _top_k(case)
        is_long = top_k is not None and len({passage.id for passage in listed}) > top_k
        return {
            "prompt_order": UNSET if is_ranked or self._order_is_rank(case) else True,
            "ranks_known": False if has_ranks and ranks_of(listed) is None else UNSET,
            "more_than_top_k": True if is_long else UNSET,
        }

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: object) -> Mapping[str, Any]:
        """The gold of today, and the scores that it gives."""
        answerable = _answerable(case.question)
        current: dict[str, Any] = {
            "gold_chunk_ids": list(case.question.gold),
            "answerable": UNSET if answerable is None else answerable,
            "expected_answer": list(_answers(case.question)) or UNSET,
            **to_builtins(self._span_fields(case), builtin_types=(UnsetType,)),
            **self._passage_fields(case, _recorded_passages(row)),
        }
        judged = {name: value for name, value in {**row, **current}.items() if value is not UNSET}
        return {**current, **rescore_row(judged)}

    def row(self, case: Case, outcome: Outcome) -> AblationRow:
        """The fields of the published format, and the passages.

        A passage has its text if it is cited, or if the corpus of the workspace does not have it.
        """
        settings = case.variant.settings
        citation_style = settings.get("citation_style", "index")
        answerable = _answerable(case.question)
        row = AblationRow(
            question_id=case.question.id,
            source=case.question.source,
            config=case.variant.name,
            fast_mode=settings.get("fast_mode"),
            dim=dimension(self.system, settings),
            top_k=settings.get("top_k") or case.top_k,
            question=case.question.text,
            gold_chunk_ids=case.question.gold,
            citation_style=UNSET if citation_style == "index" else citation_style,
            answerable=UNSET if answerable is None else answerable,
            expected_answer=_answers(case.question) or UNSET,
            **self._span_fields(case),
        )
        if not isinstance(outcome, Scored):
            return row
        answer = outcome.answer
        cited: Any = outcome.scores["cited_chunk_ids"]
        scores: dict[str, Any] = {**outcome.scores}
        return replace(
            row,
            answer=answer.text,
            dim=answer.extra.get("dim", row.dim),
            evaluation=answer.extra.get("evaluation", evaluation(answer.stages)),
            stages=[_timing(stage) for stage in answer.stages],
            passages=recorded_passages(
                answer.passages,
                # the corpus has the other texts, by their ids
                with_text=lambda passage: (
                    passage.id in cited
                    or passage.id not in self._kept_chunks
                    or (bool(row.gold_spans) and passage.end is None)  # to score it again
                ),
                with_place=bool(row.gold_spans),
            ),
            passages_known=UNSET if answer.passages is not None else False,
            **self._passage_fields(case, answer.passages),
            **scores,
        )

    def result(self, row: Row) -> str:
        """Latency, citations in order, any gold chunk if there is gold; in the published format."""
        assert isinstance(row, AblationRow)
        line = f"{row.elapsed_text} cite_ok={row.cite_ok}"
        if not row.gold_chunk_ids and not row.gold_spans:
            return line
        gold_any = row.gold_metrics["gold_hit_any"] if row.gold_metrics else None
        return f"{line} gold_any={gold_any}"


def evaluation(stages: tuple[Stage, ...]) -> dict[str, Any]:
    """The details of each stage by its name, or the reason why it was skipped."""
    return {
        stage.name: {"skipped": stage.skipped} if stage.skipped else dict(stage.detail)
        for stage in stages
    }


def asked(question: Question, rows: Rows | None = None) -> Question:
    """What the system is asked: the question without its gold, with its row if there are rows."""
    if rows is not None:
        return QuestionWithRow(
            id=question.id, text=question.text, source=question.source, row=rows[question.id]
        )
    return Question(id=question.id, text=question.text, source=question.source)


def held_against(question: Question) -> dict[str, Any]:
    """What an answer to the question is held against."""
    against: dict[str, Any] = {"gold": question.gold, "answerable": _answerable(question)}
    if answers := _answers(question):
        against["answers"] = answers
    if spans := _spans(question):
        against["spans"] = spans
    return against


def with_recorded_gold(question: Question, row: Mapping[str, Any]) -> Question:
    """The question with the gold of a recorded row."""
    gold = tuple(map(str, row.get("gold_chunk_ids") or ()))
    if isinstance(question, CorpusQuestion):
        answers = tuple(map(str, row.get("expected_answer") or ()))
        return replace(
            question,
            gold=gold,
            answerable=row.get("answerable"),
            answers=answers,
            spans=_recorded_spans(row),
        )
    return replace(question, gold=gold)


def _answerable(question: Question) -> bool | None:
    """Whether the corpus answers the question; ``None`` if this is not known."""
    if isinstance(question, CorpusQuestion):
        return question.answerable
    return True if question.gold else None


def _answers(question: Question) -> tuple[str, ...]:
    """The accepted answers; empty if the question has none."""
    return question.answers if isinstance(question, CorpusQuestion) else ()


def _spans(question: Question) -> tuple[GoldSpan, ...]:
    return question.spans if isinstance(question, CorpusQuestion) else ()


def _recorded_spans(row: Mapping[str, Any]) -> tuple[GoldSpan, ...]:
    return convert(row.get("gold_spans") or (), tuple[GoldSpan, ...])


def _top_k(case: Case) -> int | None:
    """How many passages are asked for; a variant may have a ``top_k`` of its own."""
    return _number_of_passages(case.variant.settings.get("top_k") or case.top_k)


def _number_of_passages(value: Any) -> int | None:
    """A ``top_k`` as a number; ``None`` for what another system or program means by it."""
    return value if isinstance(value, int) and value > 0 else None


def _timing(stage: Stage) -> dict[str, Any]:
    timing: dict[str, Any] = {"name": stage.name, "elapsed_s": round(stage.elapsed_s, 6)}
    if stage.skipped:
        timing["skipped"] = stage.skipped
    return timing


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by the current rules."""
    answer = Answer(text=row["answer"], passages=_recorded_passages(row))
    gold = tuple(row.get("gold_chunk_ids", ()))
    spans = _recorded_spans(row)
    return score_answer(
        gold,
        row.get("answerable", True if gold or spans else None),
        answer,
        citation_style=row.get("citation_style", "index"),
        order_is_rank=not row.get("prompt_order"),
        top_k=_number_of_passages(row.get("top_k")),
        question=row.get("question"),
        spans=spans,
        span_share=row.get("gold_span_share", SPAN_SHARE),
        accepted=_recorded_answers(row),
    )


def _recorded_answers(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The accepted answers of a row; rows of other programs may have one as a text."""
    accepted = row.get("expected_answer") or ()
    return (accepted,) if isinstance(accepted, str) else tuple(map(str, accepted))


def _recorded_passages(row: Mapping[str, Any]) -> tuple[Passage, ...] | None:
    """The passages of a row; ``None`` if the reply did not say what was retrieved."""
    if "passages" in row:
        return convert(row["passages"], tuple[Passage, ...])
    retrieved = row.get("retrieved_chunk_ids")  # rows of other programs have only the ids
    return None if retrieved is None else tuple(Passage(id=str(name)) for name in retrieved)
