"""A model client for tests: a known key, no waiting between retries, and closed at the end."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from assay.config.system import ModelConfig, Price
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.models.limit import Backoff
from assay.models.meter import Meter, metering
from tests.support.model_server import ModelServer

VARIABLE = "OPENROUTER_API_KEY"
KEY = "sk-or-v1-5ecret0123456789"
PRICE = Price(prompt=2.0, completion=8.0)
PRICES = {"m": (PRICE.prompt, PRICE.completion)}
ASK = [{"role": "user", "content": "What is the notice period?"}]
T = TypeVar("T")


def model_config(server: ModelServer, **changes: Any) -> ModelConfig:
    """The configuration of model ``m``, with a price and a long timeout, plus ``changes``."""
    return ModelConfig(
        **{
            "model": "m",
            "base_url": server.base_url,
            "api_key_env": VARIABLE,
            "price": PRICE,
            "timeout_s": 20.0,
        }
        | changes
    )


def make_client(config: ModelConfig, cache: CallCache | None = None) -> ModelClient:
    """Make a client that waits between retries only as long as the server asks."""
    client = ModelClient(config, cache=cache)
    client._wire._backoff = Backoff(base_s=0.0)
    return client


def with_client(
    story: Callable[[ModelClient], Coroutine[Any, Any, T]],
    config: ModelConfig,
    cache: CallCache | None = None,
) -> T:
    """Run a coroutine with a client, and close the client at the end."""

    async def run() -> T:
        client = make_client(config, cache)
        try:
            return await story(client)
        finally:
            await client.close()

    return asyncio.run(run())


def metered(
    story: Callable[[ModelClient], Coroutine[Any, Any, T]],
    config: ModelConfig,
    cache: CallCache | None = None,
) -> tuple[T, Meter]:
    """Run a coroutine with a client; return its result and the meter with its calls."""

    async def run_metered(client: ModelClient) -> tuple[T, Meter]:
        with metering() as meter:
            return await story(client), meter

    return with_client(run_metered, config, cache)
