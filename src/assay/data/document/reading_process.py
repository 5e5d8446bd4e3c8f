"""Read PDF and Word documents in another process, so that a bad file cannot harm this one.

A damaged or hostile document may crash a library, take all memory, or never end. The process has a
limit of memory, and each document a limit of time. A process that fails is replaced, and only its
document is refused. The process is kept for the next document: starting it takes longer than
reading.
"""

import atexit
import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from assay.errors import DatasetError, UseError

# The other side of ``reading_process``: reads one document after the other, within its limits.
#
# Each request is a line ``{"path": …}``, each reply a line ``{"pages": [[number, text, unread], …]}`` or
# ``{"error": …}``; JSON in ASCII, so that paths which are not UTF-8 pass. It ends with its input.

_SET_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG in linux/prctl.h
_PAGE_BYTES: Final = resource.getpagesize()
Reader = Callable[[Path], list[tuple[int | None, str, int]]]
"""The number of each page, its text, and how many of its characters could not be read."""


def needs_memory(most_mb: int) -> str:
    """What is said of a document that needs more memory than it may have."""
    return f"reading it needs more than {most_mb} MB of memory"


def serve(requests: BinaryIO, replies: BinaryIO, readers: dict[str, Reader], most_mb: int) -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends Ctrl+C to this process too
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only here

        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    _limit_memory(most_mb << 20)
    for line in requests:
        reply = _reply(Path(json.loads(line)["path"]), readers, most_mb)
        replies.write(reply + b"\n")
        replies.flush()


def _reply(path: Path, readers: dict[str, Reader], most_mb: int) -> bytes:
    try:
        pages = readers[path.suffix.lower()](path)
        return json.dumps({"pages": pages}).encode()
    except UseError as error:
        answer: dict[str, Any] = {"error": str(error)}
    except OSError as error:
        answer = {"error": f"{path}: cannot be read: {error.strerror or error}"}
    except MemoryError:
        answer = {"error": f"{path}: {needs_memory(most_mb)}"}
    except Exception as error:  # noqa: BLE001 - a file can break a library in any way
        answer = {"error": f"{path}: damaged: {type(error).__name__} {error}".rstrip()}
    return json.dumps(answer).encode()


def _limit_memory(most_bytes: int) -> None:
    """Allow this many bytes besides what the program itself needs."""
    with suppress(OSError, ValueError, IndexError):
        own_bytes = int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (own_bytes + most_bytes, resource.RLIM_INFINITY))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


SECONDS: Final = "ASSAY_DOCUMENT_SECONDS"
MEGABYTES: Final = "ASSAY_DOCUMENT_MB"
_DEFAULTS: Final = {SECONDS: 120, MEGABYTES: 1024}
_MOST_REPLY_BYTES: Final = 256 << 20
_READ_BYTES: Final = 1 << 20
_USAGE_PER_MB: Final = 1 << 20 if sys.platform == "darwin" else 1 << 10
_NEARLY_ALL: Final = 0.75
"""The share of its memory from which on a process that ended is taken to have needed more."""
_ENDED_BY_OTHERS: Final = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT})
_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from assay.data.document.document import serve_documents; serve_documents(int(sys.argv[2]))"
)

Pages = list[tuple[int | None, str, int]]


class ReadingProcess:
    """The process, which is started when it is needed. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._megabytes = 0

    def read(self, path: Path) -> Pages:
        """The pages of a document; raises ``DatasetError`` if it cannot be read."""
        seconds, megabytes = _limit(SECONDS), _limit(MEGABYTES)
        with self._lock:
            process = self._running(megabytes)
            try:
                reply = self._exchange(process, path, time.monotonic() + seconds)
            except TimeoutError:
                self._end()
                raise DatasetError(
                    f"{path}: not read within {seconds} s; {SECONDS} sets another limit"
                ) from None
            except BaseException:  # Ctrl+C too: the reply that is under way belongs to no request
                self._end()
                raise
        if "error" in reply:
            raise DatasetError(reply["error"])
        return [(number, text, unread) for number, text, unread in reply["pages"]]

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            if self._owner == os.getpid():
                self._end()

    def _running(self, megabytes: int) -> "subprocess.Popen[bytes]":
        process = self._process
        if process is not None and self._owner == os.getpid():
            if process.poll() is None and megabytes == self._megabytes:
                return process
            self._end()
        arguments = [json.dumps(sys.path), str(megabytes)]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-c", _PROGRAM, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except OSError as error:
            raise DatasetError(
                f"documents cannot be read: {sys.executable} cannot be started: {error.strerror}"
            ) from None
        self._owner, self._megabytes = os.getpid(), megabytes
        return self._process

    def _exchange(
        self, process: "subprocess.Popen[bytes]", path: Path, until: float
    ) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        request = json.dumps({"path": str(path.absolute())}).encode() + b"\n"
        received = bytearray()
        try:
            process.stdin.write(request)
            while not received.endswith(b"\n"):
                left_s = until - time.monotonic()
                if left_s <= 0 or not select.select([process.stdout], [], [], left_s)[0]:
                    raise TimeoutError
                data = os.read(process.stdout.fileno(), _READ_BYTES)
                received += data
                if len(received) > _MOST_REPLY_BYTES:
                    return self._failed(
                        f"{path}: has more than {_MOST_REPLY_BYTES >> 20} MB of text"
                    )
                if not data:
                    return self._failed(f"{path}: {self._end_reason(process)}")
        except BrokenPipeError:
            return self._failed(f"{path}: the process that reads documents ended; try again")
        reply: dict[str, Any] = json.loads(received)
        if "error" in reply:  # the reader knows only the absolute path
            reply["error"] = reply["error"].replace(str(path.absolute()), str(path))
        return reply

    def _end_reason(self, process: "subprocess.Popen[bytes]") -> str:
        """Why the process ended: a library that gets no memory may end it without a word."""
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except ChildProcessError:  # somebody else has waited for it
            return f"damaged: it ended the reader with code {process.wait()}"
        process.returncode = os.waitstatus_to_exitcode(status)
        used_mb = usage.ru_maxrss / _USAGE_PER_MB
        is_own_end = process.returncode not in _ENDED_BY_OTHERS
        if is_own_end and used_mb > self._megabytes * _NEARLY_ALL:
            return needs_memory(self._megabytes)
        return f"damaged: it ended the reader with code {process.returncode}"

    def _failed(self, reason: str) -> dict[str, Any]:
        self._end()
        return {"error": reason}

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def _limit(name: str) -> int:
    """A limit from the environment; its default if it is not set to a positive number."""
    value = os.environ.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and int(value) else _DEFAULTS[name]


READING_PROCESS: Final = ReadingProcess()
"""The process that all documents of this program share."""
atexit.register(READING_PROCESS.close)
