"""What the site that hosts the repository reads: its workflow and forms say what the project does."""

import re
from typing import Any

import yaml

from tests.support.path import ROOT

GITHUB = ROOT / ".github"
FIELDS = {"checkboxes", "dropdown", "input", "markdown", "textarea", "upload"}


def read(name: str) -> Any:
    """The content of a YAML file of the repository."""
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_workflow_runs_what_ci_runs():
    """The same two commands, in order, without the right to change anything, by pinned actions."""
    workflow = read(".github/workflows/ci.yml")
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert commands == re.findall(r"^make .*$", script, re.MULTILINE)
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.13"]
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert [name for name in used if not re.search(r"@[0-9a-f]{40}$", name)] == []


def test_a_report_of_a_bug_asks_for_the_installation():
    """The form has fields that GitHub knows, and one of them asks for ``assay doctor --json``."""
    form = read(".github/ISSUE_TEMPLATE/bug.yml")
    assert {"name", "description", "body"} <= set(form)
    assert {field["type"] for field in form["body"]} <= FIELDS
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    labels = [field["attributes"]["label"] for field in fields]
    assert [label for label in labels if "assay doctor --json" in label]
    assert isinstance(read(".github/ISSUE_TEMPLATE/config.yml")["blank_issues_enabled"], bool)


def test_hooks_of_contributors_are_tools_of_the_project():
    """Each hook runs a program of ``.venv`` and needs no other repository."""
    config = read(".pre-commit-config.yaml")
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    hooks = [hook for repository in config["repos"] for hook in repository["hooks"]]
    programs = {hook["entry"].split()[0] for hook in hooks}
    assert programs == {".venv/bin/ruff", ".venv/bin/mypy"}
    assert {hook["language"] for hook in hooks} == {"system"}
