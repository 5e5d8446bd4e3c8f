"""How each case of an ablation is asked, scored and recorded."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from msgspec import UNSET, UnsetType, convert, to_builtins
from msgspec.structs import replace

from assay.checks.abstention import assess_abstention
from assay.checks.citation import citation_numbers, citation_range_ok, cite_ok, cited_chunk_ids
from assay.checks.correctness import expects_abstention
from assay.checks.overlap import is_exact
from assay.checks.retrieval import SPAN_SHARE, gold_metrics, ranks_of
from assay.checks.scorer import DESCRIBED, LOGGED_COST, RATING
from assay.data.question import CorpusQuestion, QuestionWithRow
from assay.errors import UseError
from assay.jobs.answers.spec import AblationRow
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
    Variant,
)
from assay.runs.handler import SystemHandler, recorded_passages
from assay.runs.row import Row
from assay.systems.load import SideBySide
from assay.systems.protocol import (
    KnowsChunks,
    KnowsSources,
    KnowsSpans,
    System,
    corpus_sha256,
    dimension,
    fast_mode,
    lists_by_rank,
    local_copy,
)
from assay.text.citation import CitationStyle, marked_page_numbers
from assay.text.thought import scored_text
from assay.text.width import counted
from assay.words.message import Message, message

# The scores of one answer in an ablation.
#
# A row contains the scores in two forms:
#
# * The flat fields (``cite_ok``, ``gold_metrics`` and so on) follow the row format and are defined
#   for every question. For example, the coverage of a question without gold is 0.0. They are
#   ``None`` if the reply does not say what was retrieved.
# * ``scores`` contains the values that the tables average. A value that is undefined for the
#   question is ``None`` there: gold scores of a question without gold,
#   ``abstained_when_unanswerable`` of a question that has an answer, and
#   ``answered_when_answerable`` of a question that has none, or whose expected answer says that
#   there is none. Both are ``None`` if it is not known whether there is an answer.


def score_answer(
    question_gold: Collection[str],
    answerable: bool | None,
    answer: Answer,
    *,
    citation_style: CitationStyle = "index",
    order_is_rank: bool = True,
    top_k: int | None = None,
    question: str | None = None,
    spans: Sequence[GoldSpan] = (),
    span_share: float = SPAN_SHARE,
    accepted: Sequence[str] = (),
) -> dict[str, Any]:
    """The fields that scoring adds to a row.

    Args:
        question_gold: ids of the chunks that support the correct answer; empty if unknown.
        answerable: whether the documents contain an answer. If not, the system should abstain.
            ``None`` if it is not known; then abstention is not scored.
        answer: the answer of the system, with the passages it retrieved.
        citation_style: ``"page"`` if the system may cite pages instead of passage numbers.
        order_is_rank: whether the order of passages without ranks is their rank.
        top_k: how many passages were asked for; the metrics at k are about the best of them.
        question: the text of the question, which decides what would answer it.
        spans: parts of documents that are gold too.
        span_share: the share of a span that the passages must cover.
        accepted: the expected answers; an answer that is one of them never abstains.

    >>> row = score_answer(["a"], True, Answer(text="Thirty days.", passages=()))
    >>> row["cite_ok"], row["scores"]["gold_coverage"], row["scores"]["answered_when_answerable"]
    (False, 0.0, True)
    >>> score_answer(["a"], True, Answer(text="Thirty days."))["scores"]["gold_coverage"] is None
    True
    >>> row = score_answer([], True, Answer(text="It does not say."), accepted=["Not stated"])
    >>> row["abstained"], row["scores"]["answered_when_answerable"] is None
    (True, True)
    """
    text, passages = scored_text(answer.text), answer.passages or ()
    pages = None
    if citation_style == "page":
        pages = {passage.page for passage in passages if passage.page is not None}
    is_known = answer.passages is not None
    in_range: bool | None = citation_range_ok(text, len(passages), pages=pages)
    if not is_known and citation_numbers(text):  # it is not known how many passages there are
        in_range = None
    citations_ok = cite_ok(text, len(passages), pages=pages) if is_known else None
    gold_scores: dict[str, Any] = dict(
        gold_metrics(
            question_gold,
            answer.passages,
            order_is_rank=order_is_rank,
            top_k=top_k,
            spans=spans,
            span_share=span_share,
        )
    )
    is_answer = bool(text.strip())  # an empty reply is neither an answer nor an abstention
    found = assess_abstention(text, question)
    abstained, unsure = found.leans_abstaining, found.outcome == "unsure"
    expects_answer = answerable and not expects_abstention(accepted)
    if abstained and expects_answer and any(is_exact(each, text) for each in accepted):
        abstained = unsure = False
    names = []
    if unsure and is_answer:
        names = ["abstained"]
        names += ["abstained_when_unanswerable"] if answerable is False else []
        names += ["answered_when_answerable"] if expects_answer else []
    return {
        "citation_numbers": citation_numbers(text),
        "citation_range_ok": in_range,
        "cite_ok": citations_ok,
        **({} if citations_ok or in_range is None or _cites(text, pages) else {"cites": False}),
        "cited_chunk_ids": cited_chunk_ids(text, passages, pages=pages is not None),
        "retrieved_chunk_ids": [passage.id for passage in passages] if is_known else None,
        "gold_chunk_ids": list(question_gold),
        "gold_metrics": gold_scores,
        "abstained": abstained,
        **(_bounds(names) if names else {}),
        "scores": {
            "cite_ok": citations_ok,
            **(gold_scores if question_gold or spans else dict.fromkeys(gold_scores)),
            "abstained_when_unanswerable": abstained if answerable is False else None,
            "answered_when_answerable": is_answer and not abstained if expects_answer else None,
        },
    }


def _cites(text: str, pages: Collection[int] | None) -> bool:
    """Whether a text cites anything, rightly or wrongly."""
    return bool(citation_numbers(text) or (pages is not None and marked_page_numbers(text)))


def _bounds(names: Sequence[str]) -> dict[str, Any]:
    """What these scores could be instead, since it is unsure whether the answer abstains."""
    return {"at_least": dict.fromkeys(names, 0.0), "at_most": dict.fromkeys(names, 1.0)}


JOB: Final = "ablation"
Rows: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The further fields of the lines of questions, by the id of the question."""


class AblationHandler(SystemHandler):
    """Asks the system, and scores citations, gold chunks and abstention.

    ``reordered`` are the names of the variants whose passages are in another order than those of
    the baseline. For them, as for a system that declares it, the order is not taken for the rank.
    ``rows`` are the further fields of each question's line, if the system takes them.
    ``span_share`` is the share of a gold span that the passages must cover. With ``describes``,
    answers are also scored by what can be seen in them without knowing what is right.
    """

    job = JOB

    def __init__(
        self,
        system: System,
        reordered: Collection[str] = (),
        rows: Rows | None = None,
        *,
        span_share: float = SPAN_SHARE,
        describes: bool = False,
        borrowed: Collection[System] = (),
    ) -> None:
        super().__init__(system)
        self._describes = describes
        self._borrowed = borrowed
        self._span_share = span_share
        self._reordered = reordered
        self._rows = rows

    async def close(self) -> None:
        """Close the systems, except those that belong to the program that passed them."""
        asked = self.system.distinct if isinstance(self.system, SideBySide) else [self.system]
        own = [each for each in asked if not any(each is other for other in self._borrowed)]
        await SideBySide({str(number): each for number, each in enumerate(own)}).close()

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
        """The scores of ``assay.jobs.answers``."""
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
            DESCRIBED: self._describes or UNSET,
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
            fast_mode=fast_mode(self.system, settings),
            dim=dimension(self.system, settings),
            top_k=settings.get("top_k") or case.top_k,
            question=case.question.text,
            gold_chunk_ids=case.question.gold,
            citation_style=UNSET if citation_style == "index" else citation_style,
            answerable=UNSET if answerable is None else answerable,
            expected_answer=_answers(case.question) or UNSET,
            **self._span_fields(case),
        )
        if self._describes:
            row.described = True
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
            rating=answer.facts.get(RATING, UNSET),
            logged_cost=answer.facts.get(LOGGED_COST, UNSET),
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


def compared_with(question: Question) -> dict[str, Any]:
    """What an answer to the question is compared with."""
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
    fields = score_answer(
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
    return {"cites": True, **fields} if "cites" in row else fields  # a row that says nothing cites


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


# Gold chunks that the system cannot retrieve, because they are not in its corpus.

MOST_NAMED: Final = 3


def without_gold(questions: Sequence[CorpusQuestion]) -> dict[str, int]:
    """The number of questions without gold, for the header; empty if there are none."""
    count = sum(not (question.gold or question.spans) for question in questions)
    return {"questions_without_gold": count} if count else {}


def refuse_recut_gold(
    questions: Sequence[CorpusQuestion], variants: Sequence[Variant], name: str
) -> None:
    """Refuse gold chunks if variants cut the documents into other chunks, which have other ids."""
    cutting = [
        setting
        for setting in ("chunk_tokens", "chunk_overlap", "chunker")
        if any(variant.settings.get(setting) is not None for variant in variants)
    ]
    if cutting and any(question.gold for question in questions):
        raise UseError(
            f"{name}: the gold chunks have other ids where {', '.join(cutting)} changes; "
            "turn them into spans of the documents with `assay questions respan`"
        )


def _missing_gold(question: CorpusQuestion, system: System, known: Collection[str]) -> list[str]:
    """The names of the gold of a question that the system cannot retrieve."""
    missing = [chunk for chunk in question.gold if chunk not in known]
    sources = system.sources if isinstance(system, KnowsSources) else None
    for span in question.spans:
        is_elsewhere = sources is not None and span.source and span.source not in sources
        if is_elsewhere or (isinstance(system, KnowsSpans) and not system.holds_span(span)):
            missing.append(f"a span of {span.source}" if span.source else "a span")
    return missing


def unchecked_gold_notes(system: System, *, allow: bool) -> tuple[Message | str, ...]:
    """A note if gold outside the corpus is to be left out and cannot be recognised."""
    if not allow or isinstance(system, KnowsChunks):
        return ()
    return (
        message("--allow-missing-gold has no effect: the system does not say which chunks it has"),
    )


def with_known_gold(
    questions: Sequence[CorpusQuestion], system: System, name: str, *, allow: bool
) -> tuple[CorpusQuestion, ...]:
    """The questions, without those that have gold chunks outside the corpus if ``allow`` is true.

    A system that does not say which chunks it has is not checked. ``name`` is the path of the
    questions, for the message.

    Raises:
        UseError: Gold chunks are not in the corpus, and ``allow`` is false or no question is left.
    """
    if not isinstance(system, KnowsChunks):
        return tuple(questions)
    known = {*system.chunk_ids}
    missing_of = {question.id: _missing_gold(question, system, known) for question in questions}
    kept = [question for question in questions if not missing_of[question.id]]
    if len(kept) == len(questions) or (kept and allow):
        return tuple(kept)
    missing = list(dict.fromkeys(name for names in missing_of.values() for name in names))
    chunks = {chunk for question in questions for chunk in question.gold}
    gold = len(chunks) + sum(len(question.spans) for question in questions)
    examples = ", ".join(missing[:MOST_NAMED]) + (" …" if len(missing) > MOST_NAMED else "")
    if not kept:
        raise UseError(
            f"{name}: no question has all its gold chunks in the corpus (not there: {examples}); "
            "ingest their documents as before, or correct the questions"
        )
    verb = "needs" if len(questions) - len(kept) == 1 else "need"
    raise UseError(
        f"{name}: {len(missing)} of {gold} gold chunks are not in the corpus ({examples}); "
        "ingest their documents as before, or correct the questions; --allow-missing-gold leaves "
        f"out {counted(len(questions) - len(kept), 'question')} that {verb} them"
    )
