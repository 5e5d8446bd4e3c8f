"""What a job supplies to the runner: how a case is asked, judged and recorded."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Protocol

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from assay.mask import sealed
from assay.models.foreign_error import describe
from assay.records import (
    Answer,
    Answered,
    Case,
    Failed,
    Outcome,
    Passage,
    Prompt,
    Score,
    Scored,
    Variant,
)
from assay.runs.row import RecordedPassage, Row
from assay.runs.write import UNWRITABLE, encode_row
from assay.systems.protocol import (
    AnswersOnLoop,
    Prepares,
    PreparesSources,
    SeparatesVariants,
    System,
    WarmsUp,
)
from assay.systems.thread import ThreadPool


class CaseHandler(Protocol):
    """The part of a run that a job defines.

    The runner calls ``compose``, ``ask``, ``judge``, ``score`` and ``row`` for each case, in
    this order, and ``where`` and ``result`` for its log line.
    """

    @property
    def job(self) -> str:
        """The name of the job, for log lines."""

    @property
    def max_concurrency(self) -> int | None:
        """How many cases the system under test can handle at once; ``None`` if unlimited."""

    @property
    def one_variant_at_a_time(self) -> bool:
        """Whether cases of two variants must not be asked at the same time."""

    @property
    def wants_sources(self) -> bool:
        """Whether ``expect_sources`` is to be called."""

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Note the sources of the questions that will be asked; called before ``warm_up``."""

    @property
    def judge_identity(self) -> str | None:
        """Identifies the judge if it calls something; ``None`` if answers are scored offline.

        It must change whenever the verdicts may: model, rubric and prompt belong to it.
        """

    async def prepare(self) -> None:
        """Build an index, load a model and so on, before the first case is asked and timed."""

    async def warm_up(self, variants: Sequence[Variant], concurrency: int) -> None:
        """Open connections and start programs, before the first case; called after ``prepare``.

        ``variants`` are those of the run, ``concurrency`` of its cases are asked at once.
        """

    def compose(self, case: Case) -> Prompt:
        """Build what is put to the system; this is not timed. May raise ``CaseSkipped``."""

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Ask the system. May raise ``CaseSkipped`` or any other error."""

    async def judge(self, case: Case, answer: Answer) -> Any:
        """The judge's verdict on a recorded answer; called if there is a ``judge_identity``."""

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Score the answer; ``verdict`` is what ``judge`` returned. A pure function: no I/O."""

    def recorded_verdict(self, row: Mapping[str, Any]) -> Any:
        """The verdict that a scored row contains, if the judge would give the same today.

        ``None`` if it must be looked up or asked for. Called if there is a ``judge_identity``.
        """

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """The fields of a recorded, scored row that differ if its answer is judged again.

        ``verdict`` is that of the judge on the recorded answer. A pure function: no I/O.
        """

    def row(self, case: Case, outcome: Outcome) -> Row:
        """The row with the job's own fields; the runner adds those that every row has."""

    def where(self, row: Row) -> str:
        """The part of the log line that says which case it is, besides the question's id."""

    def result(self, row: Row) -> str:
        """The part of the log line about a scored case."""

    async def close(self) -> None:
        """Release all resources; called once, at the end of the run."""


class SystemHandler:
    """The handler most jobs extend: it asks the system and records the answer.

    A job sets ``job``, and overrides ``score``, ``row`` and the parts of the log line.
    """

    job = "run"

    def __init__(self, system: System) -> None:
        self.system = system

    @property
    def max_concurrency(self) -> int | None:
        """The limit of the system."""
        return self.system.max_concurrency

    @property
    def one_variant_at_a_time(self) -> bool:
        """Whether the system says so."""
        return isinstance(self.system, SeparatesVariants) and self.system.one_variant_at_a_time

    @property
    def wants_sources(self) -> bool:
        """Whether the system prepares itself for the sources."""
        return isinstance(self.system, PreparesSources) and self.system.wants_sources

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Tell the system which sources to expect."""
        if isinstance(self.system, PreparesSources):
            self.system.expect_sources(sources)

    @property
    def judge_identity(self) -> str | None:
        """Answers are scored offline, unless a job says otherwise."""
        return None

    async def prepare(self) -> None:
        """Prepare the system, if it has a ``prepare`` method."""
        if isinstance(self.system, Prepares):
            await self.system.prepare()

    async def warm_up(self, variants: Sequence[Variant], concurrency: int) -> None:
        """Warm the system up for the settings of the variants, if it has a ``warm_up`` method."""
        if isinstance(self.system, WarmsUp):
            await self.system.warm_up([variant.settings for variant in variants], concurrency)

    def compose(self, case: Case) -> Prompt:
        """The question as it is."""
        return Prompt(question=case.question)

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Ask the system with the variant's settings."""
        return await self.system.ask(prompt.question, case.variant.settings, case.top_k)

    async def judge(self, case: Case, answer: Answer) -> Any:
        """No verdict: only a job with a ``judge_identity`` is asked for one."""

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Return no scores; jobs override this."""
        return {}

    def recorded_verdict(self, row: Mapping[str, Any]) -> Any:
        """None: verdicts are looked up in the store of the run."""

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: Any) -> Mapping[str, Any]:
        """Nothing changes; jobs override this."""
        return {}

    def row(self, case: Case, outcome: Outcome) -> Row:
        """Question, variant and, for a scored case, answer, passages and scores."""
        question = case.question
        row = Row(
            question_id=question.id,
            source=question.source,
            config=case.variant.name,
            top_k=case.top_k,
            question=question.text,
        )
        if isinstance(outcome, Scored):
            row.answer = outcome.answer.text
            row.passages = recorded_passages(outcome.answer.passages)
            row.scores = outcome.scores
        return row

    def where(self, row: Row) -> str:
        """The variant."""
        return f"config={row.config}"

    def result(self, row: Row) -> str:
        """The latency."""
        return row.elapsed_text

    async def close(self) -> None:
        """Close the system."""
        await self.system.close()


_PLACE: Final = frozenset({"source", "start", "end"})


def recorded_passages(
    passages: Iterable[Passage] | None,
    *,
    with_text: Callable[[Passage], bool] = lambda _: True,
    with_place: bool = False,
    seals_ids: bool = False,
) -> tuple[RecordedPassage, ...] | UnsetType:
    """Passages as a row records them, without the fields that are not set.

    ``UNSET`` if it is not known what was retrieved. Texts are recorded if ``with_text`` is true of
    their passages, and where these lie in their documents ``with_place``. ``seals_ids`` is for a job
    that cut the document itself: nothing else names its chunks, and their ids are hashes of texts.
    """
    if passages is None:
        return UNSET
    recorded = []
    for passage in passages:
        fields = {name: value for name, value in asdict(passage).items() if value is not None}
        if not passage.text or not with_text(passage):
            del fields["text"]
        if not with_place:
            fields = {name: value for name, value in fields.items() if name not in _PLACE}
        if seals_ids:
            fields["id"] = sealed(passage.id)
        recorded.append(RecordedPassage(**fields))
    return tuple(recorded)


# Scoring one answer offline, in a way that does not lengthen the latency of the others.


class Scoring:
    """Scores the answers of a run one after the other.

    Where the answers of the system are timed on the event loop, and several questions are asked
    at once, it works in a thread, so that the loop notes at once that another answer has come.
    """

    def __init__(self, handler: CaseHandler, concurrency: int) -> None:
        self._handler = handler
        system = getattr(handler, "system", None)
        on_loop = isinstance(system, AnswersOnLoop) and system.answers_on_loop
        at_once = min(concurrency, handler.max_concurrency or concurrency)
        self._pool = ThreadPool(name="assay-scoring") if on_loop and at_once > 1 else None
        self._turn = asyncio.Lock()

    async def score(self, case: Case, answered: Answered, verdict: Any = None) -> Scored | Answered:
        """The scored answer; if a scorer fails, the answer with the problem."""
        if self._pool is None:
            return score_answered(self._handler, case, answered, verdict)
        async with self._turn:
            work = partial(score_answered, self._handler, case, answered, verdict)
            outcome: Scored | Answered = await self._pool.call(work)
        return outcome

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.close()


def score_answered(
    handler: CaseHandler, case: Case, answered: Answered, verdict: Any = None
) -> Scored | Answered:
    """The scored answer; if a scorer fails, the answer with the problem."""
    try:
        scores = handler.score(case, answered.answer, verdict)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001
        # a missing score is not a score of zero, and the scorer may be the code of others
        return replace(answered, problem=problem_of("scorer", describe(error)))
    return Scored(
        answer=answered.answer,
        elapsed_s=answered.elapsed_s,
        attempts=answered.attempts,
        first_in_flight=answered.first_in_flight,
        scores=scores,
        judging=answered.judging,
        judges=answered.judges,
        lost=answered.lost,
    )


def problem_of(kind: str, problem: object) -> str:
    """The problem in words that JSON can represent."""
    return f"{kind}: {problem}".encode(errors="backslashreplace").decode()


# Outcomes that take the place of others: of filtered answers, and of what JSON cannot hold.


def lost_answer(failed: Failed) -> Answered:
    """A case that the provider's filter refused, as an empty answer that is scored."""
    answer = Answer(text="", usage=failed.usage, finish_reason="content_filter", facts=failed.facts)
    return Answered(
        answer=answer,
        elapsed_s=failed.elapsed_s,
        attempts=failed.attempts,
        first_in_flight=failed.first_in_flight,
        lost=f"{failed.kind}: {failed.message}",
    )


def unwritable_outcome(outcome: Outcome, error: Exception) -> Failed | Answered:
    """The outcome of a case whose reply or scores JSON cannot represent (a lone surrogate).

    If only the scores cannot be written, the answer is kept.
    """
    if isinstance(outcome, Scored):
        with suppress(*UNWRITABLE):
            encode_row(outcome.answer)
            return Answered(
                answer=outcome.answer,
                elapsed_s=outcome.elapsed_s,
                attempts=outcome.attempts,
                first_in_flight=outcome.first_in_flight,
                problem=f"scorer: the scores cannot be written as JSON: {describe(error)}",
                judging=outcome.judging,
                judges=outcome.judges,
                lost=outcome.lost,
            )
    usage = outcome.answer.usage if isinstance(outcome, Scored | Answered) else None
    return Failed(
        kind="system",
        message=f"the reply cannot be written as JSON: {describe(error)}",
        elapsed_s=getattr(outcome, "elapsed_s", 0.0),
        attempts=getattr(outcome, "attempts", 0),
        first_in_flight=getattr(outcome, "first_in_flight", False),
        usage=usage,
    )
