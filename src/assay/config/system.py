"""``systems`` in ``experiments.yaml``: systems under test that need more than a word."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from assay.config.experiment import Positive, Seconds
from assay.config.model import Price


class PythonConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="python"
):
    """A Python callable: ``target: package.module:callable``."""

    target: str


class ReplayConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="replay"
):
    """Recorded answers: ``path`` of a journal."""

    path: str


class OpenAIConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="openai"
):
    """A chat model asked directly; ``model`` names an entry under ``models``."""

    model: str
    system_prompt: str | None = None


class HttpConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="http"
):
    """Any JSON endpoint.

    In ``url`` and ``body``, ``{{question}}``, ``{{question_id}}``, ``{{top_k}}``,
    ``{{settings}}`` and ``{{settings.NAME}}`` stand for the case's values; there and in
    ``headers``, ``${NAME}`` stands for an environment variable. ``answer``, ``passages``,
    ``citations``, ``usage`` and ``error`` are JMESPath expressions over the reply.
    """

    url: Annotated[str, Meta(pattern=r"^https?://")]
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = field(default_factory=lambda: {"question": "{{question}}"})
    answer: str = "answer"
    passages: str | None = None
    citations: Annotated[
        str | None,
        Meta(description="What is cited: a list of {page, text}, of texts or of page numbers."),
    ] = None
    usage: str | None = None
    error: Annotated[
        str | None, Meta(description="What of a 200 reply, if present, is an error message.")
    ] = None
    settings: Annotated[
        list[str] | None, Meta(description="The settings it understands; absent: any.")
    ] = None
    price: Price | None = None
    timeout_s: Seconds = 120.0
    retries: Annotated[int, Meta(ge=0)] = 3
    version: Annotated[str, Meta(description="Change it when the service's answers change.")] = ""


class CommandConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="command"
):
    """A program: a JSON line in on stdin, a JSON line out on stdout, kept alive."""

    command: Annotated[list[str], Meta(min_length=1)]
    env: dict[str, str] = field(default_factory=dict)
    processes: Annotated[Positive, Meta(description="How many to keep, one case each.")] = 1
    settings: list[str] | None = None
    version: str = ""


class ReferenceConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="reference"
):
    """The reference pipeline over a corpus of chunks. Paths default to those in ``defaults``."""

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
            description="exact (default) compares every chunk; usearch, an extra, few of them: "
            "quicker from a few hundred thousand chunks on, and may miss some."
        ),
    ] = "exact"


class ReviewerConfig(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="reviewer"
):
    """The reference reviewer of contract clauses. Without ``rules``, with the sample's."""

    rules: Annotated[str | None, Meta(description="Rules, as YAML or JSON.")] = None
    laws: Annotated[
        str | None, Meta(description="Articles of law (name, article, text), JSONL or SQLite.")
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
