"""The shared vocabulary: every data type that is passed from one layer to another.

All structs are frozen and keyword-only. ``Outcome`` is the union of the five ways in which a
case can end. An unknown score is absent; it is never replaced by a number.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

SCHEMA_VERSION = 2
"""Version of the layout of rows and headers; it is stored in both and checked on reading."""
OUTPUT_VERSION = 1
"""Version of the layout of tables, comparisons and results files in JSON."""

Score: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
"""The value of a metric in a row. ``None`` means undefined, never zero."""

Estimand: TypeAlias = Literal["fixed", "sample"]
"""What a run is about: questions on these documents, or documents like these."""


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
    """A name for one set of settings of the system under test.

    ``settings`` are passed to the system. ``configuration`` are all settings that are in force: also
    those that the system has by itself, by default or from the environment, as far as it declares
    them. ``secrets`` says of its keys and passwords which are ``set`` and which are ``not set``. Both
    are absent if the system has nothing besides ``settings``. In a header, ``configuration`` is also
    what a service, a model or a program is configured with, which is part of the system's identity.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    configuration: Mapping[str, Any] | UnsetType = UNSET
    secrets: Mapping[str, str] | UnsetType = UNSET


class Case(Struct, frozen=True, kw_only=True):
    """The unit of work: one question, one variant and one placement.

    ``key`` is ``question::variant::name=value…`` and is unique within a run. ``fingerprint``
    identifies what is asked and the exact system it is put to (see ``assay.runs.plan``), and
    ``against`` what the answer is compared with (gold, expected answers); it is empty if the job
    does not say. ``run`` is the number of the draw if the plan asks each case several times
    (``--runs``), from 1; ``None`` if it asks each once.
    """

    key: str
    question: Question
    variant: Variant
    fingerprint: str
    against: str = ""
    top_k: int = 10
    placement: Mapping[str, Any] = field(default_factory=dict)
    run: int | None = None


# The keys of cases that are asked several times: the first draw has the key of a case that is
# asked once, and later draws add their number.

_LATER_DRAW: Final = re.compile(r"(?<=[^:])::run=(?:[2-9]|[1-9]\d+)$")


def draw_key(key: str, draw: int) -> str:
    """The key of a draw of the case with this key.

    >>> draw_key("q1::on::topk=10", 1), draw_key("q1::on::topk=10", 3)
    ('q1::on::topk=10', 'q1::on::topk=10::run=3')
    """
    return key if draw == 1 else f"{key}::run={draw}"


def without_draw(placement: str) -> str:
    """The placement that the draws of a case share, from the placement in the key of one of them.

    >>> without_draw("topk=10"), without_draw("topk=10::run=3"), without_draw("run=3")
    ('topk=10', 'topk=10', 'run=3')
    """
    return _LATER_DRAW.sub("", placement)


def key_parts(key: str) -> tuple[str, str, str] | None:
    """The question, the variant and the placement in a key; ``None`` if it is no key of a plan.

    A question may contain ``::``. The placement of a later draw contains the draw's number.

    >>> key_parts("q1::on::topk=5"), key_parts("q1::on::topk=5::run=2"), key_parts("q1")
    (('q1', 'on', 'topk=5'), ('q1', 'on', 'topk=5::run=2'), None)
    >>> key_parts("a::b::quality::run=2")
    ('a::b', 'quality', 'run=2')
    """
    parts = key.rsplit("::", 3)
    if len(parts) == 4 and "=" in parts[2] and _LATER_DRAW.search(f"{parts[2]}::{parts[3]}"):
        question, variant, placement, draw = parts
        return question, variant, f"{placement}::{draw}"
    parts = key.rsplit("::", 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None


class Passage(Struct, frozen=True, kw_only=True):
    """A piece of text that the system retrieved.

    Passages are listed in the order in which an answer cites them: the n-th one is ``[n]``.
    ``rank`` is the retriever's rank by relevance, from 1, the best; if no passage has one, the
    order is taken for the rank unless the system declares otherwise. ``source`` is the document
    that the passage comes from, and ``start`` and ``end`` are its offsets in the document's text.
    """

    id: str
    text: str = ""
    page: int | None = None
    score: float | None = None
    rank: Annotated[int, msgspec.Meta(ge=1)] | None = None
    source: str | None = None
    start: int | None = None
    end: int | None = None


class GoldSpan(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a document that holds the answer, however the document is cut into chunks.

    It is named by its ``text``, by its offsets ``start`` and ``end`` in the text of the document,
    or by both.
    """

    source: str
    text: str = ""
    start: int | None = None
    end: int | None = None


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
    ``unmetered_calls`` counts the calls for which the provider did not report tokens,
    ``uncounted_calls`` those whose cost is not known although they were paid for in this run, and
    ``stated_calls`` those whose cost the provider stated itself; both are absent if there are none.
    """

    calls: int = 0
    replayed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered_calls: int = 0
    cost: float | None = None
    paid: float | None = None
    uncounted_calls: int | UnsetType = UNSET
    stated_calls: int | UnsetType = UNSET

    @property
    def is_counted(self) -> bool:
        """Whether it is known what was paid for all its calls."""
        if self.uncounted_calls:
            return False
        return self.paid is not None or self.calls <= self.replayed_calls


class Answer(Struct, frozen=True, kw_only=True):
    """The reply of the system, and the passages it is based on.

    ``passages`` is ``None`` if the system does not say what it retrieved, as a plain chat model
    does; it is empty if the system retrieved nothing.
    ``finish_reason`` says why the answer ended, see ``was_cut``. ``latency_s`` is set
    if the elapsed time would be misleading, for example because calls were replayed from a
    recording: it is the time that the answer would normally take. ``is_timed`` is false if nobody
    knows that time, as for an answer in a table. ``ttft_s`` is the part of it until the first text of
    an answer that came as a stream was there. ``facts`` is what the job noted while it asked, for
    example the length of the context that it built.
    """

    text: str
    passages: tuple[Passage, ...] | None = None
    usage: Usage | None = None
    stages: tuple[Stage, ...] = ()
    finish_reason: str | None = None
    latency_s: float | None = None
    ttft_s: float | None = None
    is_timed: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


class Prompt(Struct, frozen=True, kw_only=True):
    """What is put to the system for a case, and what the job noted while it built this.

    The question differs from that of the case if the job adds a context to it.
    """

    question: Question
    facts: Mapping[str, Any] = field(default_factory=dict)


class Scored(Struct, frozen=True, kw_only=True, tag_field="status", tag="scored"):
    """The system answered, and the answer was judged.

    ``judging`` is the cost of judging it, ``judges`` are the judges whose verdicts on this answer
    have been paid for.
    ``attempts``, ``first_in_flight`` and ``lost`` are those of ``Answered``.
    """

    answer: Answer
    elapsed_s: float
    attempts: int = 1
    first_in_flight: bool = False
    scores: Mapping[str, Score] = field(default_factory=dict)
    judging: Usage | None = None
    judges: tuple[str, ...] = ()
    lost: str | UnsetType = UNSET


class Answered(Struct, frozen=True, kw_only=True, tag_field="status", tag="answered"):
    """The system answered, and the answer is not judged yet. It is never asked again.

    ``attempts`` counts how often it was tried: 1, and one more for each time that the question or
    one of its calls was repeated. ``first_in_flight`` is true if no other question of the run had
    ended when it was asked: such a call may meet a cold server.

    The next run judges the recorded answer. ``problem`` says why judging failed; it is ``None``
    if judging has not been tried. ``judges`` are the judges whose verdicts on this answer have
    been paid for: there may be verdicts that could not be scored. ``lost`` is set if the provider
    withheld the answer and the run counts this as an empty answer; it says why.
    """

    answer: Answer
    elapsed_s: float
    attempts: int = 1
    first_in_flight: bool = False
    problem: str | None = None
    judging: Usage | None = None
    judges: tuple[str, ...] = ()
    lost: str | UnsetType = UNSET


class Failed(Struct, frozen=True, kw_only=True, tag_field="status", tag="failed"):
    """There is no answer because a call failed. The next run asks again.

    ``attempts`` is 0 if the system was not asked at all.
    """

    kind: str
    message: str
    elapsed_s: float
    attempts: int = 1
    first_in_flight: bool = False
    usage: Usage | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


class Skipped(Struct, frozen=True, kw_only=True, tag_field="status", tag="skipped"):
    """The case cannot be run, for the given reason. The next run does not try it again."""

    reason: str


class Spared(Struct, frozen=True, kw_only=True, tag_field="status", tag="spared"):
    """The case was not asked, because the comparison of its variant was decided without it.

    ``rule`` identifies the rule that decided. A run with another rule asks the case. ``decided`` is
    the verdict on the variant, if there is one, and ``decided_after`` the number of questions after
    which it was certain.
    """

    reason: str
    rule: str
    decided: str = ""
    decided_after: int = 0


Outcome: TypeAlias = Scored | Answered | Failed | Skipped | Spared
Status: TypeAlias = Literal["scored", "answered", "failed", "skipped", "spared"]


_CUT: Final = frozenset(
    {
        "length", "max_length", "max_output_tokens", "max_tokens", "model_context_window_exceeded",
        "model_length", "token_limit",
    }
)  # fmt: skip
"""The finish reasons of several providers for an answer that reached the limit of tokens."""


def was_cut(finish_reason: str | None) -> bool:
    """Whether the provider cut an answer off because it reached the limit of tokens.

    >>> was_cut("length"), was_cut("MAX_TOKENS"), was_cut("stop"), was_cut(None)
    (True, True, False, False)
    """
    return finish_reason is not None and finish_reason.lower() in _CUT


class Tally(Struct, frozen=True, kw_only=True):
    """How many cases of a run ended in each way. It is printed beside every aggregate.

    ``answered`` cases have a recorded answer that is not judged yet. ``lost`` counts those of the
    ``scored`` cases whose answer the provider's filter withheld (``--count-filtered``), and
    ``filtered`` those of the ``failed`` cases. ``spared`` cases were not asked, because the
    comparison was decided without them. These three are absent if there are none.
    """

    scored: int = 0
    answered: int = 0
    failed: int = 0
    skipped: int = 0
    lost: int | UnsetType = UNSET
    filtered: int | UnsetType = UNSET
    spared: int | UnsetType = UNSET

    @property
    def ended(self) -> int:
        """The number of cases that have an outcome of any kind."""
        return self.scored + self.answered + self.failed + self.skipped + (self.spared or 0)


_SPENT: Final = frozenset(
    {
        "s",
        "ms",
        "USD",
        "EUR",
        "CNY",
        "RMB",
        "RUB",
        "GBP",
        "JPY",
        "$",
        "€",
        "¥",
        "￥",
        "₽",
        "£",
        "money",
    }
)
"""Units of time and of money."""


class Metric(Struct, frozen=True, kw_only=True):
    """The declaration of a metric. Tables, labels in three languages and the docs follow from it.

    - ``field``: the path of the value in a row, with steps joined by dots
      (``gold_metrics.gold_hit_any``).
    - ``name``: its name for programs, in CSV and JSON and on the command line.
    - ``title``, ``title_zh``, ``title_ru``: its names for people, without the unit. An
      established metric has the name that papers use. ``{k}`` stands for the run's ``top_k``.
    - ``kind``: how the values are aggregated. ``rate`` is for yes/no values; ``p50`` and ``p95``
      are percentiles.
    - ``unit``: what the value counts (``s``, ``words``). A value without a unit is a share from 0
      to 1, and a difference of it is shown in percentage points.
    - ``better``: which direction is better; ``None`` if neither is.
    - ``formula``: how the value of a case is computed, as plain text.
    - ``undefined``: for which cases there is no value; empty if there is always one.
    - ``by_rank``: whether the value depends on the order of the passages by relevance. Variants
      that differ only in the order of the passages are not compared on it.
    - ``reported_by``: the yes/no field of a row that says whether the system reports what the value
      is about. It is undefined for a variant none of whose rows says yes; silence counts as wrong
      where other rows of the variant are not silent. Empty if nothing has to be reported.
    - ``optional``: whether a run without any value of it does not have the metric at all.
    - ``only_if``: the yes/no field of a row that is false where the answer does not take part. A run
      in which it is false in every row does not have the metric.
    - ``by_check``: whether the value comes from the checks of answers, so that two runs are compared on
      it only if the same rules scored both.
    - ``function``: the pure function that computes it, or its path ``package.module:name``, which
      nobody imports who only reads values; ``None`` if the value is measured.
    """

    name: str
    field: str
    title: str = ""
    title_zh: str = ""
    title_ru: str = ""
    kind: Literal["rate", "mean", "p50", "p95"] = "mean"
    better: Literal["higher", "lower"] | None = "higher"
    unit: str = ""
    formula: str = ""
    undefined: str = ""
    by_rank: bool = False
    reported_by: str = ""
    optional: bool = False
    only_if: str = ""
    by_check: bool = False
    function: Callable[..., Any] | str | None = None

    @property
    def family(self) -> Literal["quality", "latency"]:
        """The family of the metric: latency if it is measured in time or money, otherwise quality.

        The metrics of a family share one table and one correction for multiple comparisons.
        Latency differs from run to run; in the same family it would change the verdicts on
        the scores.

        >>> Metric(name="price", field="cost", unit="USD").family
        'latency'
        """
        return "latency" if self.unit in _SPENT else "quality"

    @property
    def bounds(self) -> tuple[str, str]:
        """The fields of a row with the least and the greatest value that an unsure score could have.

        >>> Metric(name="right_rate", field="scores.right").bounds
        ('at_least.right', 'at_most.right')
        """
        score = self.field.rpartition(".")[2]
        return f"at_least.{score}", f"at_most.{score}"

    @property
    def is_share(self) -> bool:
        """Whether its values are from 0 to 1: it has no unit and is no sum of penalties."""
        return not self.unit and (self.kind == "rate" or self.better == "higher")

    @property
    def is_percentile(self) -> bool:
        """Whether the metric is a percentile of the values and not their mean."""
        return self.kind in {"p50", "p95"}


class RunHeader(Struct, frozen=True, kw_only=True):
    """What was run and on which data, in enough detail to repeat the run.

    It is written before the first call. ``judging`` identifies what the answers are held
    against (gold, expected answers, the judge). If it changes, recorded answers are judged
    again; it is empty if the job does not judge recorded answers again. ``redact`` says which texts
    were masked, ``outputs`` or ``calls``; it is absent if none were.
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
    judging: str = ""
    assay_version: str = ""
    python_version: str = ""
    schema_version: int = SCHEMA_VERSION
    redact: str | UnsetType = UNSET
    extra: Mapping[str, Any] = field(default_factory=dict)


DIGEST_BYTES = 4
_canonical = msgspec.json.Encoder(order="deterministic")


def digest(value: Any) -> str:
    """A hash of a JSON-like value, as eight hex digits. The order of keys does not matter.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    return hashlib.blake2b(_canonical.encode(value), digest_size=DIGEST_BYTES).hexdigest()
