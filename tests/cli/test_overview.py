"""The pages of ``assay``, ``assay --help`` and ``assay COMMAND --help``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import COMMANDS, app
from assay.cli.overview import help_page, start_page
from tests.support.program import program

COLUMNS = 80
_MAIN = "import sys; sys.argv[0] = 'assay'\nfrom assay.cli.main import main; main()"
JOBS = ("ablate", "depth", "quality", "review", "bench")


def test_assay_alone_shows_the_jobs_and_the_first_command(capsys: pytest.CaptureFixture[str]):
    """Somebody who types only the name of the program learns what it does and how to begin."""
    shown = program(capsys)()
    assert (shown.code, shown.out) == (0, start_page())
    for job in JOBS:
        assert f"  {job} " in shown.out
    assert "assay demo" in shown.out


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_names_every_command_once(option: str, capsys: pytest.CaptureFixture[str]):
    """All commands are listed in sections, each with its whole line."""
    shown = program(capsys)(option)
    assert shown.out == help_page(COMMANDS)
    for name, (_, line) in COMMANDS.items():
        assert shown.out.count(f"  {name.ljust(9)}  {line}\n") == 1


def test_the_parser_shows_the_same_page():
    """Whoever calls the parser from Python gets the page of the program."""
    assert CliRunner().invoke(app, ["--help"]).stdout.strip() == help_page(COMMANDS).strip()


def test_a_command_that_no_section_names_is_listed_too():
    """A new command is found under a section of its own until it is sorted in."""
    assert "Other:\n  sing       Sing.\n" in help_page({"sing": ("sing:sing", "Sing.")})


def test_the_pages_fit_into_a_terminal():
    """No line is longer than 80 characters."""
    for page in (start_page(), help_page(COMMANDS)):
        assert max(map(len, page.splitlines())) <= COLUMNS


def test_the_help_of_a_command_fits_and_is_not_cut():
    """In 80 columns no line is longer, no sentence is cut, and no Python type is shown."""
    runner = CliRunner(env={"COLUMNS": str(COLUMNS), "TERMINAL_WIDTH": str(COLUMNS)})
    for name in COMMANDS:
        shown = runner.invoke(app, [name, "-h"]).stdout
        lines = shown.splitlines()
        assert [line for line in lines if len(line) > COLUMNS] == [], name
        assert "<" not in shown.partition("\n\n")[2].replace("<=", ""), name
        assert not any(line.rstrip().endswith("...") for line in lines[2:]), name


def test_options_are_in_groups():
    """A command with many options shows what, how much, where and how."""
    shown = CliRunner().invoke(app, ["ablate", "--help"]).stdout
    places = [shown.index(f"\n{title}:\n") for title in ("What", "How much", "Where", "How")]
    assert places == sorted(places)
    assert places[0] < shown.index("--experiment") < places[1] < shown.index("--limit") < places[2]


def test_the_shell_completes_commands_and_options(tmp_path: Path):
    """The Tab key completes the name of a command and its options."""
    for words, completed in (("assay re", ["redact", "report", "review"]), ("assay lis", ["list"])):
        environment = {
            **os.environ,
            "_ASSAY_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": "1",
        }
        ran = subprocess.run(
            [sys.executable, "-c", _MAIN],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.stdout.split() == completed
