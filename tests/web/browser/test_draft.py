"""Reviewing drafts in a real browser: by keys, with edits, and the version that follows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.data.question import read_questions
from assay.judge.label_store import decisions_path, read_decisions
from tests.support.drafts import write_drafts
from tests.web.browser.conftest import Opener, serving, wait_until_saved
from tests.web.browser.test_pages import AXE, PHONE, is_wider_than_window


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A workspace of its own: decisions are written."""
    write_drafts(tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture(name="address")
def _address(folder: Path, tmp_path: Path) -> Iterator[str]:
    with serving(str(folder), "--token-file", str(tmp_path / "token")) as address:
        yield address


def settled(page: Page, progress: str, place: str) -> None:
    """Wait until a decision is written and the next draft is there."""
    expect(page.locator(".label-progress")).to_contain_text(progress)
    wait_until_saved(page)
    expect(page.locator(".draft-head h2")).to_have_text(place)
    expect(page.locator("section.draft")).not_to_have_attribute("aria-busy", "true")


def test_drafts_are_accepted_edited_and_rejected_by_keys(address: str, visit: Opener, folder: Path):
    """The evidence is marked in its context; what was accepted is in the next version."""
    reader = visit(address, color_scheme="dark", bypass_csp=True)
    page = reader.page
    page.get_by_role("link", name="Review drafts").click()
    page.get_by_role("link", name="law.draft").click()
    page.get_by_label("Your name").fill("Анна")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".draft-evidence mark")).to_contain_text("The tenant pays 900 crowns")
    expect(page.locator(".draft-evidence .text")).to_contain_text("The deposit of 1,800 crowns")
    page.keyboard.press("a")
    settled(page, "1 of 4 decided: 1 accepted, 0 rejected", "Draft 2 of 4")
    page.keyboard.press("r")
    settled(page, "1 accepted, 1 rejected", "Draft 3 of 4")
    expect(page.locator(".draft-findings")).to_contain_text(
        "the gold passage does not say the answer"
    )
    page.keyboard.press("w")
    page.keyboard.press("Control+A")
    page.keyboard.type("4 мая 2021 года")  # a and r are no keys here
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    settled(page, "2 accepted, 1 rejected", "Draft 4 of 4")
    page.keyboard.press("k")
    expect(page.locator(".draft-state")).to_have_text("accepted by Анна")
    expect(page.get_by_label("Expected answer")).to_have_value("4 мая 2021 года")
    if AXE.exists():
        page.add_script_tag(path=AXE)
        result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        assert result["violations"] == []
    page.get_by_role("button", name="Write the next version").click()
    expect(page.locator(".draft-version")).to_contain_text("questions/law.v1.jsonl: 2 questions")
    questions = read_questions(folder / "questions" / "law.v1.jsonl")
    assert [(each.id, each.answers) for each in questions] == [
        ("d1", ("900 crowns",)),
        ("d3", ("4 мая 2021 года",)),
    ]
    rows = read_decisions(decisions_path(folder, "law.draft"))
    assert [row.verdict for row in rows] == ["accepted", "rejected", "accepted"]
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert not is_wider_than_window(page)


def test_a_browser_that_has_only_the_cookie_is_sent_back_to_the_address(
    address: str, visit: Opener, folder: Path
):
    """The view of the address stays, the key leaves it, and without the key nothing is decided."""
    reader = visit(f"{address}#/drafts/law.draft")
    page = reader.page
    assert page.url == f"{address.partition('?')[0]}#/drafts/law.draft"
    page.get_by_label("Your name").fill("Wei")
    page.get_by_role("button", name="Start").click()
    page.evaluate("localStorage.removeItem('assay.key')")
    page.reload()
    page.locator(".draft-evidence").first.wait_for()
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("printed again")
    assert not decisions_path(folder, "law.draft").exists()
    reader.faults.clear()  # the browser tells of the refusal
    page.goto(address)
    page.goto(f"{address.partition('?')[0]}#/drafts/law.draft")
    page.locator(".draft-evidence").first.wait_for()
    page.keyboard.press("a")
    settled(page, "1 of 4 decided", "Draft 2 of 4")
