"""The program of a server of commands: it forks a process for each call of ``assay``.

At the first call, it imports the modules of all commands, compiles the expressions that judge
answers, splits the sample into terms and draws a chart, because most commands would do the same.
The forked process gets the folder, the environment and the files of its call, and ends as the
installed script does. ``command_server.py`` starts this program.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import inspect
import json
import os
import select
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

if __name__ == "__main__":  # the folder of the tests is not on the path of the program
    sys.path[0] = str(Path(__file__).parents[2])

from tests.support.command_client import END, received
from tests.support.killed import die_at_change

PROGRAM = Path(sys.executable).with_name("assay")
LATE = (
    "aiohttp",
    "assay.cli.application",
    "assay.config.yaml_tree",
    "assay.jobs.answers.handler",
    "assay.jobs.answers.spec",
    "assay.jobs.depth.spec",
    "assay.jobs.legal.summary",
    "assay.jobs.legal.handler",
    "assay.jobs.legal.spec",
    "assay.jobs.quality.spec",
    "assay.jobs.contract.review_table",
    "assay.jobs.contract.handler",
    "assay.jobs.contract.spec",
    "assay.study.chart",
    "assay.report.chart.bar",
    "assay.systems.reference",
    "assay.jobs.depth.reader",
    "encodings.utf_8_sig",
    "jmespath",
    "matplotlib.backends.backend_svg",
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
    "typer._adapters",
    "typer._click.decorators",
)
"""What commands import only when they need it, and most of them do."""
TEXTS = ("a", "я", "中", "aя", "a中")
"""Texts for which the lexicon has expressions of their own: of one language and of two."""


def prepare() -> None:
    """Import, compile and compute what most calls need."""
    from assay.cli import main  # noqa: PLC0415 - not by the tests, which import this file too

    commands = (f"assay.cli.{place.partition(':')[0]}" for place, _ in main.COMMANDS.values())
    for name in (*commands, *LATE):
        importlib.import_module(name)
    _compile_expressions()
    _fill_tables()
    _split_sample()
    _draw_chart()
    gc.collect()
    gc.freeze()  # what all calls share is not looked through in each of them


def _compile_expressions() -> None:
    from assay.text.lexicon import LazyPattern  # noqa: PLC0415 - as above

    for pattern in gc.get_objects():
        if isinstance(pattern, LazyPattern):
            for text in TEXTS:
                pattern.search(text)


def _fill_tables() -> None:
    """Call the functions of texts and scorers that remember a constant: they have no parameter."""
    for function in gc.get_objects():
        if isinstance(function, functools._lru_cache_wrapper):
            place = getattr(function, "__module__", "")
            if place.startswith(
                ("assay.text.", "assay.checks.", "assay.scorers.", "assay.rag.")
            ) and not (inspect.signature(function).parameters):
                function()


def _split_sample() -> None:
    from assay.checks.answer import check_answer  # noqa: PLC0415 - as above
    from assay.data.document.reading_process import READING_PROCESS  # noqa: PLC0415 - as above
    from assay.data.samples.sample import sample_chunks, written_questions  # noqa: PLC0415 - as above
    from assay.rag.embed.hashed import document_vector  # noqa: PLC0415 - as above

    for chunk in sample_chunks():
        document_vector(chunk.text)
    READING_PROCESS.close()
    for language in ("en", "ru", "zh"):
        for question in written_questions(language)[:20]:
            check_answer(question.answer, question.answer, question.question)


def _draw_chart() -> None:
    from assay.report.chart.scatter import Spot, scatter_chart  # noqa: PLC0415 - as above

    with (
        # which values are masked is decided once, by the environment of the call
        mock.patch("assay.report.chart.style.mask_text", str),
        tempfile.TemporaryDirectory() as folder,
    ):
        spots = [Spot(name="a", x=0.1, y=0.2), Spot(name="я", x=0.3, y=0.2)]
        scatter_chart(spots, Path(folder) / "chart.png", x_label="x", y_label="y")


def _serve(listening: socket.socket) -> list[str]:  # noqa: C901 - one loop over all that may happen
    """Fork a process for each call. Returns the arguments in that process, and never elsewhere."""
    ended, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # only wakes the loop below
    callers: dict[int, socket.socket] = {}
    heard: set[int] = set()
    while True:
        asked = {connection: child for child, connection in callers.items() if child not in heard}
        ready, _, _ = select.select([listening, ended, sys.stdin.buffer, *asked], [], [])
        if sys.stdin.buffer in ready:
            os._exit(0)  # the tests have closed it or are gone
        for connection, child in asked.items():
            if connection in ready:
                heard.add(child)  # a caller says one thing, or is gone
                _end_on_request(child, connection)
        if ended in ready:
            ended.recv(4096)
            _tell_codes(callers)
        if listening in ready:
            connection, _ = listening.accept()
            try:
                call, files = _received_call(connection)
            except (EOFError, OSError, ValueError):  # the caller has gone again
                connection.close()
                continue
            child = os.fork()
            if not child:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for open_socket in (listening, ended, told, connection, *callers.values()):
                    open_socket.close()
                return _become(call, files)
            callers[child] = connection
            heard.discard(child)
            for file in files:
                os.close(file)


def _received_call(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    connection.settimeout(10)  # a caller sends at once
    head, files, _, _ = socket.recv_fds(connection, 8, 3)
    return json.loads(received(connection, int.from_bytes(head, "big"))), files


def _tell_codes(callers: dict[int, socket.socket]) -> None:
    """Tell the callers of all commands that have ended their exit codes."""
    while callers:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with callers.pop(child) as connection, contextlib.suppress(OSError):
            connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def _become(call: Mapping[str, Any], files: list[int]) -> list[str]:
    """Take over the files, the folder and the environment of a call; returns its arguments."""
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    os.chdir(call["folder"])
    _set_environment(call["environment"])
    die_at_change()
    return [str(PROGRAM), *call["arguments"]]


def _end_on_request(child: int, connection: socket.socket) -> None:
    """Ask a command to end, as ``kill`` does, if its caller says so."""
    with contextlib.suppress(OSError):
        if connection.recv(len(END)):
            os.kill(child, signal.SIGTERM)


def _set_environment(environment: Mapping[str, str]) -> None:
    """Use the environment of a call, with what Python takes from it at its start."""
    before, after = _python_path(os.environ), _python_path(environment)
    if before != after:
        sys.path[1:] = [*after, *sys.path[1 + len(before) :]]
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    os.environ.clear()
    os.environ.update(environment)


def _python_path(environment: Mapping[str, str]) -> list[str]:
    path = environment.get("PYTHONPATH")
    return [os.path.abspath(part) for part in path.split(os.pathsep)] if path else []  # noqa: PTH100


def main() -> None:
    """Wait for the first call, prepare, and serve it and all others."""
    listening = socket.socket(fileno=int(sys.argv[1]))
    ready, _, _ = select.select([listening, sys.stdin.buffer], [], [])
    if listening not in ready:
        return  # the tests have ended without a call
    sys.path[0] = str(PROGRAM.parent)  # as for the installed script
    prepare()
    sys.argv = _serve(listening)
    from assay.cli.main import main as run  # noqa: PLC0415 - as above

    try:
        sys.exit(run())
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            _end(end.code or 0)
        raise


def _end(code: int) -> None:
    """End as the interpreter does, without taking the modules apart, which takes far longer.

    Returns if anything fails, so that the interpreter ends in its own way.
    """
    with contextlib.suppress(Exception):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code & 0xFF)


if __name__ == "__main__":
    main()
