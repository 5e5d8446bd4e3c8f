"""The streams of events: the progress of all runs for a page, the rows of one run for a program."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from assay.errors import AssayError
from assay.redact.error_text import masked_error
from assay.runs.write import is_being_written
from assay.web.api import Problem, in_thread
from assay.web.events.count import RunCount
from assay.web.events.tail import Cursor, RowReader, SharedBlocks, parse_cursor
from assay.web.library import Library
from assay.web.live_api import LiveRun, LiveRuns, RunEnd

# All runs that go on, counted once for everybody who watches.
#
# The hub works only while somebody watches. It keeps the newest state of each run and nothing else:
# a client that is slow finds a newer state, not a longer queue.

TURN_S: Final = 0.25
"""A run is counted again after this time: a few times a second."""
SLOWEST_S: Final = 0.9
"""A server that has much to do counts less often, but not less often than this."""
SHARE: Final = 0.05
"""How much of a core counting and sending may take: the runs need the cores themselves."""
SEARCH_S: Final = 1.0
"""The folders are searched for new journals after this time."""
ENDED_S: Final = 60.0
"""How long the last state of a run that has ended is kept, for clients that come back."""


class LiveState(Struct, frozen=True):
    """The newest state of a run as an event; ``version`` grows with each change."""

    version: int
    cursor: Cursor
    run: LiveRun
    event: bytes


class Hub:
    """Counts the runs of a library while it is watched."""

    def __init__(self, library: Library) -> None:
        self.states: dict[str, LiveState] = {}
        self.live: tuple[str, ...] = ()
        self._library = library
        self._counts: dict[str, RunCount] = {}
        self._journals: dict[str, Path] = {}
        self._search_at = 0.0
        self._ended_at: dict[str, float] = {}
        self._version = 0
        self._watchers = 0
        self._task: asyncio.Task[None] | None = None
        self._turned = asyncio.Event()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """While this context is open, the states are kept up to date; they are when it opens."""
        self._watchers += 1
        if self._task is None:
            self._search_at = 0.0
            self._task = asyncio.create_task(self._work())
            await self.turn()
        try:
            yield
        finally:
            self._watchers -= 1
            if not self._watchers and self._task is not None:
                task, self._task = self._task, None
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                self._forget()

    async def turn(self) -> None:
        """Wait until all runs were counted again."""
        await self._turned.wait()

    async def _work(self) -> None:
        used = time.process_time()
        while True:
            began = time.monotonic()
            with suppress(AssayError, OSError):  # a folder that is gone for a moment
                await asyncio.to_thread(self._count)
            turned, self._turned = self._turned, asyncio.Event()
            turned.set()
            before, used = used, time.process_time()
            took = time.monotonic() - began
            await asyncio.sleep(max(turn_s(used - before) - took, TURN_S / 5))

    def _count(self) -> None:
        """Look for runs that go on, and read what they added."""
        now = time.monotonic()
        if now >= self._search_at:
            self._journals = self._library.journals()
            self._search_at = now + SEARCH_S
        for run, journal in self._journals.items():
            if run not in self._counts and is_being_written(journal):
                self._counts[run] = RunCount(run, journal)
                self._ended_at.pop(run, None)
        for run, count in list(self._counts.items()):
            self._take(run, count)
        self.live = tuple(self._counts)
        for run, moment in list(self._ended_at.items()):
            if now - moment > ENDED_S:
                del self._ended_at[run]
                self.states.pop(run, None)

    def _take(self, run: str, count: RunCount) -> None:
        try:
            found = count.update()
        except Exception:  # noqa: BLE001 - one bad file must not hide the other runs; the list says why
            found, is_readable = None, False
        else:
            is_readable = True
        if found is not None:
            cursor, state = found
            known = self.states.get(run)
            if known is None or not _is_same(known.run, state):
                self._version += 1
                event = b"id: %b\nevent: progress\ndata: %b\n\n" % (
                    str(cursor).encode(),
                    msgspec.json.encode(state),
                )
                self.states[run] = LiveState(self._version, cursor, state, event)
        if not is_readable or (found is not None and not found[1].is_running):
            count.close()
            del self._counts[run]
            self._ended_at[run] = time.monotonic()

    def _forget(self) -> None:
        for count in self._counts.values():
            count.close()
        self._counts.clear()
        self._ended_at.clear()
        self.states.clear()
        self.live = ()


def turn_s(used_s: float) -> float:
    """How long a turn lasts after one in which the server used this CPU time, sending included.

    >>> turn_s(0.001), turn_s(0.025), turn_s(3.0)
    (0.25, 0.5, 0.9)
    """
    return min(max(TURN_S, used_s / SHARE), SLOWEST_S)


def _is_same(known: LiveRun, state: LiveRun) -> bool:
    """Whether nothing but the clock has moved."""
    return msgspec.structs.replace(known, elapsed_s=None) == msgspec.structs.replace(
        state, elapsed_s=None
    )


BEAT_S: Final = 15.0
"""A stream without events says after this time that it is alive."""
LOOK_S: Final = 0.1
"""A journal is looked at again after this time."""
_BEGIN: Final = b"retry: 1500\n\n"
_BEAT: Final = b": \n\n"


class Events:
    """Serves ``/api/v1/events``; ``headers`` are those of every answer of the server."""

    def __init__(self, library: Library, headers: Mapping[str, str]) -> None:
        self._library = library
        self._hub = Hub(library)
        self._shared = SharedBlocks()
        self._headers = {**headers, "X-Accel-Buffering": "no"}
        self._is_closing = False

    async def close(self, _: web.Application) -> None:
        """End all streams properly before the server ends; a browser then connects again."""
        self._is_closing = True

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The stream that the parameters ask for."""
        last = request.headers.get("Last-Event-ID") or request.query.get("after", "")
        run = request.query.get("run", "")
        if run:
            return await self._rows(request, run, parse_cursor(last))
        return await self._progress(request, parse_cursor(last))

    async def _begin(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=self._headers)
        response.content_type = "text/event-stream"
        response.charset = "utf-8"
        await response.prepare(request)
        await response.write(_BEGIN)
        return response

    async def _progress(self, request: web.Request, last: Cursor | None) -> web.StreamResponse:
        response = await self._begin(request)
        with suppress(ConnectionError):
            async with self._hub.watched():
                await self._send_states(response, last)
        return response

    async def _send_states(self, response: web.StreamResponse, last: Cursor | None) -> None:
        """Send each newer state of each run; a client that is slow misses those in between."""
        sent: dict[str, int] = {}
        live: tuple[str, ...] | None = None
        heard_at = time.monotonic()
        while not self._is_closing:
            hub, parts = self._hub, []
            if hub.live != live:
                live = hub.live
                parts.append(_event("runs", LiveRuns(runs=live)))
            for run, state in list(hub.states.items()):
                is_known = last is not None and sent.get(run) is None and state.cursor == last
                if state.version > sent.get(run, 0) and not (is_known and not state.run.is_running):
                    parts.append(state.event)
                sent[run] = state.version
            if not parts and time.monotonic() - heard_at >= BEAT_S:
                parts.append(_BEAT)
            if parts:
                await response.write(b"".join(parts))
                heard_at = time.monotonic()
            await hub.turn()

    async def _rows(
        self, request: web.Request, run: str, cursor: Cursor | None
    ) -> web.StreamResponse:
        journal = await asyncio.to_thread(self._library.journal, run)
        own = cursor if cursor is not None and cursor.run == run else None
        reader = await asyncio.to_thread(RowReader, run, journal, own, self._shared)
        try:
            if own is not None and own.is_end and not is_being_written(journal):
                first = await in_thread(reader.read)
                if not first:
                    return web.Response(status=204)
                response = await self._begin(request)
                await response.write(first)
            else:
                response = await self._begin(request)
            with suppress(ConnectionError):
                await self._send_rows(response, run, reader)
        finally:
            await asyncio.to_thread(reader.close)
        return response

    async def _send_rows(self, response: web.StreamResponse, run: str, reader: RowReader) -> None:
        """Send blocks of rows, each when the one before it was taken."""
        heard_at = time.monotonic()
        is_ending = False
        while not self._is_closing:
            # before reading: after a run that has ended, no row comes
            is_live = is_being_written(reader.journal)
            try:
                events = reader.prepared()
                if not events and reader.has_more():
                    events = await in_thread(reader.read)
            except AssayError as error:
                await response.write(_event("problem", Problem(error=masked_error(str(error)))))
                return
            if events:
                await response.write(events)
                heard_at = time.monotonic()
                continue
            if is_live:
                is_ending = False
            elif is_ending:
                await response.write(_ending(run, reader))
                return
            else:  # --resume fresh releases the lock for a moment: the end is believed the second time
                is_ending = True
            if time.monotonic() - heard_at >= BEAT_S:
                await response.write(_BEAT)
                heard_at = time.monotonic()
            await asyncio.sleep(LOOK_S)


def _event(name: str, data: msgspec.Struct) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))


def _ending(run: str, reader: RowReader) -> bytes:
    at = reader.cursor
    place = b"" if at is None else f"id: {msgspec.structs.replace(at, is_end=True)}\n".encode()
    return place + _event("end", RunEnd(run=run, rows=reader.rows))
