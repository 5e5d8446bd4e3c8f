"""Model calls of the workers: the driver makes them.

The driver owns the call cache, the limits and the keys. A worker leaves a call in the mailbox, which
is an actor; the driver collects it, makes it with its own client, and delivers the reply. So a
distinct call is made once in the whole run whichever worker needs it, requests and tokens per
minute hold for all workers together, and no key leaves the driver's machine.
"""

import asyncio
import contextvars
import pickle
import time
from collections.abc import Mapping, Sequence
from contextvars import ContextVar, copy_context
from itertools import count
from typing import Any, cast

from assay.config.system import ModelConfig
from assay.errors import AssayError, TransientError
from assay.models.client import ModelClient
from assay.models.foreign_error import classify
from assay.models.meter import metering, metering_part, stopwatch, take_out

Calls = Any
"""The handle of the mailbox."""
asking_for: ContextVar[int] = ContextVar("asking_for", default=0)
"""In a worker: the number of the question that is being answered."""


class Mailbox:
    """Where workers leave calls and the driver collects them. It becomes a Ray actor."""

    def __init__(self) -> None:
        self._numbers = count()
        self._arrived: list[tuple[int, bytes]] = []
        self._news = asyncio.Event()
        self._awaited: dict[int, asyncio.Future[bytes]] = {}

    async def call(self, request: bytes) -> bytes:
        """Leave a call and wait for its reply."""
        number = next(self._numbers)
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._awaited[number] = reply
        self._arrived.append((number, request))
        self._news.set()
        try:
            return await reply
        finally:
            del self._awaited[number]

    async def collect(self) -> list[tuple[int, bytes]]:
        """Wait for calls, and take all that are there."""
        await self._news.wait()
        self._news.clear()
        taken, self._arrived = self._arrived, []
        return taken

    async def deliver(self, number: int, reply: bytes) -> None:
        """Give a reply to the worker that waits for it."""
        waiting = self._awaited.get(number)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)


class CallDesk:
    """The driver's side: makes the calls that workers leave, each on behalf of its question."""

    def __init__(self, mailbox: Calls, clients: Mapping[str, ModelClient]) -> None:
        self._mailbox = mailbox
        self._clients = clients
        self._contexts: dict[int, contextvars.Context] = {}
        self._tasks: dict[int, set[asyncio.Task[None]]] = {}

    def open(self, token: int) -> None:
        """Calls for this question pause its deadline while they wait for a limit."""
        self._contexts[token] = copy_context()
        self._tasks[token] = set()

    def close(self, token: int) -> None:
        """The question has ended; what is still being called for it is not needed."""
        self._contexts.pop(token, None)
        for task in self._tasks.pop(token, ()):
            task.cancel()

    async def serve(self) -> None:
        """Collect calls and make them, until cancelled."""
        while True:
            for number, packed in await self._mailbox.collect.remote():
                token, request = pickle.loads(packed)  # noqa: S301 - a worker of ours has sent it
                context = self._contexts.get(token)
                if context is None:
                    continue
                task = asyncio.create_task(self._make(number, request), context=context.copy())
                self._tasks[token].add(task)
                task.add_done_callback(self._tasks[token].discard)

    async def _make(self, number: int, request: tuple[str, str, tuple[Any, ...], Any]) -> None:
        model, method, arguments, options = request
        with metering() as meter, stopwatch() as watch:
            try:
                value = await getattr(self._clients[model], method)(*arguments, **options)
                reply: dict[str, Any] = {"value": value}
            except AssayError as error:
                reply = {"error": error}
            except Exception as error:  # noqa: BLE001 - it is the worker's question that fails
                reply = {"error": classify(error)}
            watch.stop()
        reply |= {"meter": meter, "elapsed_s": watch.elapsed_s()}
        self._mailbox.deliver.remote(number, pickle.dumps(reply))


class RemoteModels:
    """In a worker: the models whose calls the driver makes, by name."""

    def __init__(self, calls: Calls, known: Mapping[str, tuple[ModelConfig, str]]) -> None:
        self._calls = calls
        self._known = known

    def client(self, name: str) -> ModelClient:
        """A client for this model."""
        config, identity = self._known[name]
        return cast("ModelClient", RemoteModelClient(self._calls, name, config, identity))


class RemoteModelClient:
    """Looks like a ``ModelClient``; every call is made by the driver."""

    def __init__(self, calls: Calls, name: str, config: ModelConfig, identity: str) -> None:
        self.config = config
        self.identity = identity
        self.cache = None
        self._calls = calls
        self._name = name

    async def chat(self, messages: Sequence[Any], **options: Any) -> Any:
        """As ``ModelClient.chat``."""
        return await self._call("chat", list(messages), **options)

    async def embed(self, texts: Sequence[str], **options: Any) -> Any:
        """As ``ModelClient.embed``."""
        return await self._call("embed", list(texts), **options)

    async def rerank(self, query: str, texts: Sequence[str]) -> Any:
        """As ``ModelClient.rerank``."""
        return await self._call("rerank", query, list(texts))

    async def entailment(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """As ``ModelClient.entailment``."""
        return await self._call("entailment", list(pairs))

    async def open_connections(self, count: int) -> None:
        """Open the driver's connections."""
        await self._call("open_connections", count)

    async def close(self) -> None:
        """Nothing is open here."""

    async def _call(self, method: str, *arguments: Any, **options: Any) -> Any:
        """Let the driver make a call; its time at the driver counts, the way there does not."""
        request = pickle.dumps((asking_for.get(), (self._name, method, arguments, options)))
        started_at = time.perf_counter()
        try:
            packed = await self._calls.call.remote(request)
        except AssayError:
            raise
        except Exception as error:  # noqa: BLE001 - Ray raises many kinds
            raise TransientError(
                f"the driver could not be reached: {type(error).__name__}"
            ) from None
        reply = pickle.loads(packed)  # noqa: S301 - the driver has sent it
        take_out(started_at, max(started_at, time.perf_counter() - reply["elapsed_s"]))
        with metering_part() as part:
            part.take(reply["meter"])
        if "error" in reply:
            raise reply["error"]
        return reply["value"]
