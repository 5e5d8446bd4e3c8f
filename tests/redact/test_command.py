"""Every command that shows or writes what documents say has ``--redact``, and obeys it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from assay import demo as ablation
from assay.cli import demo
from assay.cli.main import COMMANDS, app
from tests.redact.canary import CanaryWorkspace
from tests.redact.main import Program
from tests.redact.test_canary import leaks

WITHOUT = {
    "cache info": "numbers and names of models only",
    "cache prune": "a number only",
    "init": "writes samples only",
    "schema": "says nothing about a workspace",
    "redact mask": "masks always",
    "redact reveal": "shows values on purpose",
    "redact rewrite": "masks always",
    "redact scan": "shows only the ends of a value",
}
"""The commands without the option, and why."""


def commands() -> Iterator[tuple[str, Any]]:
    """All commands with their names, those of groups too."""
    group: Any = typer.main.get_command(app)
    for name in COMMANDS:
        command = group.get_command(None, name)
        for part, each in getattr(command, "commands", {"": command}).items():
            yield f"{name} {part}".strip(), each


def test_every_command_has_the_option():
    """A new command that shows texts cannot forget it."""
    has = {name: any(each.name == "redact" for each in found.params) for name, found in commands()}
    assert {name for name, it_has in has.items() if not it_has} == set(WITHOUT)


def test_what_the_other_commands_show_is_masked(program: Program):
    """Doctor, search, sets of questions and benchmark files speak of documents too."""
    workspace = CanaryWorkspace(program.folder, count=24)
    value = workspace.canaries[0].value
    (program.folder / "documents").mkdir()
    text = "\n".join(canary.sentence for canary in workspace.canaries)
    (program.folder / "documents" / f"{value}.txt").write_text(text, encoding="utf-8")
    changed = program.folder / "changed.jsonl"
    changed.write_text(
        json.dumps({"id": f"q {value}", "question": workspace.canaries[1].sentence}) + "\n",
        encoding="utf-8",
    )
    own = {path for path in program.folder.rglob("*") if path.is_file()}
    broken = json.loads((program.folder / "legal" / "facts.json").read_text(encoding="utf-8"))
    broken["questions"][0]["required_evidence"] = [{"page": 1, "must_include": f"not {value}"}]
    (program.folder / "legal" / "facts.json").write_text(json.dumps(broken), encoding="utf-8")
    shown = {
        f"ingest 'documents/{value}.txt'": 0,
        f"search '{workspace.canaries[0].sentence}'": 0,
        f"search '{workspace.canaries[0].sentence}' --json": 0,
        "questions diff questions.jsonl changed.jsonl": 1,
        "bench validate legal": 2,
        "doctor": 0,
        f"doctor --system python:echo:ask --question '{workspace.canaries[0].sentence} (case 0)'": 0,
        f"doctor --system python:echo:ask --question '{workspace.canaries[4].sentence} (case 4)'": 1,
    }
    for line, code in shown.items():
        ended, printed = program.run(line)
        assert ended == code, printed
        assert workspace.leaks(printed.encode()) == [], line
    corpus = {path for path in program.folder.glob("chunks/**/*") if path.is_file()}
    workspace.inputs |= own | corpus  # the corpus is an input of runs
    assert leaks(workspace) == {}


def test_the_demonstration_obeys_the_option(program: Program, monkeypatch: pytest.MonkeyPatch):
    """Its runs say what was masked, and its key lies outside; a part of it is enough here."""
    monkeypatch.setattr(ablation, "EXPERIMENTS", ("hyde",))
    monkeypatch.setattr(demo, "STOPS", ())
    code, printed = program.run("demo samples --questions 1 --redact outputs")
    assert code == 0, printed
    summaries = [
        json.loads(path.read_bytes())
        for folder in ("experiments", "eval/runs")
        for path in (program.folder / "samples" / folder).glob("*.json")
    ]
    said = [each.get("redact") for each in summaries if "experiment_name" in each]
    assert said == ["outputs"]
    assert list(program.folder.rglob("*.key")) == []


@pytest.mark.parametrize("line", ["doctor --redact output", "labels agreement x --redact output"])
def test_a_wrong_mode_is_refused(program: Program, line: str):
    """The message says which modes there are."""
    code, printed = program.run(line)
    assert (code, "did you mean 'outputs'?" in printed) == (2, True), printed
