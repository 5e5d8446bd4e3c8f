"""What a client of a model sends with every request, and the wire that it sends it on."""

from collections.abc import Mapping, Sequence

from assay.config import ModelConfig
from assay.errors import UseError
from assay.mask import add_secrets
from assay.models.address import Address, is_credential, key_problem
from assay.models.limit import RateGate
from assay.models.secret import Environment, Secret
from assay.models.wire import Wire


def request_headers(
    config: ModelConfig, environment: Environment, address: Address
) -> dict[str, str | Secret]:
    """The headers of every request, with the key.

    Raises:
        UseError: the key has two sources, or an environment variable is not set.
    """
    headers: dict[str, str | Secret] = {"Content-Type": "application/json"}
    if problem := key_problem(config):
        raise UseError(problem)
    if config.key_variable and address.authorization is not None:
        raise UseError(
            f"'base_url' of {config.model} has a user or password and 'api_key_env' names a key: "
            "only one of them can be sent; use 'api_key_env: null' or remove the user"
        )
    if config.key_variable:
        key = environment.secret(config.key_variable)
        headers["Authorization"] = Secret(f"Bearer {key.reveal()}", [key])
    elif address.authorization is not None:
        headers["Authorization"] = address.authorization
    for name, value in config.headers.items():
        headers[name] = expanded = environment.expand(value, f"header {name}")
        if is_credential(name):
            add_secrets(expanded.reveal().split()[-1:])
    return headers


def make_wire(
    config: ModelConfig, headers: Mapping[str, str | Secret], secrets: Sequence[Secret]
) -> Wire:
    """The wire to the server of a model, with its limits."""
    return Wire(
        headers=headers,
        secrets=secrets,
        timeout_s=config.timeout_s,
        retries=config.retries,
        concurrency=config.concurrency,
        key_hint=config.key_variable or "the server's access rules",
        address_hint="'base_url'",
        missing_hint="'model' and 'base_url'",
        pace_hint="'requests_per_minute' or 'concurrency'",
        gate=RateGate(config.requests_per_minute, config.tokens_per_minute),
    )
