"""The section ``models`` of ``experiments.yaml``: models, their addresses and prices."""

from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from msgspec import UNSET, Meta, Struct, UnsetType, field

from assay.config.experiment import LARGEST, Positive, Seconds

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
