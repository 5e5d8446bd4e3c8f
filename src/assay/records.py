"""The shared vocabulary: every data type that is passed from one layer to another.

All structs are frozen and keyword-only. ``Outcome`` is the union of the three ways in which a
case can end. An unknown score is absent; it is never replaced by a number.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

SCHEMA_VERSION = 1
"""Version of the layout of rows and headers; it is stored in both."""

Score: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
"""The value of a metric in a row. ``None`` means undefined, never zero."""


class Question(Struct, frozen=True, kw_only=True):
    """A question for the system under test.

    ``gold`` lists what a correct answer is based on, for example the ids of chunks. A job whose
    questions need more fields (choices, required phrases) defines a subclass.
    """

    id: str
    text: str
    source: str | None = None
    gold: tuple[str, ...] = ()


class Variant(Struct, frozen=True, kw_only=True):
    """A name for one complete set of settings of the system under test."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)


class Case(Struct, frozen=True, kw_only=True):
    """The unit of work: one question, one variant and one placement.

    ``key`` is ``question::variant::name=value…`` and is unique within a run. ``fingerprint``
    identifies the exact question and the exact system it is put to (see
    ``assay.runner.plan``).
    """

    key: str
    question: Question
    variant: Variant
    fingerprint: str
    top_k: int = 10
    placement: Mapping[str, Any] = field(default_factory=dict)


class Passage(Struct, frozen=True, kw_only=True):
    """A piece of text that the system retrieved.

    Passages are listed in the order in which an answer cites them: the n-th one is ``[n]``.
    ``rank`` is the position by relevance (1 is the best) if that order is different.
    """

    id: str
    text: str = ""
    page: int | None = None
    score: float | None = None
    rank: int | None = None


class Stage(Struct, frozen=True, kw_only=True):
    """One step inside the system: how long it took and its details, or why it was skipped."""

    name: str
    elapsed_s: float = 0.0
    skipped: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


class Usage(Struct, frozen=True, kw_only=True):
    """The calls, tokens and money that an answer consumed.

    ``cost`` is the price of all its calls. ``paid`` is the part that was paid in this run; the
    other calls were replayed from the call cache. Both are ``None`` if no price is known.
    ``unmetered_calls`` counts the calls for which the provider did not report tokens.
    """

    calls: int = 0
    replayed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered_calls: int = 0
    cost: float | None = None
    paid: float | None = None


class Answer(Struct, frozen=True, kw_only=True):
    """The reply of the system, and the passages it is based on.

    ``finish_reason`` is ``"length"`` if the provider cut the answer short. ``latency_s`` is set
    if the elapsed time would be misleading, for example because calls were replayed from a
    recording: it is the time that the answer would normally take.
    """

    text: str
    passages: tuple[Passage, ...] = ()
    usage: Usage | None = None
    stages: tuple[Stage, ...] = ()
    finish_reason: str | None = None
    latency_s: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


class Scored(Struct, frozen=True, kw_only=True, tag_field="status", tag="scored"):
    """The system answered, and the scorers scored the answer."""

    answer: Answer
    elapsed_s: float
    scores: Mapping[str, Score] = field(default_factory=dict)


class Failed(Struct, frozen=True, kw_only=True, tag_field="status", tag="failed"):
    """There is no score because a call failed, or because a scorer failed.

    If a scorer failed, ``answer`` is kept. The next run tries the case again.
    """

    kind: str
    message: str
    elapsed_s: float
    attempts: int = 1
    usage: Usage | None = None
    answer: Answer | None = None


class Skipped(Struct, frozen=True, kw_only=True, tag_field="status", tag="skipped"):
    """The case cannot be run, for the given reason. The next run does not try it again."""

    reason: str


Outcome: TypeAlias = Scored | Failed | Skipped
Status: TypeAlias = Literal["scored", "failed", "skipped"]


class Tally(Struct, frozen=True, kw_only=True):
    """How many cases of a run ended in each way. It is printed beside every aggregate."""

    scored: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def ended(self) -> int:
        """The number of cases that have an outcome of any kind."""
        return self.scored + self.failed + self.skipped


class Metric(Struct, frozen=True, kw_only=True):
    """A metric: its name in tables, how its values are aggregated, which direction is better.

    ``field`` is the path of the value in a row, with steps joined by dots
    (``gold_metrics.gold_hit_any``). The kind ``rate`` is for yes/no values; ``p50`` and ``p95``
    are percentiles. ``better`` is ``None`` if neither direction is better.
    """

    name: str
    field: str
    title: str = ""
    kind: Literal["rate", "mean", "p50", "p95"] = "mean"
    better: Literal["higher", "lower"] | None = "higher"
    unit: str = ""

    @property
    def family(self) -> Literal["quality", "latency"]:
        """The family of the metric: latency if its unit is seconds, otherwise quality.

        The metrics of a family share one table and one correction for multiple comparisons.
        Latency differs from run to run; in the same family it would change the verdicts on
        the scores.
        """
        return "latency" if self.unit == "s" else "quality"


class RunHeader(Struct, frozen=True, kw_only=True):
    """What was run and on which data, in enough detail to repeat the run.

    It is written before the first call.
    """

    job: str
    name: str = field(name="experiment_name")
    system: str
    variants: tuple[Variant, ...]
    total: int
    started_at: str = ""
    completed_at: str | None = None
    questions_path: str | None = None
    questions_sha256: str | None = None
    limit: int | None = None
    top_k: int | None = None
    assay_version: str = ""
    python_version: str = ""
    schema_version: int = SCHEMA_VERSION
    extra: Mapping[str, Any] = field(default_factory=dict)


_canonical = msgspec.json.Encoder(order="deterministic")


def digest(value: Any) -> str:
    """A hash of a JSON-like value, as eight hex digits. The order of keys does not matter.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    return hashlib.blake2b(_canonical.encode(value), digest_size=4).hexdigest()
