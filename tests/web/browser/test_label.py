"""Labelling in a real browser: blind and by keys, two people, preferences, a page that only reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.judge.label_store import labels_path, pairs_path, read_labels, read_preferences
from tests.support.page import write_study
from tests.web.browser.conftest import Opener, Visit, serving, wait_until_saved

RUN = "experiments/study"
KEYS = ("g", "b", "p", "x")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A workspace of its own: labels are written."""
    write_study(tmp_path / "work" / f"{RUN}.jsonl")
    return tmp_path / "work"


@pytest.fixture(name="address")
def _address(folder: Path, tmp_path: Path) -> Iterator[str]:
    with serving(str(folder), "--token-file", str(tmp_path / "token")) as address:
        yield address


@pytest.fixture(name="read_only_address")
def _read_only_address(folder: Path, tmp_path: Path) -> Iterator[str]:
    words = (str(folder), "--token-file", str(tmp_path / "token"), "--read-only")
    with serving(*words) as address:
        yield address


def begin(reader: Visit, name: str, rest: str = "label?blind=true") -> Page:
    """Open the desk and say who labels."""
    page = reader.run(RUN, rest)
    expect(page.get_by_label("Your name")).to_be_focused()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Start").click()
    page.locator(".label-card").first.wait_for()
    return page


def press(page: Page, key: str, done: str) -> None:
    """Press a key and wait until the label is written."""
    page.keyboard.press(key)
    expect(page.locator(".label-progress")).to_contain_text(done)
    wait_until_saved(page)


def press_at_once(page: Page, *codes: str) -> None:
    """Press keys faster than the server can answer."""
    page.evaluate(
        "codes => codes.forEach(code => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {code, bubbles: true})))",
        list(codes),
    )


def test_ten_answers_are_labelled_blind_by_keys(address: str, visit: Opener, folder: Path):
    """No variant is on the page; every label is in the file with its version; then agreement."""
    path = labels_path(folder / f"{RUN}.jsonl")
    for person in ("Анна", "Wei"):
        page = begin(visit(address), person)
        for number in range(10):
            if number and number % 2 == 0:
                before = page.locator(".asked-text").inner_text()
                press_at_once(page, "KeyN", "KeyX")  # the second key comes too early
                expect(page.locator(".asked-text")).not_to_have_text(before)
                page.locator(".label-card.active").wait_for()
            cards = page.locator(".label-card").all_inner_texts()
            assert all("Answer" in card.splitlines()[1] for card in cards), cards
            press(page, KEYS[number % (4 if person == "Wei" else 2)], f"{number + 1} of 20")
        rows = [row for row in read_labels(path) if row.labeller == person]
        assert len(rows) == 10
        assert all(row.blind and row.answer_hash for row in rows)
    page.get_by_role("link", name="Labels").click()
    page.locator(".label-agreement").wait_for()
    expect(page.locator(".label-agreement")).to_contain_text("Wei and Анна")
    expect(page.locator(".label-agreement tfoot")).to_contain_text("[")
    expect(page.locator(".label-queue li").first).to_be_attached()
    page.get_by_role("link", name="Overview").click()
    expect(page.locator("table").last).to_contain_text("Labels of people")


def test_a_label_has_a_span_a_comment_and_a_correction(address: str, visit: Opener, folder: Path):
    """Fields are reached by keys and saved when they are left; keys typed in them stay there."""
    page = begin(visit(address), "Анна", "label?item=3")
    press(page, "p", "1 of 20")
    page.keyboard.press("1")
    page.keyboard.press("c")
    page.keyboard.type("bgp, не то")
    page.keyboard.press("Enter")
    wait_until_saved(page)
    page.keyboard.press("e")
    page.keyboard.type("Thirty days")
    page.keyboard.press("Escape")
    wait_until_saved(page)
    page.locator(".label-card").first.locator(".text").dblclick(position={"x": 4, "y": 8})
    page.keyboard.press("m")
    page.locator(".label-card mark").wait_for()
    wait_until_saved(page)
    (row, *_) = reversed(read_labels(labels_path(folder / f"{RUN}.jsonl")))
    assert (row.verdict, row.comment, row.corrected_answer) == (
        "partly",
        "bgp, не то",
        "Thirty days",
    )
    assert row.span is not None
    page.reload()
    page.locator(".label-card mark").wait_for()
    expect(page.get_by_label("Comment").first).to_have_value("bgp, не то")


def test_keys_that_follow_a_verdict_at_once_reach_its_fields(
    address: str, visit: Opener, folder: Path
):
    """Nobody waits for the server between the verdict and the first letter of the comment."""
    page = begin(visit(address), "Анна", "label?item=3")
    page.evaluate(
        "() => { const ask = window.fetch; window.fetch = (...words) =>"
        " new Promise(done => setTimeout(done, 300)).then(() => ask(...words)); }"
    )
    page.keyboard.press("p")
    page.keyboard.press("1")
    page.keyboard.press("c")
    page.keyboard.type("bgp")
    page.keyboard.press("Enter")
    wait_until_saved(page)
    (row, *_) = reversed(read_labels(labels_path(folder / f"{RUN}.jsonl")))
    assert (row.verdict, row.comment) == ("partly", "bgp")


def test_a_key_counts_from_the_moment_a_question_is_there(
    address: str, visit: Opener, folder: Path
):
    """A person who labels fast is never faster than the page: no verdict is lost."""
    page = begin(visit(address), "Анна")
    page.evaluate(
        """() => {
            const press = code =>
                document.body.dispatchEvent(new KeyboardEvent('keydown', {code, bubbles: true}));
            let left = document.querySelector('.asked-text').textContent;
            new MutationObserver(() => {
                const asked = document.querySelector('.asked-text')?.textContent;
                if (!asked || asked === left) return;
                left = asked;
                press('KeyG');
            }).observe(document.body, {childList: true, subtree: true, characterData: true});
        }"""
    )
    for number in range(1, 4):
        page.keyboard.press("n")
        expect(page.locator(".label-progress")).to_contain_text(f"{number} of 20")
        wait_until_saved(page)
    assert len(read_labels(labels_path(folder / f"{RUN}.jsonl"))) == 3


def test_the_better_of_two_is_chosen_blind(address: str, visit: Opener, folder: Path):
    """By keys; what is written names the variants, whatever side they were on."""
    page = begin(visit(address), "Wei", "label?blind=true&pair=on&pair=off")
    texts = [page.locator(".label-card .text").nth(side).inner_text() for side in (0, 1)]
    expect(page.locator(".label-card h2")).to_have_text(["Left", "Right"])
    press(page, "1", "1 of 10")
    (row,) = read_preferences(pairs_path(labels_path(folder / f"{RUN}.jsonl")))
    better = row.variant if row.choice == "first" else row.other_variant
    assert texts[0].startswith(f"{better} on ")


def test_a_page_that_only_reads_offers_no_labelling(read_only_address: str, visit: Opener):
    """The address of the desk says why."""
    reader = visit(read_only_address)
    page = reader.run(RUN, "labels")
    assert page.get_by_role("link", name="Label answers").count() == 0
    assert "only reads" in reader.run(RUN, "label").locator("main").inner_text()
