"""A Python callable in processes of its own: ``isolate: process``.

Each process answers one question at a time, so that nothing the callable keeps in a module can
reach another question that is asked meanwhile. A call that passes its deadline ends with its
process, and the next question gets a new one, which is prepared first.
"""

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.config.system import PassagesOrder, PerQuestion
from assay.errors import AssayError, CaseSkipped, SystemFailed, SystemLoadError, TransientError
from assay.models.limit import current_deadline
from assay.models.meter import not_working
from assay.records import Answer, Question
from assay.systems.protocol import Configuration, Setting
from assay.systems.python.process import WorkerProcess
from assay.systems.python.target import read_limit
from assay.systems.thread import ThreadPool
from assay.words.message import Message

_CLOSING_S: Final = 30.0


class IsolatedPythonSystem:
    """Asks the callable at ``path`` in one process, or in as many as ``max_concurrency`` says.

    The user's module is imported in the processes only; the first one, which is started here,
    tells what the module declares.
    """

    def __init__(
        self,
        path: str,
        *,
        passages: PassagesOrder | None = None,
        max_concurrency: int | None = None,
        vouched: int | None = None,
        per_question: PerQuestion | None = None,
    ) -> None:
        self.per_question = per_question
        folder = str(Path.cwd())
        sys_path = [folder, *(each for each in sys.path if each != folder)]
        self._loading = {"do": "load", "path": path, "passages": passages, "sys_path": sys_path}
        self._prepared_for: tuple[Mapping[str, Any], ...] | None = None
        self._sources: tuple[str, ...] = ()
        self._idle: deque[WorkerProcess] = deque()
        self._pool = ThreadPool(name="assay-isolated")
        first, self._described = self._start()
        self._idle.append(first)
        limit = max_concurrency or read_limit(self._described["declared_limit"])
        self._processes = limit or vouched or 1

    @property
    def identity(self) -> str:
        """The same as that of the callable in this process."""
        return str(self._described["identity"])

    @property
    def passages_order(self) -> PassagesOrder:
        """The order of the passages that ``PASSAGES`` declares."""
        order: PassagesOrder = self._described["passages_order"]
        return order

    @property
    def declares_rank(self) -> bool:
        """Whether ``PASSAGES`` says that the order is the rank."""
        return bool(self._described["declares_rank"])

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings that ``SETTINGS`` declares; None, which allows any, without it."""
        settings: Mapping[str, Setting] | None = self._described["settings"]
        return settings

    @property
    def configuration(self) -> Configuration:
        """The values of the settings in the first process."""
        configuration: Configuration = self._described["configuration"]
        return configuration

    @property
    def notes(self) -> tuple[Message | str, ...]:
        """Which settings the first process could not read."""
        notes: tuple[Message | str, ...] = self._described["notes"]
        return notes

    @property
    def max_concurrency(self) -> int | None:
        """The number of processes; each answers one question at a time."""
        return self._processes

    @property
    def takes_row(self) -> bool:
        """Whether the callable has the parameter ``row``."""
        return bool(self._described["takes_row"])

    @property
    def wants_sources(self) -> bool:
        """Whether ``prepare`` has the parameter ``sources``."""
        return bool(self._described["wants_sources"])

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Note the sources that ``prepare`` is called with in each process."""
        self._sources = tuple(sources)

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Start the processes and call the system's ``prepare`` in each of them.

        Raises ``SystemLoadError`` if it fails.
        """
        self._prepared_for = tuple(dict(chosen) for chosen in settings)
        ready = list(self._idle)
        self._idle.clear()
        missing = max(0, min(self._processes, concurrency) - len(ready))
        work = [self._prepare(process) for process in ready]
        work += [self._start_prepared() for _ in range(missing)]
        ended = await asyncio.gather(*work, return_exceptions=True)
        self._idle.extend(process for process in ended if isinstance(process, WorkerProcess))
        for error in ended:
            if isinstance(error, TransientError):
                raise SystemLoadError(f"the system could not be prepared: {error}") from error
            if isinstance(error, BaseException):
                raise error

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Ask in an idle process; a new one is started and prepared outside the latency."""
        request = {
            "do": "ask",
            "question": question,
            "settings": dict(settings),
            "top_k": top_k,
        }
        process = self._idle.popleft() if self._idle else await self._replacement()
        reply = await self._exchange(process, request)
        self._idle.append(process)
        if "error" in reply:
            raise reply["error"]
        answer = msgspec.json.decode(reply["answer"], type=Answer)
        if answer.latency_s is None:
            answer = replace(answer, latency_s=reply["elapsed_s"])
        return answer

    async def close(self) -> None:
        """Call the system's ``close`` in each process that is left, and end the processes.

        Raises ``SystemFailed`` if ``close`` fails or does not return in time.
        """
        processes = list(self._idle)
        self._idle.clear()
        try:
            closed = await asyncio.gather(
                *(self._close(process) for process in processes), return_exceptions=True
            )
        finally:
            self._pool.close()
        for error in closed:
            if isinstance(error, BaseException):
                raise error

    # --- processes --------------------------------------------------------------------------

    def _start(self) -> tuple[WorkerProcess, Mapping[str, Any]]:
        """Start a process and load the system in it; this blocks until the module is imported."""
        process = WorkerProcess()
        try:
            reply = process.exchange(self._loading)
        except BaseException as error:
            process.kill()
            process.end()
            if isinstance(error, TransientError):
                raise SystemLoadError(
                    f"{error} while it imported {self._loading['path']}"
                ) from error
            raise
        if "error" in reply:
            process.kill()
            process.end()
            raise _as_load_error(reply["error"])
        return process, reply

    async def _start_prepared(self) -> WorkerProcess:
        process, _ = await self._pool.call(self._start)
        return await self._prepare(process)

    async def _replacement(self) -> WorkerProcess:
        """A new process. What it takes to prepare it is no part of the question's time."""
        deadline = current_deadline.get()
        with deadline.paused() if deadline is not None else nullcontext(), not_working():
            return await self._start_prepared()

    async def _prepare(self, process: WorkerProcess) -> WorkerProcess:
        if self._prepared_for is None:
            return process
        request = {"do": "prepare", "settings": self._prepared_for, "sources": self._sources}
        reply = await self._exchange(process, request)
        if "error" in reply:
            await self._pool.call(lambda: _end(process))
            raise reply["error"]
        return process

    async def _exchange(self, process: WorkerProcess, request: Mapping[str, Any]) -> Any:
        """Send a request; if it fails or is cancelled, the process ends."""
        try:
            return await self._pool.call(lambda: process.exchange(request))
        except asyncio.CancelledError:
            process.kill()
            _reap_later(process)
            raise
        except TypeError as error:
            self._idle.append(process)  # nothing was sent
            raise SystemFailed(
                f"the question cannot be sent to the process of the system: {error}"
            ) from error
        except BaseException:
            process.kill()
            await self._pool.call(lambda: _end(process))
            raise

    async def _close(self, process: WorkerProcess) -> None:
        try:
            reply = await asyncio.wait_for(
                self._pool.call(lambda: process.exchange({"do": "close"})), _CLOSING_S
            )
        except TransientError:  # it has ended already, and its close() with it
            return
        except TimeoutError:
            process.kill()
            raise SystemFailed(
                f"the system's close() did not return within {_CLOSING_S:g} s"
            ) from None
        finally:
            await self._pool.call(process.end)
        if "error" in reply:
            raise reply["error"]


def _end(process: WorkerProcess) -> None:
    process.kill()
    process.end()


def _reap_later(process: WorkerProcess) -> None:
    """Collect a killed process in a thread; the task that killed it is being cancelled."""
    threading.Thread(target=process.end, name="assay-reaper", daemon=True).start()


def _as_load_error(error: AssayError | CaseSkipped) -> SystemLoadError:
    return error if isinstance(error, SystemLoadError) else SystemLoadError(str(error))
