"""Run the program in this process, with everything that it prints."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli.main import main


class Program:
    """Runs ``assay`` in a folder; ``printed`` is all that it has printed so far.

    ``output`` is what the last command printed to standard output.
    """

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self.printed = self.output = ""
        self._monkeypatch = monkeypatch
        self._capfd = capfd

    def run(self, line: str) -> tuple[int, str]:
        """Run a command; return its exit code and what it printed."""
        self._monkeypatch.chdir(self.folder)
        self._monkeypatch.setattr(sys, "argv", ["assay", *shlex.split(line)])
        self._capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        out, err = self._capfd.readouterr()
        self.printed += out + err
        self.output = out
        sys.modules.pop("echo", None)
        code = end.value.code
        return code if isinstance(code, int) else 0 if code is None else 1, out + err

    def run_apart(self, line: str) -> int:
        """Run a command in a process of its own, which may die."""
        ended = subprocess.run(
            [sys.executable, "-m", "assay", *shlex.split(line)],
            cwd=self.folder, env=os.environ, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        self.printed += ended.stdout + ended.stderr
        return ended.returncode
