"""Connections of aiohttp that can be opened in advance, and whose set-up is no latency.

This module imports aiohttp, which takes 0.2 s, so it is imported where the first call is made.
"""

import asyncio
from contextlib import suppress
from typing import Any

import aiohttp

from assay.models.stopwatch import not_working


class Connector(aiohttp.TCPConnector):
    """Opens connections outside of the time that is measured; keeps any number of them open."""

    def __init__(self) -> None:
        super().__init__(limit=0, keepalive_timeout=30)
        self._opened: list[aiohttp.connector.Connection] | None = None

    async def connect(self, *arguments: Any, **options: Any) -> aiohttp.connector.Connection:
        """A connection from the pool or a new one; its set-up is not measured."""
        with not_working():
            connection = await super().connect(*arguments, **options)
        if self._opened is not None:
            self._opened.append(connection)
            raise _OpenedInAdvance
        return connection

    async def open_connections(self, session: aiohttp.ClientSession, url: str, count: int) -> None:
        """Open ``count`` connections to the server of ``url`` and keep them; nothing is sent.

        It is no error if some cannot be opened: the first call will say what is wrong.
        """
        opened = self._opened = []
        try:
            await asyncio.gather(*(self._open_one(session, url) for _ in range(count)))
        finally:
            self._opened = None
            for connection in opened:
                connection.release()

    async def _open_one(self, session: aiohttp.ClientSession, url: str) -> None:
        # the session builds the request, so that proxies and certificates are those of the calls
        with suppress(_OpenedInAdvance, aiohttp.ClientError, OSError, TimeoutError, ValueError):
            async with session.get(url, allow_redirects=False):
                pass


class _OpenedInAdvance(Exception):
    """Ends a request as soon as it has its connection, before anything is sent."""
