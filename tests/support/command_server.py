"""Starting the command many times without importing it each time.

Most of the time of a short command is the import of its modules, and the compilation of the
expressions that judge answers. ``CommandServer`` starts a program (``command_program.py``) that does
both once and then forks a process for each call. If tests run in several processes, all of them use
the server of the process that has started them.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from tests.support import command_client, command_program
from tests.support.command_client import END, ask, begun, for_python
from tests.support.command_program import PROGRAM
from tests.support.killed import KILL_AT

TIMEOUT_S = 600
"""Longer than any call takes on the busiest machine: only a call that hangs gets there."""
SHARED = "TESTS_COMMAND_SERVER"
"""The variable that names the server of the process that has started this one."""


class CommandServer:
    """Runs ``assay`` in processes that are forked from one that has imported it.

    ``address`` and ``for_python`` are the socket of the server, and what its interpreter has read
    from its environment.
    """

    def __init__(self, address: str, for_python: Mapping[str, str]) -> None:
        self.address = address
        self.for_python = dict(for_python)

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Whether the interpreter would start in the same way with this environment."""
        return self.for_python == for_python(environment)

    def run(
        self, arguments: list[str], folder: Path, environment: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """Run the command and wait until it ends."""
        with (
            Path(os.devnull).open("rb") as no_input,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            files = (no_input.fileno(), out.fileno(), err.fileno())
            code = ask(self.address, arguments, str(folder), environment, files, TIMEOUT_S)
            return subprocess.CompletedProcess(
                [str(PROGRAM), *arguments], code, _text(out), _text(err)
            )

    @contextmanager
    def running(
        self, arguments: list[str], folder: Path, environment: Mapping[str, str]
    ) -> Iterator[TextIO]:
        """Run the command until the end of the block; yields what it prints."""
        with Path(os.devnull).open("rb") as no_input:
            reading, writing = os.pipe()
            files = (no_input.fileno(), writing, 2)
            connection = begun(self.address, arguments, str(folder), environment, files)
            os.close(writing)
        with connection, os.fdopen(reading, encoding="utf-8") as printed:
            try:
                yield printed
            finally:
                with suppress(ConnectionError):  # it has ended by itself
                    connection.sendall(END)
                printed.read()

    def write_shim(self, folder: Path) -> None:
        """Write an ``assay`` that asks this server, for shells that have ``folder`` on their path."""
        folder.mkdir(parents=True, exist_ok=True)
        shim = folder / "assay"
        shim.write_text(
            f"#!{sys.executable} -IS\n"
            f"import sys\nsys.path.append({str(Path(command_client.__file__).parent)!r})\n"
            "import command_client\n"
            f"command_client.main({self.address!r}, {str(PROGRAM)!r}, {self.for_python!r})\n",
            encoding="utf-8",
        )
        shim.chmod(0o755)

    def close(self) -> None:
        """Leave the server to the process that has started it."""


class OwnServer(CommandServer):
    """A server that this process starts; close it after use."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True)
        super().__init__(str(Path(self._folder.name) / "socket"), for_python(environment))
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(self.address)
            listening.listen(16)
            self._process = subprocess.Popen(
                [sys.executable, command_program.__file__, str(listening.fileno())],
                env=dict(environment),
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,  # it ends when this end is closed
            )

    def close(self) -> None:
        """End the program; a command that still runs is left to itself."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()


_open: list[CommandServer] = []


def shared_server(environment: Mapping[str, str]) -> CommandServer:
    """The server for such an environment; its program prepares itself at the first call."""
    if not _open and SHARED in os.environ:
        _open.append(CommandServer(*json.loads(os.environ[SHARED])))
    for server in _open:
        if server.fits(environment):
            return server
    _open.append(OwnServer(environment))
    return _open[-1]


def share_with_workers() -> None:
    """Start a server for the processes that this one will start."""
    server = shared_server(os.environ)
    os.environ[SHARED] = json.dumps([server.address, server.for_python])


def close_shared() -> None:
    """End the servers that this process has started."""
    while _open:
        _open.pop().close()


def run_forked(*words: str, cwd: Path, kill_at: int = 0) -> "subprocess.CompletedProcess[str]":
    """Run ``assay`` in a folder, with the environment of the tests, and wait until it ends.

    With ``kill_at`` it is killed at that change of the files of the folder.
    """
    environment = {**os.environ, KILL_AT: str(kill_at)}
    return shared_server(os.environ).run(list(words), cwd, environment)


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
