"""Every page of every job, in three languages, on a desk and on a phone."""

from pathlib import Path

import pypdfium2 as pdfium
import pytest
from playwright.sync_api import Page, expect

from tests.support.page_runs import JOBS, JUDGED, STUDY
from tests.web.browser.conftest import Opener, Visit, serving

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOCALES = {"en": "en-US", "zh": "zh-CN", "ru": "ru-RU"}
TABS = (
    "overview",
    "charts",
    "tables",
    "questions",
    "judges",
    "cost",
    "setup",
    "labels",
    "question/0",
)
FIRST_TAB = {"en": "Overview", "zh": "概览", "ru": "Обзор"}
COMPARISON = "#/compare?base=experiments%2Fllm_rerank&cand=experiments%2Fhyde"
SEARCH = "#/search?text=notice&path=questions%2Fquestions.jsonl&question=en-001"
PHONE = {"width": 390, "height": 844}


def is_wider_than_window(page: Page) -> bool:
    """Whether the page would have to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@pytest.mark.parametrize("language", LOCALES)
def test_every_page_of_every_job_opens_in_the_language_of_the_browser(visit: Opener, language: str):
    """Runs, every tab of a run of each job, a question and a comparison, without a fault."""
    reader = visit(locale=LOCALES[language])
    page = reader.page
    assert page.locator("html").get_attribute("lang") in {language, f"{language}-Hans"}
    expect(page.locator("tbody tr")).to_have_count(len(JOBS) + 3)
    for run in (*JOBS.values(), STUDY):
        for tab in TABS if language == "en" else ("tables", "questions", "question/0"):
            reader.run(run, tab)
            assert page.locator("main h1").inner_text()
            assert not is_wider_than_window(page), (run, tab)
        reader.run(run)
        assert page.locator(".tabs a").first.inner_text() == FIRST_TAB[language]
        assert len(page.locator(".lead").inner_text()) > 10
        page.locator("svg.interval, .canvas canvas").first.wait_for()  # a drawing below the words
    reader.go(COMPARISON)
    assert page.locator(".gate .lead").inner_text()


def test_every_chart_of_every_job_is_drawn_with_its_numbers(visit: Opener):
    """Each chart of the list has a drawing, and the table behind it has rows."""
    reader = visit()
    for run in JOBS.values():
        page = reader.run(run, "charts")
        links = page.locator(".chart-list a")
        for number in range(max(1, links.count())):
            if links.count():
                links.nth(number).click()
                reader.settle()
            page.locator(".canvas canvas").first.wait_for()
            page.locator(".numbers summary").first.click()
            page.locator(".numbers tbody tr").first.wait_for()


def test_no_page_scrolls_sideways_on_a_phone(visit: Opener):
    """Wide tables scroll in their own frames."""
    reader = visit(viewport=PHONE)
    assert not is_wider_than_window(reader.page)
    for run in (JOBS["review"], STUDY):
        for tab in TABS:
            assert not is_wider_than_window(reader.run(run, tab)), (run, tab)
    assert not is_wider_than_window(reader.run(JUDGED, "judges"))
    assert not is_wider_than_window(reader.run(JUDGED, "question/q7"))
    assert not is_wider_than_window(reader.go(COMPARISON))
    assert not is_wider_than_window(reader.go("#/start/depth"))
    assert not is_wider_than_window(reader.go(SEARCH))


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with npm ci in web/")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Opener, scheme: str):
    """No violation of the accessibility rules on any kind of page, in both colour schemes."""
    reader = visit(color_scheme=scheme, bypass_csp=True)
    page = reader.page
    page.add_script_tag(path=AXE)
    found: list[str] = _violations(reader, "runs")
    for tab in TABS:
        reader.run(STUDY, tab)
        found += _violations(reader, tab)
    for run in (JOBS["depth"], JOBS["review"]):
        reader.run(run, "charts")
        found += _violations(reader, f"{run} charts")
    reader.run(JOBS["review"], "question/1")
    found += _violations(reader, "question with a difference")
    reader.run(JUDGED, "judges")
    found += _violations(reader, "judges")
    reader.run(JUDGED, "question/q7")
    found += _violations(reader, "verdicts")
    reader.go(COMPARISON)
    found += _violations(reader, "comparison")
    reader.go("#/start/depth")
    found += _violations(reader, "form of a run")
    reader.run(STUDY, "label")
    found += _violations(reader, "who labels")
    reader.go(SEARCH)
    page.locator(".passage").first.wait_for()
    found += _violations(reader, "search of the corpus")
    reader.go("#/configure")
    found += _violations(reader, "experiment as a form")
    page.keyboard.press("Shift+Slash")
    found += _violations(reader, "help")
    assert found == []


def _violations(reader: Visit, where: str) -> list[str]:
    result = reader.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{where}: {each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in result["violations"]
        for node in each["nodes"]
    ]


def test_on_paper_there_are_no_controls_and_the_paper_is_white(visit: Opener):
    """Also if the screen is dark."""
    reader = visit(color_scheme="dark")
    page = reader.run(STUDY)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".tabs").is_hidden()
    assert page.locator(".switches").is_hidden()
    assert page.locator(".run-bar").is_hidden()
    heights = "all => all.map(each => each.getBoundingClientRect().height)"
    assert max(page.locator(".axis span").evaluate_all(heights)) < 20, "a number of the axis wraps"
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    reader.run(JOBS["depth"], "charts?chart=heatmap")
    page.locator(".canvas canvas").first.wait_for()
    boxes = "all => [...new Set(all.map(each => each.getBoundingClientRect().top))].length"
    assert page.locator(".canvas canvas").evaluate_all(boxes) == 1, "layers of a drawing fell apart"


def test_on_paper_no_column_of_a_table_is_cut_off(visit: Opener, tmp_path: Path):
    """Tables with many columns are printed across the paper, and all of them end on it."""
    reader = visit()
    page = reader.run(STUDY, "tables")
    page.locator("table.report").first.wait_for()
    assert page.locator(".wide-table").count() > 0
    paper = page.pdf(format="A4")
    document = pdfium.PdfDocument(paper)
    text = document[0].get_textpage().get_text_range()
    assert "skipped" in text
    page.set_viewport_size({"width": 1017, "height": 700})  # A4 across, less its margins
    page.emulate_media(media="print")
    ends = "all => Math.max(...all.map(each => each.getBoundingClientRect().right))"
    assert page.locator("table.report").evaluate_all(ends) <= 1017


def test_a_first_visitor_is_told_what_to_type(visit: Opener, tmp_path: Path):
    """A folder without runs shows commands, ready to copy."""
    with serving(str(tmp_path), "--token-file", str(tmp_path / "token")) as address:
        page = visit(address, locale="zh-CN").page
        expect(page.locator("h1")).to_have_text("这里还没有运行。")
        expect(page.locator("pre")).to_have_text(
            ["assay init .", "assay ablate -e hyde --limit 10", "assay bench --sample"]
        )
        page.goto("about:blank")  # a page that listens would miss its server


def test_a_table_that_goes_on_says_so(visit: Opener):
    """On a desk the verdicts are in sight, and a frame with more columns has a shadow at its edge."""
    page = visit(viewport={"width": 1280, "height": 900}).run(STUDY, "tables")
    page.locator("table.report").first.wait_for()
    cut = (
        "all => all.map(each => [each.scrollWidth > each.clientWidth + 1, 'more' in each.dataset])"
    )
    frames = page.locator(".table-frame").evaluate_all(cut)
    assert all(is_cut == says_so for is_cut, says_so in frames)
    assert not page.locator(".table-frame", has_text="verdict").evaluate_all(cut)[0][0]
    page.set_viewport_size(PHONE)
    frame = page.locator(".table-frame[data-more]").first.element_handle()
    frame.evaluate("each => each.scrollTo(each.scrollWidth, 0)")
    page.wait_for_function("each => !('more' in each.dataset)", arg=frame)
