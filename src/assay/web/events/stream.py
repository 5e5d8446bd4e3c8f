"""The streams of events: the progress of all runs for a page, the rows of one run for a program."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec
from aiohttp import web

from assay.errors import AssayError
from assay.journal import is_being_written
from assay.redact import masked_error
from assay.web.api import Problem
from assay.web.events.cursor import Cursor, parse_cursor
from assay.web.events.hub import Hub
from assay.web.events.tail import RowReader, SharedBlocks
from assay.web.library import Library
from assay.web.live_api import LiveRuns, RunEnd
from assay.web.reply import in_thread

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
            else:  # --fresh releases the lock for a moment: the end is believed the second time
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
