"""Setting up an experiment in a real browser: from nothing, both ways, and saved."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from assay.jobs.corpus.ingest import ingest
from tests.web.browser.conftest import Opener, Visit, serving

SYSTEM = """\
systems:
  echo: {kind: http, url: "http://127.0.0.1:9/ask", settings: [tone, depth]}
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A workspace with questions and a system, and without any experiment."""
    folder = tmp_path / "work"
    (folder / "experiments").mkdir(parents=True)
    (folder / "experiments" / "experiments.yaml").write_text(SYSTEM, encoding="utf-8")
    rows = [{"id": f"q{number}", "question": f"What is {number}?"} for number in range(4)]
    (folder / "documents").mkdir()
    (folder / "documents" / "a.md").write_text("One is the first number.", encoding="utf-8")
    ingest(folder / "documents", folder / "chunks")
    (folder / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


@pytest.fixture(name="address")
def _address(folder: Path, tmp_path: Path) -> Iterator[str]:
    with serving(str(folder), "--token-file", str(tmp_path / "token")) as address:
        yield address


def checked(page: Page) -> None:
    """Wait until what is on the page has been checked."""
    expect(page.locator(".title-line [role=status]")).not_to_have_text("checking…")


@pytest.mark.slow
def test_an_ablation_of_two_variables_from_nothing(address: str, visit: Opener, folder: Path):
    """By the form, with the dry run beside it; then by the text; then saved, and ready to start."""
    reader = visit(address)
    page = reader.go("#/configure")
    checked(page)
    page.locator("input[name=name]").fill("both")
    page.get_by_label("Questions", exact=True).select_option("q.jsonl")
    page.get_by_label("System", exact=True).select_option("echo")
    page.get_by_label("every combination").check()
    checked(page)
    page.get_by_label("Variable", exact=True).select_option("tone")
    page.get_by_label("Values").first.fill("kind, stern")
    page.get_by_role("button", name="Add a variable").click()
    page.get_by_label("Variable", exact=True).nth(1).select_option("depth")
    page.get_by_label("Values").nth(1).fill("1, 5")
    page.get_by_label("Values").nth(1).blur()
    expect(page.locator(".dry-run")).to_contain_text("16 (0 recorded)")
    checked(page)
    text = page.locator("#yaml").input_value()
    (experiment,) = yaml.safe_load(text)["experiments"]
    assert experiment["components"] == {"tone": ["kind", "stern"], "depth": [1, 5]}
    page.locator("#yaml").fill(text + "    question_limit: 3   # enough\n")
    expect(page.locator(".dry-run")).to_contain_text("12 (0 recorded)")
    expect(page.get_by_label("Questions at most")).to_have_value("3")
    page.locator("#yaml").fill(text.replace("depth:", "deptt:"))
    problem = page.locator("[data-field=variables] .entry-problems")
    expect(problem).to_contain_text("did you mean 'depth'")
    page.locator("#yaml").fill(text + "    question_limit: 3   # enough\n")
    expect(page.locator(".dry-run")).to_contain_text("12 (0 recorded)")
    checked(page)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Start it…").wait_for()
    written = (folder / "experiments" / "experiments.yaml").read_text(encoding="utf-8")
    assert written.startswith(SYSTEM)
    assert written.endswith("    question_limit: 3   # enough\n")
    _choose_gold(reader, folder)


def _choose_gold(reader: Visit, folder: Path) -> None:
    """From a question of the preview to a passage of the corpus, which becomes its gold."""
    page = reader.page
    page.locator(".question-preview summary").click()
    page.get_by_role("link", name="Find gold in the documents").nth(1).click()
    page.get_by_role("button", name="Use as gold").first.click()
    page.locator(".gold-mark").wait_for()
    _, line, *_ = (folder / "q.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(json.loads(line)["gold_chunk_ids"]) == 1


def test_a_file_that_changed_meanwhile_is_not_overwritten(
    address: str, visit: Opener, folder: Path
):
    """The page says so and keeps the text."""
    reader = visit(address)
    page = reader.go("#/configure")
    checked(page)
    path = folder / "experiments" / "experiments.yaml"
    path.write_text("# somebody else\n" + SYSTEM, encoding="utf-8")
    page.locator("#yaml").fill("# mine\n" + SYSTEM)
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".failure")).to_contain_text("has changed since you opened it")
    assert path.read_text(encoding="utf-8") == "# somebody else\n" + SYSTEM
    assert page.locator("#yaml").input_value() == "# mine\n" + SYSTEM
    assert len(reader.faults) == 1  # the browser reports the refusal, and nothing else
    assert "400" in reader.faults.pop()
