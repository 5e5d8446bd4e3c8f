"""An output that cannot be written to is one line and an exit code; rows are written all the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SYSTEM = """
def ask(question):
    return {"answer": "30 days"}
"""


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A workspace with a system of its own and three questions."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "plain.py").write_text(SYSTEM, encoding="utf-8")
    lines = "".join(f"Question {number}?,30 days\n" for number in range(3))
    (tmp_path / "q.csv").write_text(f"question,answer\n{lines}", encoding="utf-8")
    return tmp_path


def assay(root: Path, words: str, redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell with a redirection."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m assay {words} {redirection}', sys.executable],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


RUN = "run --system python:plain:ask --questions q.csv --name r --charts none"


@pytest.mark.parametrize(
    ("redirection", "why"),
    [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")],
)
@pytest.mark.parametrize("words", ["list", "--help", "schema", RUN, f"{RUN} --json"])
def test_a_result_that_cannot_be_printed_is_one_line(
    root: Path, words: str, redirection: str, why: str
):
    """No traceback, and never the exit code 0; the rows of a run are whole."""
    ran = assay(root, words, redirection)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1] == f"assay: standard output cannot be written: {why}"
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr
    if words.startswith("run"):
        rows = (root / "experiments" / "r.jsonl").read_text(encoding="utf-8")
        assert rows.count('"status":"scored"') == 3


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-", "2>&- <&-", "| head -c 1"])
def test_messages_that_cannot_be_printed_change_nothing(root: Path, redirection: str):
    """The exit code is that of the run, and the rows are whole."""
    ran = assay(root, RUN, redirection)
    assert ran.returncode == 0
    rows = (root / "experiments" / "r.jsonl").read_text(encoding="utf-8")
    assert rows.count('"status":"scored"') == 3
    assert "Traceback" not in ran.stderr
