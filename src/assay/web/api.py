"""What the page receives: the JSON interface under ``/api/v1``, and the structs of runs.

The structs of questions are in ``assay.web.item_api``. The TypeScript types of the page are
generated from both (``tools/generate_types.py``), so a field has one name and one meaning on both
sides. Texts that assay writes come in all three
languages at once, so that switching the language asks for nothing and one file can hold a run.

The page has two sources for these structs: the server, or the data inside one HTML file. Both
answer the same calls:

    GET /api/v1/workspace                      Workspace
    GET /api/v1/runs/{run}                     RunView
    GET /api/v1/runs/{run}/groups?field=…&metric=…   GroupView  (the primary metric by default)
    GET /api/v1/runs/{run}/items?…             ItemPage    (ItemQuery as query parameters)
    GET /api/v1/runs/{run}/count?…             ItemCount   (the exact number; may take seconds)
    GET /api/v1/runs/{run}/items/{item}        ItemView    (item: =ID, or its index in the run)
    GET /api/v1/runs/{run}/rows/{item}/{variant}?offset=…          TextPart  (the line of the row)
    GET /api/v1/runs/{run}/text/{item}/{variant}?field=…&offset=…  TextPart  (the rest of a cut text)
    GET /api/v1/compare?base={run}&cand={run}&variant=…&cand_variant=…&metric=…   CompareView
                        also margin=… or equivalent=…, as the options of assay compare

``{run}`` and ``{variant}`` are encoded as one part of the path (``encodeURIComponent``).
``variant`` of a comparison is the base's one, ``cand_variant`` the candidate's (the same by
default). No answer is larger than 1 MB: a long text is cut, marked by ``is_cut``, and the rest is
fetched in parts with ``field`` ``question``, ``answer``, ``error`` or ``passage:N`` (N from 1).

An error is ``Problem`` with a status of 400 or above.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from assay.errors import UseError
from assay.mask import mask_json, mask_secrets
from assay.web.judge.api import JudgePairView, JudgePreference, JudgeView
from assay.web.pattern import Cancelled
from assay.web.text_store import Interval
from assay.words.message import Message, Said, Title


class Problem(Struct, frozen=True, kw_only=True):
    """Why a call failed, as the command line would say it."""

    error: Said


class Counts(Struct, frozen=True, kw_only=True):
    """How many cases ended in which way; ``unparsed`` ones are also among the scored ones."""

    scored: int = 0
    answered: int = 0
    failed: int = 0
    skipped: int = 0
    unparsed: int = 0
    spared: int = 0
    total: int | None = None


class RunAbout(Struct, frozen=True, kw_only=True):
    """What a person wrote about a run; ``title`` is shown in place of its name."""

    title: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    is_archived: bool = False


class RunCard(Struct, frozen=True, kw_only=True):
    """One run in the list of runs.

    ``id`` is its path from the workspace without ``.jsonl``; ``state`` is ``complete``, ``ended``
    (every case was asked, some without success), ``partial``, ``running``, ``failed`` or ``unreadable``; ``problem`` says why it cannot be read.
    ``headline`` has the value of the metric ``metric`` for the baseline, or for the only variant;
    ``unsure`` answers leave it between the ends of ``band``;
    ``finding`` is the strongest finding in one short sentence. ``broken_lines`` of its file are
    no rows and are left out. ``about`` is what a person wrote. ``kind`` is the job, or ``run`` if
    the command ``assay run`` made it, as ``assay list`` has it.
    """

    id: str
    name: str
    job: str
    kind: str
    system: str
    state: str
    counts: Counts
    started_at: str | None = None
    completed_at: str | None = None
    questions: int | None = None
    variants: tuple[str, ...] = ()
    metric: Title | None = None
    headline: float | None = None
    interval: Interval | None = None
    finding: Message | None = None
    unsure: int = 0
    band: Interval | None = None
    paid: float | None = None
    elapsed_s: float | None = None
    problem: str | None = None
    broken_lines: int = 0
    about: RunAbout | None = None


class Workspace(Struct, frozen=True, kw_only=True):
    """The folder that is shown, and its runs, newest first; and whether it has drafted questions."""

    name: str
    version: str
    runs: tuple[RunCard, ...]
    is_static: bool = False
    is_read_only: bool = True
    has_drafts: bool = False


class MetricInfo(Struct, frozen=True, kw_only=True):
    """A metric: its name for programs, its title, and how its values are shown.

    ``kind`` is ``rate`` (0 to 1, yes/no per item), ``share`` (0 to 1), ``time``, ``money`` or
    ``number``. ``is_bounded`` is true if the axis of a chart ends at 0 and 1.
    """

    name: str
    title: Title
    formula: str
    undefined: Message | None
    higher_is_better: bool | None
    unit: str
    kind: str
    is_bounded: bool
    family: str


class CorrectedRate(Struct, frozen=True, kw_only=True):
    """A rate corrected by ``labelled`` labels of people."""

    value: float
    interval: Interval | None
    labelled: int


class Cell(Struct, frozen=True, kw_only=True):
    """A variant's value of a metric; ``None`` is undefined, and ``reason`` says why.

    ``band`` is what ``unsure`` answers leave open: from all of them wrong to all of them right.
    """

    value: float | None
    n: int
    interval: Interval | None = None
    reason: Message | None = None
    unsure: int = 0
    band: Interval | None = None
    corrected: CorrectedRate | None = None
    is_best: bool = False
    is_worst: bool = False


class Difference(Struct, frozen=True, kw_only=True):
    """A variant against the baseline on one metric.

    ``interval`` belongs to the test: it leaves out 0 exactly if ``p`` is below .05. ``plain`` is
    the interval of this difference alone. ``verdict`` is ``better``, ``worse``, ``unclear``,
    ``too few``, ``same``, or ``untested`` for a percentile. In a run that stopped early it is ``better``, ``worse``, ``equivalent`` or
    ``undecided``, ``interval`` holds at every moment, and ``decided_after`` is the number of questions.
    If nothing changed, ``at_most`` is the largest share of such questions that would, or of such documents
    if ``unit`` is ``document``.
    """

    variant: str
    metric: str
    difference: float | None
    interval: Interval | None
    plain: Interval | None
    p: float | None
    verdict: str
    n: int
    gained: int | None
    lost: int | None
    family: str
    stars: str
    detectable: float | None = None
    at_most: float | None = None
    unit: str = "item"
    decided_after: int | None = None


class VariantView(Struct, frozen=True, kw_only=True):
    """A variant with its counts, its values by metric, what it cost, and its settings."""

    name: str
    is_baseline: bool
    counts: Counts
    cells: Mapping[str, Cell]
    cost: float | None
    paid: float | None
    judge_paid: float | None
    calls: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    settings: Mapping[str, Any]
    order: float | None = None


class TableView(Struct, frozen=True, kw_only=True):
    """A table as people read it.

    A cell is a plain text, or a message. ``marks`` has
    ``best``, ``worst`` or an empty text for each cell; it is empty if there are no marks.
    """

    title: Said
    columns: tuple[Said, ...]
    rows: tuple[tuple[Said, ...], ...]
    notes: tuple[Said, ...] = ()
    marks: tuple[tuple[str, ...], ...] = ()


class ChartView(Struct, frozen=True, kw_only=True):
    """A chart as data; the page draws it, and shows the same numbers as a table and as CSV.

    ``kind``: ``differences`` (points with intervals around zero), ``bars`` (values with intervals),
    ``line`` (over an ordered variable), ``tradeoff`` (latency against quality, with the Pareto
    front), ``cost``, ``heatmap`` (depth by length), ``stretches`` (along a novel), ``confusion`` (expected by predicted),
    ``groups`` (bars by group and variant, for example by type of question), ``reasons`` and
    ``sequence`` (the interval over the number of questions, in a run that stopped early).
    ``data`` depends on the kind; ``src/assay/web/chart.py`` says how.
    """

    id: str
    kind: str
    title: Said
    x: Said
    y: Said
    note: Said | None
    data: Any


class GroupField(Struct, frozen=True, kw_only=True):
    """A field of the questions by which a run can be divided, and the number of its values."""

    name: str
    values: int


class GroupPlot(Struct, frozen=True, kw_only=True):
    """A variant against the baseline in each group; ``Difference.variant`` is the group."""

    variant: str
    differences: tuple[Difference, ...]


class GroupView(Struct, frozen=True, kw_only=True):
    """A metric in the groups of a field: in words, as differences, and as tables."""

    field: str
    metric: str
    sentences: tuple[Said, ...]
    plots: tuple[GroupPlot, ...]
    tables: tuple[TableView, ...]


class Setup(Struct, frozen=True, kw_only=True):
    """What was run on what: facts in order, the header, and the command that was typed.

    ``resume`` is the command that goes on with the run. Both are empty if none is recorded.
    """

    facts: tuple[tuple[Said, Said], ...]
    command: str
    resume: str
    header: Mapping[str, Any]


class Failure(Struct, frozen=True, kw_only=True):
    """An error that cases failed with, and how many did."""

    error: str
    count: int


class RunView(Struct, frozen=True, kw_only=True):
    """One run: sentences first, then numbers, then what they were made from.

    ``about`` says what all numbers are about, if that depends on documents. ``failures`` are the errors
    of failed cases, the most frequent first. ``stops_early`` if a variant
    was asked until its comparison was decided: then there are no p-values. ``judges`` have judged its
    answers; ``judge_pairs`` compare those with the same rubric. ``unsure`` is the number of answers
    that a check is unsure of. ``fields`` make groups of questions; ``shown_field`` is the one that is
    shown first, if any.
    """

    card: RunCard
    sentences: tuple[Said, ...]
    reservations: tuple[Said, ...]
    about: tuple[Said, ...] = ()
    primary: str
    baseline: str
    metrics: tuple[MetricInfo, ...]
    variants: tuple[VariantView, ...]
    differences: tuple[Difference, ...]
    charts: tuple[ChartView, ...]
    tables: tuple[TableView, ...]
    setup: Setup
    sources: tuple[str, ...]
    tags: tuple[str, ...]
    items: int
    outside: int = 0
    failures: tuple[Failure, ...] = ()
    stops_early: bool = False
    judges: tuple[JudgeView, ...] = ()
    judge_pairs: tuple[JudgePairView, ...] = ()
    judge_preferences: tuple[JudgePreference, ...] = ()
    unsure: int = 0
    fields: tuple[GroupField, ...] = ()
    shown_field: str = ""


class ChangedItem(Struct, frozen=True, kw_only=True):
    """A question whose score differs between two runs, with both answers and its id in each run."""

    id: str
    question: str
    before: float | None
    after: float | None
    base_item: str | None
    cand_item: str | None
    base_answer: str | None
    cand_answer: str | None


class SharedSets(Struct, frozen=True, kw_only=True):
    """How the question sets of two runs differ; the comparison is about the ``both`` ones.

    ``changed`` have the same id and another question, gold or expected answer.
    """

    base_version: str
    cand_version: str
    both: int
    changed: tuple[str, ...]
    changed_total: int
    only_base: int
    only_cand: int


class CompareView(Struct, frozen=True, kw_only=True):
    """Two runs: the verdict of the gate and its settings, or why they cannot be compared.

    ``exit_code`` is what ``assay compare`` would end with, and ``command`` is that command. If only
    the question sets differ, the code is 2, and ``shared`` says on which questions the rest of the
    view compares the runs. ``counts`` says how many pairs were compared and how many questions stand
    how. ``unscored`` is how many cases failed or are not judged in the run that has more of them,
    ``max_failed`` how many are allowed; the command allows all of them. ``unpaired`` are the metrics
    of the base without a question that has a value in both runs. ``outcome`` is what the code does not
    tell: ``unclear`` if there is a ``margin``, or a difference within which both are ``equivalent``, and
    too few questions to tell.
    """

    base: RunCard
    cand: RunCard
    exit_code: int
    headline: Said
    reasons: tuple[Said, ...]
    settings: tuple[tuple[Said, Said], ...]
    command: str
    differences: tuple[Difference, ...]
    metrics: tuple[MetricInfo, ...]
    changed: tuple[ChangedItem, ...]
    changed_total: int
    shared: SharedSets | None = None
    counts: tuple[tuple[Said, int], ...] = ()
    unscored: int = 0
    max_failed: int = 0
    unpaired: tuple[str, ...] = ()
    outcome: Literal["passed", "failed", "unclear", "invalid"] = "invalid"
    margin: float | None = None
    equivalent: float | None = None


# The body of a request that changes something, as a struct.

T = TypeVar("T")


async def read_body(request: web.Request, as_type: type[T]) -> T:
    """The JSON body of a request; raises ``UseError`` if it is not of this type."""
    try:
        return msgspec.json.decode(await request.read(), type=as_type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UseError(f"the request is wrong: {error}") from None


# Answers of the JSON interface, and work that takes time.

LARGEST_BODY: Final = 1_000_000
"""No answer of the interface, and no request, is larger, in bytes."""
ResultT = TypeVar("ResultT")


def json_reply(value: Any, status: int = 200, *, is_own: bool = False) -> web.Response:
    """A struct as the answer; an error if it is too large.

    Values are masked, unless it is the user's ``own`` configuration, which is written back; keys are
    always masked.
    """
    encoded = msgspec.json.encode(value)
    body = mask_secrets(encoded) if is_own else mask_json(encoded)
    if len(body) > LARGEST_BODY:
        body = msgspec.json.encode(
            Problem(error=f"the answer would have {len(body)} bytes, {LARGEST_BODY} are allowed")
        )
        status = 500
    response = web.Response(body=body, status=status, content_type="application/json")
    if len(body) > 4096:
        response.enable_compression()
    return response


def whole(text: str) -> int:
    """The number of a parameter; raises ``UseError`` if it is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise UseError(f"{text[:40]!r} is not a whole number")
    return int(text)


def size(text: str) -> float | None:
    """The number of a parameter, or ``None`` if it is empty; raises ``UseError`` if it is none."""
    try:
        return float(text) if text else None
    except ValueError:
        raise UseError(f"{text[:40]!r} is not a number") from None


async def in_thread(work: Callable[[Callable[[], bool]], ResultT]) -> ResultT:
    """Run ``work`` in a thread; its argument says whether the client has gone."""
    gone = threading.Event()
    try:
        return await asyncio.to_thread(work, gone.is_set)
    except asyncio.CancelledError:
        gone.set()
        raise
    except Cancelled:
        raise asyncio.CancelledError from None


# What was asked for and is not there.


class Missing(UseError):
    """There is no such run, item, variant or text; the server answers 404."""
