"""A client without retries that returns every response as it is. For tests of the model server."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import aiohttp

from tests.support.model_server import Fault, ModelServer

CHAT = {"model": "m", "messages": [{"role": "user", "content": "What is the notice period?"}]}
EMBED = {"model": "e", "input": ["one", "two", "three"]}
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A response as the client received it."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body, decoded from JSON."""
        return json.loads(self.text)


async def post(session: aiohttp.ClientSession, server: ModelServer, body: dict[str, Any]) -> Reply:
    """Send a chat or embedding request; the body decides which path it goes to."""
    path = "embeddings" if "input" in body else "chat/completions"
    async with session.post(f"{server.base_url}/{path}", json=body) as response:
        text = await response.text()
        return Reply(status=response.status, headers=dict(response.headers), text=text)


def run(story: Callable[[aiohttp.ClientSession], Coroutine[Any, Any, T]], **options: Any) -> T:
    """Run a coroutine with one session, which by default has a timeout of 20 s."""

    async def run_in_session() -> T:
        options.setdefault("timeout", aiohttp.ClientTimeout(total=20))
        async with aiohttp.ClientSession(**options) as session:
            return await story(session)

    return asyncio.run(run_in_session())


def ask(server: ModelServer, body: dict[str, Any] = CHAT, **options: Any) -> Reply:
    """Send one request over a new connection."""
    return run(lambda session: post(session, server, body), **options)


def faulty(kind: str, body: dict[str, Any] = CHAT) -> tuple[Reply, ModelServer]:
    """Send one request to a server with this fault; return the reply and the server."""
    with ModelServer(faults=[Fault(kind=kind)]) as server:
        return ask(server, body), server
