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


def test_the_page_of_a_log_says_first_what_its_answers_show(visit: Opener, tmp_path: Path):
    """With an example, what would tell more, and no word about right, wrong or citations."""
    notice = '"[""Notice is given thirty days ahead.""]"'
    (tmp_path / "log.csv").write_text(
        "id,question,answer,contexts,status\n"
        f"a,How long is the notice?,It is 45 days.,{notice},ok\n"
        f"b,Who gives it?,I could not find that in the documents.,{notice},ok\n"
        "c,How is travel paid?,,,timeout\n"
    )
    command(f"evaluate {tmp_path / 'log.csv'} --root {tmp_path} --no-report")
    command(f"report log-log --root {tmp_path} --format html --out {tmp_path / 'log.html'}")
    reader = visit((tmp_path / "log.html").as_uri())
    said = reader.page.locator(".sentences")
    expect(said.locator(".lead")).to_have_text(
        "Which of the 2 answers are right is not known. What they show by themselves:"
    )
    expect(said).to_contain_text("Figure in no passage: 1 of 1")
    expect(said).to_contain_text("How long is the notice? → “45”")
    expect(said).to_contain_text("2 labels or a judge would tell how many are right: assay labels")
    expect(reader.page.locator(".failures, main").first).to_contain_text("status timeout")
    assert "assay evaluate" not in reader.page.locator("main").inner_text()
    run = reader.page.url.split("#/run/")[1].split("/")[0]
    for address in ("overview", "tables", "questions", "question/a"):
        reader.go(f"#/run/{run}/{address}")
        shown = reader.page.locator("main").inner_text()
        for word in ("Valid citations", "cite_ok", "wrong"):
            assert word not in shown
