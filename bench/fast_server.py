"""A chat server that uses as little CPU as plain asyncio allows, to measure clients with.

It reads only the length of a request, answers each request with the same completion, keeps
connections open and accepts pipelined requests. ``python fast_server.py --latency-ms 50`` prints its
port. When its standard input closes, it prints one JSON line with the number of answered requests
and the CPU seconds used, and ends.

It does not check that requests are correct: it never looks at a path, a key or a body.
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
"""The answer to every request."""

_BODY = json.dumps(COMPLETION, separators=(",", ":")).encode()
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(_BODY),
    _BODY,
)
REFUSAL = b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_HEAD_END = b"\r\n\r\n"
_LENGTH = b"\r\ncontent-length:"
_LONGEST_HEAD = 65536


class RequestCount:
    """The number of answered requests of all connections."""

    def __init__(self) -> None:
        self.requests = 0


class FastChat(asyncio.Protocol):
    """One connection. Bodies are skipped when they arrive and are never collected."""

    def __init__(self, answered: RequestCount, latency_s: float) -> None:
        self._answered = answered
        self._latency_s = latency_s
        self._pending = b""
        self._body_left = 0
        self._transport: asyncio.Transport
        self._call_later: Callable[..., asyncio.TimerHandle]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport and the timer function."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._call_later = asyncio.get_running_loop().call_later

    def data_received(self, data: bytes) -> None:
        """Answer each request that is now complete: at once, or after the latency."""
        complete = 0
        if self._body_left:
            if len(data) < self._body_left:
                self._body_left -= len(data)
                return
            data = data[self._body_left :]
            self._body_left = 0
            complete = 1
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
                self._refuse(complete)
                return
            start = end + 4 + length
            if start > len(data):
                self._body_left = start - len(data)
                break
            complete += 1
        if len(self._pending) > _LONGEST_HEAD:
            self._refuse(complete)
        elif complete:
            self._answer(complete)

    def _answer(self, count: int) -> None:
        self._answered.requests += count
        response = RESPONSE if count == 1 else RESPONSE * count
        if self._latency_s:
            # All responses are equal, so the order in which timers fire does not matter.
            self._call_later(self._latency_s, self._transport.write, response)
        else:
            self._transport.write(response)

    def _refuse(self, complete: int) -> None:
        self._answered.requests += complete
        self._transport.write(RESPONSE * complete + REFUSAL)
        self._transport.close()


def body_length(head: bytes) -> int | None:
    """The length of the body according to the head of a request; ``None`` if it is unknown."""
    lowered = head.lower()
    at = lowered.find(_LENGTH)
    if at < 0:
        return None if b"\r\ntransfer-encoding:" in lowered else 0
    value = lowered[at + len(_LENGTH) :].partition(b"\r\n")[0].strip()
    return int(value) if value.isdigit() else None


async def serve(port: int, latency_s: float) -> RequestCount:
    """Print the port and serve on loopback until standard input closes."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    answered = RequestCount()
    server = await loop.create_server(
        lambda: FastChat(answered, latency_s), "127.0.0.1", port, backlog=1024
    )

    def await_end_of_input() -> None:
        # In a thread, because standard input cannot be polled if it is a plain file.
        while os.read(0, 4096):
            pass
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=await_end_of_input, daemon=True).start()
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    server.close()
    return answered


def main() -> None:
    """Read the options, serve, and print the number of requests and the CPU time."""
    parser = argparse.ArgumentParser(description="A fast chat server to measure clients against.")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free port")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="delay before each response")
    options = parser.parse_args()
    started_s = time.process_time()
    answered = asyncio.run(serve(options.port, options.latency_ms / 1000))
    cpu_s = time.process_time() - started_s
    print(json.dumps({"requests": answered.requests, "cpu_s": round(cpu_s, 4)}), flush=True)


if __name__ == "__main__":
    main()
