"""Redaction over the life of a workspace: resuming, scoring again, old rows, the call cache."""

import itertools
import json
import shutil
import signal
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.jobs.redaction import rewrite as recorded
from tests.redact.canary import CanaryWorkspace
from tests.redact.main import Program
from tests.redact.test_canary import leaks, numbers, provider, rows_of
from tests.redact.unredacted import ASK as ASK_PLAIN
from tests.redact.unredacted import UnredactedRun
from tests.support.command_server import run_forked
from tests.support.json_server import JsonServer

ROWS = "experiments/echo.jsonl"
ASK = "ablate -e echo --no-report"
COUNT = 12
FAILED = 2 * 1
"""Of 12 questions the one with number 4 fails, with two variants."""


def scores(folder: Path) -> list[Any]:
    """The numbers of the rows, in any order."""
    return sorted((numbers(row) for row in rows_of(folder / ROWS)), key=str)


def test_a_run_is_resumed_and_scored_again(program: Program):
    """Keys are found again, also those that hold values; with the key no score changes."""
    CanaryWorkspace(program.folder, count=COUNT)
    assert program.run(ASK)[0] == 1
    first = rows_of(program.folder / ROWS)
    assert {row["key"].split("::")[0] for row in first[:6]} == {
        "q-0-[PHONE_1]",
        "q-1-[PHONE_2]",
        "q-2-[PHONE_3]",
    }
    program.run(ASK)
    again = rows_of(program.folder / ROWS)
    assert len(again) == len(first) + FAILED
    assert "no score changed" in program.run("score echo")[1]
    code, printed = program.run("score echo --no-key")
    assert code == 0
    assert "22 rows with masked text: the recorded scores were kept" in printed
    key = next((program.folder.parent / "state" / "assay" / "redact").glob("*.key"))
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    shown = program.run(f"redact reveal {ROWS} --out ../plain.jsonl")
    assert shown[0] == 0
    assert first[0]["question"] != rows_of(program.folder.parent / "plain.jsonl")[0]["question"]


def test_old_rows_are_masked_with_their_numbers(program: Program, monkeypatch: pytest.MonkeyPatch):
    """A note offers it; a crash leaves whole files; a second time changes nothing."""
    workspace = CanaryWorkspace(program.folder, count=COUNT)
    program.run(f"{ASK} --redact off")
    program.run("report echo --charts none --redact off")
    before = scores(program.folder)
    assert leaks(workspace)
    assert "mask them with: assay redact rewrite" in program.run(f"{ASK} --dry-run")[1]
    assert program.run("report echo --format html --out page.html")[0] == 0
    assert "page.html" not in leaks(workspace)  # the page masks old rows too
    files = {path: path.read_bytes() for path in workspace.written()}
    written = recorded.write_atomically
    count = 0

    def fails(*arguments: Any, **options: Any) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise UseError("the disk is full")
        written(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(recorded, "write_atomically", fails)
        assert program.run("redact rewrite")[0] == 2
    changed = [path for path, data in files.items() if path.read_bytes() != data]
    assert len(changed) == 1
    assert workspace.leaks(changed[0].read_bytes()) == []
    code, printed = program.run("redact rewrite")
    assert (code, leaks(workspace)) == (0, {}), printed
    assert scores(program.folder) == before
    assert ", 0 masked" in program.run("redact rewrite")[1]
    program.run(ASK)
    assert len(rows_of(program.folder / ROWS)) == len(before) + FAILED


def test_recorded_calls_are_encrypted(program: Program, monkeypatch: pytest.MonkeyPatch):
    """Old ones by the command, new ones at once; without a key there are none."""
    workspace = CanaryWorkspace(program.folder, mode="outputs", system="openai:far", count=COUNT)
    plain, sealed = (program.folder / ".assay" / f"calls{end}.sqlite" for end in ("", ".sealed"))
    with JsonServer(provider) as server:
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("no_proxy", "")
        program.run(f"{ASK} --no-key")
        assert not plain.exists()
        assert not sealed.exists()
        program.run(f"{ASK} --redact off --resume fresh")
        assert workspace.leaks(b"".join(path.read_bytes() for path in plain.parent.iterdir()))
        assert program.run("redact rewrite")[0] == 0
        assert not plain.exists()
        asked = len(server.seen)
        program.run(f"{ASK} --resume fresh")
        assert len(server.seen) == asked + FAILED  # failures are not recorded
        program.run(f"{ASK} --resume fresh --key {program.folder.parent / 'other.key'}")
        assert len(server.seen) > asked + 2 * FAILED  # another key cannot read them
    with sqlite3.connect(sealed) as file:
        bodies = [row[0] for row in file.execute("SELECT body FROM calls")]
    file.close()
    assert len(bodies) >= 2 * (COUNT - 1)
    assert not any(b'"choices"' in body for body in bodies)
    assert {
        name: found for name, found in leaks(workspace).items() if not name.endswith(".old")
    } == {}


def test_a_key_inside_the_workspace_is_refused(program: Program):
    """It would travel with the results."""
    CanaryWorkspace(program.folder, count=COUNT)
    code, printed = program.run(f"{ASK} --key own.key")
    assert (code, "the key must not lie inside the workspace" in printed) == (2, True)


def test_wrong_settings_are_one_line(program: Program):
    """The message names the file and the line, or the option."""
    CanaryWorkspace(program.folder, count=COUNT)
    config = program.folder / "experiments" / "experiments.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("mode: outputs", "mode: everything"), encoding="utf-8")
    code, printed = program.run(ASK)
    assert code == 2
    assert "experiments.yaml:2" in printed
    config.write_text(text, encoding="utf-8")
    code, printed = program.run(f"{ASK} --redact output")
    assert (code, "did you mean 'outputs'?" in printed) == (2, True), printed
    code, printed = program.run(f"{ASK} --key ../a --no-key")
    assert (code, "give --key or --no-key, not both" in printed) == (2, True)


def test_the_summary_and_the_report_say_what_was_masked(
    program: Program, monkeypatch: pytest.MonkeyPatch
):
    """With ``calls`` the report says that the system read masked text."""
    CanaryWorkspace(program.folder, mode="calls", system="openai:far", count=COUNT)
    with JsonServer(provider) as server:
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("no_proxy", "")
        program.run("ablate -e echo")
    assert json.loads((program.folder / "experiments/echo.json").read_bytes())["redact"] == "calls"
    page = (program.folder / "experiments/echo.md").read_text(encoding="utf-8")
    assert "read masked text" in page
    program.run("report echo --lang ru --charts none")
    page = (program.folder / "experiments/echo.md").read_text(encoding="utf-8")
    assert "читали скрытый текст" in page


def test_what_a_process_of_the_system_prints_is_masked(program: Program):
    """It does not write to the terminal itself."""
    workspace = CanaryWorkspace(program.folder, count=4)
    quality = f"quality --pdf '{workspace.canaries[0].value}.pdf' --questions quality.jsonl"
    code, printed = program.run(f"{quality} --system apart")
    assert (code, workspace.leaks(printed.encode())) == (0, []), printed
    assert "asked about [PHONE_" in printed


def test_results_are_shown_beside_a_wrong_configuration_without_redaction(program: Program):
    """Only one that speaks of redaction must be right."""
    CanaryWorkspace(program.folder, count=COUNT)
    config = program.folder / "experiments" / "experiments.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text + "\nexperimentz: []\n", encoding="utf-8")
    assert program.run("list")[0] == 2
    config.write_text("experimentz: []\n", encoding="utf-8")
    assert program.run("list")[0] == 0
    assert program.run("list --redact outputs")[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("key", ["", "--no-key"])
def test_a_rewrite_that_was_killed_is_run_again(program: Program, key: str):
    """Wherever it was killed: then no value is left, and numbers and labels are those of before."""
    workspace = CanaryWorkspace(program.folder, count=4)
    assert program.run(ASK_PLAIN)[0] == 0
    recorded = UnredactedRun(workspace)
    words = ["redact", "rewrite", *key.split()]
    for at in itertools.count(1, 5):
        root = program.folder.parent / f"killed-{at}"
        shutil.copytree(program.folder, root)
        ended = run_forked(*words, cwd=root, kill_at=at)
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        recorded.check(root)
        ended = run_forked(*words, cwd=root)
        assert ended.returncode == 0, ended.stderr
        recorded.check_masked(root)
    assert at > 20
