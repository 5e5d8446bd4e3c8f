"""``assay init``: output and errors."""

from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.init import init
from assay.errors import UseError
from tests.support.program import program


def run_init(*words: str) -> Result:
    """Run the command alone; an error of assay is raised."""
    app = typer.Typer()
    app.command()(init)
    done = CliRunner().invoke(app, list(words))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_it_prints_the_counts(tmp_path: Path):
    """The output is a line; a folder that is not empty is refused."""
    folder = tmp_path / "my work"
    done = run_init(str(folder))
    assert done.exit_code == 0
    assert done.stdout == f"{folder}: 6 documents, 443 chunks, 264 questions\n"
    with pytest.raises(UseError, match="is not empty"):
        run_init(str(folder))


def test_force_names_the_renamed_files(tmp_path: Path):
    """With ``--force`` an existing file is renamed, and the output has both names."""
    (tmp_path / ".gitignore").write_text("mine")
    done = run_init(str(tmp_path), "--force")
    assert done.stderr == "moved your .gitignore to .gitignore.old-1\n"
    assert (tmp_path / ".gitignore.old-1").read_text() == "mine"


def test_the_sample_questions_pass_their_own_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A new user's first check finds nothing."""
    assert run_init(str(tmp_path / "work")).exit_code == 0
    monkeypatch.chdir(tmp_path / "work")
    ran = program(capsys)("questions", "check", "questions/questions.jsonl")
    assert ran.code == 0, ran.out
