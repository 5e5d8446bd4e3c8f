"""Redaction in the pytest plugin and in the interface for Python."""

import json
from pathlib import Path

import pytest

from assay.bench import BenchmarkRunner
from assay.mask import redactor
from tests.redact.canary import CanaryWorkspace
from tests.redact.test_canary import leaks
from tests.test_pytest_plugin import PLUGIN

pytest_plugins = ["pytester"]
COUNT = 12


def workspace_of(folder: Path) -> CanaryWorkspace:
    """A workspace with a benchmark whose first question is named after a telephone number."""
    workspace = CanaryWorkspace(folder, count=COUNT)
    facts = folder / "legal" / "facts.json"
    content = json.loads(facts.read_text(encoding="utf-8"))
    content["questions"][0]["id"] = workspace.canaries[0].value
    facts.write_text(json.dumps(content), encoding="utf-8")
    return workspace


def test_the_plugin_masks_what_pytest_shows(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
):
    """Names of tests, failures, what the system prints, errors, and the file for a server."""
    monkeypatch.setenv("XDG_STATE_HOME", str(pytester.path.parent / "state"))
    workspace = workspace_of(pytester.path)
    done = pytester.runpytest_subprocess(
        *("-p", "no:cacheprovider", *PLUGIN, "-v", "--junitxml=junit.xml"),
        *("--assay-system=python:echo:ask", "legal"),
    )
    shown = done.stdout.str() + done.stderr.str()
    assert done.ret == 1, shown
    assert "facts.json::[PHONE_1] " in shown
    assert "asked about [" in shown
    assert "no route to [" in shown
    assert workspace.leaks(shown.encode()) == []
    workspace.inputs |= set(pytester.path.glob("*.py"))
    assert {name for name in leaks(workspace) if not name.endswith(".pyc")} == set()


def test_the_plugin_says_a_wrong_mode_in_one_line(pytester: pytest.Pytester):
    """As the command line does."""
    workspace_of(pytester.path)
    done = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", *PLUGIN, "--assay-redact=some", "--assay-system=x", "legal"
    )
    assert done.ret != 0
    assert "redact: 'some' is not one of off, outputs, calls" in done.stdout.str()


def test_the_interface_for_python_redacts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It follows the configuration; the scores are those without redaction."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    workspace = workspace_of(tmp_path / "work")
    values = [canary.value for canary in workspace.canaries]

    def ask(question: str) -> str:
        return f"It is {values[int(question.rpartition('case ')[2][:-1])]}."

    monkeypatch.chdir(tmp_path / "work")
    out = tmp_path / "work" / "out"
    runner = BenchmarkRunner("legal", out=out)
    summary = runner.run_benchmark(ask)
    runner.save_results()
    assert redactor() is None
    assert len(summary["questions"]) == COUNT
    assert leaks(workspace) == {}
    assert "[PHONE_1]" in (out / "benchmark_results.json").read_text(encoding="utf-8")
    plain = BenchmarkRunner("legal", redact="off").run_benchmark(ask)
    assert plain["overall_percentage"] == summary["overall_percentage"]
