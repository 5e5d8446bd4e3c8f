"""The picker of a field that divides a run into groups of questions."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page_runs import STUDY, command
from tests.web.browser.conftest import Opener


@pytest.mark.parametrize("width", [1280, 390])
def test_a_field_is_chosen_and_its_groups_are_shown(visit: Opener, width: int):
    """Nothing is shown before; then the groups, also when the address is opened again."""
    reader = visit(viewport={"width": width, "height": 844})
    page = reader.run(STUDY)
    groups = page.locator(".by-group")
    assert groups.locator("table").count() == 0
    groups.get_by_label("Field").select_option("document")
    rows = groups.locator("table.differences tbody tr")
    expect(rows.first).to_contain_text("document 0")
    assert rows.locator("svg.interval").count() == rows.count()
    assert "group=document" in page.url
    expect(groups.locator("table.report").first).to_contain_text("document 1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    expect(rows.first).to_contain_text("document 0")
    groups.get_by_label("Field").select_option("")
    expect(rows).to_have_count(0)


def test_a_file_begins_with_the_field_that_was_asked_for(visit: Opener, runs: Path, tmp_path: Path):
    """Its groups are inside, so nothing is requested."""
    out = tmp_path / "study.html"
    command(f"report {runs / STUDY}.jsonl --format html --by document --out {out}")
    reader = visit(out.as_uri())
    first = reader.page.locator(".by-group table.differences tbody tr").first
    expect(first).to_contain_text("document 0")
    assert [url for url in reader.requests if url.startswith("file:")] == [out.as_uri()]
