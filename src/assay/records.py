"""The vocabulary: every noun that crosses a layer, on one screen.

All structs are frozen and keyword-only. ``Outcome`` is the union of the three ways a case
can end; there is no score in place of "unknown".
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

SCHEMA_VERSION = 1
"""Version of the row and header layout, stored with both."""

Score: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
"""A metric's value in a row. ``None`` says undefined, never zero."""


class Question(Struct, frozen=True, kw_only=True):
    """What is asked. ``gold`` names what a right answer rests on (chunk ids, for one).

    A job whose questions carry more (choices, required phrases) subclasses this.
    """

    id: str
    text: str
    source: str | None = None
    gold: tuple[str, ...] = ()


class Variant(Struct, frozen=True, kw_only=True):
    """A named, complete choice of settings of the system under test."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)


class Case(Struct, frozen=True, kw_only=True):
    """One question put to one variant at one placement: the unit of work.

    ``key`` is ``question::variant::name=value…`` and is unique within a run;
    ``fingerprint`` says what exactly was asked of what (see ``assay.runner.plan``).
    """

    key: str
    question: Question
    variant: Variant
    fingerprint: str
    top_k: int = 10
    placement: Mapping[str, Any] = field(default_factory=dict)


class Passage(Struct, frozen=True, kw_only=True):
    """A piece of text the system retrieved, in the order it may be cited: the n-th is ``[n]``.

    ``rank`` is its place by relevance (1 is best) where that is another order.
    """

    id: str
    text: str = ""
    page: int | None = None
    score: float | None = None
    rank: int | None = None


class Stage(Struct, frozen=True, kw_only=True):
    """One step inside the system: its time, what it kept, or why it was skipped."""

    name: str
    elapsed_s: float = 0.0
    skipped: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


class Usage(Struct, frozen=True, kw_only=True):
    """What an answer consumed.

    ``cost`` is what its calls cost at list price; ``paid`` is the part paid just now, the
    rest having been replayed from the call cache. ``None``: no price is known.
    ``unmetered_calls`` are those whose tokens the provider did not report.
    """

    calls: int = 0
    replayed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered_calls: int = 0
    cost: float | None = None
    paid: float | None = None


class Answer(Struct, frozen=True, kw_only=True):
    """What the system said, and what it rested on.

    ``finish_reason`` is ``"length"`` where the provider cut the answer short. ``latency_s``
    is set where the answer came in part from recorded calls: the time it would have taken.
    """

    text: str
    passages: tuple[Passage, ...] = ()
    usage: Usage | None = None
    stages: tuple[Stage, ...] = ()
    finish_reason: str | None = None
    latency_s: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


class Scored(Struct, frozen=True, kw_only=True, tag_field="status", tag="scored"):
    """The system answered and the scorers judged the answer."""

    answer: Answer
    elapsed_s: float
    scores: Mapping[str, Score] = field(default_factory=dict)


class Failed(Struct, frozen=True, kw_only=True, tag_field="status", tag="failed"):
    """There is no score: the call failed, or a scorer did (then ``answer`` is kept).

    Asked again by the next run.
    """

    kind: str
    message: str
    elapsed_s: float
    attempts: int = 1
    usage: Usage | None = None
    answer: Answer | None = None


class Skipped(Struct, frozen=True, kw_only=True, tag_field="status", tag="skipped"):
    """The case cannot be put at all; the reason says why. Not asked again."""

    reason: str


Outcome: TypeAlias = Scored | Failed | Skipped
Status: TypeAlias = Literal["scored", "failed", "skipped"]


class Tally(Struct, frozen=True, kw_only=True):
    """How the cases of a run ended. Every aggregate is printed beside one of these."""

    scored: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def ended(self) -> int:
        """Cases that have an outcome of any kind."""
        return self.scored + self.failed + self.skipped


class Metric(Struct, frozen=True, kw_only=True):
    """What a number of the rows is called in tables, how it is summed up, which way is better.

    ``field`` is its place in the row, steps joined by dots (``gold_metrics.gold_hit_any``).
    A ``rate`` is of yes/no values; ``p50`` and ``p95`` are percentiles. ``better`` is
    ``None`` where neither way is.
    """

    name: str
    field: str
    title: str = ""
    kind: Literal["rate", "mean", "p50", "p95"] = "mean"
    better: Literal["higher", "lower"] | None = "higher"
    unit: str = ""

    @property
    def family(self) -> Literal["quality", "latency"]:
        """Metrics of a family share a table, and the correction for its many comparisons.

        Latency differs from run to run: among the scores it would shift their verdicts.
        """
        return "latency" if self.unit == "s" else "quality"


class RunHeader(Struct, frozen=True, kw_only=True):
    """What was run on what, enough to repeat it. Written before the first call."""

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
    """Eight hex digits that stand for a JSON-like value, whatever the order of its keys.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    return hashlib.blake2b(_canonical.encode(value), digest_size=4).hexdigest()
