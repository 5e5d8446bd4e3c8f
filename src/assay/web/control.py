"""The calls that change something: start, stop, go on, notes, set aside."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from assay.web.about import change_about, set_run_aside
from assay.web.body import read_body
from assay.web.library import Library
from assay.web.live_api import AboutChange, Done, ResumeRequest, StartRequest
from assay.web.process import Starts, resume_run, resumption, start_form, stop_run
from assay.web.reply import json_reply

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
