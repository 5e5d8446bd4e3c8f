"""Connections of aiohttp that can be opened in advance, and that know when they were used.

This module imports aiohttp, which takes 0.2 s, so it is imported where the first call is made.
"""

import asyncio
import socket
import struct
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final

import aiohttp

from assay.models.meter import take_out

_used: ContextVar["TimedSocket | None"] = ContextVar("used_socket", default=None)

_SO_TIMESTAMPNS: Final = 35
"""Linux notes with every packet when it arrived; Python has no name for the option."""
_TIMESPEC: Final = struct.Struct("@ll")
_NOTE_BYTES: Final = socket.CMSG_SPACE(_TIMESPEC.size) if hasattr(socket, "CMSG_SPACE") else 0


class TimedSocket(socket.socket):
    """A socket that notes when it last sent something, and when the last bytes for it arrived.

    The event loop may be busy with other questions, above all with scoring their answers, before
    it sends a request and before it reads a reply. That time is ours and not the system's. On
    Linux the kernel says when the bytes arrived; elsewhere it is the moment when they are read.
    If the connection ends before they are read, the kernel gives them the time of that end.
    """

    __slots__ = ("_is_stamped", "received_at", "sent_at")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.sent_at = 0.0
        self.received_at = 0.0
        self._is_stamped = sys.platform == "linux"
        if self._is_stamped:
            try:
                self.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
            except OSError:
                self._is_stamped = False

    def send(self, *arguments: Any) -> int:
        """Note the time, and send."""
        self.sent_at = time.perf_counter()  # afterwards, the reply may have come already
        return super().send(*arguments)

    def sendmsg(self, *arguments: Any) -> int:
        """Note the time, and send."""
        self.sent_at = time.perf_counter()  # afterwards, the reply may have come already
        return super().sendmsg(*arguments)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Receive, and note when the bytes arrived."""
        notes: Sequence[tuple[int, int, bytes]] = ()
        if self._is_stamped:
            received, notes, *_ = self.recvmsg(size, _NOTE_BYTES, flags)
        else:
            received = super().recv(size, flags)
        if received:  # the end of a connection is no part of a reply
            self._note_arrival(notes)
        return received

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0) -> int:
        """Receive, and note when the bytes arrived."""
        notes: Sequence[tuple[int, int, bytes]] = ()
        if self._is_stamped:
            part = memoryview(buffer)[:size] if size else buffer
            received, notes, *_ = self.recvmsg_into([part], _NOTE_BYTES, flags)
        else:
            received = super().recv_into(buffer, size, flags)
        if received:
            self._note_arrival(notes)
        return received

    def _note_arrival(self, notes: Sequence[tuple[int, int, bytes]]) -> None:
        # in this order: what is done between the two readings makes a reply no older than it is
        wall_ns = time.time_ns()
        now = self.received_at = time.perf_counter()
        for level, kind, data in notes:
            if (level, kind, len(data)) == (socket.SOL_SOCKET, _SO_TIMESTAMPNS, _TIMESPEC.size):
                seconds, nanoseconds = _TIMESPEC.unpack(data)
                ago_s = (wall_ns - seconds * 1_000_000_000 - nanoseconds) / 1e9
                if 0.0 <= ago_s <= now - self.sent_at:  # else the clock of the machine was set
                    self.received_at = now - ago_s


class Connector(aiohttp.TCPConnector):
    """Opens connections outside of the time that is measured; keeps any number of them open."""

    def __init__(self) -> None:
        super().__init__(limit=0, keepalive_timeout=30, socket_factory=self._make_socket)
        self._opened: list[aiohttp.connector.Connection] | None = None
        # by descriptor, so a closed socket stays only until its number is used again
        self._sockets: dict[int, TimedSocket] = {}

    def _make_socket(self, address: Any) -> TimedSocket:
        family, kind, protocol, *_ = address
        made = TimedSocket(family, kind, protocol)
        self._sockets[made.fileno()] = made
        return made

    async def connect(self, *arguments: Any, **options: Any) -> aiohttp.connector.Connection:
        """A connection from the pool or a new one; its set-up is not measured."""
        started_at = time.perf_counter()
        try:
            connection = await super().connect(*arguments, **options)
        finally:
            take_out(started_at, time.perf_counter())
        if self._opened is not None:
            self._opened.append(connection)
            raise _OpenedInAdvance
        transport = connection.transport
        plain = transport.get_extra_info("socket") if transport is not None else None
        _used.set(None if plain is None else self._sockets.get(plain.fileno()))
        return connection

    def take_out_own_time(self, started_at: float) -> None:
        """Take the time before the request was sent and after the reply arrived out of the latency.

        ``started_at`` is when the call of the current task began; it must have ended just now.
        """
        used = _used.get()
        if used is not None and started_at <= used.sent_at <= used.received_at:
            take_out(started_at, used.sent_at)
            take_out(used.received_at, time.perf_counter())

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
