"""Shared by the end-to-end tests: the installed command and a folder to run it in."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_server import PROGRAM, CommandServer, shared_server
from tests.support.harbour import LATENCY, REPOSITORY, write_harbour


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
        "COLUMNS": "120",
        "PYTHONPATH": str(REPOSITORY),  # where the clerk of the harbour is
    }


class Command:
    """Runs ``assay`` in a folder as a user would."""

    def __init__(self, folder: Path, server: CommandServer) -> None:
        self.folder = folder
        self.program = str(PROGRAM)
        self.environment = _environment()
        self._server = server

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """Start the installed command; the caller must wait for it or end it."""
        return subprocess.Popen(
            [self.program, *arguments],
            cwd=self.folder,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run the command and wait until it ends."""
        if not options and self._server.fits(self.environment):
            return self._server.run(list(arguments), self.folder, self.environment)
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def rows(self, journal: str = "experiments/berths.jsonl") -> list[dict[str, Any]]:
        """All rows of a journal, in file order."""
        return [json.loads(line) for line in (self.folder / journal).read_text().splitlines()]

    def write_harbour(self, *, latency_s: float = 0.0, **more: Any) -> None:
        """Write a workspace with the harbour questions and a system with this latency."""
        write_harbour(self.folder, **more)
        self.environment[LATENCY] = str(latency_s)

    def write_system(self, name: str, source: str) -> str:
        """Write a Python system into the folder; return its name for ``--system``."""
        (self.folder / f"{name}.py").write_text(source)
        return f"python:{name}:ask"


@pytest.fixture
def assay(tmp_path: Path) -> Command:
    """The command, in an empty folder; its modules are imported once for all tests."""
    return Command(tmp_path, shared_server(_environment()))


def first_line(process: subprocess.Popen[str]) -> str:
    """Wait for the first log line of a case (``--log-lines``) and return it."""
    assert process.stdout is not None
    return next(line for line in process.stdout if line.startswith("[ablation]"))
