"""The rows of a journal: the fields that every row has; each job adds its own in a subclass.

A row is one flat JSON object. ``UNSET`` means that a field is absent, ``None`` that it is null.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from assay.records import (
    SCHEMA_VERSION,
    Answer,
    Answered,
    Case,
    Failed,
    Outcome,
    Passage,
    Score,
    Scored,
    Skipped,
    Spared,
    Status,
    Usage,
)
from assay.redact.error_text import masked_error
from assay.text.thought import is_scored_in_part

BILL: Final = ("usage", "cost", "paid", "judge_usage", "judge_cost", "judge_paid")
"""The fields of a row that hold what it cost. Costs are summed over all rows of a key."""


_ERROR_TEXTS: Final = ("message", "problem", "lost", "reason")
"""The fields of an outcome that say what went wrong, in the words of others."""
OWN_FIELDS: Final = ("evaluation", "dim")
"""What a system measured, for which the rows of some jobs have a field."""
R = TypeVar("R", bound="Row")


class RowHead(Struct, frozen=True, gc=False):
    """The fields of a row that are needed to resume a run.

    A line without ``key`` is metadata of the file and must be the first line. ``recorded`` is
    the answer that was not judged yet. ``judge_paid`` is what judging the answer cost.
    ``scored_against`` identifies what the answer was compared with; empty if it is not recorded.
    ``lost`` says why an answer that counts as an empty one was withheld. ``spared_by`` identifies
    the rule by which the case was not asked.
    """

    # in the order of a written row, in which the decoder looks for them
    key: str = ""
    status: Literal["", "scored", "answered", "failed", "skipped", "spared"] = ""
    error: str | None = None
    error_kind: str = ""
    lost: str = ""
    spared_by: str = ""
    recorded: Raw | UnsetType = UNSET
    paid: float | None = None
    judge_paid: float | None = None
    fingerprint: str = ""
    scored_against: str = ""
    schema_version: int = 0
    redacted: bool = False


class RecordedPassage(Struct, frozen=True, kw_only=True):
    """A passage in a row. Texts are long, so a row may leave out those that the corpus has."""

    id: str
    text: str | UnsetType = UNSET
    page: int | UnsetType = UNSET
    score: float | UnsetType = UNSET
    rank: int | UnsetType = UNSET
    source: str | UnsetType = UNSET
    start: int | UnsetType = UNSET
    end: int | UnsetType = UNSET

    def passage(self) -> Passage:
        """The passage as the system returned it, with an empty text if it was left out."""
        fields = msgspec.structs.asdict(self)
        return Passage(**{name: value for name, value in fields.items() if value is not UNSET})


class Row(Struct, kw_only=True):
    """The fields that every row has.

    A job fills in those about the question and the answer; ``complete_row`` sets the others.
    ``run`` is the number of the draw if each case is asked several times (``--runs``).
    ``ttft_s`` is the time to the first text of an answer that came as a stream.
    ``expected_answer`` are the accepted answers, if the question has any.
    ``scores`` holds values by their names; the value of a registered scorer is put there, and
    ``at_least`` and ``at_most`` are what a score that is not certain could be instead, and ``reasons`` say in
    words why scores are what they are. ``scorer_errors`` says why such a scorer gave none. ``judges`` identifies the judges whose
    verdicts on this answer are paid for by this row or an earlier one. ``scored_against`` is a digest of what the
    answer was compared with, so that a correction of the gold is noticed. ``lost`` says why the
    provider withheld an answer that counts as an empty one (``--count-filtered``). ``spared_by``
    identifies the rule by which a case was not asked (``--stop-early``): its variant was ``decided``
    (better, worse or equivalent) after ``decided_after`` questions. ``scored_in_part`` is true if the
    answer is so long that only its beginning and its end were scored. ``redacted`` is true if
    values in the texts of the row were replaced by tags when it was written.
    """

    key: str = ""
    question_id: str = ""
    source: str | None = None
    config: str = ""
    run: Any = UNSET  # a number; other programs have anything in a field of this name
    top_k: int | UnsetType | None = UNSET
    question: str = ""
    expected_answer: tuple[str, ...] | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    passages: tuple[RecordedPassage, ...] | UnsetType = UNSET
    scores: Mapping[str, Score] | UnsetType = UNSET
    at_least: Mapping[str, float] | UnsetType = UNSET
    at_most: Mapping[str, float] | UnsetType = UNSET
    reasons: Mapping[str, str] | UnsetType = UNSET
    scorer_errors: Mapping[str, str] | UnsetType = UNSET
    status: Status = "scored"
    elapsed_s: float | UnsetType = UNSET
    ttft_s: float | UnsetType = UNSET
    first_in_flight: bool | UnsetType = UNSET
    stages: list[Any] | UnsetType = UNSET
    finish_reason: str | UnsetType = UNSET
    scored_in_part: bool | UnsetType = UNSET
    extra: Mapping[str, Any] | UnsetType = UNSET
    error: str | UnsetType | None = UNSET
    error_kind: str | UnsetType = UNSET
    lost: str | UnsetType = UNSET
    attempts: int | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    spared_by: str | UnsetType = UNSET
    decided: str | UnsetType = UNSET
    decided_after: int | UnsetType = UNSET
    recorded: Answered | UnsetType = UNSET
    judging_error: str | UnsetType = UNSET
    usage: Usage | UnsetType = UNSET
    latency_replayed: bool | UnsetType = UNSET
    cost: float | UnsetType = UNSET
    paid: float | UnsetType = UNSET
    judge_usage: Usage | UnsetType = UNSET
    judge_cost: float | UnsetType = UNSET
    judge_paid: float | UnsetType = UNSET
    judges: tuple[str, ...] | UnsetType = UNSET
    ts: float = 0.0
    fingerprint: str = ""
    scored_against: str | UnsetType = UNSET
    schema_version: int = 0
    redacted: bool | UnsetType = UNSET

    @property
    def elapsed_text(self) -> str:
        """The latency as log lines have it; that of a recorded answer may not be known."""
        known = self.elapsed_s is not UNSET
        return f"elapsed={self.elapsed_s:.2f}s" if known else "elapsed=unknown"


def complete_row(row: R, case: Case, outcome: Outcome, ts: float, *, billed: bool = True) -> R:
    """Set the fields that every row has in the row of a job, and return it.

    ``billed`` is false if an earlier row of this case has the cost of the answer already. What has
    the form of a secret is masked in the texts of errors.
    """
    outcome = _without_secrets(outcome)
    row.key = case.key
    row.ts = ts
    row.fingerprint = case.fingerprint
    if case.run is not None:
        row.run = case.run
    row.schema_version = SCHEMA_VERSION
    if isinstance(outcome, Scored) and case.against:
        row.scored_against = case.against
    if isinstance(outcome, (Scored, Answered)):
        row.lost = outcome.lost
        _set_asking(row, outcome)
        _set_answer(row, outcome.answer, billed=billed)
        if outcome.judging is not None:
            for name, value in judge_bill(outcome.judging).items():
                setattr(row, name, value)
        if isinstance(outcome, Answered):
            row.status = "answered"
            row.answer = outcome.answer.text
            row.recorded = outcome
            if outcome.problem is not None:
                row.judging_error = outcome.problem
        else:
            _set_scoring(row, outcome)
    elif isinstance(outcome, Failed):
        row.status = "failed"
        row.error = f"{outcome.kind}: {outcome.message}"
        row.error_kind = outcome.kind
        _set_asking(row, outcome)
        if outcome.usage is not None:
            _set_bill(row, outcome.usage)
    else:
        _set_unasked(row, outcome)
    return row


def _without_secrets(outcome: Outcome) -> Outcome:
    texts = {name: getattr(outcome, name, None) for name in _ERROR_TEXTS}
    masked = {name: masked_error(text) for name, text in texts.items() if isinstance(text, str)}
    changed = {name: text for name, text in masked.items() if text != texts[name]}
    return msgspec.structs.replace(outcome, **changed) if changed else outcome


def _set_unasked(row: Row, outcome: Skipped | Spared) -> None:
    row.reason = outcome.reason
    row.status = "skipped"
    if isinstance(outcome, Spared):
        row.status = "spared"
        row.spared_by = outcome.rule
        row.decided = outcome.decided or UNSET
        row.decided_after = outcome.decided_after


def _set_asking(row: Row, outcome: Scored | Answered | Failed) -> None:
    if isinstance(outcome, Failed) or outcome.answer.is_timed:
        row.elapsed_s = outcome.elapsed_s
    row.attempts = outcome.attempts
    if outcome.first_in_flight:
        row.first_in_flight = True


def _set_scoring(row: Row, outcome: Scored) -> None:
    if outcome.judges:
        row.judges = outcome.judges
    if is_scored_in_part(outcome.answer.text):
        row.scored_in_part = True


def _set_answer(row: Row, answer: Answer, *, billed: bool) -> None:
    if answer.stages and row.stages is UNSET:  # unless the job has written a short form
        row.stages = list(answer.stages)
    if answer.ttft_s is not None:
        row.ttft_s = answer.ttft_s
    if answer.finish_reason is not None:
        row.finish_reason = answer.finish_reason
    # what the job has a field for is stored there, and only there
    extra = {
        name: value
        for name, value in answer.extra.items()
        if name not in OWN_FIELDS or getattr(row, name, UNSET) is UNSET
    }
    if extra:
        row.extra = extra
    if answer.usage is not None:
        if answer.usage.replayed_calls:
            row.latency_replayed = True
        if billed:
            _set_bill(row, answer.usage)


def _set_bill(row: Row, usage: Usage) -> None:
    row.usage = usage
    if usage.replayed_calls:
        row.latency_replayed = True
    if usage.cost is not None:
        row.cost = usage.cost
    if usage.paid is not None:
        row.paid = usage.paid


def recorded_answer(row: Mapping[str, Any]) -> Answer:
    """The answer of a scored row as a judge reads it: its text and its passages."""
    passages = msgspec.convert(row.get("passages") or (), tuple[RecordedPassage, ...])
    return Answer(text=row["answer"], passages=tuple(each.passage() for each in passages))


def judge_bill(usage: Usage | None) -> dict[str, Any]:
    """The fields of a row with what judging its answer cost."""
    if usage is None:
        return {}
    fields = {"judge_usage": usage, "judge_cost": usage.cost, "judge_paid": usage.paid}
    return {name: value for name, value in fields.items() if value is not None}


# The kinds of the free fields of a summary that other rooms rely on.
#
# ``extra`` and ``results`` may contain anything, but a name listed here has this kind of value: a file
# that another program wrote or that was damaged is refused when it is read, not where it is used.

Text = str | None
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class _EarlyStop(Struct):
    documents: str = ""
    identity: str = ""
    level: float = 0.0
    margin: float = 0.0
    max_questions: Count | None = None
    metric: str = ""
    seed: int = 0


class _Extra(Struct):
    ablation_variable: list[str] = []
    baseline: Text = None
    costs: list[list[float]] | None = None
    description: Text = None
    design: Text = None
    draft_word_overlap: float | None = None
    early_stop: _EarlyStop | None = None
    order_settings: list[str] = []
    ordered: dict[str, Any] = {}
    primary: Text = None
    question_type: Text = None
    questions: Count | None = None
    questions_left_out: Count | None = None
    runs: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    switched: dict[str, dict[str, Any]] = {}
    threshold: float | None = None
    unread_drafts: Count | None = None
    verifier: Text = None


class _Variant(Struct):
    n: dict[str, Any] | None = None
    scored: Count = 0


class _Results(Struct):
    headline: str = ""
    outside_rows: Count = 0
    questions: Count | None = None
    variants: dict[str, _Variant] = {}


def check_free_fields(extra: Mapping[str, Any], results: Mapping[str, Any]) -> None:
    """Raise ``msgspec.ValidationError`` if a value is not of the kind that its name promises."""
    msgspec.convert(extra, _Extra)
    msgspec.convert(results, _Results)
