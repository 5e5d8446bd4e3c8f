"""Connections: they are opened in advance, nothing is sent, and their set-up is no latency."""

import asyncio
import socket
import struct
import time
from typing import Any

import aiohttp
import pytest

from assay.models.connector import TimedSocket
from assay.models.wire import Wire
from tests.models.test_wire import make_wire
from tests.support.clock import stop_time
from tests.support.counting_server import CountingServer
from tests.support.json_server import unused_port


def test_connections_are_opened_and_nothing_is_sent():
    """The calls that follow use these connections."""

    async def story(server: CountingServer) -> tuple[int, int]:
        wire = make_wire()
        try:
            await wire.open_connections(server.url, 3)
            await asyncio.to_thread(server.wait_for_connections, 3)
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
        server.wait_for_connections(2)
        assert server.connections == 2


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://"])
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
    """The time that it takes to open a connection is not in the recorded latency."""
    clock = stop_time(monkeypatch)
    connect = aiohttp.TCPConnector.connect

    async def connect_slowly(self: Any, *arguments: Any, **options: Any) -> Any:
        clock.wait(0.5)
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
        assert asyncio.run(story(server.url)) == 0.0


def test_a_reply_that_comes_before_send_returns_has_its_whole_latency(
    monkeypatch: pytest.MonkeyPatch,
):
    """On a busy machine, the thread that sends goes on late."""
    clock = stop_time(monkeypatch)
    monkeypatch.setattr(socket.socket, "send", lambda *_: clock.wait(0.5) or 1, raising=False)
    with TimedSocket(socket.AF_INET, socket.SOCK_STREAM) as used:
        assert used.send(b"x") == 1
        assert used.sent_at == 0.0


def test_a_pause_between_two_clocks_does_not_lose_the_time_of_arrival(
    monkeypatch: pytest.MonkeyPatch,
):
    """A reply that waited for us is not taken for one that comes when it is read."""
    clock = stop_time(monkeypatch)

    def read_clock() -> float:
        clock.wait(0.2)
        return clock.now

    monkeypatch.setattr(time, "perf_counter", read_clock)
    monkeypatch.setattr(time, "time_ns", lambda: round(read_clock() * 1e9))
    arrival = (socket.SOL_SOCKET, 35, struct.pack("@ll", 0, 10_000_000))
    with TimedSocket(socket.AF_INET, socket.SOCK_STREAM) as used:
        clock.wait(1.0)  # other work; nothing was sent later than at 0
        used._note_arrival([arrival])
    assert 0.0 < used.received_at <= 0.3
