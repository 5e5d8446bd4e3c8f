"""The calls of configuring."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, Final

import msgspec
from aiohttp import web

from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.web.api import in_thread, json_reply, read_body
from assay.web.configure.api import (
    Checked,
    CheckRequest,
    SaveRequest,
    Tried,
    TryRequest,
)
from assay.web.configure.check import WorkRequest
from assay.web.configure.edit import (
    save_file,
    shown_file,
)
from assay.web.library import Library

LONGEST_WORK_S: Final = 120.0
MOST_AT_ONCE: Final = 2
"""How many checks run at the same time; each is a process."""


def add_configure_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls of configuring to the server."""
    calls = ConfigureCalls(library)
    app.router.add_get(f"{api}/configure", calls.start)
    app.router.add_post(f"{api}/configure/check", calls.check)
    app.router.add_post(f"{api}/configure/try", calls.question)
    app.router.add_post(f"{api}/configure/save", calls.save)


def _reply(value: Any) -> web.Response:
    """A reply with the text of the file, which is written back: no tags, but no keys either."""
    return json_reply(value, is_own=True)


class ConfigureCalls:
    """The calls of configuring; the guard has checked that a request may change something."""

    def __init__(self, library: Library) -> None:
        self._workspace = Workspace(root=library.root)
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)

    async def start(self, _: web.Request) -> web.Response:
        """The file, with a placeholder for each key that stands in it."""
        return _reply(await in_thread(lambda _: shown_file(self._workspace)))

    async def check(self, request: web.Request) -> web.Response:
        """Check a text."""
        wanted = await read_body(request, CheckRequest)
        return _reply(await self._work(Checked, check=wanted))

    async def question(self, request: web.Request) -> web.Response:
        """Ask a test question."""
        wanted = await read_body(request, TryRequest)
        return json_reply(await self._work(Tried, question=wanted))

    async def save(self, request: web.Request) -> web.Response:
        """Write the file."""
        wanted = await read_body(request, SaveRequest)
        work: Callable[[], Any] = lambda: save_file(self._workspace, wanted.text, wanted.version)  # noqa: E731
        return _reply(await asyncio.shield(asyncio.create_task(asyncio.to_thread(work))))

    async def _work(self, kind: type[Any], **wanted: Any) -> Any:
        """The answer of a process of its own, which ends with the request."""
        data = msgspec.json.encode(WorkRequest(root=str(self._workspace.root), **wanted))
        async with self._turns:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "assay.web.configure",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._workspace.root,
            )  # fmt: skip
            try:
                out, err = await asyncio.wait_for(process.communicate(data), LONGEST_WORK_S)
            except TimeoutError:
                raise UseError(f"the check took longer than {LONGEST_WORK_S:.0f} s") from None
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        try:
            return msgspec.json.decode(out, type=kind)
        except msgspec.DecodeError:
            said = err.decode("utf-8", "replace").strip().splitlines()
            reason = said[-1] if said else f"exit code {process.returncode}"
            raise UseError(f"the check failed: {reason}") from None
