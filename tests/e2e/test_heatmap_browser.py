"""The heatmap's page in a real browser: what people see, press and read.

Every test ends with the same check: no error in the console, no request but for the file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page
from typer.testing import CliRunner

from assay.cli.main import app
from tests.support.browser import browser, require_browser
from tests.support.depth_results import UNPARSED, published_row, published_rows, write_results

require_browser()

EVIL = '<script>document.title="owned"</script><img src=x onerror="document.title=1">'


@dataclass(kw_only=True)
class Watch:
    """What a page did besides showing itself."""

    page: Page
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def tile(self, row: int, column: int, panel: int = 0) -> Locator:
        """A tile of a map."""
        where = f'[data-panel="{panel}"] .tile[data-row="{row}"][data-column="{column}"]'
        return self.page.locator(where)

    def tip(self) -> dict[str, str]:
        """What the tip shows, by name; nothing where it is hidden."""
        tip = self.page.locator("#tip")
        if tip.is_hidden():
            return {}
        names, values = tip.locator("dt"), tip.locator("dd")
        return dict(zip(names.all_inner_texts(), values.all_inner_texts(), strict=True))


@pytest.fixture(name="chromium", scope="module")
def _chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(name="pages", scope="module")
def _pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of one model, of two, and along the novel."""
    folder = tmp_path_factory.mktemp("pages")
    rows = published_rows()
    one = write_results(folder / "one.jsonl", rows)
    weak = [published_row(n, 4000, "0%", 0.0) for n in range(11)]
    weak += [published_row(900, 8000, "0%", UNPARSED, answer=EVIL, question=EVIL)]
    two = write_results(folder / "two.jsonl", weak, model=f"lamp/weak {EVIL}")
    for words in (
        [one, "--out", folder / "one.html"],
        [one, two, "--out", folder / "two.html", "--lang", "zh"],
        [one, two, "--out", folder / "english.html"],
        [one, "--mode", "accuracy", "--out", folder / "novel.html", "--lang", "ru"],
        [one, "--mode", "combined_depth", "--bins", "8", "--out", folder / "all.html"],
    ):
        ran = CliRunner().invoke(app, ["heatmap", *map(str, words)])
        assert ran.exit_code == 0, ran.output
    return folder


@pytest.fixture(name="watch")
def _watch(chromium: Browser) -> Iterator[Watch]:
    """A page that must stay quiet to its end."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    watch = Watch(page=page)
    page.on("console", lambda said: watch.faults.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: watch.faults.append(str(error)))
    page.on("request", lambda request: watch.requests.append(request.url))
    yield watch
    title = page.title()
    context.close()
    assert watch.faults == []
    outside = [url for url in watch.requests if not url.startswith(("file:", "data:"))]
    assert outside == []
    assert len([url for url in watch.requests if url.startswith("file:")]) == 1
    assert title not in {"owned", "1"}


def opened(watch: Watch, pages: Path, name: str) -> Watch:
    """The page, opened as a user would open the file."""
    watch.page.goto((pages / name).as_uri())
    return watch


def test_hovering_shows_all_of_a_cell(watch: Watch, pages: Path):
    """Accuracy, interval, number of questions, unparsed, length and depth; gone after."""
    opened(watch, pages, "one.html")
    watch.tile(1, 4).hover()
    shown = watch.tip()
    assert shown.pop("95% interval").endswith("%")
    assert shown == {
        "accuracy": "89.09%",
        "questions": "11",
        "unparsed": "1",
        "context": "8,000 tokens",
        "depth": "100%",
    }
    watch.page.mouse.move(5, 5)
    assert watch.tip() == {}


def test_the_keyboard_does_what_the_mouse_does(watch: Watch, pages: Path):
    """Tab enters a map, arrows walk it, Enter lists the questions, Escape leads back."""
    page = opened(watch, pages, "one.html").page
    watch.tile(0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "End", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    at = page.locator(":focus")
    assert (at.get_attribute("data-row"), at.get_attribute("data-column")) == ("1", "3")
    assert watch.tip()["depth"] == "75%"
    page.keyboard.press("Enter")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("dialog").is_hidden()
    assert watch.tile(1, 3).evaluate("tile => tile === document.activeElement")


def test_a_click_lists_questions_and_answers(watch: Watch, pages: Path):
    """Those not fully right come first, and can be shown alone."""
    page = opened(watch, pages, "one.html").page
    watch.tile(5, 2).click()
    dialog = page.get_by_role("dialog")
    assert "128K · 50%" in dialog.locator("h2").inner_text()
    entries = dialog.locator(".entries > li")
    assert entries.count() == 10
    first = entries.first.inner_text()
    assert "What does the keeper of lamp" in first
    assert "lamp/reader-1: a score 0" in first
    dialog.get_by_label("only those not fully right").check()
    assert entries.count() == 4
    dialog.get_by_role("button", name="Close").click()
    assert dialog.count() == 0


def test_the_view_can_be_switched_to_parsed_only(watch: Watch, pages: Path):
    """Numbers, tips and lists leave out what could not be read; the caption says so."""
    page = opened(watch, pages, "one.html").page
    page.get_by_label("parsed only").check()
    assert watch.tile(1, 4).inner_text() == "98"
    watch.tile(1, 4).click()
    assert page.locator(".entries > li").count() == 10
    page.keyboard.press("Escape")
    assert page.locator("figcaption.view").inner_text() == "unparsed answers left out"
    page.get_by_label("all", exact=True).check()
    assert watch.tile(1, 4).inner_text() == "89.1"


def test_the_means_can_be_switched_and_say_what_they_are(watch: Watch, pages: Path):
    """The corner is the mean of cells, then of questions, and the heads are renamed."""
    page = opened(watch, pages, "one.html").page
    corner = page.locator('.tile[data-where="corner"]')
    heads = page.locator("th.mean")
    assert (corner.inner_text(), heads.all_inner_texts()) == ("93.5", ["mean of cells"] * 2)
    page.get_by_label("of questions").check()
    assert (corner.inner_text(), heads.all_inner_texts()) == ("93.7", ["mean of questions"] * 2)


def test_the_colours_can_be_switched(watch: Watch, pages: Path):
    """Green turns into the light end of a scale that the colour-blind can read."""
    page = opened(watch, pages, "one.html").page
    fill = "tile => getComputedStyle(tile).backgroundColor"
    page.emulate_media(reduced_motion="reduce")
    assert watch.tile(0, 0).evaluate(fill) == "rgb(29, 145, 80)"
    page.get_by_label("colour-blind safe").check()
    assert watch.tile(0, 0).evaluate(fill) == "rgb(254, 232, 56)"


def test_two_models_are_compared_and_markup_in_answers_is_dead(watch: Watch, pages: Path):
    """The significant cell is framed; what a model answered is shown, not run."""
    page = opened(watch, pages, "two.html").page
    assert page.locator("figure").count() == 3
    assert watch.tile(0, 0, panel=2).inner_text() == "−100*"
    assert "marked" in (watch.tile(0, 0, panel=2).get_attribute("class") or "")
    assert watch.tile(2, 0, panel=1).inner_text() == "无数据"
    watch.tile(1, 0, panel=1).click()
    entry = page.locator(".entries > li").first
    assert EVIL in entry.locator(".question").inner_text()
    assert EVIL in entry.locator(".reply").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("main script, dialog script").count() == 0
    page.keyboard.press("Escape")
    watch.tile(0, 0, panel=2).click()
    assert page.locator(".entries > li").first.locator(".reply").count() == 2


def test_the_map_along_the_novel(watch: Watch, pages: Path):
    """Forty parts, in Russian, each with its tokens."""
    page = opened(watch, pages, "novel.html").page
    assert page.locator(".tile").count() == 40
    watch.tile(0, 0).hover()
    assert watch.tip()["токены"].startswith("0–")


def test_a_combined_page_has_all_maps_with_their_own_axes(watch: Watch, pages: Path):
    """Three maps on one page; a tile of the last one lists its own questions."""
    page = opened(watch, pages, "all.html").page
    maps = page.locator("figure")
    assert maps.count() == 3
    columns = [maps.nth(number).locator("thead th").count() for number in range(3)]
    assert columns == [6, 8, 8]  # five depths and their mean, then eight parts of the novel
    maps.nth(2).locator(".tile.open").first.click()
    assert page.locator(".entries > li").count() > 0
    assert "0–" in page.locator("#listing-title").inner_text()


@pytest.mark.parametrize("width", [320, 1280])
def test_the_page_never_scrolls_sideways(watch: Watch, pages: Path, width: int):
    """On a phone as on a desk; wide maps scroll in their own frame."""
    page = watch.page
    page.set_viewport_size({"width": width, "height": 700})
    opened(watch, pages, "two.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["two.html", "english.html"])
def test_text_fits_its_tile(watch: Watch, pages: Path, name: str):
    """Nothing printed in a tile is cut off, wide window or narrow."""
    page = opened(watch, pages, name).page
    for width in (1280, 380):
        page.set_viewport_size({"width": width, "height": 800})
        cut = page.locator(".tile").evaluate_all(
            "tiles => tiles.filter(tile => tile.scrollWidth > tile.clientWidth).length"
        )
        assert cut == 0


def test_dark_and_print_change_the_paper(watch: Watch, pages: Path):
    """Dark where the system is dark; on paper the controls are gone."""
    page = watch.page
    page.emulate_media(color_scheme="dark")
    opened(watch, pages, "one.html")
    paper = "document.body && getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(21, 24, 28)"
    page.emulate_media(media="print")
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    assert page.locator("#controls").is_hidden()
