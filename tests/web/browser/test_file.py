"""One HTML file with a run inside, opened as a user opens it: no network, no server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page_runs import EVIL, JOBS, STUDY, command
from tests.web.browser.conftest import Opener

BOMB = r"(((\w|.|[^~])+)+)+~~~"
"""An expression that no engine with backtracking ends on the texts of the study."""


@pytest.fixture(name="files", scope="module")
def _files(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The study as one file, and a folder of two runs."""
    folder = tmp_path_factory.mktemp("files")
    command(f"report {runs / STUDY}.jsonl --format html --out {folder / 'study.html'}")
    names = " ".join(f"{runs / JOBS[job]}.jsonl" for job in ("ablation", "review"))
    command(f"report {names} --site {folder / 'site'}")
    return folder


def test_a_file_opens_its_run_without_any_other_request(visit: Opener, files: Path):
    """Overview, questions, filters, search, one question and charts, all from the file."""
    address = (files / "study.html").as_uri()
    reader = visit(address)
    page = reader.page
    expect(page.locator("h1")).to_have_text("study")
    run = page.url.split("#/run/")[1].split("/")[0]
    reader.go(f"#/run/{run}/questions?show=worse")
    expect(page.locator(".match-count")).to_have_text("2 of 12 questions")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Question q2")
    page.keyboard.press("j")
    expect(page.locator("h1")).to_have_text("Question q5")
    reader.go(f"#/run/{run}/questions?text=Which%3F")
    expect(page.locator(".item-question").last).to_contain_text(EVIL)
    reader.go(f"#/run/{run}/question/q2")
    assert page.locator(".raw-row").evaluate("each => each.tagName") == "P"
    reader.go(f"#/run/{run}/questions?regex=true&text=of%20q%5B25%5D%5C%3F%24")
    expect(page.locator(".match-count")).to_have_text("2 of 12 questions")
    page.get_by_role("searchbox").fill(BOMB)
    expect(page.locator(".failure")).to_contain_text("takes too long")
    page.get_by_role("button", name="Clear filters").click()  # the page was not blocked
    expect(page.locator(".match-count")).to_have_text("12 questions")
    reader.go(f"#/run/{run}/charts")
    page.locator(".canvas canvas").first.wait_for()
    reader.go(f"#/run/{run}/setup")
    assert page.locator("main script, main img").count() == 0
    assert [url for url in reader.requests if url.startswith("file:")] == [address]


def test_a_folder_of_files_has_an_index_that_leads_to_them(visit: Opener, files: Path):
    """And back."""
    site = files / "site"
    reader = visit((site / "index.html").as_uri(), locale="zh-CN")
    page = reader.page
    reader.address = site.as_uri()
    expect(page.locator("tbody tr")).to_have_count(2)
    assert page.locator("input[type=checkbox], .chosen-bar").count() == 0
    page.locator("tbody .name a", has_text="hyde").click()
    expect(page.locator("h1")).to_have_text("hyde")
    assert page.locator(".lead").inner_text()
