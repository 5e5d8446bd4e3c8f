"""An OpenAI-compatible client: chat and embeddings over one pooled aiohttp session.

A call goes cache → line (requests and tokens a minute, calls in flight) → wire → reader.
What may pass by itself is tried again with back-off; what the user must mend is one line
that names the variable or option to look at. Tokens and money are booked on the meter of
the case (``assay.models.meter``).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from assay.config import ModelConfig
from assay.errors import CaseError, NoSuchModel, RunStopped
from assay.models.cache import CallCache, Recorded, call_key
from assay.models.limit import RateGate, waiting_in_line
from assay.models.meter import record_call
from assay.models.price import cost
from assay.models.reply import Reply, Vectors, read_chat, read_embeddings, stated_tokens
from assay.models.secret import Environment, Secret
from assay.models.wire import Wire

T = TypeVar("T", Reply, Vectors)
Message = Mapping[str, Any]
_encode = msgspec.json.Encoder().encode


class ModelClient:
    """One model at one address.

    ``cache`` may be shared by several clients; ``None`` measures everything afresh. Whoever
    made the client closes it, on the event loop it was used on.
    """

    def __init__(
        self,
        config: ModelConfig,
        environment: Environment | None = None,
        *,
        cache: CallCache | None = None,
    ) -> None:
        self.config = config
        self.cache = cache
        self._base_url = config.base_url.rstrip("/")
        self._wire = _wire(config, environment or Environment())
        self._under_way: dict[bytes, asyncio.Event] = {}

    @property
    def identity(self) -> str:
        """What shapes its replies: model, address, parameters."""
        parameters = msgspec.json.encode(self.config.parameters, order="deterministic").decode()
        return f"{self.config.model}@{self.config.base_url}{parameters}"

    async def chat(
        self, messages: Sequence[Message], *, sample: int = 0, **parameters: Any
    ) -> Reply:
        """One reply. ``sample`` tells repeated draws of the same prompt apart."""
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
        """A vector for each text, in order. Texts already known are not sent again."""
        distinct = list(dict.fromkeys(texts))
        if len(distinct) == 1:
            found = {distinct[0]: await self._embed_one(distinct[0], dimensions)}
        else:
            found = await self._embed_many(distinct, dimensions)
        return [found[text] for text in texts]

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
        """A call through the cache, if there is one; its bill goes to the meter."""
        fresh: list[T] = []

        async def make() -> Recorded:
            recorded, reply = await self._send(path, request, read)
            fresh.append(reply)
            return recorded

        if self.cache is None:
            recorded, replayed = await make(), False
        else:
            key = call_key(kind, self.config.base_url, request, sample)
            recorded, replayed = await self.cache.call(key, self.config.model, kind, make)
        reply = fresh[0] if fresh else read(recorded.body)
        self._book(reply, replayed=replayed, latency_s=recorded.latency_s)
        return reply

    async def _send(
        self, path: str, request: Mapping[str, Any], read: Callable[[bytes], T]
    ) -> tuple[Recorded, T]:
        def read_or_book(body: bytes) -> T:
            try:
                return read(body)
            except (CaseError, RunStopped):
                self._book_unusable(body)
                raise

        try:
            return await self._wire.send(
                self._base_url + path, _encode(request), read_or_book, tokens=_all_tokens
            )
        except NoSuchModel as error:
            raise NoSuchModel(f"{error} ({self.config.model!r} at {self._base_url})") from None

    def _book(self, reply: Reply | Vectors, *, replayed: bool, latency_s: float) -> None:
        prompt = reply.prompt_tokens
        completion = reply.completion_tokens if isinstance(reply, Reply) else 0
        record_call(
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost=cost(self.config.price, prompt, completion),
            replayed=replayed,
            latency_s=latency_s,
        )

    def _book_unusable(self, body: bytes) -> None:
        """Book a reply that is no use but states its tokens: the provider bills it all the same."""
        prompt, completion = stated_tokens(body)
        price = cost(self.config.price, prompt, completion)
        if prompt is not None and completion is not None:
            record_call(prompt_tokens=prompt, completion_tokens=completion, cost=price)

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
        """Texts in batches; each text is recorded on its own, so that batches may differ.

        A text that another caller has sent is waited for and read from the cache; if that
        caller fails, it is sent from here.
        """
        found: dict[str, tuple[float, ...]] = {}
        left, awaited = deque(texts), deque[str]()
        while left or awaited:
            batch: list[str] = []
            while left and len(batch) < self.config.embedding_batch:
                text = left.popleft()
                if self._embedding_key(text, dimensions) in self._under_way:
                    awaited.append(text)
                elif (vector := self._recalled(text, dimensions)) is not None:
                    found[text] = vector
                else:
                    batch.append(text)
            if batch:
                found |= await self._embed_claimed(batch, dimensions)
            elif awaited:
                await self._landing(awaited[0], dimensions)
                left, awaited = awaited, deque()
        return found

    def _recalled(self, text: str, dimensions: int | None) -> tuple[float, ...] | None:
        recorded = self.cache.get(self._embedding_key(text, dimensions)) if self.cache else None
        if recorded is None:
            return None
        reply = read_embeddings(recorded.body, 1, dimensions)
        self._book(reply, replayed=True, latency_s=recorded.latency_s)
        return reply.vectors[0]

    async def _embed_claimed(
        self, texts: list[str], dimensions: int | None
    ) -> dict[str, tuple[float, ...]]:
        """One batch, in which nobody else sends these texts; without a cache everybody does."""
        if self.cache is None:
            return await self._embed_batch(texts, dimensions)
        keys = [self._embedding_key(text, dimensions) for text in texts]
        landed = asyncio.Event()
        self._under_way.update(dict.fromkeys(keys, landed))
        try:
            return await self._embed_batch(texts, dimensions)
        finally:
            for key in keys:
                del self._under_way[key]
            landed.set()

    async def _landing(self, text: str, dimensions: int | None) -> None:
        """Wait until a text that somebody sent is there, or is not going to be."""
        landed = self._under_way.get(self._embedding_key(text, dimensions))
        if landed is not None:
            # the call's time is booked as replayed: the wait must not count beside it
            with waiting_in_line():
                await landed.wait()

    async def _embed_batch(
        self, texts: list[str], dimensions: int | None
    ) -> dict[str, tuple[float, ...]]:
        def read(body: bytes) -> Vectors:
            return read_embeddings(body, len(texts), dimensions)

        request = self._embedding_request(texts, dimensions)
        recorded, reply = await self._send("/embeddings", request, read)
        self._book(reply, replayed=False, latency_s=recorded.latency_s)
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
                    Recorded(body, recorded.latency_s / len(texts)),
                )
        return dict(zip(texts, reply.vectors, strict=True))

    def _embedding_key(self, text: str, dimensions: int | None) -> bytes:
        request = self._embedding_request([text], dimensions)
        return call_key("embedding", self.config.base_url, request)


def _wire(config: ModelConfig, environment: Environment) -> Wire:
    headers: dict[str, str | Secret] = {"Content-Type": "application/json"}
    if config.api_key_env:
        key = environment.secret(config.api_key_env)
        headers["Authorization"] = Secret(f"Bearer {key.reveal()}", [key])
    for name, value in config.headers.items():
        headers[name] = environment.expand(value, f"header {name}")
    return Wire(
        headers=headers,
        timeout_s=config.timeout_s,
        retries=config.retries,
        concurrency=config.concurrency,
        key_hint=config.api_key_env or "the server's access rules",
        address_hint="'base_url'",
        missing_hint="'model' and 'base_url'",
        pace_hint="'requests_per_minute' or 'concurrency'",
        gate=RateGate(config.requests_per_minute, config.tokens_per_minute),
    )


def _all_tokens(reply: Reply | Vectors) -> int | None:
    if reply.prompt_tokens is None:
        return None
    return reply.prompt_tokens + ((isinstance(reply, Reply) and reply.completion_tokens) or 0)


def _shares(total: int | None, weights: list[int]) -> list[int | None]:
    """A whole number split by weights without loss.

    >>> _shares(10, [1, 1, 1]), _shares(None, [1])
    ([3, 3, 4], [None])
    """
    if total is None:
        return [None] * len(weights)
    whole = sum(weights) or 1
    marks = [total * sum(weights[: n + 1]) // whole for n in range(len(weights))]
    return [mark - before for mark, before in zip(marks, [0, *marks], strict=False)]
