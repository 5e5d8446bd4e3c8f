"""The section ``systems`` of ``experiments.yaml``: systems under test that need settings."""

import re
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from msgspec import UNSET, Meta, Struct, UnsetType, field

from assay.config.experiment import LARGEST, Positive, Seconds
from assay.errors import UseError

# The section ``models`` of ``experiments.yaml``: models, their addresses and prices.

DEFAULT_ADDRESS: Final = "https://openrouter.ai/api/v1"
DEFAULT_KEY: Final = "OPENROUTER_API_KEY"
NonNegative = Annotated[float, Meta(ge=0, le=LARGEST)]


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price per million tokens, in any currency; costs are in the same currency."""

    prompt: NonNegative = 0.0
    completion: NonNegative = 0.0


class Averages(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tokens of an average call. ``--dry-run`` uses them if there are no recorded rows yet."""

    prompt_tokens: NonNegative = 0.0
    completion_tokens: NonNegative = 0.0


class ModelConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One model at one OpenAI-compatible address.

    ``api_key_env`` is the name of the environment variable (or of the line in ``.env``) that
    contains the API key. The key itself is never written in ``experiments.yaml``. A model at the
    default address uses ``OPENROUTER_API_KEY``, and no other model gets that key unless it names it.
    """

    model: str
    base_url: Annotated[str, Meta(pattern=r"^https?://")] = DEFAULT_ADDRESS
    api_key_env: Annotated[
        str | UnsetType | None,
        Meta(
            description="The environment variable with the API key; null sends none. Default: "
            f"{DEFAULT_KEY} at the default base_url, none on this computer; any other base_url "
            "must say."
        ),
    ] = UNSET
    parameters: Annotated[
        dict[str, Any],
        Meta(description="Parameters sent with every call: temperature, max_tokens, seed …"),
    ] = field(default_factory=dict)
    headers: Annotated[
        dict[str, str],
        Meta(
            description="Additional HTTP headers; ${NAME} is replaced by the environment "
            "variable NAME."
        ),
    ] = field(default_factory=dict)
    query: Annotated[
        dict[str, str],
        Meta(
            description="Query parameters that are added to the address, for example api-version; "
            "${NAME} is replaced by the environment variable NAME."
        ),
    ] = field(default_factory=dict)
    price: Price | None = None
    averages: Averages | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    concurrency: Annotated[
        Positive, Meta(description="Maximum number of calls at the same time.")
    ] = 64
    timeout_s: Annotated[Seconds, Meta(description="Maximum duration of one call in seconds.")] = (
        120.0
    )
    retries: Annotated[int, Meta(ge=0)] = 3
    embedding_batch: Annotated[
        Positive, Meta(description="Number of texts in one embeddings call.")
    ] = 64

    @property
    def key_variable(self) -> str | None:
        """The variable with the API key; the default one is only for the default address.

        >>> ModelConfig(model="m").key_variable
        'OPENROUTER_API_KEY'
        >>> ModelConfig(model="m", base_url="https://example.org/v1").key_variable is None
        True
        """
        if self.api_key_env is not UNSET:
            return self.api_key_env or None
        return DEFAULT_KEY if _origin(self.base_url) == _origin(DEFAULT_ADDRESS) else None


def _origin(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # not an address; the first call says so
        return "", ""
    return parts.scheme, parts.netloc.rpartition("@")[2].removesuffix(":443").lower()


PassagesOrder: TypeAlias = Literal["rank", "prompt_order"]
"""What the order of a system's passages says: their rank, or only their place in the prompt."""

_ORDER: Final = (
    "What the order of the passages means if they have no rank: rank (default), the best one "
    "first, or prompt_order, in which case MRR and nDCG are undefined."
)


class PerQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a system takes for a question, on average; what is absent is not known.

    ``--dry-run`` uses it for what no recorded answer of the system tells.
    """

    calls: NonNegative | None = None
    prompt_tokens: NonNegative | None = None
    completion_tokens: NonNegative | None = None
    cost: NonNegative | None = None


_PER_QUESTION: Final = (
    "What the system takes for a question, for --dry-run: calls, prompt_tokens, "
    "completion_tokens, cost. Recorded answers count more."
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
    per_question: Annotated[PerQuestion | None, Meta(description=_PER_QUESTION)] = None


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


class StreamConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the pieces of a reply that comes as a stream become one reply.

    Without it the content type and the usual places of the text decide.
    """

    format: Annotated[
        Literal["auto", "sse", "lines", "text", "none"],
        Meta(
            description="sse: server-sent events; lines: a JSON value on each line; text: the reply is "
            "the answer; none: one reply in any case. auto (default) goes by the content type."
        ),
    ] = "auto"
    event: Annotated[
        str | None,
        Meta(
            description="The events that hold the text: their name, or 'type' or 'event' in their data."
        ),
    ] = None
    delta: Annotated[
        str | None, Meta(description="JMESPath to the next piece of the text in an event.")
    ] = None
    final: Annotated[
        str | None,
        Meta(
            description="The name of the event that holds the reply with passages and usage, and the "
            "whole answer if 'answer' finds it there; last is the last one. Without it the fields of "
            "all events together are the reply."
        ),
    ] = None
    end: Annotated[
        str | None,
        Meta(
            description="The name or the data of the event without which a stream counts as broken off."
        ),
    ] = None


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
    stream: StreamConfig | None = None
    price: Price | None = None
    per_question: Annotated[PerQuestion | None, Meta(description=_PER_QUESTION)] = None
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
    per_question: Annotated[PerQuestion | None, Meta(description=_PER_QUESTION)] = None
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


# The section ``judges`` of ``experiments.yaml``: models that judge recorded answers.


class JudgeConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge: ``assay judge RUN --judge NAME`` asks its model about every recorded answer."""

    model: Annotated[
        str,
        Meta(
            min_length=1,
            description="The name of an entry under 'models', or of a model at a known provider.",
        ),
    ]
    rubric: Annotated[
        str,
        Meta(
            min_length=1,
            description="correctness, faithfulness, citation_precision, citation_recall, relevance, "
            "abstention, or the path of a Markdown file with your own rules and scale.",
        ),
    ] = "correctness"


# ``redact:`` of ``experiments.yaml``: values that must not leak.

RedactMode = Literal["off", "outputs", "calls"]


class RedactConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is masked and where. The options --redact, --key and --no-key override it."""

    mode: Annotated[
        RedactMode,
        Meta(
            description="outputs: mask everything that is written or shown; calls: also what is "
            "sent to models and systems on other computers."
        ),
    ] = "outputs"
    words: Annotated[
        list[str], Meta(description="Your own words to mask, in any case of letters.")
    ] = []
    patterns: Annotated[
        list[str], Meta(description="Your own regular expressions (RE2) of values to mask.")
    ] = []
    names: Annotated[
        bool,
        Meta(description="Mask names of people and organisations too; needs the extra names."),
    ] = False
    key: Annotated[
        str | None,
        Meta(description="The file of the key, outside the workspace. Default: one per workspace."),
    ] = None
    no_key: Annotated[bool, Meta(description="Keep no key: nothing can turn the tags back.")] = (
        False
    )


# What ``--on``, ``--workers``, ``--worker-cpus`` and ``--worker-gpus`` say.

Files = Literal["auto", "shared", "upload"]
"""How the workspace reaches the workers."""
_ADDRESS: Final = re.compile(r"ray://[\w.\-\[\]:]+:\d{1,5}")


class ClusterOptions(Struct, frozen=True, kw_only=True):
    """Where the system answers.

    ``address`` is that of a Ray client server; None is the cluster that ``RAY_ADDRESS`` names, or
    else one on this machine that lasts as long as the run. ``workers`` is None if it follows from
    the processors of the cluster.
    """

    address: str | None = None
    workers: int | None = None
    cpus: float = 1.0
    gpus: float = 0.0
    files: Files = "auto"


def read_cluster_options(
    on: str | None,
    *,
    workers: int | None = None,
    cpus: float | None = None,
    gpus: float | None = None,
    files: str | None = None,
) -> ClusterOptions | None:
    """The options of the command line; None if the system answers in this process.

    >>> read_cluster_options("ray", workers=2).workers
    2
    """
    if on is None:
        given = {
            "workers": workers,
            "worker-cpus": cpus,
            "worker-gpus": gpus,
            "worker-files": files,
        }
        for name, value in given.items():
            if value is not None:
                raise UseError(f"--{name} needs --on ray: without it there are no workers")
        return None
    if on != "ray" and not _ADDRESS.fullmatch(on):
        raise UseError(f"--on {on}: write ray for this machine, or ray://HOST:PORT for a cluster")
    if files is not None and files not in get_args(Files):
        raise UseError(f"--worker-files {files}: write auto, shared or upload")
    return ClusterOptions(
        address=None if on == "ray" else on,
        workers=workers,
        cpus=1.0 if cpus is None else cpus,
        gpus=gpus or 0.0,
        files=files or "auto",  # type: ignore[arg-type]
    )
