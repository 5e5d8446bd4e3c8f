"""What readers do: search, sort, filter, compare, walk by keys, download, switch."""

import csv
import io
import re

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.support.page_runs import ESCAPES, EVIL, JOBS, JUDGED, STUDY
from tests.web.browser.conftest import Opener, Visit

MATCHES = ".match-count"


def test_runs_are_searched_sorted_and_compared(visit: Opener):
    """The search is in the address; the first run that was chosen is the base."""
    reader = visit()
    page = reader.page
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Run")
    names = page.locator("tbody .name a").all_inner_texts()
    assert names == sorted(names, key=str.lower)
    for key in ("j", "j", "k", "j"):
        page.keyboard.press(key)
    expect(page.locator("tr.current .name a")).to_have_text(names[1])
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: f"{names[1]}/overview" in url)
    page.go_back()
    page.get_by_role("searchbox").wait_for()
    page.get_by_role("searchbox").fill("ablation r")
    page.wait_for_url(lambda url: "search=ablation" in url)
    page.get_by_role("checkbox", name="llm_rerank").check()
    expect(page.locator(".chosen-bar .main")).to_be_disabled()
    page.get_by_role("checkbox", name="hyde").check()
    page.get_by_role("button", name="Compare 2 chosen").click()
    page.wait_for_url(lambda url: "base=experiments%2Fllm_rerank&cand=experiments%2Fhyde" in url)
    expect(page.locator(".gate")).to_contain_text("exit code")
    reader.settle()
    assert page.locator(".facts-list div").count() > 3
    assert page.locator(".copy-line pre").inner_text().startswith("assay compare")


def test_a_comparison_shows_changed_questions_with_both_answers(visit: Opener):
    """Worst first; another variant of a run can be chosen."""
    reader = visit()
    base = JOBS["review"].replace("/", "%2F")
    page = reader.go(f"#/compare?base={base}&cand={base}&variant=full&cand_variant=raw_prompt")
    expect(page.locator(".gate .lead")).to_contain_text("raw_prompt")
    first = page.locator(".changed details").first
    first.locator("summary").click()
    expect(first.locator(".answer")).to_have_count(2)


def test_a_comparison_with_a_margin_says_what_is_ruled_out(visit: Opener):
    """The margin is in points and in the address, and the command asks the same."""
    reader = visit()
    page = reader.go("#/compare?base=experiments%2Fllm_rerank&cand=experiments%2Fhyde")
    page.get_by_label("Passes if it is").select_option(label="not worse by more than")
    expect(page.locator(".copy-line pre")).to_contain_text("--margin 0.03")
    page.get_by_label("points of 100").fill("90")
    page.get_by_label("points of 100").press("Tab")
    page.wait_for_url(lambda url: "margin=0.9" in url)
    expect(page.locator(".gate .lead")).to_contain_text("90 points")
    page.get_by_label("Passes if it is").select_option(label="not different by more than")
    expect(page.locator(".copy-line pre")).to_contain_text("--equivalent 0.9")
    reader.settle()


def test_what_cannot_be_compared_says_why(visit: Opener):
    """Two runs that share no question."""
    reader = visit()
    names = [JOBS[job].replace("/", "%2F") for job in ("depth", "review")]
    page = reader.go(f"#/compare?base={names[0]}&cand={names[1]}")
    expect(page.locator(".gate")).to_contain_text("exit code 2")
    assert page.locator(".gate li").count() + len(page.locator(".gate .lead").inner_text()) > 5


def test_questions_are_filtered_searched_and_sorted(visit: Opener):
    """The count is always in view, and the address opens the same view again."""
    reader = visit()
    page = reader.run(STUDY, "questions")
    count = page.locator(MATCHES)
    expect(count).to_have_text("12 questions")
    page.get_by_label("worse", exact=True).check()
    expect(count).to_have_text("2 of 12 questions")
    expect(page.locator(".items-body .item-id")).to_have_text(["q2", "q5"])
    page.get_by_label("failed", exact=True).check()
    expect(count).to_have_text("1 of 12 questions")
    page.get_by_label("abstained", exact=True).check()
    expect(count).to_have_text("1 of 12 questions")
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Source").select_option("document 1")
    expect(count).to_have_text("4 of 12 questions")
    page.get_by_label("Value from").fill("0.9")
    page.get_by_label("Value from").blur()
    page.get_by_label("in variant").select_option("off")
    expect(count).to_have_text("3 of 12 questions")
    address = page.url
    page.get_by_role("button", name="Clear filters").click()
    expect(count).to_have_text("12 questions")
    page.goto(address)
    page.reload()
    expect(count).to_have_text("3 of 12 questions")
    expect(page.get_by_label("in variant")).to_have_value("off")


def test_searching_by_text_and_by_pattern(visit: Opener):
    """A wrong expression is said to be wrong, and the page goes on."""
    reader = visit()
    page = reader.run(STUDY, "questions")
    page.get_by_role("searchbox").fill("WHO SIGNED")
    expect(page.locator(MATCHES)).to_have_text("1 of 12 questions")
    page.get_by_label("regular expression").check()
    page.get_by_role("searchbox").fill("who (signed|wrote) the l.ase")
    expect(page.locator(MATCHES)).to_have_text("1 of 12 questions")
    page.get_by_role("searchbox").fill("(")
    expect(page.locator(".failure")).to_contain_text("regular expression")
    expect(page.locator(MATCHES)).to_have_count(0)
    assert [fault for fault in reader.faults if "400" not in fault] == []
    reader.faults.clear()  # the browser itself reports the answer 400
    page.get_by_role("searchbox").fill("nothing like this")
    expect(page.locator(".empty")).to_have_text("No question matches these filters.")
    page.get_by_role("searchbox").fill("q")
    page.get_by_label("worse", exact=True).check()  # before the typed text takes effect
    page.wait_for_url(lambda url: "show=worse" in url and "text=q" in url)
    expect(page.locator(MATCHES)).to_have_text("2 of 12 questions")


def test_keys_by_their_place_on_the_keyboard(visit: Opener):
    """With a Russian layout, too: only the place of a key counts."""
    reader = visit(locale="ru-RU")
    page = reader.run(STUDY, "questions?sort=id")
    press(page, "KeyJ", "о")
    press(page, "KeyJ", "о")
    press(page, "KeyK", "л")
    press(page, "KeyJ", "о")
    expect(page.locator(".item.current .item-id")).to_have_text("evil " + EVIL)
    page.keyboard.press("Slash")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("jk")
    expect(page.get_by_role("searchbox")).to_have_value("jk")


def test_the_search_field_is_left_by_keys(visit: Opener):
    """Enter keeps the words and Escape clears them; both leave the field to the keys of the list."""
    page = visit().run(STUDY, "questions")
    field = page.get_by_role("searchbox")
    page.keyboard.press("Slash")
    field.type("e")
    page.keyboard.press("Enter")
    expect(field).not_to_be_focused()
    expect(field).to_have_value("e")
    page.keyboard.press("j")
    expect(field).to_have_value("e")
    page.keyboard.press("Slash")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    expect(field).to_have_value("")


def press(page: Page, code: str, key: str) -> None:
    """A key as another layout sends it."""
    page.evaluate(
        "([code, key]) => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {code, key, bubbles: true, cancelable: true}))",
        [code, key],
    )
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def test_walking_through_questions_by_keys(visit: Opener):
    """Enter opens, j and k walk the filtered list, digits choose a variant, u leads up."""
    reader = visit()
    page = reader.run(STUDY, "questions?show=worse")
    expect(page.locator(MATCHES)).to_have_text("2 of 12 questions")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    reader.settle()
    title, place = page.locator("h1"), page.locator(".place")
    expect(title).to_have_text("Question q2")
    expect(place).to_have_text("1 of 2")
    page.keyboard.press("j")
    expect(title).to_have_text("Question q5")
    expect(page.get_by_role("button", name="Next question (j)")).to_be_disabled()
    page.keyboard.press("k")
    expect(title).to_have_text("Question q2")
    pressed = page.locator(".choice[aria-pressed=true]")
    page.keyboard.press("1")
    expect(pressed).to_contain_text("on")
    page.keyboard.press("2")
    expect(pressed).to_contain_text("off")
    page.reload()
    expect(pressed).to_contain_text("off")
    page.keyboard.press("u")
    expect(page.locator(MATCHES)).to_have_text("2 of 12 questions")
    page.keyboard.press("BracketRight")
    expect(page.locator(".tabs a[aria-current]")).to_have_text("Judges")
    page.keyboard.press("BracketLeft")
    expect(page.locator(".tabs a[aria-current]")).to_have_text("Questions")
    page.keyboard.press("Shift+Slash")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_question_shows_expected_answers_passages_scores_and_its_row(visit: Opener):
    """Gold and cited passages are marked with words; the raw row is fetched when it is opened."""
    reader = visit()
    page = reader.run(JOBS["ablation"], "question/0")
    assert page.locator(".asked-text").inner_text()
    expect(page.locator(".answer")).to_have_count(2)
    assert page.locator(".passage").count() > 3
    assert page.locator(".gold-mark, .cited-mark").count() > 0
    assert page.locator(".scores tbody tr").count() > 5
    assert page.locator(".scores .reason").first.inner_text()
    assert page.locator(".stages tbody tr").count() > 2
    page.locator(".raw-row summary").click()
    expect(page.locator(".raw-row pre")).to_contain_text('"question_id"')


def test_unsure_answers_are_called_so_wherever_their_scores_are_shown(visit: Opener):
    """The overview leads to them, the list marks them, a question says which way they lean."""
    reader = visit()
    card = reader.page.locator("tr", has_text="bench-sample").locator(".headline")
    assert re.search(r"\d+ unsure: \[0\.", card.inner_text())
    page = reader.run(JOBS["ablation"], "overview?metric=answer_contained")
    expect(page.locator(".note", has_text="unsure answers: hyde_on.")).to_have_count(1)
    page = reader.run(JOBS["bench"])
    page.get_by_role("link", name="See the unsure answers").click()
    reader.settle()
    cells = page.locator(".items-body .item-cell")
    expect(cells.first.get_by_role("img", name="unsure")).to_have_count(1)
    assert page.locator(".items-body .sign.unsure").count() == cells.count()
    page.locator(".items-body .item-id a").first.click()
    expect(page.locator(".reason .unsure").first).to_contain_text("unsure, leans")


def test_judges_are_held_against_people_and_against_each_other(visit: Opener):
    """From the corrected rates to the questions on which people disagree, and to one verdict."""
    reader = visit()
    page = reader.run(JUDGED, "judges")
    first = page.locator(".judge").first
    expect(first.locator(".judge-rates tbody tr")).to_have_count(2)
    first.get_by_text("4 answers on which people say the opposite").click()
    expect(page.locator(MATCHES)).to_contain_text("2 of 36")
    page.get_by_role("link", name="q7", exact=True).click()
    expect(page.locator(".judge-verdict")).to_have_count(2)
    expect(page.locator(".judge-verdict").first).to_contain_text("people say the opposite")


def test_words_that_differ_are_struck_and_underlined(visit: Opener):
    """Never by colour alone."""
    reader = visit()
    page = reader.run(JOBS["review"], "question/0")
    for number in "23456":
        page.keyboard.press(number)
        reader.settle()
        if page.locator("del, ins").count():
            break
    lines = "mark => getComputedStyle(mark).textDecorationLine"
    kinds = {"del": "line-through", "ins": "underline"}
    shown = {kind: page.locator(kind).first for kind in kinds if page.locator(kind).count()}
    assert shown
    assert all(mark.evaluate(lines) == kinds[kind] for kind, mark in shown.items())


def test_a_chart_has_tips_a_legend_that_switches_and_downloads(visit: Opener):
    """PNG, SVG and CSV of what is seen; the CSV has the exact numbers."""
    reader = visit()
    page = reader.run(JOBS["review"], "charts?chart=bars")
    canvas = page.locator(".canvas")
    canvas.hover(position={"x": 260, "y": 60})
    expect(page.locator(".tip-box strong")).to_have_count(1)
    expect(page.locator(".tip-box dt").nth(1)).to_be_attached()
    before = canvas.screenshot()
    canvas.click(position={"x": 30, "y": 8})
    wait_until_drawn_again(canvas, before)
    assert downloaded(page, "PNG").startswith(b"\x89PNG")
    assert b"<svg" in downloaded(page, "SVG")
    table = downloaded(page, "CSV").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))
    assert next(row[0] for row in rows[1:]) == "full"
    assert re.fullmatch(r"\d\.\d+|\d", rows[1][1])


def wait_until_drawn_again(drawing: Locator, before: bytes) -> None:
    """Wait until a drawing looks different; the page allows no function of ours to wait for it."""
    for _ in range(600):
        if drawing.screenshot() != before:
            return
        drawing.page.wait_for_timeout(50)
    raise AssertionError("the drawing stays as it is")


def downloaded(page: Page, name: str) -> bytes:
    """The file that a button saves."""
    with page.expect_download() as caught:
        page.get_by_role("button", name=f"Download as {name}").click()
    file: Download = caught.value
    return file.path().read_bytes()


def test_the_depth_map_switches_colours_and_opens_its_questions(visit: Opener):
    """A tile leads to the questions of its length and depth."""
    reader = visit()
    page = reader.run(JOBS["depth"], "charts?chart=heatmap")
    canvas = page.locator(".canvas")
    green = canvas.screenshot()
    page.locator(".chart-bar select").last.select_option("safe")
    wait_until_drawn_again(canvas, green)
    canvas.click(position={"x": 200, "y": 50})
    page.wait_for_url("**/questions?tag=*")
    reader.settle()
    expect(page.locator(MATCHES)).to_contain_text("of 50 cases")


def test_language_and_colours_are_switched_and_remembered(visit: Opener):
    """The switch wins over the browser's language; a reload keeps it."""
    reader = visit()
    page = reader.page
    page.get_by_label("Language").select_option("ru")
    expect(page.locator("h1")).to_contain_text("прогонов в")
    page.get_by_label("Оформление").select_option("dark")
    page.reload()
    reader.settle()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_label("Язык").select_option("zh")
    expect(page.locator("h1")).to_contain_text("次运行")


def test_markup_and_hidden_characters_are_shown_not_run(visit: Opener):
    """In names, questions and answers: as text, with visible escapes."""
    reader = visit()
    page = reader.run(STUDY)
    expect(page.locator(".facts")).to_contain_text(EVIL)
    page = reader.run(STUDY, "questions?text=Which%3F")
    page.locator(".item", has_text=EVIL).first.locator("a").first.click()
    expect(page.locator("h1")).to_contain_text(EVIL)
    reader.settle()
    answer = page.locator(".answer .text").first.inner_text()
    assert EVIL in answer
    assert "\\x1b[31mred\\u202e bidi\\u2028line" in answer
    assert not any(character in answer for character in ESCAPES if not character.isprintable())
    assert page.locator("main script, main img").count() == 0


def test_only_the_rows_in_view_are_elements_of_the_page(visit: Opener):
    """Scrolling to the end shows the last question; the list fits into a window of usual height."""
    reader = visit(viewport={"width": 1280, "height": 800})
    page = reader.run(JOBS["bench"], "questions")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.set_viewport_size({"width": 1280, "height": 600})
    rows = page.locator(".items-body .item")
    assert rows.count() < 60
    page.locator(".items-scroll").evaluate("frame => { frame.scrollTop = frame.scrollHeight }")
    expect(page.locator('.items-body [aria-rowindex="82"] a')).to_have_count(1)
    assert rows.count() < 60


def test_an_unknown_address_and_an_unknown_run_say_so(visit: Opener):
    """With a way back to the runs, and in the language of the reader."""
    reader = visit()
    page = reader.go_without_settling("#/nowhere")
    expect(page.locator("h1")).to_have_text("There is no such page.")
    page.get_by_role("link", name="To the runs").click()
    expect(page.locator("h1")).to_contain_text("runs in")
    russian = visit(locale="ru-RU")
    page = russian.go_without_settling("#/run/experiments%2Fnope/overview")
    expect(page.locator(".failure")).to_contain_text("прогона 'experiments/nope' здесь нет")
    (fault,) = russian.faults
    assert "404" in fault  # the browser says it by itself
    russian.faults.clear()


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_while_a_run_is_loaded(visit: Opener, width: int):
    """The tabs stand where they will stand before the data comes."""
    reader: Visit = visit(viewport={"width": width, "height": 800})
    page = reader.go_without_settling("#/run/experiments%2Fhyde/overview")
    early = page.locator(".tabs").bounding_box()
    reader.settle()
    late = page.locator(".tabs").bounding_box()
    assert early
    assert late
    assert abs(early["y"] - late["y"]) < (2 if width > 1000 else 30)
