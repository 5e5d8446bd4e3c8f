"""The ``assay`` program: version, help and error messages."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay import __version__
from assay.cli.main import app
from assay.cli.options import one_of
from assay.config.schema import experiments_schema
from assay.errors import UseError


def assay(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run the program in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "assay", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_version_is_printed(tmp_path: Path):
    """``--version`` prints only the name and the version."""
    ran = assay("--version", cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"assay {__version__}\n", "")


def test_help_names_every_command(tmp_path: Path):
    """``--help`` lists the commands with a sentence for each."""
    ran = assay("--help", cwd=tmp_path)
    assert ran.returncode == 0
    for word in ("ablate", "demo", "doctor", "list", "report", "schema", "score", "--version"):
        assert word in ran.stdout
    assert "List past runs" in ran.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("list", "--nonsense"),
        ("list", "extra"),
        ("ablate", "--concurrency", "0"),
        ("ablate", "--concurrency", "many"),
        ("ablate", "--timeout", "0"),
        ("ablate", "--retries", "-1"),
        ("ablate", "--limit", "-1"),
        ("ablate", "--top-k", "0"),
        ("demo", "--questions", "0"),
        ("report",),
        ("doctor", "--timeout"),
        (),
    ],
)
def test_wrong_use_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
):
    """Unknown commands, unknown options and invalid values give exit code 2."""
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, list(words))
    assert ran.exit_code == 2
    assert isinstance(ran.exception, SystemExit)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["list", "doctor"])
def test_an_error_of_the_user_is_one_line(tmp_path: Path, command: str):
    """A wrong ``--root`` gives exit code 2 and one line that begins with ``assay:``."""
    ran = assay(command, "--root", "gone", cwd=tmp_path)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr == "assay: --root gone: no such folder\n"


def test_the_schema_is_printed_or_written(tmp_path: Path):
    """Standard output and ``--out`` give the same text as the library."""
    printed = assay("schema", cwd=tmp_path)
    written = assay("schema", "--out", "schema.json", cwd=tmp_path)
    assert printed.returncode == written.returncode == 0
    assert written.stdout == ""
    assert printed.stdout == (tmp_path / "schema.json").read_text(encoding="utf-8")
    assert printed.stdout == experiments_schema()
    json.loads(printed.stdout)


def test_a_schema_that_cannot_be_written_is_one_line(tmp_path: Path):
    """A missing folder gives exit code 2 and one line, without a traceback."""
    ran = assay("schema", "--out", "gone/schema.json", cwd=tmp_path)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert ran.stderr.startswith("assay: gone/schema.json: ")
    assert ran.stderr.count("\n") == 1


def test_valid_values_are_listed_once():
    """The message lists the valid values once and suggests a similar one if there is one."""
    with pytest.raises(UseError, match=r"^--lang xx: not one of en, zh, ru$"):
        one_of("--lang", "xx", ("en", "zh", "ru"))
    with pytest.raises(UseError, match="did you mean 'markdown'"):
        one_of("--format", "markdwn", ("markdown", "csv"))
