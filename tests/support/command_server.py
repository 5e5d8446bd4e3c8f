"""Starting the command many times without importing it each time.

Most of the time of a short command is the import of its modules. ``CommandServer`` starts this file
as a program, which imports them once and then forks a process for each call. The process gets the
folder, the environment and the output files of its call, and ends as the installed script does.
"""

import contextlib
import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

PROGRAM = Path(sys.executable).with_name("assay")
TIMEOUT_S = 120
LATE = ("aiohttp", "assay.jobs.study.chart", "pydantic")
"""What commands import only when they need it, and most of them do."""


class CommandServer:
    """Runs ``assay`` in processes that are forked from one that has imported it; close it after use."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._for_python = _for_python(environment)
        self._socket, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            env=dict(environment),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        self._socket.settimeout(TIMEOUT_S)

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Whether the interpreter would start in the same way with this environment."""
        return self._for_python == _for_python(environment)

    def run(
        self, arguments: list[str], folder: Path, environment: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """Run the command and wait until it ends."""
        call = {"arguments": arguments, "folder": str(folder), "environment": dict(environment)}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            content = json.dumps(call).encode()
            socket.send_fds(
                self._socket, [len(content).to_bytes(8, "big")], [out.fileno(), err.fileno()]
            )
            self._socket.sendall(content)
            code = int.from_bytes(_received(self._socket, 4), "big", signed=True)
            return subprocess.CompletedProcess(
                [str(PROGRAM), *arguments], code, _text(out), _text(err)
            )

    def close(self) -> None:
        """End the program; a command that still runs is left to itself."""
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _for_python(environment: Mapping[str, str]) -> dict[str, str]:
    """What the interpreter itself reads when it starts."""
    names = ("PYTHON", "LC_", "LANG")
    return {name: value for name, value in environment.items() if name.startswith(names)}


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")


def _received(connection: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        part = connection.recv(size - len(content))
        if not part:
            raise EOFError
        content += part
    return content


def _serve(connection: socket.socket) -> list[str]:
    """Fork a process for each call. Returns the arguments in that process, and never elsewhere."""
    while True:
        head, files, _, _ = socket.recv_fds(connection, 8, 2)
        if not head:
            os._exit(0)
        call = json.loads(_received(connection, int.from_bytes(head, "big")))
        child = os.fork()
        if not child:
            connection.close()
            for target, file in zip((1, 2), files, strict=True):
                os.dup2(file, target)
                os.close(file)
            os.chdir(call["folder"])
            os.environ.clear()
            os.environ.update(call["environment"])
            return [str(PROGRAM), *call["arguments"]]
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(BrokenPipeError):
            connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def _main() -> None:
    sys.path[0] = str(PROGRAM.parent)  # as for the installed script
    from assay.cli import main  # noqa: PLC0415 - not by the tests, which import this file too

    commands = (f"assay.cli.{place.partition(':')[0]}" for place, _ in main.COMMANDS.values())
    for name in (*commands, *LATE):
        importlib.import_module(name)
    sys.argv = _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.exit(main.main())


if __name__ == "__main__":
    _main()
