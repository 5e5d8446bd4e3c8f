"""Connections: they are opened in advance, nothing is sent, and their set-up is no latency."""

import asyncio
import socket
import threading
from typing import Any, Self

import aiohttp
import pytest

from assay.models.wire import Wire
from tests.models.test_wire import make_wire
from tests.support.json_server import unused_port

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class CountingServer:
    """A server that counts connections and requests; it answers every request with ``{}``."""

    def __init__(self) -> None:
        self.connections = 0
        self.requests = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            pending = b""
            while data := connection.recv(65536):
                pending += data
                if pending.endswith(b"\r\n\r\n{}"):
                    self.requests += 1
                    pending = b""
                    connection.sendall(REPLY)


def test_connections_are_opened_and_nothing_is_sent():
    """The calls that follow use these connections."""

    async def story(server: CountingServer) -> tuple[int, int]:
        wire = make_wire()
        try:
            await wire.open_connections(server.url, 3)
            while server.connections < 3:  # noqa: ASYNC110 - the server counts in a thread
                await asyncio.sleep(0.01)
            before = server.requests
            await asyncio.gather(*(wire.send(server.url, b"{}", bytes) for _ in range(3)))
        finally:
            await wire.close()
        return before, server.connections

    with CountingServer() as server:
        assert asyncio.run(story(server)) == (0, 3)
        assert server.requests == 3


def test_no_more_connections_are_opened_than_calls_are_allowed():
    """The limit of the server's configuration holds here as well."""

    async def story(server: CountingServer) -> None:
        wire = make_wire(concurrency=2)
        try:
            await wire.open_connections(server.url, 50)
            await wire.send(server.url, b"{}", bytes)
        finally:
            await wire.close()

    with CountingServer() as server:
        asyncio.run(story(server))
        assert server.connections == 2


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://", "http://no host/"])
def test_a_server_that_cannot_be_reached_is_reported_by_the_first_call(url: str):
    """Opening connections raises nothing: only a call knows what to say."""

    async def story() -> None:
        wire = make_wire()
        try:
            await wire.open_connections(url.format(port=unused_port()), 2)
        finally:
            await wire.close()

    asyncio.run(story())


def test_the_set_up_of_a_connection_is_no_latency(monkeypatch: pytest.MonkeyPatch):
    """A connection that takes half a second to open adds nothing to the recorded latency."""
    connect = aiohttp.TCPConnector.connect

    async def connect_slowly(self: Any, *arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(0.5)
        return await connect(self, *arguments, **options)

    monkeypatch.setattr(aiohttp.TCPConnector, "connect", connect_slowly)

    async def story(url: str) -> float:
        wire: Wire = make_wire()
        try:
            recorded, _ = await wire.send(url, b"{}", bytes)
        finally:
            await wire.close()
        return recorded.latency_s

    with CountingServer() as server:
        assert asyncio.run(story(server.url)) < 0.4
