"""The local server: the page, and its JSON interface under ``/api/v1``."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from aiohttp import web

from assay import __version__
from assay.errors import AssayError, UseError
from assay.jobs.questions import draft_files
from assay.redact import masked_error
from assay.web.api import Problem, Workspace
from assay.web.bundle import NAMES, bundle_file
from assay.web.compare_view import compare_view
from assay.web.configure import add_configure_calls
from assay.web.control import add_control_calls
from assay.web.corpus import add_corpus_calls
from assay.web.draft import add_draft_calls
from assay.web.events import Events
from assay.web.guard import HEADERS, Access, make_guard
from assay.web.item import field_part, item_number, item_view, row_part
from assay.web.item_api import ItemQuery
from assay.web.label import add_label_calls
from assay.web.library import Library
from assay.web.missing import Missing
from assay.web.query import check_query, item_count, item_page
from assay.web.reply import LARGEST_BODY, in_thread, json_reply, whole
from assay.web.run_index import RunIndex
from assay.web.run_view import run_view

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
    calls = Calls(library, is_read_only=access.is_read_only)
    app.router.add_get("/", _index)
    for name in NAMES:
        app.router.add_get(f"/{name}", _bundle(name))
    app.router.add_get(f"{API}/workspace", calls.workspace)
    app.router.add_get(f"{API}/runs/{{run}}", calls.run)
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
        return json_reply(Problem(error=masked_error(str(error))), 404)
    except AssayError as error:
        return json_reply(Problem(error=masked_error(str(error))), 400)
    except web.HTTPException as error:
        return json_reply(Problem(error=error.reason), error.status)
    except OSError as error:
        return json_reply(Problem(error=f"a file cannot be read: {error.strerror or error}"), 500)
    return response


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
                    max_failed=whole(query.get("max_failed", "0")),
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
