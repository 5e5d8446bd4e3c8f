"""What a job supplies to the runner: how a case is asked, scored and recorded."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from msgspec.structs import asdict

from assay.records import (
    SCHEMA_VERSION,
    Answer,
    Case,
    Failed,
    Outcome,
    Passage,
    Score,
    Scored,
    Usage,
)
from assay.runner.progress import Progress, Row
from assay.systems import Prepares, System


class CaseHandler(Protocol):
    """The part of a run that a job defines.

    The runner calls ``ask``, ``score``, ``row`` and ``line`` for each case.
    """

    @property
    def max_concurrency(self) -> int | None:
        """How many cases the system under test can handle at once; ``None`` if unlimited."""

    async def prepare(self) -> None:
        """Build an index, load a model and so on, before the first case is asked and timed."""

    async def ask(self, case: Case) -> Answer:
        """Ask the system. May raise ``CaseSkipped`` or any other error."""

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """Score the answer. A pure function: no I/O, no state."""

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """The job's own fields of the row: a flat mapping with the names the job documents."""

    def line(self, progress: Progress, row: Row) -> str:
        """The job's log line for a row."""

    async def close(self) -> None:
        """Release all resources; called once, at the end of the run."""


class SystemHandler:
    """The handler most jobs extend: it asks the system and records the answer."""

    def __init__(self, system: System) -> None:
        self.system = system

    @property
    def max_concurrency(self) -> int | None:
        """The limit of the system."""
        return self.system.max_concurrency

    async def prepare(self) -> None:
        """Prepare the system, if it has a ``prepare`` method."""
        if isinstance(self.system, Prepares):
            await self.system.prepare()

    async def ask(self, case: Case) -> Answer:
        """Ask the system with the variant's settings."""
        return await self.system.ask(case.question, case.variant.settings, case.top_k)

    def score(self, case: Case, answer: Answer) -> Mapping[str, Score]:
        """Return no scores; jobs override this."""
        return {}

    def row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        """Question, variant and, for a scored case, answer, passages and scores."""
        row: dict[str, Any] = {
            "question_id": case.question.id,
            "source": case.question.source,
            "config": case.variant.name,
            "top_k": case.top_k,
            "question": case.question.text,
        }
        if isinstance(outcome, Scored):
            row["answer"] = outcome.answer.text
            row["passages"] = outcome.answer.passages
            row.update(outcome.scores)
        return row

    def line(self, progress: Progress, row: Row) -> str:
        """Cases done and total, variant, question, outcome and time left."""
        outcome = f"{row['status']}: {row['error']}" if "error" in row else row["status"]
        return (
            f"[run] {progress.done}/{progress.total} config={row['config']} "
            f"id={row['question_id']} {outcome} ETA~{progress.eta_min:.1f}m"
        )

    async def close(self) -> None:
        """Close the system."""
        await self.system.close()


def unscored_end(row: Row) -> str:
    """The outcome of a failed or skipped case, for its log line."""
    if row["status"] == "failed":
        return f"failed: {row['error']}"
    return f"skipped: {row['reason']}"


def passage_fields(
    passages: Iterable[Passage], *, with_text: Callable[[Passage], bool] = lambda _: True
) -> list[dict[str, Any]]:
    """Passages as a row records them, without the fields that are not set.

    Texts are long: only those of passages for which ``with_text`` is true are recorded.
    """
    recorded = []
    for passage in passages:
        fields = {name: value for name, value in asdict(passage).items() if value is not None}
        if not with_text(passage):
            del fields["text"]
        recorded.append(fields)
    return recorded


def complete_row(case: Case, outcome: Outcome, fields: dict[str, Any], ts: float) -> dict[str, Any]:
    """The whole row: the ``fields`` of the job and those that every row has."""
    row: dict[str, Any] = {"key": case.key, **fields}
    usage: Usage | None = None
    if isinstance(outcome, Scored):
        row["status"] = "scored"
        row["elapsed_s"] = outcome.elapsed_s
        answer = outcome.answer
        usage = answer.usage
        if answer.stages:
            row.setdefault("stages", answer.stages)  # unless the job has written a short form
        if answer.finish_reason is not None:
            row["finish_reason"] = answer.finish_reason
        if answer.extra:
            row["extra"] = answer.extra
    elif isinstance(outcome, Failed):
        row["status"] = "failed"
        row["error"] = f"{outcome.kind}: {outcome.message}"
        row["error_kind"] = outcome.kind
        row["attempts"] = outcome.attempts
        row["elapsed_s"] = outcome.elapsed_s
        usage = outcome.usage
        if outcome.answer is not None:
            row["answer"] = outcome.answer.text
    else:
        row["status"] = "skipped"
        row["reason"] = outcome.reason
    if usage is not None:
        row.update(_usage_fields(usage))
    row["ts"] = ts
    row["fingerprint"] = case.fingerprint
    row["schema_version"] = SCHEMA_VERSION
    return row


def _usage_fields(usage: Usage) -> dict[str, Any]:
    fields: dict[str, Any] = {"usage": usage}
    if usage.replayed_calls:
        fields["latency_replayed"] = True
    if usage.cost is not None:
        fields["cost"] = usage.cost
    if usage.paid is not None:
        fields["paid"] = usage.paid
    return fields
