"""Starting the command many times without importing it each time.

Most of the time of a short command is the import of its modules, and the compilation of the
expressions that judge answers. ``CommandServer`` starts this file as a program, which does both once
and then forks a process for each call. The process gets the folder, the environment and the files of
its call, and ends as the installed script does.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

PROGRAM = Path(sys.executable).with_name("assay")
TIMEOUT_S = 600
"""Longer than any call takes on the busiest machine: only a call that hangs gets there."""
LATE = (
    "aiohttp",
    "assay.jobs.ablation.handler",
    "assay.jobs.legal.handler",
    "assay.jobs.review.handler",
    "assay.jobs.study.chart",
    "assay.systems.reference.system",
    "jmespath",
    "numpy.random",
    "opencc",
    "pydantic",
    "pypdfium2",
    "rapidfuzz",
    "rich.progress",
    "rjieba",
    "splintr",
    "Stemmer",
    "tantivy",
)
"""What commands import only when they need it, and most of them do."""
TEXTS = ("a", "я", "中", "aя", "a中")
"""Texts for which the lexicon has expressions of their own: of one language and of two."""

if __name__ == "__main__":  # the folder of the tests is not on the path of the program
    sys.path[0] = str(Path(__file__).parents[2])

from tests.support import command_client  # noqa: E402
from tests.support.command_client import ask, for_python, received  # noqa: E402


class CommandServer:
    """Runs ``assay`` in processes that are forked from one that has imported it; close it after use."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._for_python = for_python(environment)
        self._folder = tempfile.TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True)
        self._address = str(Path(self._folder.name) / "socket")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(self._address)
            listening.listen(16)
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(listening.fileno())],
                env=dict(environment),
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,  # it ends when this end is closed
            )

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Whether the interpreter would start in the same way with this environment."""
        return self._for_python == for_python(environment)

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
            code = ask(self._address, arguments, str(folder), environment, files, TIMEOUT_S)
            return subprocess.CompletedProcess(
                [str(PROGRAM), *arguments], code, _text(out), _text(err)
            )

    def write_shim(self, folder: Path) -> None:
        """Write an ``assay`` that asks this server, for shells that have ``folder`` on their path."""
        folder.mkdir(parents=True, exist_ok=True)
        shim = folder / "assay"
        shim.write_text(
            f"#!{sys.executable} -IS\n"
            f"import sys\nsys.path.append({str(Path(command_client.__file__).parent)!r})\n"
            "import command_client\n"
            f"command_client.main({self._address!r}, {str(PROGRAM)!r}, {self._for_python!r})\n",
            encoding="utf-8",
        )
        shim.chmod(0o755)

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


_shared: list[CommandServer] = []


def shared_server(environment: Mapping[str, str]) -> CommandServer:
    """The server of this test process for such an environment; it is started at the first call."""
    for server in _shared:
        if server.fits(environment):
            return server
    _shared.append(CommandServer(environment))
    return _shared[-1]


def close_shared() -> None:
    """End the servers that tests have shared."""
    while _shared:
        _shared.pop().close()


def run_forked(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run ``assay`` in a folder, with the environment of the tests, and wait until it ends."""
    return shared_server(os.environ).run(list(words), cwd, os.environ)


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")


def _serve(listening: socket.socket) -> list[str]:
    """Fork a process for each call. Returns the arguments in that process, and never elsewhere."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the keepers of calls
    server = os.getpid()
    if not os.fork():
        sys.stdin.buffer.read()  # until the tests close it or are gone
        if os.getppid() == server:
            os.kill(server, signal.SIGTERM)
        os._exit(0)
    while True:
        connection, _ = listening.accept()
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listening.close()
            return _keep(connection)
        connection.close()


def _keep(connection: socket.socket) -> list[str]:
    """Wait for one command and tell its exit code; returns only in the process of the command."""
    head, files, _, _ = socket.recv_fds(connection, 8, 3)
    call = json.loads(received(connection, int.from_bytes(head, "big")))
    child = os.fork()
    if not child:
        connection.close()
        for target, file in enumerate(files):
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
    os._exit(0)


def compile_expressions() -> None:
    """Compile the expressions of the lexicon, which each call would compile when it uses them."""
    from assay.text.lexicon.pattern import Pattern, ScriptPattern  # noqa: PLC0415 - as in _main

    for pattern in gc.get_objects():
        if isinstance(pattern, Pattern | ScriptPattern):
            for text in TEXTS:
                pattern.search(text)


def _main() -> None:
    sys.path[0] = str(PROGRAM.parent)  # as for the installed script
    from assay.cli import main  # noqa: PLC0415 - not by the tests, which import this file too

    commands = (f"assay.cli.{place.partition(':')[0]}" for place, _ in main.COMMANDS.values())
    for name in (*commands, *LATE):
        importlib.import_module(name)
    compile_expressions()
    gc.freeze()  # what all calls share is not looked through in each of them
    sys.argv = _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.exit(main.main())


if __name__ == "__main__":
    _main()
