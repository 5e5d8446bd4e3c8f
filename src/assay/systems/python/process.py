"""A process for a Python system, which can be ended at any moment.

The process has a group of its own, so that what the user's code starts ends with it. The whole
group also ends when this process is gone: a small process in it holds the other end of a pipe,
the lifeline. On Linux the kernel ends the worker itself at once.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any, Final

from assay.errors import TransientError
from assay.mask import mask_text, redactor
from assay.systems.python.target import pack, read_frame, unpack, write_frame
from assay.text.normalise import visible_print

_ENDING_S: Final = 5.0
_PRINTING_S: Final = 1.0
"""How long to wait for the last lines that a process has printed."""


class WorkerProcess:
    """A running ``assay.systems.python.worker``. One message at a time, from any thread."""

    def __init__(self) -> None:
        to_worker, self._requests = os.pipe()
        self._replies, from_worker = os.pipe()
        held, self._lifeline = os.pipe()
        theirs = (to_worker, from_worker, held)
        command = [sys.executable, "-P", "-m", "assay.systems.python.worker"]
        command += [str(number) for number in (*theirs, os.getpid())]
        try:
            self._process, self._printing = _STARTER.start(command, theirs)
        except BaseException:
            for descriptor in (self._requests, self._replies, self._lifeline):
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self._is_open = True
        self._lock = threading.Lock()

    def exchange(self, request: Mapping[str, Any]) -> Any:
        """Send a request and wait for the reply.

        Raises:
            TypeError: the request cannot be pickled.
            TransientError: the process has ended.
        """
        content = pack(request)
        with self._lock:
            try:
                write_frame(self._requests, content)
                reply = read_frame(self._replies)
            except OSError:
                reply = None
        if reply is None:
            raise TransientError(self._exit_message())
        return unpack(reply)

    def kill(self) -> None:
        """End the process and everything in its group at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Wait until the process has ended, kill it if it does not, and close the pipes."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_S)
        self.kill()  # also what it has started, which may live on
        self._process.wait()
        for thread in self._printing:
            thread.join(_PRINTING_S)  # what the process has started may hold its streams open
        with self._lock:  # not while another thread still reads
            self._close_pipes()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):
            self.kill()
            self._close_pipes()

    def _close_pipes(self) -> None:
        if self._is_open:
            self._is_open = False
            for descriptor in (self._requests, self._replies, self._lifeline):
                os.close(descriptor)

    def _exit_message(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_S)
        code = self._process.returncode
        if code is None:
            return "the process of the system closed its connection"
        if code < 0:
            with suppress(ValueError):
                return f"the process of the system was ended by {signal.Signals(-code).name}"
        return f"the process of the system ended with code {code}"


class _Starter:
    """Starts processes from a thread that lives as long as this program.

    The kernel takes the end of the thread that started a process for the end of its parent.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._orders: queue.SimpleQueue[tuple[list[str], tuple[int, ...], _Started]] = (
            queue.SimpleQueue()
        )

    def start(
        self, command: list[str], descriptors: tuple[int, ...]
    ) -> "tuple[subprocess.Popen[bytes], list[threading.Thread]]":
        """Start a process that inherits these descriptors, and threads that show what it prints."""
        with self._lock:
            if self._owner != os.getpid():  # a fork has no threads but the one that forked
                self._owner = os.getpid()
                self._orders = queue.SimpleQueue()
                threading.Thread(
                    target=self._serve, args=(self._orders,), name="assay-starter", daemon=True
                ).start()
        started = _Started()
        self._orders.put((command, descriptors, started))
        return started.process()

    @staticmethod
    def _serve(
        orders: "queue.SimpleQueue[tuple[list[str], tuple[int, ...], _Started]]",
    ) -> None:
        while True:
            command, descriptors, started = orders.get()
            started.run(command, descriptors)


class _Started:
    """A process that is being started by another thread."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._printing: list[threading.Thread] = []
        self._error: BaseException | None = None

    def run(self, command: list[str], descriptors: tuple[int, ...]) -> None:
        try:
            # what the process prints is masked on its way, and its control characters are shown
            self._process = process = subprocess.Popen(  # noqa: S603 - our own module
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=descriptors,
                start_new_session=True,
            )
            for printed, name in ((process.stdout, "stdout"), (process.stderr, "stderr")):
                thread = threading.Thread(target=_show, args=(printed, name), daemon=True)
                thread.start()
                self._printing.append(thread)
        except BaseException as error:  # noqa: BLE001 - raised again by process()
            self._error = error
        finally:
            self._done.set()

    def process(self) -> "tuple[subprocess.Popen[bytes], list[threading.Thread]]":
        self._done.wait()
        if self._process is None:
            raise TransientError(f"the process of the system cannot be started: {self._error}")
        return self._process, self._printing


def _show(printed: IO[bytes], name: str) -> None:
    """Print what a process prints, line by line, masked and with its control characters shown.

    With redaction all of it goes to standard error, where no program reads it.
    """
    with printed:
        for line in printed:
            text = visible_print(mask_text(line.decode("utf-8", "replace")))
            stream = sys.stdout if name == "stdout" and redactor() is None else sys.stderr
            with suppress(OSError, ValueError):  # a stream that is closed
                stream.write(text)
                stream.flush()


_STARTER: Final = _Starter()
