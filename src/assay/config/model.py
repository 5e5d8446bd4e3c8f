"""The section ``models`` of ``experiments.yaml``: models, their addresses and prices."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from assay.config.experiment import LARGEST, Positive, Seconds

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
    contains the API key. The key itself is never written in ``experiments.yaml``.
    """

    model: str
    base_url: Annotated[str, Meta(pattern=r"^https?://")] = "https://openrouter.ai/api/v1"
    api_key_env: str | None = "OPENROUTER_API_KEY"
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
