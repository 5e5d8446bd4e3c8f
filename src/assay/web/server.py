"""The local server: the page, and its JSON interface under ``/api/v1``."""

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import msgspec
from aiohttp import web
from aiohttp.web_protocol import RequestHandler
from msgspec.structs import replace

from assay import __version__
from assay.config import workspace as configured
from assay.errors import AssayError, UseError
from assay.gate.gate import Limits
from assay.models.secret import Environment
from assay.questions.review import draft_files
from assay.redact.error_text import masked_error
from assay.web.about import change_about, set_run_aside
from assay.web.api import (
    LARGEST_BODY,
    Missing,
    Problem,
    Workspace,
    in_thread,
    json_reply,
    read_body,
    size,
    whole,
)
from assay.web.compare_view import compare_view
from assay.web.configure.calls import add_configure_calls
from assay.web.corpus import add_corpus_calls
from assay.web.draft import add_draft_calls
from assay.web.embedded import NAMES, bundle_file
from assay.web.events.stream import Events
from assay.web.group_view import group_view
from assay.web.guard import HEADERS, Access, make_guard
from assay.web.item import field_part, item_number, item_view, row_part
from assay.web.item_api import ItemQuery
from assay.web.label.desk import add_label_calls
from assay.web.library import Library
from assay.web.live_api import AboutChange, Done, ResumeRequest, StartRequest
from assay.web.process.form import start_form
from assay.web.process.resume import resume_run, resumption
from assay.web.process.start import Starts, stop_run
from assay.web.query import check_query, item_count, item_page
from assay.web.run_index import RunIndex
from assay.web.run_view import run_view
from assay.words.message import Message, Said

# The calls that change something: start, stop, go on, notes, set aside.

WORKERS: Final = 4
"""How many changes are made at the same time; estimates may take minutes, and reading goes on."""


def add_control_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls to a server that may change something."""
    calls = ControlCalls(library)
    app.on_shutdown.append(calls.close)
    app.router.add_get(f"{api}/start", calls.form)
    app.router.add_post(f"{api}/start", calls.start)
    app.router.add_get(f"{api}/start/{{id}}", calls.started)
    app.router.add_post(f"{api}/runs/{{run}}/stop", calls.stop)
    app.router.add_get(f"{api}/runs/{{run}}/resume", calls.resumption)
    app.router.add_post(f"{api}/runs/{{run}}/resume", calls.resume)
    app.router.add_post(f"{api}/runs/{{run}}/about", calls.about)
    app.router.add_post(f"{api}/runs/{{run}}/delete", calls.delete)


class ControlCalls:
    """The calls of ``live_api`` besides the events.

    The guard has checked that a request may change something.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._starts = Starts(library)
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="control")

    async def close(self, _: web.Application) -> None:
        """Wait for nothing any more; what was started goes on."""
        self._starts.close()
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def form(self, _: web.Request) -> web.Response:
        """What can be started."""
        return await self._reply(lambda: start_form(self._library.root))

    async def start(self, request: web.Request) -> web.Response:
        """Start a run."""
        wanted = await read_body(request, StartRequest)
        return await self._reply(lambda: self._starts.start(wanted))

    async def started(self, request: web.Request) -> web.Response:
        """What became of a start."""
        return await self._reply(lambda: self._starts.state(request.match_info["id"]))

    async def stop(self, request: web.Request) -> web.Response:
        """Stop a run."""

        def work() -> Done:
            stop_run(self._journal(request))
            return Done()

        return await self._reply(work)

    async def resumption(self, request: web.Request) -> web.Response:
        """Whether the page can go on with a run."""
        run = request.match_info["run"]
        return await self._reply(lambda: resumption(self._starts, self._library, run))

    async def resume(self, request: web.Request) -> web.Response:
        """Go on with a run."""
        run, wanted = request.match_info["run"], await read_body(request, ResumeRequest)
        return await self._reply(
            lambda: resume_run(self._starts, self._library, run, wanted.max_cost)
        )

    async def about(self, request: web.Request) -> web.Response:
        """Write about a run."""
        change = await read_body(request, AboutChange)
        return await self._reply(lambda: change_about(self._journal(request), change))

    async def delete(self, request: web.Request) -> web.Response:
        """Set a run aside."""
        return await self._reply(lambda: Done(names=set_run_aside(self._journal(request))))

    def _journal(self, request: web.Request) -> Path:
        return self._library.journal(request.match_info["run"])

    async def _reply(self, work: Callable[[], Any]) -> web.Response:
        """What ``work`` returns; it runs to its end, also if the client goes away meanwhile."""
        loop = asyncio.get_running_loop()
        done = await asyncio.shield(loop.run_in_executor(self._workers, work))
        return json_reply(done, is_own=True)


API: Final = "/api/v1"
_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
_INDEX: Final = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>assay</title>\n"
    '<link rel="icon" href="data:,">\n<link rel="stylesheet" href="app.css">\n'
    '<script src="app.js" defer></script>\n</head>\n<body>\n<div id="app"></div>\n</body>\n</html>\n'
)


def make_app(library: Library, access: Access) -> web.Application:
    """The application of the server."""
    app = web.Application(middlewares=[make_guard(access), _problems], client_max_size=LARGEST_BODY)
    configured.Workspace(root=library.root).know_secrets()
    Environment(library.root)  # the keys of .env are masked too
    calls = Calls(library, is_read_only=access.is_read_only)
    app.router.add_get("/", _index)
    for name in NAMES:
        app.router.add_get(f"/{name}", _bundle(name))
    app.router.add_get(f"{API}/workspace", calls.workspace)
    app.router.add_get(f"{API}/runs/{{run}}", calls.run)
    app.router.add_get(f"{API}/runs/{{run}}/groups", calls.groups)
    app.router.add_get(f"{API}/runs/{{run}}/items", calls.items)
    app.router.add_get(f"{API}/runs/{{run}}/count", calls.count)
    app.router.add_get(f"{API}/runs/{{run}}/items/{{item}}", calls.item)
    app.router.add_get(f"{API}/runs/{{run}}/rows/{{item}}/{{variant}}", calls.row)
    app.router.add_get(f"{API}/runs/{{run}}/text/{{item}}/{{variant}}", calls.text)
    app.router.add_get(f"{API}/compare", calls.compare)
    add_label_calls(app, API, library)
    add_configure_calls(app, API, library)
    add_draft_calls(app, API, library)
    events = Events(library, HEADERS)
    app.on_shutdown.append(events.close)
    app.router.add_get(f"{API}/events", events.serve)
    if not access.is_read_only:
        add_control_calls(app, API, library)
        add_corpus_calls(app, API, library)
    return app


@web.middleware
async def _problems(request: web.Request, handler: Any) -> web.StreamResponse:
    """Errors as ``Problem``, with the message that the command line would print."""
    try:
        response: web.StreamResponse = await handler(request)
    except Missing as error:
        return json_reply(Problem(error=_reason(error)), 404)
    except AssayError as error:
        return json_reply(Problem(error=_reason(error)), 400)
    except web.HTTPException as error:
        return json_reply(Problem(error=error.reason), error.status)
    except OSError as error:
        return json_reply(Problem(error=f"a file cannot be read: {error.strerror or error}"), 500)
    return response


def _reason(error: AssayError) -> Said:
    """Why a call failed; a message stays one, so that the page can say it in its language."""
    told = error.args[0] if len(error.args) == 1 else None
    if not isinstance(told, Message):
        return masked_error(str(error))
    fields = {
        name: masked_error(value) if isinstance(value, str) else value
        for name, value in told.fields.items()
    }
    return replace(told, fields=fields)


async def _index(_: web.Request) -> web.Response:
    return web.Response(text=_INDEX, content_type="text/html")


def _bundle(name: str) -> Callable[[web.Request], Any]:
    async def serve(_: web.Request) -> web.Response:
        return web.Response(
            body=bundle_file(name), content_type=_TYPES[Path(name).suffix], charset="utf-8"
        )

    return serve


class Calls:
    """The calls of the interface. What takes time runs in a thread, and ends with its client."""

    def __init__(self, library: Library, *, is_read_only: bool) -> None:
        self._library = library
        self._is_read_only = is_read_only

    async def workspace(self, _: web.Request) -> web.Response:
        """The runs."""
        cards = await in_thread(lambda _: self._library.cards_with_notes())
        name = self._library.root.name or str(self._library.root)
        return json_reply(
            Workspace(
                name=name,
                version=__version__,
                runs=cards,
                is_read_only=self._is_read_only,
                has_drafts=bool(draft_files(self._library.root)),
            )
        )

    async def run(self, request: web.Request) -> web.Response:
        """One run."""
        run_id = request.match_info["run"]
        return await self._reply(
            request, lambda index, _: run_view(index, self._library.card(run_id, index.path))
        )

    async def groups(self, request: web.Request) -> web.Response:
        """The groups of a field."""
        field, metric = request.query.get("field", ""), request.query.get("metric", "")
        return await self._reply(request, lambda index, _: group_view(index, field, metric))

    async def items(self, request: web.Request) -> web.Response:
        """A page of items."""
        query = item_query(request.query)
        return await self._reply(request, lambda index, stop: item_page(index, query, stop))

    async def count(self, request: web.Request) -> web.Response:
        """How many items match."""
        query = item_query(request.query)
        return await self._reply(request, lambda index, stop: item_count(index, query, stop))

    async def item(self, request: web.Request) -> web.Response:
        """One item."""
        name, metric = request.match_info["item"], request.query.get("metric", "")
        return await self._reply(
            request, lambda index, _: item_view(index, item_number(index, name), metric)
        )

    async def row(self, request: web.Request) -> web.Response:
        """The line of a row."""
        name, variant, offset = _place(request)
        return await self._reply(
            request, lambda index, _: row_part(index, item_number(index, name), variant, offset)
        )

    async def text(self, request: web.Request) -> web.Response:
        """A part of a long text."""
        (name, variant, offset), field = _place(request), request.query.get("field", "")
        return await self._reply(
            request,
            lambda index, _: field_part(index, item_number(index, name), variant, field, offset),
        )

    async def _reply(
        self, request: web.Request, work: Callable[[RunIndex, Callable[[], bool]], Any]
    ) -> web.Response:
        """What ``work`` makes of the run of a request; it can ask whether the client has gone."""
        run_id = request.match_info["run"]
        return json_reply(await in_thread(lambda stop: work(self._library.open(run_id), stop)))

    async def compare(self, request: web.Request) -> web.Response:
        """Two runs."""
        query = request.query

        def opened(run_id: str) -> Any:
            index = self._library.open(run_id)
            return self._library.card(run_id, index.path), index

        return json_reply(
            await in_thread(
                lambda _: compare_view(
                    opened(query.get("base", "")),
                    opened(query.get("cand", "")),
                    variant=query.get("variant", ""),
                    cand_variant=query.get("cand_variant", ""),
                    metric=query.get("metric", ""),
                    limits=Limits(
                        max_failed=whole(query.get("max_failed", "0")),
                        margin=size(query.get("margin", "")),
                        equivalent=size(query.get("equivalent", "")),
                    ),
                    root=self._library.root,
                )
            )
        )


def _place(request: web.Request) -> tuple[str, str, int]:
    """The item, the variant and the offset that a request names."""
    words = request.match_info
    return words["item"], words["variant"], whole(request.query.get("offset", "0"))


def item_query(words: Mapping[str, str]) -> ItemQuery:
    """The query in the parameters of an address; raises ``UseError`` if one is wrong."""
    try:
        query = msgspec.convert(dict(words), ItemQuery, strict=False)
    except msgspec.ValidationError as error:
        raise UseError(f"the query is wrong: {error}") from None
    check_query(query)
    return query


# Connections of the server: what is no HTTP is refused quietly, with the headers of every answer.

_SILENT: Final = logging.getLogger("assay.web.connection")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class _Connection(RequestHandler):
    """A connection whose answer to a malformed request has the headers of the page too."""

    __slots__ = ()

    def handle_error(self, *words: Any, **named: Any) -> web.StreamResponse:
        """The refusal of a request that is no HTTP."""
        response = super().handle_error(*words, **named)
        response.headers.update(HEADERS)
        return response


async def listen(app: web.Application, listener: socket.socket) -> Callable[[], Any]:
    """Answer requests on a socket; call what it returns, and await that, to stop."""
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    loop = asyncio.get_running_loop()
    manager = runner.server
    if manager is None:
        raise AssertionError

    def connected() -> _Connection:
        return _Connection(manager, loop=loop, access_log=None, logger=_SILENT)  # type: ignore[arg-type]

    server = await loop.create_server(connected, sock=listener)

    async def stop() -> None:
        server.close()
        await runner.cleanup()

    return stop
