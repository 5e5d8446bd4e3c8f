"""An OpenAI-compatible server on a real loopback socket that misbehaves to order and counts.

In a test::

    with ModelServer(faults=[Fault(kind="error_500"), None]) as server:
        ...  # send requests to server.base_url
    assert server.completed.calls == 1

As a program, for tests that kill processes: ``python model_server.py --fault error_500=0.02``
prints its port and serves until its standard input closes, it is sent SIGTERM, or
``--lifetime-s`` has passed; ``GET /counted`` tells what it has counted.

**What is billed.** Every call ends in one of five ways, its ``outcome``:

- ``completed``: a whole 200 response with an answer went out. Its tokens are billed, also
  where the fault kept them out of ``usage`` (then they are in ``unstated`` as well).
- ``broken_off``: the answer was made but the client cannot read it: reset or silent midway,
  or JSON cut short. Its tokens are counted apart; ``billed`` leaves them out unless asked.
- ``refused``: an error was sent, with whatever status. No tokens.
- ``dropped``: the server ended the connection before the first byte. No tokens.
- ``abandoned``: the client left, or the server stopped, before the first byte. No tokens.

The outcome is set just before the last byte leaves, so a client that has read a response
always finds it counted.
"""

import argparse
import asyncio
import hashlib
import json
import math
import os
import random
import signal
import socket
import struct
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, get_args

from aiohttp import web

Body: TypeAlias = dict[str, Any]
Outcome: TypeAlias = Literal["completed", "broken_off", "refused", "dropped", "abandoned"]
RefusalKind: TypeAlias = Literal[
    "rate_limit", "rate_limit_date", "rate_limit_bare", "quota", "no_credit",
    "error_500", "error_502", "error_503", "error_529",
    "invalid_key", "invalid_key_echoed", "forbidden", "no_model", "context_too_long",
    "html_200", "html_502", "error_in_200",
]  # fmt: skip
WireKind: TypeAlias = Literal[
    "reset", "hang_up", "reset_midway", "reset_midway_chunked", "stall", "stall_midway", "slow",
    "truncated_json",
]  # fmt: skip
UsageKind: TypeAlias = Literal["no_usage", "usage_total_only", "usage_prompt_only"]
ChatKind: TypeAlias = Literal[
    "empty_choices", "null_content", "list_content", "reasoning", "finish_length"
]
EmbeddingKind: TypeAlias = Literal["shuffled", "wrong_dimension", "missing_one", "one_too_many"]
Kind: TypeAlias = RefusalKind | WireKind | UsageKind | ChatKind | EmbeddingKind

CHAT_ONLY: frozenset[str] = frozenset(get_args(ChatKind))
EMBEDDING_ONLY: frozenset[str] = frozenset(get_args(EmbeddingKind))
UNSTATED: frozenset[str] = frozenset(get_args(UsageKind))
REFUSALS: frozenset[str] = frozenset(get_args(RefusalKind))
KINDS: tuple[str, ...] = tuple(
    kind
    for group in (RefusalKind, WireKind, UsageKind, ChatKind, EmbeddingKind)
    for kind in get_args(group)
)
"""Every fault there is."""

_ERRORS: dict[str, tuple[int, str, str]] = {
    "rate_limit": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "rate_limit_date": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "rate_limit_bare": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "quota": (429, "insufficient_quota", "The quota of this account is used up."),
    "no_credit": (402, "insufficient_quota", "This account has no credit left."),
    "error_500": (500, "server_error", "Something broke in here."),
    "error_502": (502, "bad_gateway", "The model behind this gateway is gone."),
    "error_503": (503, "unavailable", "Closed for the moment."),
    "error_529": (529, "overloaded", "Too much to do."),
    "invalid_key": (401, "invalid_api_key", "This key is not known here."),
    "invalid_key_echoed": (401, "invalid_api_key", "This key is not known here: {key}"),
    "forbidden": (403, "forbidden", "This key may not use the model."),
    "no_model": (404, "model_not_found", "There is no model {model!r}."),
    "context_too_long": (400, "context_length_exceeded", "The context holds 8192 tokens only."),
    "error_in_200": (200, "server_error", "The model failed after the headers were out."),
}
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)
_LARGEST_BODY = 256 * 2**20
_JOIN_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One way to go wrong. ``retry_after_s`` serves ``rate_limit…``, ``delay_s`` serves ``slow``."""

    kind: Kind
    retry_after_s: float = 1.0
    delay_s: float = 0.2

    def fits(self, body: Body) -> bool:
        """Whether the fault can befall this request: some are of chat or embeddings alone."""
        return self.kind not in (CHAT_ONLY if "input" in body else EMBEDDING_ONLY)


FaultSource: TypeAlias = Callable[[int, Body], Fault | None]
"""From a request's number, counted from 1, and its body to what goes wrong with it."""


class RandomFaults:
    """Faults drawn from ``(fault, probability)`` pairs, the same for a seed on every run.

    What befalls a request depends on the seed, its body and how often that body has come,
    never on the order in which concurrent requests arrive. ``at_most`` bounds the faults
    one body meets, so that a client with more tries than that must succeed.
    """

    def __init__(
        self, rates: Sequence[tuple[Fault, float]], *, seed: int = 0, at_most: int | None = None
    ) -> None:
        if not 0 <= sum(rate for _, rate in rates) <= 1 or any(rate < 0 for _, rate in rates):
            raise ValueError("the probabilities must lie between 0 and 1 and sum to at most 1")
        self._rates = tuple(rates)
        self._seed = seed
        self._at_most = math.inf if at_most is None else at_most
        self._asked: Counter[str] = Counter()
        self._met: Counter[str] = Counter()

    def __call__(self, number: int, body: Body) -> Fault | None:
        """What befalls this request; the number is not looked at."""
        key = body_key(body)
        self._asked[key] += 1
        draw = random.Random(f"{self._seed} {key} {self._asked[key]}").random()
        if self._met[key] >= self._at_most:
            return None
        for fault, rate in self._rates:
            if draw < rate:
                if not fault.fits(body):
                    return None
                self._met[key] += 1
                return fault
            draw -= rate
        return None


def rough_weather(
    seed: int = 0, *, retry_after_s: float = 1.0, at_most: int | None = None
) -> RandomFaults:
    """The standing mix: 5% 429 with Retry-After, 2% 500, 1% reset mid-body, 1% stalls."""
    rates = (
        (Fault(kind="rate_limit", retry_after_s=retry_after_s), 0.05),
        (Fault(kind="error_500"), 0.02),
        (Fault(kind="reset_midway"), 0.01),
        (Fault(kind="stall"), 0.01),
    )
    return RandomFaults(rates, seed=seed, at_most=at_most)


@dataclass(kw_only=True)
class Call:
    """One request as the server saw it; ``status`` and ``outcome`` are filled in as it ends.

    ``key`` stands for the body, ``attempt`` counts the calls with that key from 1.
    ``authorization`` is the header's value, for tests that look for leaks; it is kept in
    memory alone and out of ``repr``.
    """

    number: int
    path: str
    key: str
    attempt: int
    body: Body = field(repr=False)
    authorization: str | None = field(repr=False)
    arrived_s: float
    fault: Fault | None = None
    status: int | None = None
    outcome: Outcome | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def authorized(self) -> bool:
        """Whether an Authorization header came with it."""
        return self.authorization is not None

    @property
    def messages(self) -> list[Body]:
        """The chat messages; empty for embeddings."""
        return list(self.body.get("messages", ()))

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body.get("model", ""))


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many calls, and the tokens they took."""

    calls: int
    prompt_tokens: int
    completion_tokens: int


def body_key(body: Body) -> str:
    """Sixteen hex digits that stand for a request body, whatever the order of its keys."""
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=8).hexdigest()


def token_count(text: str) -> int:
    """Tokens of a text as this server counts them: one for every four characters begun."""
    return -(-len(text) // 4)


def message_text(message: Body) -> str:
    """The text of a message whose content is a string, a list of parts, or null."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def unit_vector(text: str, dimensions: int) -> list[float]:
    """A vector of length 1 that depends on the text alone; fewer dimensions are its head."""
    draw = random.Random(f"vector {text}")
    head = [draw.gauss(0.0, 1.0) for _ in range(dimensions)]
    norm = math.sqrt(math.fsum(value * value for value in head))
    return [value / norm for value in head]


def plain_answer(body: Body) -> str:
    """The answer given where a test gives none: it names the messages' hash."""
    return f"Answer {body_key({'messages': body.get('messages')})}."


def chat_body(body: Body, given: str | Body) -> Body:
    """A chat completion holding a text, or the usual one overlaid with the keys given."""
    text = given if isinstance(given, str) else plain_answer(body)
    prompt = sum(token_count(message_text(message)) for message in body["messages"])
    completion = token_count(text)
    message = {"role": "assistant", "content": text}
    whole = {
        "id": f"chatcmpl-{body_key(body)}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }
    return whole if isinstance(given, str) else {**whole, **given}


def embedding_body(body: Body, dimensions: int) -> Body:
    """An embedding response for one text or a list of them."""
    given = body["input"]
    texts = [given] if isinstance(given, str) else given
    size = body.get("dimensions", dimensions)
    tokens = sum(token_count(text) for text in texts)
    return {
        "object": "list",
        "model": body.get("model", ""),
        "data": [
            {"object": "embedding", "index": index, "embedding": unit_vector(text, size)}
            for index, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def spoiled(kind: str, whole: Body) -> Body:
    """A good response body made into the bad one a fault asks for; others are left alone."""
    usage = whole.get("usage", {})
    match kind:
        case "no_usage":
            return {key: value for key, value in whole.items() if key != "usage"}
        case "usage_total_only":
            return {**whole, "usage": {"total_tokens": usage["total_tokens"]}}
        case "usage_prompt_only":
            return {**whole, "usage": {"prompt_tokens": usage["prompt_tokens"]}}
    if kind in CHAT_ONLY:
        return {**whole, "choices": _spoiled_choices(kind, whole["choices"])}
    if kind in EMBEDDING_ONLY:
        return {**whole, "data": _spoiled_data(kind, whole["data"])}
    return whole


def _spoiled_choices(kind: str, choices: list[Body]) -> list[Body]:
    choice = choices[0]
    text = message_text(choice["message"])
    changed: dict[str, Body] = {
        "null_content": {"content": None},
        "list_content": {"content": [{"type": "text", "text": text}]},
        "reasoning": {"reasoning_content": "Thinking it over first."},
    }
    if kind == "empty_choices":
        return []
    if kind == "finish_length":
        return [{**choice, "finish_reason": "length"}]
    return [{**choice, "message": {**choice["message"], **changed[kind]}}]


def _spoiled_data(kind: str, data: list[Body]) -> list[Body]:
    *head, last = data
    match kind:
        case "shuffled":
            return data[::-1]
        case "missing_one":
            return data[1:]
        case "one_too_many":
            return [*data, {**last, "index": len(data)}]
    return [*head, {**last, "embedding": last["embedding"][:-1]}]


def refusal(fault: Fault, call: Call) -> web.Response:
    """The error response a refusing fault sends."""
    if fault.kind in {"html_200", "html_502"}:
        page = "<!DOCTYPE html><html><body><h1>Sorry</h1><p>Back soon.</p></body></html>"
        return web.Response(text=page, status=int(fault.kind[5:]), content_type="text/html")
    status, code, message = _ERRORS[fault.kind]
    key = (call.authorization or "").removeprefix("Bearer ")
    text = message.format(key=key, model=call.model)
    headers = {}
    if fault.kind == "rate_limit":
        headers["Retry-After"] = f"{fault.retry_after_s:g}"
    elif fault.kind == "rate_limit_date":
        # Such a date has whole seconds: rounding up never shortens the wait asked for.
        due = datetime.now(UTC) + timedelta(seconds=math.ceil(fault.retry_after_s) + 1)
        headers["Retry-After"] = format_datetime(due.replace(microsecond=0), usegmt=True)
    return _error(status, code, text, headers=headers)


def _error(
    status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None
) -> web.Response:
    error = {"message": message, "type": code, "param": None, "code": code}
    return web.json_response({"error": error}, status=status, headers=headers)


class ModelServer:
    """The server, in a thread and event loop of its own; a context manager.

    Args:
        respond: from a chat request to the answer's text, or to keys that replace those of
            the usual response. It runs in the server's thread, one call at a time.
        faults: what goes wrong: an iterable used up in order of arrival (None: nothing), or
            a ``FaultSource`` such as ``RandomFaults``.
        models: what ``/v1/models`` lists; a request may name any model.
        dimensions: length of an embedding where the request does not say.
        latency_s: waited before every response.
        api_key: where given, any other key is refused with 401.
        port: 0 takes a free one.

    A mistake in the test's own ``respond`` or ``faults`` is answered with 500, kept in
    ``mistakes`` and raised when the server stops.
    """

    def __init__(
        self,
        *,
        respond: Callable[[Body], str | Body] = plain_answer,
        faults: Iterable[Fault | None] | FaultSource = (),
        models: Sequence[str] = ("test-model",),
        dimensions: int = 64,
        latency_s: float = 0.0,
        api_key: str | None = None,
        port: int = 0,
    ) -> None:
        self.mistakes: list[str] = []
        self.greatest_in_flight = 0
        self.port = port
        self._respond = respond
        self._fault = faults if callable(faults) else _in_order(faults)
        self._models = tuple(models)
        self._dimensions = dimensions
        self._latency_s = latency_s
        self._api_key = api_key
        self._calls: list[Call] = []
        self._asked: Counter[str] = Counter()
        self._in_flight = 0
        self._changed = threading.Condition()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    @property
    def base_url(self) -> str:
        """What a client is configured with."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> list[Call]:
        """Every chat and embedding request so far, in order of arrival."""
        return list(self._calls)

    @property
    def completed(self) -> Count:
        """Answers that went out whole."""
        return self._count(lambda call: call.outcome == "completed")

    @property
    def broken_off(self) -> Count:
        """Answers made but cut short on their way."""
        return self._count(lambda call: call.outcome == "broken_off")

    @property
    def unstated(self) -> Count:
        """The part of ``completed`` whose ``usage`` was withheld, whole or in part."""
        return self._count(
            lambda call: call.outcome == "completed" and _kind(call.fault) in UNSTATED
        )

    @property
    def answered_tokens(self) -> tuple[int, int]:
        """Prompt and completion tokens of ``completed``."""
        count = self.completed
        return count.prompt_tokens, count.completion_tokens

    @property
    def outcomes(self) -> Counter[str]:
        """How many calls ended in which way; those still open are ``open``."""
        return Counter(call.outcome or "open" for call in self.calls)

    @property
    def completed_by_key(self) -> Counter[str]:
        """How often each request was answered whole: above 1, it was paid for again."""
        return Counter(call.key for call in self.calls if call.outcome == "completed")

    def billed(
        self, prices: Mapping[str, tuple[float, float]], *, with_broken_off: bool = False
    ) -> float:
        """What the completed calls cost.

        Args:
            prices: model to price per million prompt and completion tokens. A model that
                was used and has no price is a ``KeyError``.
            with_broken_off: count answers cut short on their way as well.
        """
        outcomes = {"completed", "broken_off"} if with_broken_off else {"completed"}
        return math.fsum(
            (call.prompt_tokens * prices[call.model][0] / 1e6)
            + (call.completion_tokens * prices[call.model][1] / 1e6)
            for call in self.calls
            if call.outcome in outcomes
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        if self.mistakes and error is None:
            raise RuntimeError("; ".join(self.mistakes))

    def start(self) -> None:
        """Serve in a thread; returns once the port is open."""
        self._thread = threading.Thread(target=self._run, name="model-server", daemon=True)
        self._thread.start()
        if not self._ready.wait(_JOIN_S):
            raise RuntimeError("the model server did not start")
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """End every connection and the thread, within seconds. Harmless when repeated."""
        if self._thread is None or not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(_JOIN_S)
        if self._thread.is_alive():
            raise RuntimeError("the model server did not stop")

    def wait_until(self, holds: Callable[[], bool], timeout_s: float = 20.0) -> None:
        """Block the calling thread until something holds, looked at as calls come and end."""
        with self._changed:
            if not self._changed.wait_for(holds, timeout_s):
                raise TimeoutError(f"not within {timeout_s:g} s; outcomes: {dict(self.outcomes)}")

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:  # noqa: BLE001 - handed to the thread that waits for it
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        application = web.Application(client_max_size=_LARGEST_BODY)
        application.router.add_post("/v1/chat/completions", self._handle)
        application.router.add_post("/v1/embeddings", self._handle)
        application.router.add_get("/v1/models", self._list_models)
        application.router.add_get("/counted", self._tell_counts)
        # Cancelling a handler whose client has left is how a stall ends.
        runner = web.AppRunner(
            application, handler_cancellation=True, access_log=None, shutdown_timeout=1.0
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", self.port).start()
            self.port = runner.addresses[0][1]
            self._ready.set()
            await self._stopping.wait()
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            body = json.loads(await request.read())
            _ = body["input" if request.path.endswith("embeddings") else "messages"]
        except (ValueError, KeyError, TypeError):
            return _error(400, "invalid_request", "The request is not one of this interface.")
        call = self._arrival(request, body)
        try:
            return await self._reply(request, call)
        except asyncio.CancelledError:
            self._settle(call, "abandoned", None)
            raise
        except ConnectionError:
            self._settle(call, "abandoned", None)
            return web.Response()
        except Exception as mistake:  # noqa: BLE001 - the test's own code; told when it stops
            self.mistakes.append(f"request {call.number}: {mistake!r}")
            self._settle(call, "refused", 500)
            return _error(500, "mistake", repr(mistake))

    def _arrival(self, request: web.Request, body: Body) -> Call:
        key = body_key(body)
        self._asked[key] += 1
        call = Call(
            number=len(self._calls) + 1,
            path=request.path,
            key=key,
            attempt=self._asked[key],
            body=body,
            authorization=request.headers.get("Authorization"),
            arrived_s=time.monotonic(),
        )
        self._calls.append(call)
        self._in_flight += 1
        self.greatest_in_flight = max(self.greatest_in_flight, self._in_flight)
        self._tell_waiting()
        return call

    async def _reply(self, request: web.Request, call: Call) -> web.StreamResponse:
        fault = call.fault = self._fault(call.number, call.body)
        if fault is not None and not fault.fits(call.body):
            raise ValueError(f"fault {fault.kind} cannot befall {call.path}")
        if self._api_key is not None and call.authorization != f"Bearer {self._api_key}":
            fault = call.fault = Fault(kind="invalid_key")
        kind = _kind(fault)
        delay_s = self._latency_s + (fault.delay_s if fault and kind == "slow" else 0.0)
        if delay_s:
            await asyncio.sleep(delay_s)
        if fault is not None and kind in REFUSALS:
            response = refusal(fault, call)
            self._settle(call, "refused", response.status)
            return response
        if kind in {"reset", "hang_up"}:
            return self._cut(request, call, "dropped", reset=kind == "reset")
        if kind == "stall":
            await self._stopping.wait()
            return self._cut(request, call, "abandoned", reset=True)
        return await self._answer(request, call, kind)

    async def _answer(self, request: web.Request, call: Call, kind: str) -> web.StreamResponse:
        if call.path.endswith("embeddings"):
            whole = embedding_body(call.body, self._dimensions)
        else:
            whole = chat_body(call.body, self._respond(call.body))
        stated = whole.get("usage") or {}
        call.prompt_tokens = stated.get("prompt_tokens", 0)
        call.completion_tokens = stated.get("completion_tokens", 0)
        content = json.dumps(spoiled(kind, whole), ensure_ascii=False).encode()
        if kind in {"reset_midway", "reset_midway_chunked", "stall_midway"}:
            return await self._break_off(request, call, kind, content)
        if kind == "truncated_json":
            content = content[: len(content) // 2]
        if request.transport is None or request.transport.is_closing():
            self._settle(call, "abandoned", None)
        self._settle(call, "broken_off" if kind == "truncated_json" else "completed", 200)
        return web.Response(body=content, content_type="application/json")

    async def _break_off(
        self, request: web.Request, call: Call, kind: str, content: bytes
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        if kind == "reset_midway_chunked":
            response.enable_chunked_encoding()
        else:
            response.content_length = len(content)
        await response.prepare(request)
        await response.write(content[: len(content) // 2])
        if kind == "stall_midway":
            # Settled early: a client that gives up would otherwise count as having abandoned it.
            self._settle(call, "broken_off", 200)
            await self._stopping.wait()
        self._cut(request, call, "broken_off", status=200, reset=True)
        return response

    def _cut(
        self,
        request: web.Request,
        call: Call,
        outcome: Outcome,
        *,
        status: int | None = None,
        reset: bool,
    ) -> web.StreamResponse:
        self._settle(call, outcome, status)
        transport = request.transport
        if transport is not None:
            if reset:
                # Without lingering, closing sends RST in place of an orderly FIN.
                transport.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE
                )
            transport.abort()
        return web.Response()

    def _settle(self, call: Call, outcome: Outcome, status: int | None) -> None:
        if call.outcome is None:
            self._in_flight -= 1
            call.status = status
            call.outcome = outcome
            self._tell_waiting()

    def _tell_waiting(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _count(self, wanted: Callable[[Call], bool]) -> Count:
        chosen = [call for call in self.calls if wanted(call)]
        return Count(
            calls=len(chosen),
            prompt_tokens=sum(call.prompt_tokens for call in chosen),
            completion_tokens=sum(call.completion_tokens for call in chosen),
        )

    async def _list_models(self, request: web.Request) -> web.Response:
        data = [{"id": name, "object": "model", "owned_by": "tests"} for name in self._models]
        return web.json_response({"object": "list", "data": data})

    async def _tell_counts(self, request: web.Request) -> web.Response:
        told = {
            "calls": len(self._calls),
            "distinct": len(self._asked),
            "outcomes": self.outcomes,
            "completed": vars(self.completed),
            "broken_off": vars(self.broken_off),
            "greatest_in_flight": self.greatest_in_flight,
            "most_completed_per_key": max(self.completed_by_key.values(), default=0),
        }
        return web.json_response(told)


def _kind(fault: Fault | None) -> str:
    return "" if fault is None else fault.kind


def _in_order(faults: Iterable[Fault | None]) -> FaultSource:
    queue = deque(faults)
    return lambda _number, _body: queue.popleft() if queue else None


def _rate(text: str) -> tuple[Fault, float]:
    kind, _, rate = text.partition("=")
    if kind not in KINDS:
        raise argparse.ArgumentTypeError(f"no fault {kind!r}; there are {', '.join(KINDS)}")
    return Fault(kind=kind), float(rate)  # type: ignore[arg-type] # checked just above


def _await_end_of_input(ended: threading.Event) -> None:
    # os.read, because a daemon thread inside sys.stdin would hold its lock at shutdown.
    while os.read(0, 4096):
        pass
    ended.set()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve as a program: print the port, end with the input, SIGTERM or the lifetime."""
    parser = argparse.ArgumentParser(description="A model server that misbehaves to order.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latency-s", type=float, default=0.0)
    parser.add_argument("--fault", type=_rate, action="append", default=[], metavar="KIND=RATE")
    parser.add_argument("--rough-weather", action="store_true", help="the standing mix of faults")
    parser.add_argument("--at-most", type=int, default=None, help="faults per distinct request")
    parser.add_argument("--lifetime-s", type=float, default=300.0)
    given = parser.parse_args(arguments)
    faults: FaultSource = RandomFaults(given.fault, seed=given.seed, at_most=given.at_most)
    if given.rough_weather:
        faults = rough_weather(given.seed, at_most=given.at_most)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: ended.set())
    threading.Thread(target=_await_end_of_input, args=(ended,), daemon=True).start()
    with ModelServer(faults=faults, latency_s=given.latency_s, port=given.port) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        ended.wait(given.lifetime_s)


if __name__ == "__main__":
    main()
