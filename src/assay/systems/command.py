"""A program as the system under test. It stays alive and exchanges lines of JSON with assay.

For each case the program reads one line
``{"question": …, "question_id": …, "settings": …, "top_k": …}`` from its standard input and
writes one line to its standard output: a reply in the form that ``assay.systems.reply``
describes, or ``{"error": "…"}``. The last lines that it writes to standard error are kept and
shown in the error message if the program ends unexpectedly. A program that misses its deadline is
killed, and a new copy is started for the next case.

The programs are started before the first question. With ``prepare: true`` each of them first gets
one line ``{"prepare": true, "settings": …}`` for each variant and answers it with any JSON line,
or ``{"error": "…"}``.
"""

import asyncio
import os
import shutil
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from assay.config import CommandConfig, PassagesOrder
from assay.errors import CaseError, SystemFailed, SystemLoadError, TransientError
from assay.models import Environment, not_working, scrub_secrets
from assay.records import Answer, Question, digest
from assay.systems.protocol import Setting, named_settings
from assay.systems.reply import to_answer

_LINE_LIMIT = 64 << 20
_GRACE_S = 2.0


class CommandSystem:
    """Runs up to ``processes`` copies of a program and gives each copy one case at a time."""

    def __init__(
        self,
        config: CommandConfig,
        environment: Environment | None = None,
        *,
        name: str = "command",
    ) -> None:
        self._config = config
        environment = environment or Environment()
        if shutil.which(config.command[0]) is None:
            raise SystemLoadError(f"{name}: there is no program {config.command[0]!r}")
        self._env = {
            variable: environment.expand(value, f"{name}: env {variable}")
            for variable, value in config.env.items()
        }
        self._idle: deque[_Program] = deque()
        self._prepared_for: Sequence[Mapping[str, Any]] = ()
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def identity(self) -> str:
        """The program, a hash of the command line, and the configured version if there is one."""
        version = f"@{self._config.version}" if self._config.version else ""
        return f"command:{self._config.command[0]}#{digest(self._config.command)}{version}"

    @property
    def passages_order(self) -> PassagesOrder:
        """The configured order of the passages."""
        return self._config.passages

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The configured setting names; None, which allows any, if none are configured."""
        return named_settings(self._config.settings)

    @property
    def max_concurrency(self) -> int | None:
        """The number of processes, because each process handles one case at a time."""
        return self._config.processes

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Send the question to an idle copy of the program and read its reply."""
        request = msgspec.json.encode(
            {
                "question": question.text,
                "question_id": question.id,
                "settings": dict(settings),
                "top_k": top_k,
            }
        )
        if self._idle:
            program = self._idle.popleft()
        else:
            with not_working():  # a copy that replaces another is no part of the answer
                program = await self._start_prepared()
        try:
            reply = await program.exchange(request)
        except asyncio.CancelledError:
            # the event loop may be about to end; a process not killed now would keep running
            program.kill()
            self._end(program)
            raise
        except Exception as error:
            error.args = (self._without_secrets(str(error)),)
            await asyncio.shield(self._end(program))
            raise
        self._idle.append(program)
        try:
            _refuse_error(reply)
        except SystemFailed as error:
            raise SystemFailed(self._without_secrets(str(error))) from None
        return to_answer(reply)

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Start the programs and, with ``prepare``, prepare each for each of the settings.

        Raises ``SystemLoadError`` if a program cannot be prepared.
        """
        self._prepared_for = tuple(settings) if self._config.prepare else ()
        missing = min(self._config.processes, concurrency) - len(self._idle)
        started = await asyncio.gather(
            *(self._start_prepared() for _ in range(missing)), return_exceptions=True
        )
        self._idle.extend(program for program in started if isinstance(program, _Program))
        for error in started:
            if isinstance(error, CaseError):
                raise SystemLoadError(f"the system could not be prepared: {error}") from error
            if isinstance(error, BaseException):
                raise error

    async def close(self) -> None:
        """End the programs: close their input and kill those that do not exit."""
        while self._idle:
            self._end(self._idle.popleft())
        await asyncio.gather(*self._ending)

    def _end(self, program: "_Program") -> asyncio.Task[None]:
        """End a program in a task that continues even if the case's own task is cancelled."""
        task = asyncio.create_task(program.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    def _without_secrets(self, text: str) -> str:
        """The program's text with the keys from its environment removed."""
        return scrub_secrets(text, [part for value in self._env.values() for part in value.parts])

    async def _start_prepared(self) -> "_Program":
        """Start a copy of the program and prepare it; end it if that fails."""
        program = await self._start()
        try:
            for settings in self._prepared_for:
                request = {"prepare": True, "settings": dict(settings)}
                _refuse_error(await program.exchange(msgspec.json.encode(request)))
        except asyncio.CancelledError:
            program.kill()
            self._end(program)
            raise
        except Exception as error:
            error.args = (self._without_secrets(str(error)),)
            await asyncio.shield(self._end(program))
            raise
        return program

    async def _start(self) -> "_Program":
        try:
            process = await asyncio.create_subprocess_exec(
                *self._config.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **{name: value.reveal() for name, value in self._env.items()}},
                limit=_LINE_LIMIT,
            )
        except OSError as error:
            raise TransientError(
                f"{self._config.command[0]} cannot be started: {error.strerror}"
            ) from None
        return _Program(process)


def _refuse_error(reply: Any) -> None:
    if isinstance(reply, dict) and reply.get("error"):
        raise SystemFailed(f"the program reports an error: {reply['error']}")


class _Program:
    """One running copy of the program."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._error_lines: deque[str] = deque(maxlen=5)
        self._error_reader = asyncio.create_task(self._read_errors())

    async def exchange(self, request: bytes) -> Any:
        """Send one request and return the decoded reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(request + b"\n")
            await self._process.stdin.drain()
            line = await self._process.stdout.readline()
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        except ValueError:
            raise SystemFailed("the program printed a line longer than 64 MB") from None
        if not line.endswith(b"\n"):
            raise TransientError(await self._exit_message())
        try:
            return msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            start = line[:80].decode("utf-8", "replace").strip()
            raise SystemFailed(
                f"the program printed something that is not JSON: {start!r}; "
                "it must write its log to standard error"
            ) from None

    async def end(self) -> None:
        """Close the program's input and wait; kill the program if it does not exit in time."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _GRACE_S)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        finally:
            self._error_reader.cancel()

    def kill(self) -> None:
        """Kill the program at once, without waiting for it to exit."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(ValueError):  # the line exceeds the limit and is too long to show
            while line := await self._process.stderr.readline():
                self._error_lines.append(line.decode("utf-8", "replace").rstrip())

    async def _exit_message(self) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _GRACE_S)
            await asyncio.wait_for(asyncio.shield(self._error_reader), _GRACE_S)
        last = f"; its last error line: {self._error_lines[-1]}" if self._error_lines else ""
        return f"the program ended with code {self._process.returncode}{last}"
