"""A chat server that says in every answer how long it worked on it, to check latencies with.

Each request is answered after a random time between the limits of the command line. The text of the
answer is the time, in seconds, from the last byte of the request to the first byte of the answer, as
this server measured it. ``python timed_server.py 100 200`` prints its port and ends when its
standard input closes.
"""

import asyncio
import json
import os
import random
import sys
import threading
import time

from fast_server import body_length

_HEAD_END = b"\r\n\r\n"


class TimedChat(asyncio.Protocol):
    """One connection; requests are not pipelined."""

    def __init__(self, shortest_s: float, longest_s: float) -> None:
        self._shortest_s = shortest_s
        self._longest_s = longest_s
        self._pending = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer later if the request is complete."""
        self._pending += data
        end = self._pending.find(_HEAD_END)
        if end < 0 or len(self._pending) < end + 4 + (body_length(self._pending[:end]) or 0):
            return
        self._pending = b""
        received_at = time.perf_counter()
        delay_s = random.uniform(self._shortest_s, self._longest_s)
        asyncio.get_running_loop().call_later(delay_s, self._answer, received_at)

    def _answer(self, received_at: float) -> None:
        worked_s = time.perf_counter() - received_at
        message = {"role": "assistant", "content": f"{worked_s:.6f}"}
        body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        self._transport.write(f"{head}\r\n\r\n".encode() + body)


async def serve(shortest_s: float, longest_s: float) -> None:
    """Print the port and serve on loopback until standard input closes."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    server = await loop.create_server(
        lambda: TimedChat(shortest_s, longest_s), "127.0.0.1", 0, backlog=1024
    )

    def await_end_of_input() -> None:
        while os.read(0, 4096):
            pass
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=await_end_of_input, daemon=True).start()
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    server.close()


if __name__ == "__main__":
    shortest, longest = (float(word) / 1000 for word in sys.argv[1:])
    asyncio.run(serve(shortest, longest))
