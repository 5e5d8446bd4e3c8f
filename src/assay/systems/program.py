"""One running copy of a program that answers lines of JSON with lines of JSON.

A reply belongs to a request only if nothing else could be meant. A program that repeats
``request_id`` proves it. Of a program that does not, a second line after a reply, or a line that no
request asked for, is an error: the program has to be started again, because every later answer
might belong to the question before.

Whatever the program prints is read and bounded: replies up to ``MOST_REPLY_BYTES``, of standard
error only the last lines. It runs in a process group of its own, which is ended as a whole.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from assay.errors import SystemFailed, TransientError
from assay.models.meter import not_working
from assay.redact.error_text import error_line
from assay.systems import keeper

MOST_REPLY_BYTES: Final = 32 << 20
_GRACE_S: Final = 2.0
_QUIET_S: Final = 0.01
"""How long a program that repeats no ids must be silent after a reply."""
_WATCH_S: Final = 0.05
_READ_BYTES: Final = 1 << 16
_MOST_ERROR_BYTES: Final = 8192
_SHOWN_CHARACTERS: Final = 80
_SHOWN_ERROR: Final = 500


async def start_program(command: Sequence[str], env: Mapping[str, str]) -> "Program":
    """Start a copy of the program; raise ``TransientError`` if that is not possible."""
    arguments = list(command)
    if sys.platform == "linux":
        arguments = [sys.executable, "-I", "-S", keeper.__file__, str(os.getpid()), *command]
    try:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(env),
            limit=_READ_BYTES,
            start_new_session=True,
        )
    except OSError as error:
        raise TransientError(f"{command[0]} cannot be started: {error.strerror}") from None
    return Program(process)


class Program:
    """A running copy. Only one request at a time may be sent to it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._output = bytearray()
        self._unasked = b""
        self._waiting: asyncio.Future[bytes] | None = None
        self._requests = 0
        self._repeats_id = False
        self._errors = b""
        self._output_reader = asyncio.create_task(self._read_output())
        self._error_reader = asyncio.create_task(self._read_errors())
        self._exit_watcher = asyncio.create_task(self._end_group_at_exit())

    async def exchange(self, request: Mapping[str, Any]) -> Any:
        """Send one request and return the decoded reply, without its ``request_id``.

        Raises ``SystemFailed`` if the reply cannot be read or may belong to another request, and
        ``TransientError`` if the program ended. It must not be used again after either.
        """
        self._refuse_unasked()
        self._requests += 1
        request_id = self._requests
        self._waiting = asyncio.get_running_loop().create_future()
        if self._output_reader.done():
            raise TransientError(await self._exit_message())
        line = await self._send(msgspec.json.encode({**request, "request_id": request_id}))
        reply = _decoded(line)
        self._check_id(reply, request_id)
        if not self._repeats_id:
            with not_working():  # the program has answered
                await asyncio.sleep(_QUIET_S)
        self._refuse_unasked()
        if isinstance(reply, dict):
            reply.pop("request_id", None)
        return reply

    async def end(self) -> None:
        """Close the program's input and wait; kill its group if it does not exit in time."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait([self._exit_watcher], timeout=_GRACE_S)
        finally:
            self.kill()
        # a process that left the group may still hold the pipes
        tasks = (self._exit_watcher, self._output_reader, self._error_reader)
        await asyncio.wait(tasks, timeout=_GRACE_S)
        for task in tasks:
            task.cancel()

    def kill(self) -> None:
        """Kill the program and its group at once, without waiting for them to exit."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _send(self, request: bytes) -> bytes:
        """Write a request and wait for the next line of output."""
        assert self._process.stdin is not None
        assert self._waiting is not None
        waiting = self._waiting
        try:
            self._process.stdin.write(request + b"\n")
            with suppress(BrokenPipeError, ConnectionResetError):
                await self._process.stdin.drain()
            line = await waiting
        finally:
            self._waiting = None
        if not line:
            raise TransientError(await self._exit_message())
        return line

    def _check_id(self, reply: Any, request_id: int) -> None:
        has_id = isinstance(reply, dict) and "request_id" in reply
        is_other = has_id and all(
            reply["request_id"] != each for each in (request_id, str(request_id))
        )
        if is_other:
            raise SystemFailed(
                f"the program answered request {reply['request_id']!r} where {request_id} was "
                "asked; it must repeat the request_id of each request in its reply"
            )
        if not has_id and isinstance(reply, dict) and reply.get("error"):
            return  # the case fails whatever request the error is about
        if self._repeats_id and not has_id:
            raise SystemFailed(
                "the program repeated the request_id of earlier requests but not of this one"
            )
        self._repeats_id = has_id

    def _refuse_unasked(self) -> None:
        """Raise ``SystemFailed`` if the program has printed something besides the replies."""
        if self._unasked:
            raise SystemFailed(
                f"the program printed more than one line for a request: {_shown(self._unasked)}; "
                "it must print one line for each request, and its log to standard error"
            )

    async def _read_output(self) -> None:
        """Give the next line to the request that waits; note the first output nobody asked for."""
        assert self._process.stdout is not None
        while data := await self._process.stdout.read(_READ_BYTES):
            self._take(data)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(b"")

    def _take(self, data: bytes) -> None:
        if self._waiting is None or self._waiting.done():
            self._unasked = self._unasked or data.strip()
            return
        searched = len(self._output)
        self._output += data if self._output else data.lstrip()
        end = self._output.find(b"\n", searched)
        if end >= 0:
            line, rest = bytes(self._output[: end + 1]), bytes(self._output[end + 1 :])
            self._output.clear()
            self._unasked = self._unasked or rest.strip()[:_READ_BYTES]
            self._waiting.set_result(line)
        elif len(self._output) > MOST_REPLY_BYTES:
            self._output.clear()
            self._waiting.set_exception(
                SystemFailed(
                    f"the program printed more than {MOST_REPLY_BYTES >> 20} MB without a newline"
                )
            )

    async def _read_errors(self) -> None:
        """Read standard error to its end, so that the program never waits; keep the last part."""
        assert self._process.stderr is not None
        while data := await self._process.stderr.read(_READ_BYTES):
            self._errors = (self._errors + data)[-_MOST_ERROR_BYTES:]

    async def _end_group_at_exit(self) -> None:
        """Kill what the program started and left behind; it may hold the pipes."""
        # wait() would wait for the pipes too
        while self._process.returncode is None:  # noqa: ASYNC110
            await asyncio.sleep(_WATCH_S)
        self.kill()

    async def _exit_message(self) -> str:
        await asyncio.wait([self._exit_watcher, self._error_reader], timeout=_GRACE_S)
        lines = self._errors.decode("utf-8", "replace").rstrip().splitlines()
        last = ""
        if len(lines) == 1 and len(self._errors) == _MOST_ERROR_BYTES:  # it may begin in a secret
            last = f"; its last error line has more than {_MOST_ERROR_BYTES >> 10} kB"
        elif lines:
            last = f"; its last error line: {error_line(lines[-1], _SHOWN_ERROR)}"
        return f"the program ended with code {self._process.returncode}{last}"


def _decoded(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise SystemFailed(
            f"the program printed something that is not JSON: {_shown(line)}; "
            "it must write its log to standard error"
        ) from None


def _shown(data: bytes) -> str:
    return repr(error_line(data[:_READ_BYTES].decode("utf-8", "replace"), _SHOWN_CHARACTERS))
