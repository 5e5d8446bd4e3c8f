"""``assay init``: what it prints and how it ends."""

from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.init import init
from assay.errors import UseError


def ran(*words: str) -> Result:
    """The command by itself, with an error of ours passed through."""
    app = typer.Typer()
    app.command()(init)
    done = CliRunner().invoke(app, list(words))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_it_says_what_was_laid_out_and_what_comes_next(tmp_path: Path):
    """Two lines on standard output; a second time is refused."""
    folder = tmp_path / "my work"
    done = ran(str(folder))
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first == f"{folder}: 6 documents, 443 chunks, 264 questions"
    assert second == f"next: cd '{folder}' && assay doctor"
    with pytest.raises(UseError, match="is not empty"):
        ran(str(folder))


def test_force_says_what_it_moved(tmp_path: Path):
    """A user's file that was in the way is named with its new name."""
    (tmp_path / ".gitignore").write_text("mine")
    done = ran(str(tmp_path), "--force")
    assert done.stderr == "moved your .gitignore to .gitignore.old-1\n"
    assert (tmp_path / ".gitignore.old-1").read_text() == "mine"
