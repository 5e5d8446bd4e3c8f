"""An OpenAI-compatible server on a loopback socket that produces faults and counts its calls.

In a test::

    with ModelServer(faults=[Fault(kind="error_500"), None]) as server:
        ...  # send requests to server.base_url
    assert server.completed.calls == 1

As a program, for tests that kill processes, from the root of the repository:
``python -m tests.support.model_server --fault error_500=0.02``. It prints its port and serves
until its standard input closes, it receives SIGTERM, or ``--lifetime-s`` has passed.
``GET /counted`` returns the counts. ``tests.support.model_count`` defines what is billed.
"""

import argparse
import asyncio
import gzip
import json
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.support.model_count import Call, Count, Ledger, Outcome
from tests.support.model_fault import (
    KINDS,
    REFUSALS,
    UNBOUNDED,
    Body,
    Fault,
    FaultSource,
    RandomFaults,
    body_key,
    chat_body,
    embedding_body,
    error_response,
    in_order,
    kind_of,
    plain_answer,
    refusal,
    rough_weather,
    spoil_body,
    stream_chunks,
)

__all__ = ["Call", "Count", "Fault", "ModelServer", "RandomFaults", "body_key", "rough_weather"]

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)
_LARGEST_BODY = 256 * 2**20
_JOIN_S = 60.0


class ModelServer(Ledger):
    """The server, with its own thread and event loop; a context manager.

    Args:
        respond: returns the text of the answer to a chat request, or keys that replace those of
            the default response. It runs in the server's thread, one call at a time.
        faults: the faults of the requests in the order of arrival (None: no fault), or a
            ``FaultSource``, for example ``RandomFaults``.
        models: the models that ``/v1/models`` lists; a request may name any model.
        dimensions: the dimension of an embedding if the request does not state one.
        latency_s: the wait before every response, in seconds.
        api_key: if set, any other key is refused with 401.
        port: the port; 0 means any free port.

    If ``respond`` or ``faults`` of the test raises an exception, the server responds with 500,
    adds a line to ``mistakes`` and raises it when the context ends.
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
        super().__init__()
        self.mistakes: list[str] = []
        self.greatest_in_flight = 0
        self.port = port
        self._respond = respond
        self._fault = faults if callable(faults) else in_order(faults)
        self._models = tuple(models)
        self._dimensions = dimensions
        self.latency_s = latency_s
        self._api_key = api_key
        self._requests: Counter[str] = Counter()
        self._in_flight = 0
        self._changed = threading.Condition()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    @property
    def base_url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

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
        """Start serving in a thread, and return when the port is open."""
        self._thread = threading.Thread(target=self._run, name="model-server", daemon=True)
        self._thread.start()
        if not self._ready.wait(_JOIN_S):
            raise RuntimeError("the model server did not start")
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Close every connection and end the thread, within seconds. Safe to call twice."""
        if self._thread is None or not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(_JOIN_S)
        if self._thread.is_alive():
            raise RuntimeError("the model server did not stop")

    def wait_until(self, condition: Callable[[], bool], timeout_s: float = 60.0) -> None:
        """Block the calling thread until a condition is true; it is checked as calls come and end."""
        with self._changed:
            if not self._changed.wait_for(condition, timeout_s):
                raise TimeoutError(
                    f"the condition is not true after {timeout_s:g} s; "
                    f"outcomes: {dict(self.outcomes)}"
                )

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:  # noqa: BLE001 - raised again by start()
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
        application.router.add_get("/counted", self._send_counts)
        # A stalled request ends because its handler is cancelled when the client leaves.
        runner = web.AppRunner(
            application, handler_cancellation=True, access_log=None, shutdown_timeout=1.0
        )
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", self.port)
            await site.start()
            self.port = runner.addresses[0][1]
            self._ready.set()
            await self._stopping.wait()
            # a connection that was just accepted becomes known, so that it is closed with the
            # others; once the server has stopped, asyncio would drop it without closing its socket
            while accepting := _accepting():
                await asyncio.gather(*accepting)
            await site.stop()
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            body = json.loads(await request.read())
            _ = body["input" if request.path.endswith("embeddings") else "messages"]
        except (ValueError, KeyError, TypeError):
            return error_response(
                400, "invalid_request", "The request is not a chat or embedding request."
            )
        call = self._record_arrival(request, body)
        try:
            return await self._reply(request, call)
        except asyncio.CancelledError:
            self._settle(call, "abandoned", None)
            raise
        except ConnectionError:
            self._settle(call, "abandoned", None)
            return web.Response()
        except Exception as mistake:  # noqa: BLE001 - the test's code; raised at the end
            self.mistakes.append(f"request {call.number}: {mistake!r}")
            self._settle(call, "refused", 500)
            return error_response(500, "mistake", repr(mistake))

    def _record_arrival(self, request: web.Request, body: Body) -> Call:
        key = body_key(body)
        self._requests[key] += 1
        call = Call(
            number=len(self._calls) + 1,
            path=request.path,
            key=key,
            attempt=self._requests[key],
            body=body,
            authorization=request.headers.get("Authorization"),
            arrived_s=time.monotonic(),
        )
        self._calls.append(call)
        self._in_flight += 1
        self.greatest_in_flight = max(self.greatest_in_flight, self._in_flight)
        self._notify()
        return call

    async def _reply(self, request: web.Request, call: Call) -> web.StreamResponse:
        fault = call.fault = self._fault(call.number, call.body)
        if fault is not None and not fault.fits(call.body):
            raise ValueError(f"fault {fault.kind} does not apply to {call.path}")
        if self._api_key is not None and call.authorization != f"Bearer {self._api_key}":
            fault = call.fault = Fault(kind="invalid_key")
        kind = kind_of(fault)
        delay_s = self.latency_s + (fault.delay_s if fault and kind == "slow" else 0.0)
        if delay_s:
            await asyncio.sleep(delay_s)
        if fault is not None and kind in REFUSALS:
            response = refusal(fault, call.body, call.authorization)
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
            response = embedding_body(call.body, self._dimensions)
        else:
            response = chat_body(call.body, self._respond(call.body))
        stated = response.get("usage")
        usage = stated if isinstance(stated, dict) else {}
        call.prompt_tokens = usage.get("prompt_tokens", 0)
        call.completion_tokens = usage.get("completion_tokens", 0)
        if call.body.get("stream") and not kind:
            return await self._stream(request, call, response)
        content = json.dumps(spoil_body(kind, response), ensure_ascii=False).encode()
        if kind in {"reset_midway", "reset_midway_chunked", "stall_midway"}:
            return await self._break_off(request, call, kind, content)
        if kind in UNBOUNDED:
            return await self._flood(request, call, kind)
        headers = {}
        if kind in {"gzip", "gzip_cut"}:
            content, headers = gzip.compress(content), {"Content-Encoding": "gzip"}
        if kind in {"truncated_json", "gzip_cut"}:
            content = content[: len(content) // 2]
        if request.transport is None or request.transport.is_closing():
            self._settle(call, "abandoned", None)
        is_cut = kind in {"truncated_json", "gzip_cut"}
        self._settle(call, "broken_off" if is_cut else "completed", 200)
        return web.Response(body=content, content_type="application/json", headers=headers)

    async def _stream(self, request: web.Request, call: Call, response: Body) -> web.StreamResponse:
        """Send the text word by word, as server-sent events."""
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        stream.enable_chunked_encoding()
        await stream.prepare(request)
        for chunk in stream_chunks(response):
            await stream.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self._settle(call, "completed", 200)
        await stream.write(b"data: [DONE]\n\n")
        return stream

    async def _flood(self, request: web.Request, call: Call, kind: str) -> web.StreamResponse:
        """Send far more than anybody wants, until the client leaves."""
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        piece = b" " * 2**20
        if kind == "gzip_bomb":
            response.headers["Content-Encoding"] = "gzip"
            piece = gzip.compress(bytes(64 * 2**20), 9)
        if kind == "huge_body":
            response.content_length = 2**30
        else:
            response.enable_chunked_encoding()
        await response.prepare(request)
        self._settle(call, "broken_off", 200)
        for _ in range(2**10 if kind == "huge_body" else 2**30):
            await response.write(piece)
        return response

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
            # Settled early: otherwise the call would count as abandoned when the client leaves.
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
                # With a linger time of zero, closing sends RST instead of FIN.
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
            self._notify()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    async def _list_models(self, request: web.Request) -> web.Response:
        data = [{"id": name, "object": "model", "owned_by": "tests"} for name in self._models]
        return web.json_response({"object": "list", "data": data})

    async def _send_counts(self, request: web.Request) -> web.Response:
        counts = {
            "calls": len(self._calls),
            "distinct": len(self._requests),
            "outcomes": self.outcomes,
            "completed": vars(self.completed),
            "broken_off": vars(self.broken_off),
            "greatest_in_flight": self.greatest_in_flight,
            "most_completed_per_key": max(self.completed_by_key.values(), default=0),
        }
        return web.json_response(counts)


def _accepting() -> list["asyncio.Task[object]"]:
    """The tasks in which the event loop hands over connections that it has accepted."""
    names = ((task, getattr(task.get_coro(), "__name__", "")) for task in asyncio.all_tasks())
    return [task for task, name in names if name == "_accept_connection2"]


def _rate(text: str) -> tuple[Fault, float]:
    kind, _, rate = text.partition("=")
    if kind not in KINDS:
        raise argparse.ArgumentTypeError(f"no fault {kind!r}; the faults are {', '.join(KINDS)}")
    return Fault(kind=kind), float(rate)  # type: ignore[arg-type] # checked just above


def _await_end_of_input(ended: threading.Event) -> None:
    # os.read, because a daemon thread that reads sys.stdin would keep its lock at shutdown.
    while os.read(0, 4096):
        pass
    ended.set()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the port and serve until the input closes, SIGTERM arrives or the lifetime is over."""
    parser = argparse.ArgumentParser(description="A model server that produces faults for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latency-s", type=float, default=0.0)
    parser.add_argument("--fault", type=_rate, action="append", default=[], metavar="KIND=RATE")
    parser.add_argument("--rough-weather", action="store_true", help="the usual mix of faults")
    parser.add_argument("--at-most", type=int, default=None, help="faults per distinct request")
    parser.add_argument("--lifetime-s", type=float, default=300.0)
    options = parser.parse_args(arguments)
    faults: FaultSource = RandomFaults(options.fault, seed=options.seed, at_most=options.at_most)
    if options.rough_weather:
        faults = rough_weather(options.seed, at_most=options.at_most)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: ended.set())
    threading.Thread(target=_await_end_of_input, args=(ended,), daemon=True).start()
    with ModelServer(faults=faults, latency_s=options.latency_s, port=options.port) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        ended.wait(options.lifetime_s)


if __name__ == "__main__":
    main()
