"""The calls of labelling."""

from collections.abc import Callable
from typing import Any

from aiohttp import web

from assay.jobs.redact import follow_run
from assay.web.body import read_body
from assay.web.label.api import NewLabel, NewPreference
from assay.web.label.board import label_board
from assay.web.label.desk import Desk
from assay.web.library import Library
from assay.web.reply import in_thread, json_reply, whole


def add_label_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls of labelling to the server."""
    calls = LabelCalls(library)
    app.router.add_get(f"{api}/runs/{{run}}/labels", calls.board)
    app.router.add_get(f"{api}/runs/{{run}}/labels/next", calls.next)
    app.router.add_get(f"{api}/runs/{{run}}/labels/items/{{item}}", calls.task)
    app.router.add_post(f"{api}/runs/{{run}}/labels", calls.label)
    app.router.add_post(f"{api}/runs/{{run}}/preferences", calls.prefer)


class LabelCalls:
    """The calls of labelling. A run is not analysed again because of a new label here."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def board(self, request: web.Request) -> web.Response:
        """People, agreement, disagreements."""
        return await self._reply(request, label_board)

    async def next(self, request: web.Request) -> web.Response:
        """The next question to label."""
        labeller, after = _labeller(request), request.query.get("after", "")
        place = whole(after) if after else -1
        return await self._reply(request, lambda desk: desk.place(labeller, place))

    async def task(self, request: web.Request) -> web.Response:
        """One question to label."""
        item, labeller = whole(request.match_info["item"]), _labeller(request)
        is_blind = request.query.get("blind") == "true"
        return await self._reply(request, lambda desk: desk.task(item, labeller, is_blind=is_blind))

    async def label(self, request: web.Request) -> web.Response:
        """Write a label."""
        new = await read_body(request, NewLabel)
        return await self._reply(request, lambda desk: desk.save(new), is_change=True)

    async def prefer(self, request: web.Request) -> web.Response:
        """Write a preference."""
        new = await read_body(request, NewPreference)
        return await self._reply(request, lambda desk: desk.prefer(new), new.pair, is_change=True)

    async def _reply(
        self,
        request: web.Request,
        work: Callable[[Desk], Any],
        pair: tuple[str, ...] | None = None,
        *,
        is_change: bool = False,
    ) -> web.Response:
        run_id = request.match_info["run"]
        names = tuple(request.query.getall("pair", [])) if pair is None else pair

        def make(_: Callable[[], bool]) -> Any:
            index = self._library.open(run_id, with_labels=False)
            if is_change:
                follow_run(index.path, is_needed=True)
            return work(Desk(index, run_id, names))

        return json_reply(await in_thread(make))


def _labeller(request: web.Request) -> str:
    return request.query.get("labeller", "").strip()
