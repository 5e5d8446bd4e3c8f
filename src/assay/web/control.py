"""The calls that change something: start, stop, go on, notes, set aside."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from aiohttp import web

from assay.web.about import change_about, set_run_aside
from assay.web.body import read_body
from assay.web.library import Library
from assay.web.live_api import AboutChange, Done, ResumeRequest, StartRequest
from assay.web.process import Starts, resume_run, start_form, stop_run

T = TypeVar("T")


class Control:
    """The calls of ``live_api`` besides the events; ``answer`` makes a response of a struct.

    The guard has checked that a request may change something.
    """

    def __init__(self, library: Library, answer: Callable[[Any], web.Response]) -> None:
        self._library = library
        self._answer = answer
        self._starts = Starts(library)

    def add_to(self, app: web.Application, base: str) -> None:
        """Add the routes."""
        app.router.add_get(f"{base}/start", self.form)
        app.router.add_post(f"{base}/start", self.start)
        app.router.add_get(f"{base}/start/{{id}}", self.started)
        app.router.add_post(f"{base}/runs/{{run}}/stop", self.stop)
        app.router.add_post(f"{base}/runs/{{run}}/resume", self.resume)
        app.router.add_post(f"{base}/runs/{{run}}/about", self.about)
        app.router.add_post(f"{base}/runs/{{run}}/delete", self.delete)

    async def form(self, _: web.Request) -> web.Response:
        """What can be started."""
        return self._answer(await _finished(lambda: start_form(self._library.root)))

    async def start(self, request: web.Request) -> web.Response:
        """Start a run."""
        wanted = await read_body(request, StartRequest)
        return self._answer(await _finished(lambda: self._starts.start(wanted)))

    async def started(self, request: web.Request) -> web.Response:
        """What became of a start."""
        start_id = request.match_info["id"]
        return self._answer(await _finished(lambda: self._starts.state(start_id)))

    async def stop(self, request: web.Request) -> web.Response:
        """Stop a run."""
        run = request.match_info["run"]
        await _finished(lambda: stop_run(self._library.journal(run)))
        return self._answer(Done())

    async def resume(self, request: web.Request) -> web.Response:
        """Go on with a run."""
        run, wanted = request.match_info["run"], await read_body(request, ResumeRequest)
        return self._answer(
            await _finished(lambda: resume_run(self._starts, self._library, run, wanted.max_cost))
        )

    async def about(self, request: web.Request) -> web.Response:
        """Write about a run."""
        run, change = request.match_info["run"], await read_body(request, AboutChange)
        return self._answer(
            await _finished(lambda: change_about(self._library.journal(run), change))
        )

    async def delete(self, request: web.Request) -> web.Response:
        """Set a run aside."""
        run = request.match_info["run"]
        names = await _finished(lambda: set_run_aside(self._library.journal(run)))
        return self._answer(Done(names=names))


async def _finished(work: Callable[[], T]) -> T:
    """Run ``work`` in a thread to its end, also if the client goes away meanwhile."""
    return await asyncio.shield(asyncio.create_task(asyncio.to_thread(work)))
