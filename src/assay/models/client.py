"""An OpenAI-compatible client: chat and embeddings over one pooled aiohttp session.

A call goes through the cache, the limits (requests and tokens per minute, calls in flight), the
wire and the reply parser, in this order. Temporary failures are retried with back-off. An error
that the user must fix is one line that names the variable or option to check. Tokens and cost
are added to the current meter (``assay.models.meter``).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from assay.config.system import ModelConfig
from assay.errors import CaseError, NoSuchModel, RunStopped
from assay.models.address import Address, masking_redactor, route_digests
from assay.models.cache import CallCache, RecordedReply, call_key
from assay.models.limit import waiting_for_another
from assay.models.meter import CallBill, cost, record_call
from assay.models.reply import (
    ChatReply,
    RerankScores,
    Vectors,
    read_chat,
    read_embeddings,
    read_entailment,
    read_ranking,
    stated_bill,
)
from assay.models.secret import Environment
from assay.models.stream import Stream
from assay.models.wire import make_wire, request_headers
from assay.records import digest

T = TypeVar("T", ChatReply, Vectors, RerankScores)
Message = Mapping[str, Any]
_encode = msgspec.json.Encoder().encode


@runtime_checkable
class OpensConnections(Protocol):
    """Whatever calls a server, and can open its connections before the first call."""

    async def open_connections(self, count: int) -> None:
        """Open up to ``count`` connections; nothing is sent."""


class ModelClient:
    """One model at one address.

    Several clients may share a ``cache``; with ``None`` every call is sent to the server. The
    code that created the client must close it, on the event loop where the client was used.

    Raises:
        UseError: an environment variable with the key or a header value is not set.
    """

    def __init__(
        self,
        config: ModelConfig,
        environment: Environment | None = None,
        *,
        cache: CallCache | None = None,
    ) -> None:
        environment = environment or Environment()
        self.config = config
        self.cache = cache
        self._address = Address(config.base_url, config.query, environment)
        headers = request_headers(config, environment, self._address)
        self._wire = make_wire(config, headers, self._address.secrets)
        self._route = route_digests(headers, self._address)
        if masking_redactor(config.base_url) is not None:
            self._route["redact"] = (
                "calls"  # the model reads other texts, so it may answer otherwise
            )
        self._in_progress: dict[bytes, asyncio.Event] = {}

    @property
    def identity(self) -> str:
        """Everything that affects the replies: model, address, parameters, headers and proxy.

        Values of headers and of query parameters are hashed, so that no secret is in it.
        """
        parameters = msgspec.json.encode(self.config.parameters, order="deterministic").decode()
        route = f"#{digest(self._route)}" if self._route else ""
        return f"{self.config.model}@{self._address.shown}{parameters}{route}"

    async def chat(
        self, messages: Sequence[Message], *, sample: int = 0, **parameters: Any
    ) -> ChatReply:
        """Send messages and return the model's reply.

        ``parameters`` are added to the configured ones and override them. ``sample`` is the
        number of a repeated call with the same prompt: each number has its own cache entry.
        """
        request = {
            "model": self.config.model,
            "messages": messages,
            **self.config.parameters,
            **parameters,
        }
        return await self._call("chat", "/chat/completions", request, read_chat, sample)

    async def embed(
        self, texts: Sequence[str], *, dimensions: int | None = None
    ) -> list[tuple[float, ...]]:
        """Return a vector for each text, in the order of ``texts``.

        Equal texts are sent once, and texts whose vectors are in the cache are not sent at all.
        """
        distinct = list(dict.fromkeys(texts))
        if len(distinct) == 1:
            vectors = {distinct[0]: await self._embed_one(distinct[0], dimensions)}
        else:
            vectors = await self._embed_many(distinct, dimensions)
        return [vectors[text] for text in texts]

    async def open_connections(self, count: int) -> None:
        """Open up to ``count`` connections to the server; nothing is sent."""
        await self._wire.open_connections(self._address.url(""), count)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, in the order of ``texts``, from the path ``/rerank``."""
        request = {
            "model": self.config.model,
            "query": query,
            "documents": list(texts),
            **self.config.parameters,
        }

        def read(body: bytes) -> RerankScores:
            return read_ranking(body, len(texts))

        return list((await self._call("rerank", "/rerank", request, read)).scores)

    async def entailment(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how far the first text of each pair entails the second, from ``/predict``."""
        request = {"inputs": [list(pair) for pair in pairs], **self.config.parameters}

        def read(body: bytes) -> RerankScores:
            return read_entailment(body, len(pairs))

        return list((await self._call("entailment", "/predict", request, read)).scores)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    async def _call(
        self,
        kind: str,
        path: str,
        request: Mapping[str, Any],
        read: Callable[[bytes], T],
        sample: int = 0,
    ) -> T:
        """Make a call, through the cache if there is one, and record its usage on the meter."""
        fresh: list[T] = []

        async def make() -> RecordedReply:
            recorded, reply = await self._send(path, request, read)
            fresh.append(reply)
            return recorded

        if self.cache is None:
            recorded, replayed = await make(), False
        else:
            key = self._key(kind, request, sample)
            recorded, replayed = await self.cache.call(key, self.config.model, kind, make)
            if replayed and not _is_readable(read, recorded.body):
                # recorded by a version that took this reply for an answer: make the call
                self.cache.forget(key, recorded)
                recorded, replayed = await self.cache.call(key, self.config.model, kind, make)
        reply = fresh[0] if fresh else read(recorded.body)
        self._meter(reply, replayed=replayed, latency_s=recorded.latency_s)
        return reply

    def _key(self, kind: str, request: Mapping[str, Any], sample: int = 0) -> bytes:
        return call_key(kind, self._address.shown, request, sample, self._route)

    async def _send(
        self, path: str, request: Mapping[str, Any], read: Callable[[bytes], T]
    ) -> tuple[RecordedReply, T]:
        def read_and_meter(body: bytes) -> T:
            try:
                return read(body)
            except (CaseError, RunStopped):
                self._meter_unusable(body)
                raise

        try:
            return await self._wire.send(
                self._address.url(path),
                _encode(request),
                read_and_meter,
                tokens=_total_tokens,
                streaming=Stream if request.get("stream") else None,
            )
        except NoSuchModel as error:
            where = f"({self.config.model!r} at {self._address.shown.rstrip('/')})"
            raise NoSuchModel(f"{error} {where}") from None

    def _meter(
        self, reply: ChatReply | Vectors | RerankScores, *, replayed: bool, latency_s: float
    ) -> None:
        completion = reply.completion_tokens if isinstance(reply, ChatReply) else 0
        self._record(reply.bill, completion, replayed=replayed, latency_s=latency_s)

    def _record(
        self,
        bill: CallBill,
        completion: int | None,
        *,
        replayed: bool = False,
        latency_s: float = 0.0,
    ) -> None:
        """Record a call with the cost that the provider states, otherwise with our price."""
        is_stated = bill.cost is not None
        price = bill.cost if is_stated else cost(self.config.price, bill.prompt_tokens, completion)
        record_call(
            prompt_tokens=bill.prompt_tokens,
            completion_tokens=completion,
            cost=price,
            replayed=replayed,
            latency_s=latency_s,
            stated=is_stated,
        )

    def _meter_unusable(self, body: bytes) -> None:
        """Record the bill that an unusable reply states: it has to be paid anyway."""
        bill = stated_bill(body)
        is_metered = bill.prompt_tokens is not None and bill.completion_tokens is not None
        if is_metered or bill.cost is not None:
            self._record(bill, bill.completion_tokens)

    def _embedding_request(self, texts: list[str], dimensions: int | None) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self.config.model, "input": texts}
        request.update(self.config.parameters)
        if dimensions is not None:
            request["dimensions"] = dimensions
        return request

    async def _embed_one(self, text: str, dimensions: int | None) -> tuple[float, ...]:
        def read(body: bytes) -> Vectors:
            return read_embeddings(body, 1, dimensions)

        request = self._embedding_request([text], dimensions)
        return (await self._call("embedding", "/embeddings", request, read)).vectors[0]

    async def _embed_many(
        self, texts: list[str], dimensions: int | None
    ) -> dict[str, tuple[float, ...]]:
        """Embed texts in batches.

        Each text has its own cache entry, so that the batches of a later run may differ. If
        another task has already sent a text, this task waits for it and reads the vector from
        the cache; if that task fails, this task sends the text.
        """
        vectors: dict[str, tuple[float, ...]] = {}
        remaining, awaited = deque(texts), deque[str]()
        has_waited = False
        while remaining or awaited:
            batch: list[str] = []
            while remaining and len(batch) < self.config.embedding_batch:
                text = remaining.popleft()
                if self._embedding_key(text, dimensions) in self._in_progress:
                    awaited.append(text)
                elif (vector := self._cached_vector(text, dimensions)) is not None:
                    vectors[text] = vector
                else:
                    batch.append(text)
            if batch:
                vectors |= await self._embed_exclusively(batch, dimensions)
            elif awaited:
                await self._wait_for(awaited[0], dimensions, again=has_waited)
                has_waited = True
                remaining, awaited = awaited, deque()
        return vectors

    def _cached_vector(self, text: str, dimensions: int | None) -> tuple[float, ...] | None:
        recorded = self.cache.get(self._embedding_key(text, dimensions)) if self.cache else None
        if recorded is None:
            return None
        reply = read_embeddings(recorded.body, 1, dimensions)
        self._meter(reply, replayed=True, latency_s=recorded.latency_s)
        return reply.vectors[0]

    async def _embed_exclusively(
        self, texts: list[str], dimensions: int | None
    ) -> dict[str, tuple[float, ...]]:
        """Embed one batch while no other task sends the same texts.

        Without a cache other tasks could not read the vectors, so each task sends its texts.
        """
        if self.cache is None:
            return await self._embed_batch(texts, dimensions)
        keys = [self._embedding_key(text, dimensions) for text in texts]
        finished = asyncio.Event()
        self._in_progress.update(dict.fromkeys(keys, finished))
        try:
            return await self._embed_batch(texts, dimensions)
        finally:
            for key in keys:
                del self._in_progress[key]
            finished.set()

    async def _wait_for(self, text: str, dimensions: int | None, *, again: bool) -> None:
        """Wait until the task that sent a text has received its vector or has failed."""
        finished = self._in_progress.get(self._embedding_key(text, dimensions))
        if finished is not None:
            with waiting_for_another(again=again):
                await finished.wait()

    async def _embed_batch(
        self, texts: list[str], dimensions: int | None
    ) -> dict[str, tuple[float, ...]]:
        def read(body: bytes) -> Vectors:
            return read_embeddings(body, len(texts), dimensions)

        request = self._embedding_request(texts, dimensions)
        recorded, reply = await self._send("/embeddings", request, read)
        self._meter(reply, replayed=False, latency_s=recorded.latency_s)
        if self.cache is not None:
            tokens = _shares(reply.prompt_tokens, [len(text) for text in texts])
            for text, vector, share in zip(texts, reply.vectors, tokens, strict=True):
                body = msgspec.json.encode(
                    {"data": [{"embedding": vector}], "usage": {"prompt_tokens": share}}
                )
                self.cache.put(
                    self._embedding_key(text, dimensions),
                    self.config.model,
                    "embedding",
                    RecordedReply(body, recorded.latency_s / len(texts)),
                )
        return dict(zip(texts, reply.vectors, strict=True))

    def _embedding_key(self, text: str, dimensions: int | None) -> bytes:
        request = self._embedding_request([text], dimensions)
        return self._key("embedding", request)


def _is_readable(read: Callable[[bytes], Any], body: bytes) -> bool:
    """Whether a recorded body is a usable reply."""
    try:
        read(body)
    except (CaseError, RunStopped):
        return False
    return True


def _total_tokens(reply: ChatReply | Vectors | RerankScores) -> int | None:
    if reply.prompt_tokens is None:
        return None
    return reply.prompt_tokens + ((isinstance(reply, ChatReply) and reply.completion_tokens) or 0)


def _shares(total: int | None, weights: list[int]) -> list[int | None]:
    """An integer split in proportion to weights, so that the parts add up to it exactly.

    All parts are None if the total is not known.

    >>> _shares(10, [1, 1, 1]), _shares(None, [1])
    ([3, 3, 4], [None])
    """
    if total is None:
        return [None] * len(weights)
    weight_sum = sum(weights) or 1
    ends = [total * sum(weights[: n + 1]) // weight_sum for n in range(len(weights))]
    return [end - start for end, start in zip(ends, [0, *ends], strict=False)]
