"""What data contain cannot move the cursor, forge a line, or end the program."""

import os
import sys
from pathlib import Path

import pytest

from assay.cli.doctor import doctor
from assay.cli.list_runs import list_runs
from assay.cli.main import main
from assay.cli.output import echo, echo_text, print_text
from assay.errors import ConfigError, UseError
from assay.runs.progress import LineReporter, Progress
from assay.runs.row import Row

ATTACK = "q1\x1b[2J\nassay: all is well\u202e\x9b31m\udcff"
SHOWN = r"q1\x1b[2J\nassay: all is well\u202e\u009b31m\udcff"


def test_a_line_stays_one_line(capsys: pytest.CaptureFixture[str]):
    """Everything that a terminal would obey is an escape, newlines too."""
    echo(ATTACK)
    assert capsys.readouterr().out == SHOWN + "\n"


def test_a_text_keeps_its_own_newlines(capsys: pytest.CaptureFixture[str]):
    """A table or JSON keeps its lines, and nothing else passes."""
    echo_text("a\tb\n" + "\x1b]0;title\x07", err=True)
    assert capsys.readouterr().err == "a\tb\n\\x1b]0;title\\x07\n"


def test_a_program_that_reads_a_result_gets_the_data(capsys: pytest.CaptureFixture[str]):
    """Only a terminal gets escapes in place of data; a pipe gets the text."""
    print_text("a\x1b[1m\n")
    assert capsys.readouterr().out == "a\x1b[1m\n"


def test_an_error_is_as_many_lines_as_it_has_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A newline in a path is no second line of the message; two problems are two lines."""

    def fail(**_: str) -> None:
        raise ConfigError(f"{ATTACK}.yaml:1: bad", "b.yaml:2: bad")

    monkeypatch.setattr("assay.cli.main.app", fail)
    monkeypatch.setattr("sys.argv", ["assay", "list"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"assay: {SHOWN}.yaml:1: bad\nb.yaml:2: bad\n"
    assert str(UseError("a", "b")) == "a\nb"


class Parts:
    """A job that says nothing of its own."""

    job = "ablation"

    def where(self, row: Row) -> str:
        """Nothing."""
        return ""

    def result(self, row: Row) -> str:
        """Nothing."""
        return ""


def test_a_progress_line_cannot_be_forged(capsys: pytest.CaptureFixture[str]):
    """Ids and errors of rows are in one line, with their controls visible."""
    row = Row(key="k", question_id=ATTACK, status="failed", error="no\r\nanswer", elapsed_s=1.0)
    LineReporter(Parts()).case(Progress(total=1), row)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"id={SHOWN} elapsed=1.00s failed: no\\r\\nanswer" in err


def test_a_run_with_a_hostile_name_is_listed_on_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """``assay list`` shows each run on one line, whatever its file is called."""
    folder = tmp_path / "experiments"
    folder.mkdir()
    (folder / "a\x1b[2J\nb.jsonl").write_text("{\n")
    (folder / "\udcff.jsonl").mkdir()
    list_runs(tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(r"a\x1b[2J\nb") for line in lines)
    assert not any(line.startswith("b") for line in lines)


def test_doctor_shows_one_line_for_each_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A key of a configuration file cannot add a line to the findings."""
    path = tmp_path / "experiments" / "experiments.yaml"
    path.parent.mkdir()
    path.write_text('"a\\x1b[2J\\nok all is well": 1\n')
    with pytest.raises(Exception, match="1"):
        doctor(root=tmp_path)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert not any(line.startswith("ok all is well") for line in out.splitlines())


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are always Unicode")
def test_a_file_name_that_is_no_unicode_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A byte of a name that no encoding has is an escape, not an error."""
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.yaml")
    echo(f"{name}: no such file", err=True)
    assert r"\udcff.yaml: no such file" in capsys.readouterr().err
