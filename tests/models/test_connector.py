"""Connections: they are opened in advance, nothing is sent, and their set-up is no latency."""

import asyncio
from typing import Any

import aiohttp
import pytest

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
