"""A client with no patience: one request, and whatever comes back. For tests of the server."""

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
    """What the client got."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.text)


async def post(session: aiohttp.ClientSession, server: ModelServer, body: dict[str, Any]) -> Reply:
    """Send one request to the path its body belongs to."""
    path = "embeddings" if "input" in body else "chat/completions"
    async with session.post(f"{server.base_url}/{path}", json=body) as response:
        text = await response.text()
        return Reply(status=response.status, headers=dict(response.headers), text=text)


def run(story: Callable[[aiohttp.ClientSession], Coroutine[Any, Any, T]], **options: Any) -> T:
    """Run a client's story in one session, which by default gives up after 20 s."""

    async def whole() -> T:
        options.setdefault("timeout", aiohttp.ClientTimeout(total=20))
        async with aiohttp.ClientSession(**options) as session:
            return await story(session)

    return asyncio.run(whole())


def ask(server: ModelServer, body: dict[str, Any] = CHAT, **options: Any) -> Reply:
    """Send one request over a connection of its own."""
    return run(lambda session: post(session, server, body), **options)


def faulty(kind: str, body: dict[str, Any] = CHAT) -> tuple[Reply, ModelServer]:
    """The reply of a server whose first request meets a fault."""
    with ModelServer(faults=[Fault(kind=kind)]) as server:
        return ask(server, body), server
