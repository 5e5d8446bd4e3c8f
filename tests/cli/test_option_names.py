"""Options that mean the same have one name in all commands; old names work, and no help shows them."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from assay.cli.main import COMMANDS, app
from assay.jobs.depth.plan import LayoutOptions, layout_of
from assay.runs.resume import OLD_NAMES, RESUME, SWITCHES, resume_of, resumed_words
from tests.support.harbour import write_harbour
from tests.support.program import Program, program

RUN_COMMANDS = ("ablate", "bench", "depth", "quality", "review", "run")
VALUES = {"--context-lengths": "1000,2000", "--depth-mode": "fixed"}
OLD = [(command, old, new) for command, names in OLD_NAMES.items() for old, new in names.items()]
GONE = {old for _, old, new in OLD if old != "--questions"} | set(SWITCHES) | {"--results"}
OTHER_SPELLING = {"--context-length": "--context_length"}
"""The first long-context tool writes it with an underscore, and so does nobody else."""


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def command_of(name: str) -> Any:
    """The command that runs; for ``bench`` the one behind its short form."""
    group: Any = typer.main.get_command(app)
    command = group.get_command(None, name)
    return command.commands["run"] if name == "bench" else command


def parsed(name: str, *words: str) -> dict[str, Any]:
    """The values of the options that the words give, by their parameters."""
    command = command_of(name)
    context = command.make_context(command.name, list(words))
    values: dict[str, Any] = context.params
    return values


def every_command() -> list[tuple[str, ...]]:
    """The words of every command, and of every command of a group."""
    group: Any = typer.main.get_command(app)
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        parts = getattr(group.get_command(None, name), "commands", {})
        found += [(name, part) for part in parts] or [(name,)]
    return found


@pytest.mark.parametrize(("command", "old", "new"), OLD)
def test_an_old_name_says_the_same_as_the_new_one(command: str, old: str, new: str):
    """With the value in the next word, in the same word, and beside the new name."""
    value = VALUES.get(new, "4")
    expected = parsed(command, new, value)
    assert parsed(command) != expected
    assert parsed(command, old, value) == expected
    assert parsed(command, f"{old}={value}") == expected
    assert parsed(command, old, value, new, value) == expected


@pytest.mark.parametrize("command", RUN_COMMANDS)
@pytest.mark.parametrize(("switch", "value"), SWITCHES.items())
def test_a_switch_is_a_value_of_resume(command: str, switch: str, value: str):
    """In every command that runs; twice the same is no contradiction."""
    assert parsed(command)["resume"] == "ask"
    assert parsed(command, switch)["resume"] == value
    assert parsed(command, switch, switch, "--resume", value)["resume"] == value


@pytest.mark.parametrize("command", RUN_COMMANDS)
def test_every_command_that_runs_has_these_options(command: str):
    """By the same name, and with the same short words for what it takes."""
    names = {name for option in command_of(command).params for name in option.opts}
    assert names >= {"--limit", "--out", "--system", "--resume"}


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_help_has_one_name_for_one_thing(words: tuple[str, ...]):
    """No old name is shown, and no option has two long names."""
    shown = CliRunner(env={"COLUMNS": "100"}).invoke(app, [*words, "--help"]).stdout
    assert GONE.isdisjoint(re.findall(r"--[a-z][a-z_-]*", shown))
    for name, other in re.findall(r"^ +(?:-\w, )?(--[\w-]+), (--[\w-]+)", shown, re.MULTILINE):
        assert OTHER_SPELLING[name] == other


@pytest.mark.parametrize(
    "words",
    [
        ("ablate", "--resume", "keep", "--fresh"),
        ("ablate", "--resume", "keep", "--resume", "fresh"),
        ("depth", "--keep-stale", "--ask-changed"),
        ("merge", "part", "--resume=ask", "--fresh"),
        ("depth", "--limit", "3", "--max-questions", "4"),
        ("review", "--out", "a", "--out-dir", "b"),
        ("heatmap", "--output=a.html", "--out", "b.html"),
    ],
    ids=" ".join,
)
def test_a_contradiction_is_refused_in_one_line(words: tuple[str, ...], assay: Program):
    """Exit code 2, and both are named; nothing is read or asked."""
    ran = assay(*words)
    (line,) = ran.err.splitlines()
    assert ran.code == 2
    assert "contradict each other" in line


def test_of_one_name_the_last_value_counts(assay: Program):
    """As for any other option: a script may add its own after those of a user."""
    assert parsed("ablate", "--out-dir", "a", "--out-dir", "b")["out"] == Path("b")
    refused = assay("ablate", "--resume", "stale")
    assert (refused.code, refused.err) == (
        2,
        "assay: --resume stale: not one of ask, keep, refresh, fresh\n",
    )


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("resume", RESUME)
def test_what_is_done_when_something_changed(
    resume: str, is_old: bool, assay: Program, tmp_path: Path
):
    """One of three questions was edited: 2 of 6 recorded answers are of its earlier version."""
    write_harbour(tmp_path, questions=3)
    run = ("ablate", "-e", "berths", "--no-report", "--root", tmp_path)
    assert assay(*run).code == 0
    journal = tmp_path / "experiments/berths.jsonl"
    before = journal.read_bytes()
    path = tmp_path / "questions/questions.jsonl"
    path.write_text(path.read_text().replace("berth 2 of", "berth 2 in"))
    switch = next((old for old, value in SWITCHES.items() if value == resume), None)
    words = [switch] if is_old and switch else ["--resume", resume] if switch or is_old else []
    ran = assay(*run, *words)
    set_aside = list(journal.parent.glob("berths.jsonl.*.old"))
    match resume:
        case "ask":
            assert ran.code == 2
            assert "2 recorded answers belong to an earlier version" in ran.err
            assert "the content of 1 question changed: berth-002" in ran.err
            assert all(f"--resume {other}" in ran.err for other in RESUME[1:])
            assert journal.read_bytes() == before
        case "keep":
            assert ran.code == 0, ran.err
            assert "nothing was asked" in ran.err
            assert journal.read_bytes() == before
        case "refresh":
            assert ran.code == 0, ran.err
            assert journal.read_bytes().startswith(before)
            rows = journal.read_text().splitlines()[6:]
            assert len(rows) == 4  # the old answers no longer count, and two new ones
            assert all("berth-002" in row for row in rows)
        case "fresh":
            assert ran.code == 0, ran.err
            assert journal.read_bytes() != before
            assert len(journal.read_text().splitlines()) == 6
    assert [old.read_bytes() for old in set_aside] == ([before] if resume == "fresh" else [])


def test_a_command_that_goes_on_has_the_names_of_today():
    """Also one that assay 0.1 recorded, and whatever stands before the command."""
    typed = "assay --lang zh depth --output=x.jsonl --max_questions 5 --fresh --keep-stale --seed 1"
    again = "assay --lang zh depth --out=x.jsonl --limit 5 --resume keep --seed 1"
    assert resumed_words(typed.split()) == again.split()
    assert resume_of(typed.split()) == "keep"
    mine = ["assay", "dictation", "texts", "--output", "x", "--resume=ask"]
    assert resumed_words(mine) == mine[:-1]  # a command of another package keeps its own names


def test_the_page_for_people_of_earlier_versions_lists_every_old_name():
    """Each is in docs/migrate.md beside its new name."""
    page = (Path(__file__).parents[2] / "docs/migrate.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("|")]
    for old, new in {(old, new) for _, old, new in OLD} | {(o, "--resume") for o in SWITCHES}:
        assert any(f"`{old}" in row.rpartition(" | ")[0] and new in row for row in rows), old


def test_limit_0_of_a_depth_test_is_all():
    """As in every other command."""
    assert layout_of(LayoutOptions(context_length="1k", limit=0)).limit is None
