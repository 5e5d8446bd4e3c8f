"""A program as the system under test: a JSON line in, a JSON line out, kept alive.

For each case the program gets ``{"question": …, "question_id": …, "settings": …, "top_k": …}``
on a line of its standard input and answers with one line on its standard output, of the
shape that ``assay.systems.reply`` describes, or ``{"error": "…"}``. What it prints to
standard error is kept for the message should it end. A program that misses its deadline is
ended and started anew.
"""

import asyncio
import os
import shutil
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from assay.config import CommandConfig
from assay.errors import SystemFailed, SystemLoadError, TransientError
from assay.models import Environment, scrub_secrets
from assay.records import Answer, Question, digest
from assay.systems.protocol import Setting, named_settings
from assay.systems.reply import to_answer

_LINE_LIMIT = 64 << 20
_GRACE_S = 2.0


class CommandSystem:
    """Keeps ``processes`` copies of a program and gives each one case at a time."""

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
            raise SystemLoadError(f"{name}: there is no program {config.command[0]!r} to run")
        self._env = {
            variable: environment.expand(value, f"{name}: env {variable}")
            for variable, value in config.env.items()
        }
        self._idle: deque[_Program] = deque()
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def identity(self) -> str:
        """The command line and its declared version."""
        version = f"@{self._config.version}" if self._config.version else ""
        return f"command:{self._config.command[0]}#{digest(self._config.command)}{version}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """As configured; any where nothing is said."""
        return named_settings(self._config.settings)

    @property
    def max_concurrency(self) -> int | None:
        """One case a process."""
        return self._config.processes

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Write a line, read a line."""
        request = msgspec.json.encode(
            {
                "question": question.text,
                "question_id": question.id,
                "settings": dict(settings),
                "top_k": top_k,
            }
        )
        program = self._idle.popleft() if self._idle else await self._start()
        try:
            reply = await program.exchange(request)
        except asyncio.CancelledError:
            # the loop may be about to end: what is not killed now is left running
            program.kill()
            self._end(program)
            raise
        except Exception as error:
            error.args = (self._scrubbed(str(error)),)
            await asyncio.shield(self._end(program))
            raise
        self._idle.append(program)
        if isinstance(reply, dict) and reply.get("error"):
            raise SystemFailed(self._scrubbed(f"the program reports an error: {reply['error']}"))
        return to_answer(reply)

    async def close(self) -> None:
        """End the programs: their input ends, and those that stay are killed."""
        while self._idle:
            self._end(self._idle.popleft())
        await asyncio.gather(*self._ending)

    def _end(self, program: "_Program") -> asyncio.Task[None]:
        """End a program in a task that outlives the case it belonged to."""
        task = asyncio.create_task(program.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    def _scrubbed(self, text: str) -> str:
        """What a program says, without the keys it was given."""
        return scrub_secrets(text, [part for value in self._env.values() for part in value.parts])

    async def _start(self) -> "_Program":
        try:
            process = await asyncio.create_subprocess_exec(
                *self._config.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **{name: one.reveal() for name, one in self._env.items()}},
                limit=_LINE_LIMIT,
            )
        except OSError as error:
            raise TransientError(
                f"{self._config.command[0]} cannot be started: {error.strerror}"
            ) from None
        return _Program(process)


class _Program:
    """One running copy."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._said: deque[str] = deque(maxlen=5)
        self._listening = asyncio.create_task(self._listen())

    async def exchange(self, request: bytes) -> Any:
        """Put one case, read its reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(request + b"\n")
            await self._process.stdin.drain()
            line = await self._process.stdout.readline()
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        except ValueError:
            raise SystemFailed("the program's line is longer than 64 MB") from None
        if not line.endswith(b"\n"):
            raise TransientError(await self._why_it_ended())
        try:
            return msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            start = line[:80].decode("utf-8", "replace").strip()
            raise SystemFailed(
                f"the program printed something that is not JSON: {start!r}; "
                "its log belongs on standard error"
            ) from None

    async def end(self) -> None:
        """Close its input; kill it if it stays."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _GRACE_S)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        finally:
            self._listening.cancel()

    def kill(self) -> None:
        """End it at once, without waiting."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        with suppress(ValueError):  # an endless line: nothing one could show
            while line := await self._process.stderr.readline():
                self._said.append(line.decode("utf-8", "replace").rstrip())

    async def _why_it_ended(self) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _GRACE_S)
            await asyncio.wait_for(asyncio.shield(self._listening), _GRACE_S)
        said = f"; it said: {self._said[-1]}" if self._said else ""
        return f"the program ended with code {self._process.returncode}{said}"
