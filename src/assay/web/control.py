"""The calls that change something: start, stop, go on, notes, set aside."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from aiohttp import web

from assay.web.about import change_about, set_run_aside
from assay.web.body import read_body
from assay.web.library import Library
from assay.web.live_api import AboutChange, Done, ResumeRequest, StartRequest
from assay.web.process import Starts, resume_run, start_form, stop_run

T = TypeVar("T")
WORKERS: Final = 4
"""How many changes are made at the same time; estimates may take minutes, and reading goes on."""


class Control:
    """The calls of ``live_api`` besides the events; ``answer`` makes a response of a struct.

    The guard has checked that a request may change something.
    """

    def __init__(self, library: Library, answer: Callable[[Any], web.Response]) -> None:
        self._library = library
        self._answer = answer
        self._starts = Starts(library)
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="control")

    async def close(self, _: web.Application) -> None:
        """Wait for nothing any more; what was started goes on."""
        self._starts.close()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def add_to(self, app: web.Application, base: str) -> None:
        """Add the routes."""
        app.on_shutdown.append(self.close)
        app.router.add_get(f"{base}/start", self.form)
        app.router.add_post(f"{base}/start", self.start)
        app.router.add_get(f"{base}/start/{{id}}", self.started)
        app.router.add_post(f"{base}/runs/{{run}}/stop", self.stop)
        app.router.add_post(f"{base}/runs/{{run}}/resume", self.resume)
        app.router.add_post(f"{base}/runs/{{run}}/about", self.about)
        app.router.add_post(f"{base}/runs/{{run}}/delete", self.delete)

    async def form(self, _: web.Request) -> web.Response:
        """What can be started."""
        return self._answer(await self._finished(lambda: start_form(self._library.root)))

    async def start(self, request: web.Request) -> web.Response:
        """Start a run."""
        wanted = await read_body(request, StartRequest)
        return self._answer(await self._finished(lambda: self._starts.start(wanted)))

    async def started(self, request: web.Request) -> web.Response:
        """What became of a start."""
        start_id = request.match_info["id"]
        return self._answer(await self._finished(lambda: self._starts.state(start_id)))

    async def stop(self, request: web.Request) -> web.Response:
        """Stop a run."""
        run = request.match_info["run"]
        await self._finished(lambda: stop_run(self._library.journal(run)))
        return self._answer(Done())

    async def resume(self, request: web.Request) -> web.Response:
        """Go on with a run."""
        run, wanted = request.match_info["run"], await read_body(request, ResumeRequest)
        return self._answer(
            await self._finished(
                lambda: resume_run(self._starts, self._library, run, wanted.max_cost)
            )
        )

    async def about(self, request: web.Request) -> web.Response:
        """Write about a run."""
        run, change = request.match_info["run"], await read_body(request, AboutChange)
        return self._answer(
            await self._finished(lambda: change_about(self._library.journal(run), change))
        )

    async def delete(self, request: web.Request) -> web.Response:
        """Set a run aside."""
        run = request.match_info["run"]
        names = await self._finished(lambda: set_run_aside(self._library.journal(run)))
        return self._answer(Done(names=names))

    async def _finished(self, work: Callable[[], T]) -> T:
        """Run ``work`` in a thread to its end, also if the client goes away meanwhile."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._workers, work))
