"""The calls of reviewing drafts."""

from collections.abc import Callable
from typing import Any

from aiohttp import web

from assay.web.body import read_body
from assay.web.draft.api import NewDecision, NewVersion
from assay.web.draft.desk import Desk
from assay.web.library import Library
from assay.web.reply import in_thread, json_reply, whole


def add_draft_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls of reviewing drafts to the server."""
    calls = DraftCalls(library)
    app.router.add_get(f"{api}/drafts", calls.board)
    app.router.add_get(f"{api}/drafts/{{name}}/next", calls.next)
    app.router.add_get(f"{api}/drafts/{{name}}/items/{{item}}", calls.task)
    app.router.add_post(f"{api}/drafts/{{name}}/decisions", calls.decide)
    app.router.add_post(f"{api}/drafts/{{name}}/version", calls.publish)


class DraftCalls:
    """The calls; the guard has checked that a request may change something."""

    def __init__(self, library: Library) -> None:
        self._desk = Desk(library.root)

    async def board(self, _: web.Request) -> web.Response:
        """The files of drafts."""
        return await _reply(self._desk.board)

    async def next(self, request: web.Request) -> web.Response:
        """The next draft without a decision."""
        name, after = request.match_info["name"], request.query.get("after", "")
        return await _reply(lambda: self._desk.place(name, whole(after) if after else -1))

    async def task(self, request: web.Request) -> web.Response:
        """One draft."""
        name, item = request.match_info["name"], whole(request.match_info["item"])
        return await _reply(lambda: self._desk.task(name, item))

    async def decide(self, request: web.Request) -> web.Response:
        """Write a decision."""
        name, new = request.match_info["name"], await read_body(request, NewDecision)
        return await _reply(lambda: self._desk.save(name, new))

    async def publish(self, request: web.Request) -> web.Response:
        """Write the next version of the set."""
        name = request.match_info["name"]
        await read_body(request, NewVersion)
        return await _reply(lambda: self._desk.publish(name))


async def _reply(work: Callable[[], Any]) -> web.Response:
    return json_reply(await in_thread(lambda _: work()))
