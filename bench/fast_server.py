"""A chat server as cheap as plain asyncio allows, for measuring clients against.

It reads requests only as far as their length, answers each with the same completion, keeps
connections open and takes pipelined requests. ``python fast_server.py --latency-ms 50``
prints its port; when its standard input closes it prints one JSON line with the requests
answered and the CPU seconds spent, and ends.

It is no judge of correctness: it never looks at a path, a key or a body.
"""

import argparse
import asyncio
import json
import os
import threading
import time
from collections.abc import Callable

COMPLETION = {
    "id": "chatcmpl-fast",
    "object": "chat.completion",
    "created": 0,
    "model": "fast",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "The notice period is thirty days."},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 120, "completion_tokens": 8, "total_tokens": 128},
}
"""What every request is answered with."""

_BODY = json.dumps(COMPLETION, separators=(",", ":")).encode()
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(_BODY),
    _BODY,
)
REFUSAL = b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_HEAD_END = b"\r\n\r\n"
_LENGTH = b"\r\ncontent-length:"
_LONGEST_HEAD = 65536


class Answered:
    """How many requests were answered, over all connections."""

    def __init__(self) -> None:
        self.requests = 0


class FastChat(asyncio.Protocol):
    """One connection. Bodies are skipped as they come and never gathered."""

    def __init__(self, answered: Answered, latency_s: float) -> None:
        self._answered = answered
        self._latency_s = latency_s
        self._pending = b""
        self._body_left = 0
        self._transport: asyncio.Transport
        self._call_later: Callable[..., asyncio.TimerHandle]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what answering needs."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._call_later = asyncio.get_running_loop().call_later

    def data_received(self, data: bytes) -> None:
        """Answer each request that is now whole: at once, or after the latency."""
        whole = 0
        if self._body_left:
            if len(data) < self._body_left:
                self._body_left -= len(data)
                return
            data = data[self._body_left :]
            self._body_left = 0
            whole = 1
        if self._pending:
            data = self._pending + data
            self._pending = b""
        start = 0
        while start < len(data):
            end = data.find(_HEAD_END, start)
            if end < 0:
                self._pending = data[start:]
                break
            length = body_length(data[start:end])
            if length is None:
                self._refuse(whole)
                return
            start = end + 4 + length
            if start > len(data):
                self._body_left = start - len(data)
                break
            whole += 1
        if len(self._pending) > _LONGEST_HEAD:
            self._refuse(whole)
        elif whole:
            self._answer(whole)

    def _answer(self, count: int) -> None:
        self._answered.requests += count
        response = RESPONSE if count == 1 else RESPONSE * count
        if self._latency_s:
            # All responses are alike, so timers that fire out of order do no harm.
            self._call_later(self._latency_s, self._transport.write, response)
        else:
            self._transport.write(response)

    def _refuse(self, whole: int) -> None:
        self._answered.requests += whole
        self._transport.write(RESPONSE * whole + REFUSAL)
        self._transport.close()


def body_length(head: bytes) -> int | None:
    """Length of the body that a request head announces; None where it cannot be told."""
    lowered = head.lower()
    at = lowered.find(_LENGTH)
    if at < 0:
        return None if b"\r\ntransfer-encoding:" in lowered else 0
    value = lowered[at + len(_LENGTH) :].partition(b"\r\n")[0].strip()
    return int(value) if value.isdigit() else None


async def serve(port: int, latency_s: float) -> Answered:
    """Serve on loopback, printing the port, until standard input closes."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    answered = Answered()
    server = await loop.create_server(
        lambda: FastChat(answered, latency_s), "127.0.0.1", port, backlog=1024
    )

    def await_end_of_input() -> None:
        # A thread, because a standard input that is a plain file cannot be polled.
        while os.read(0, 4096):
            pass
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=await_end_of_input, daemon=True).start()
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    server.close()
    return answered


def main() -> None:
    """Read the options, serve, and tell what it took."""
    parser = argparse.ArgumentParser(description="A fast chat server to measure clients against.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="before each response")
    given = parser.parse_args()
    started_s = time.process_time()
    answered = asyncio.run(serve(given.port, given.latency_ms / 1000))
    spent_s = time.process_time() - started_s
    told = {"requests": answered.requests, "cpu_s": round(spent_s, 4)}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
