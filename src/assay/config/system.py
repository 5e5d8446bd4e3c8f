"""The section ``systems`` of ``experiments.yaml``: systems under test that need settings."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from assay.config.experiment import Positive, Seconds
from assay.config.model import Price

PassagesOrder: TypeAlias = Literal["rank", "prompt_order"]
"""What the order of a system's passages says: their rank, or only their place in the prompt."""

_ORDER: Final = (
    "What the order of the passages means if they have no rank: rank (default), the best one "
    "first, or prompt_order, in which case MRR and nDCG are undefined."
)


class PythonConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="python"
):
    """A Python callable: ``target: package.module:callable``."""

    target: str
    passages: Annotated[PassagesOrder | None, Meta(description=_ORDER)] = None
    max_concurrency: Annotated[
        Positive | None,
        Meta(
            description="How many questions the callable can answer at the same time; 1 for a "
            "synchronous one that does not say. With isolate, the number of processes."
        ),
    ] = None
    isolate: Annotated[
        Literal["process"] | None,
        Meta(
            description="process runs the callable in a process of its own, which is ended and "
            "started again if a question passes its deadline."
        ),
    ] = None


class ReplayConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="replay"
):
    """Recorded answers: ``path`` is the path of a journal."""

    path: str


class OpenAIConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="openai"
):
    """A chat model without retrieval; ``model`` is the name of an entry under ``models``."""

    model: str
    system_prompt: str | None = None


class HttpPreparation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request that prepares a service before the first question, once for each variant.

    ``{{settings}}`` and ``{{settings.NAME}}`` in ``url`` and ``body`` are replaced by the settings
    of the variant, and ``${NAME}`` by an environment variable.
    """

    url: Annotated[str, Meta(pattern=r"^https?://")]
    method: Literal["GET", "POST", "PUT"] = "POST"
    body: Any = field(default_factory=lambda: {"settings": "{{settings}}"})
    timeout_s: Seconds = 1800.0


class HttpConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="http"
):
    """An HTTP service that replies with JSON.

    In ``url`` and ``body``, ``{{question}}``, ``{{question_id}}``, ``{{top_k}}``,
    ``{{settings}}`` and ``{{settings.NAME}}`` are replaced by the values of the case. In
    ``url``, ``body`` and ``headers``, ``${NAME}`` is replaced by an environment variable.
    ``answer``, ``passages``, ``citations``, ``usage`` and ``error`` are JMESPath expressions
    that are applied to the reply.
    """

    url: Annotated[str, Meta(pattern=r"^https?://")]
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = field(default_factory=lambda: {"question": "{{question}}"})
    answer: str = "answer"
    passages: str | None = None
    passages_order: Annotated[PassagesOrder, Meta(description=_ORDER)] = "rank"
    citations: Annotated[
        str | None,
        Meta(description="The citations: a list of {page, text}, of texts or of page numbers."),
    ] = None
    usage: str | None = None
    error: Annotated[
        str | None,
        Meta(description="The error message in a reply with status 200, if there is one."),
    ] = None
    settings: Annotated[
        list[str] | None,
        Meta(description="The settings that the service understands; absent means any."),
    ] = None
    prepare: Annotated[
        HttpPreparation | None,
        Meta(description="A request that is sent before the first question; it is not timed."),
    ] = None
    price: Price | None = None
    timeout_s: Seconds = 120.0
    retries: Annotated[int, Meta(ge=0)] = 3
    version: Annotated[
        str, Meta(description="Change this text when the answers of the service change.")
    ] = ""


class CommandConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="command"
):
    """A program that keeps running: it reads JSON lines on stdin and writes JSON lines on stdout."""

    command: Annotated[list[str], Meta(min_length=1)]
    env: dict[str, str] = field(default_factory=dict)
    processes: Annotated[
        Positive,
        Meta(description="Number of processes; each handles one case at a time."),
    ] = 1
    settings: list[str] | None = None
    prepare: Annotated[
        bool,
        Meta(
            description="Whether each process gets {prepare: true, settings: …} for each variant "
            "before the first question, and answers with a line; it is not timed."
        ),
    ] = False
    passages: Annotated[PassagesOrder, Meta(description=_ORDER)] = "rank"
    version: str = ""


class ReferenceConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="reference"
):
    """The reference pipeline over a corpus of chunks.

    The paths in ``defaults`` are used for the paths that are absent here.
    """

    chunks_manifest: str | None = None
    embedding_cache_dir: str | None = None
    embedder: Annotated[
        str,
        Meta(
            description="hashed (default, offline), e5, openai:MODEL, onnx:FOLDER or "
            "sentence-transformers:FOLDER."
        ),
    ] = "hashed"
    generator: Annotated[
        str, Meta(description="extractive (default, offline) or openai:MODEL.")
    ] = "extractive"
    index: Annotated[
        Literal["exact", "usearch"],
        Meta(
            description="exact (default) compares the query with every chunk; usearch (needs "
            "an optional package) compares it with a few: faster from a few hundred thousand "
            "chunks on, but it may miss some."
        ),
    ] = "exact"


class ReviewerConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="reviewer"
):
    """The reference reviewer of contract clauses.

    Without ``rules`` it looks for a few words that often stand near a risk.
    """

    rules: Annotated[str | None, Meta(description="A file of rules, YAML or JSON.")] = None
    laws: Annotated[
        str | None,
        Meta(description="A file of law articles (name, article, text), JSONL or SQLite."),
    ] = None
    generator: Annotated[
        str, Meta(description="extractive (default, offline) or openai:MODEL.")
    ] = "extractive"


SystemConfig: TypeAlias = (
    ReferenceConfig
    | ReviewerConfig
    | PythonConfig
    | ReplayConfig
    | OpenAIConfig
    | HttpConfig
    | CommandConfig
)
