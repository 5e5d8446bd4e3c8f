"""``models`` and ``systems`` in ``experiments.yaml``: what can be called, and at what price."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from assay.config.experiment import Positive, Seconds

NonNegative = Annotated[float, Meta(ge=0)]


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Price per million tokens, in whatever currency the user thinks in."""

    prompt: NonNegative = 0.0
    completion: NonNegative = 0.0


class Averages(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tokens of an average call, for ``--dry-run`` before there are rows to learn from."""

    prompt_tokens: NonNegative = 0.0
    completion_tokens: NonNegative = 0.0


class ModelConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One model at one OpenAI-compatible address.

    ``api_key_env`` names the environment variable (or line of ``.env``) that holds the key;
    the key itself never stands in a file of the workspace.
    """

    model: str
    base_url: Annotated[str, Meta(pattern=r"^https?://")] = "https://openrouter.ai/api/v1"
    api_key_env: str | None = "OPENROUTER_API_KEY"
    parameters: Annotated[
        dict[str, Any], Meta(description="Sent with every call: temperature, max_tokens, seed …")
    ] = field(default_factory=dict)
    headers: Annotated[
        dict[str, str], Meta(description="Further headers; ${NAME} is taken from the environment.")
    ] = field(default_factory=dict)
    price: Price | None = None
    averages: Averages | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    concurrency: Annotated[Positive, Meta(description="Calls in flight at most.")] = 64
    timeout_s: Annotated[Seconds, Meta(description="Time one call may take.")] = 120.0
    retries: Annotated[int, Meta(ge=0)] = 3
    embedding_batch: Annotated[Positive, Meta(description="Texts in one embeddings call.")] = 64
