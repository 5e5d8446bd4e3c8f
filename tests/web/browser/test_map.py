"""A file of depth maps, opened as a user opens it: what people see, press and read."""

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.depth_results import (
    FALLEN,
    UNPARSED,
    published_row,
    published_rows,
    write_results,
)
from tests.support.page_runs import EVIL, JOBS, command
from tests.web.browser.conftest import Opener, Visit, wait_for_frame

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(name="files", scope="module")
def _files(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Maps of two published results, of a novel, and of a run of assay."""
    folder = tmp_path_factory.mktemp("maps")
    one = write_results(folder / "one.jsonl", published_rows())
    weak = [published_row(n, 4000, "0%", 0.0) for n in range(11)]
    weak += [published_row(900, 8000, "0%", UNPARSED, answer=EVIL, question=EVIL)]
    two = write_results(folder / "two.jsonl", weak, model=f"lamp/weak {EVIL}")
    command(f"heatmap {one} {two} --out {folder / 'two.html'}")
    command(f"heatmap {one} --mode combined_depth --bins 8 --out {folder / 'all.html'}")
    command(f"heatmap {runs / JOBS['depth']}.jsonl --out {folder / 'run.html'}")
    return folder


def opened(visit: Opener, file: Path, **words: object) -> Visit:
    """The file, opened in a browser."""
    reader = visit(file.as_uri(), **words)
    expect(reader.page.locator("canvas").first).to_be_visible()
    return reader


def tile(page: Page, panel: int, *keys: str) -> Locator:
    """What is said about the tile that these keys lead to, from the first one of a map."""
    page.locator(".canvas").nth(panel).focus()
    for key in ("ArrowRight", *keys):  # the first key enters the map
        page.keyboard.press(key)
    return page.locator(".canvas-frame [aria-live]").nth(panel)


def test_a_file_of_maps_opens_at_them_and_asks_for_nothing(visit: Opener, files: Path):
    """One map for each model and one for the difference, and the table of models."""
    address = (files / "two.html").as_uri()
    reader = opened(visit, files / "two.html")
    page = reader.page
    assert page.url == f"{address}#/map"
    expect(page.locator(".panel h3")).to_have_text(
        ["lamp/reader-1", f"lamp/weak {EVIL}", f"lamp/weak {EVIL} − lamp/reader-1"]
    )
    expect(page.locator("table.report tbody tr")).to_have_count(2)
    assert page.locator("main img, main script").count() == 0
    assert [url for url in reader.requests if url.startswith("file:")] == [address]


def test_the_keyboard_reads_every_cell(visit: Opener, files: Path):
    """Arrows walk the map; what is shown is also said: accuracy, interval, counts, length, depth."""
    page = opened(visit, files / "two.html").page
    expect(tile(page, 0, "ArrowDown", "End", "ArrowLeft")).to_have_text(
        "8,000 · 100%: accuracy 89.09%, 95% interval 57.4% – 99.0%, questions 11, unparsed 1, "
        "context length, tokens 8,000, depth 100%"
    )
    expect(page.locator(".tip-box")).to_contain_text("89.09%")
    expect(tile(page, 1, "ArrowRight")).to_contain_text("accuracy no data")
    expect(tile(page, 2)).to_contain_text("difference −100 points, paired questions 11")


def test_opening_a_list_draws_no_map_again(visit: Opener, files: Path):
    """The drawing stays, and so does the tile that the keys lead to."""
    page = opened(visit, files / "two.html").page
    layer = page.locator(".canvas canvas").first.element_handle()
    tile(page, 0)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert layer.evaluate("each => each.isConnected")


def test_a_cell_lists_its_questions_and_markup_in_answers_is_dead(visit: Opener, files: Path):
    """Enter opens the list; those that lost points can be shown alone; Escape leads back."""
    page = opened(visit, files / "two.html").page
    expect(tile(page, 0, "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight")).to_contain_text(
        "75%"
    )
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("h2")).to_have_text("lamp/reader-1 · 8,000 · 75%")
    expect(dialog.locator("ol > li .question")).to_have_count(11)
    dialog.get_by_label("only those not fully right").check()
    expect(dialog.locator("ol > li .question")).to_have_count(len(FALLEN[8000, "75%"]))
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    tile(page, 1, "ArrowDown")
    page.keyboard.press("Enter")
    expect(dialog.locator(".question")).to_have_text(EVIL)
    expect(dialog.locator(".reply span")).to_have_text(EVIL)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    tile(page, 2)
    page.keyboard.press("Enter")
    expect(dialog.locator("ol > li").first.locator(".reply")).to_have_count(2)


def test_a_list_that_is_opened_at_once_after_another_stays_open(visit: Opener, files: Path):
    """The browser says late that a dialog was closed, and then means no other list."""
    page = opened(visit, files / "two.html").page
    tile(page, 0, "ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("h2")).to_contain_text("lamp/reader-1")
    page.evaluate(  # waits for promises alone, so that nothing else happens in between
        """async () => {
            const rendered = async () => { for (let n = 0; n < 100; n++) await null };
            document.querySelector("dialog").close();
            const map = document.querySelectorAll(".canvas")[2];
            map.focus();
            for (const key of ["ArrowRight", "Enter"]) {
                map.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                await rendered();
            }
        }"""
    )
    wait_for_frame(page)
    expect(dialog.locator("ol > li").first.locator(".reply")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_what_counts_the_means_and_the_colours_can_be_switched(visit: Opener, files: Path):
    """Parsed answers only, means of questions, and colours that differ in lightness."""
    page = opened(visit, files / "all.html").page
    picture = "[...document.querySelectorAll('.canvas canvas')].map(layer => layer.toDataURL())"
    corner = ("End", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    expect(tile(page, 0, *corner, "ArrowDown")).to_contain_text("mean of cells 93.48%")
    selects = page.locator("figure").first.locator("select")
    selects.nth(0).select_option("parsed")
    selects.nth(1).select_option("questions")
    for _ in range(20):  # a map that is drawn again meanwhile leaves keys out
        found = tile(page, 0, *corner, "ArrowDown")
        with suppress(AssertionError):
            expect(found).to_contain_text("mean of questions 93.96%", timeout=3000)
            break
    expect(found).to_contain_text("mean of questions 93.96%")
    before = page.evaluate(picture)
    selects.nth(2).select_option("safe")
    for _ in range(600):  # drawn again in a moment; the page allows no function of ours to wait
        if page.evaluate(picture) != before:
            break
        page.wait_for_timeout(50)
    assert page.evaluate(picture) != before
    assert page.locator("figure.chart h2").all_inner_texts()[1:] == [
        "Questions along the novel",
        "Recall along the novel",
    ]


def test_a_run_of_assay_is_in_the_file_with_its_questions(visit: Opener, files: Path):
    """A link leads to the run, and the trail back to the map."""
    page = opened(visit, files / "run.html").page
    page.locator(".map-runs a").click()
    expect(page.locator("h1")).to_contain_text("depth_sample")
    expect(page.locator(".tabs")).to_contain_text("Questions")
    page.locator("header a", has_text="Map").click()
    expect(page.locator(".panel canvas").first).to_be_visible()


@pytest.mark.parametrize("name", ["two.html", "all.html"])
def test_a_map_never_makes_the_page_scroll_sideways(visit: Opener, files: Path, name: str):
    """On a phone it scrolls in its own frame."""
    page = opened(visit, files / name, viewport={"width": 320, "height": 700}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with npm ci in web/")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Opener, files: Path, scheme: str):
    """The view of maps has no fault that can be found by rules."""
    page = opened(visit, files / "two.html", color_scheme=scheme, bypass_csp=True).page
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    assert [(each["id"], each["nodes"][0]["html"]) for each in result["violations"]] == []
