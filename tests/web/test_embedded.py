"""A run as one file: its data are complete, are stored once, and cannot leave their elements."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.web import embedded
from assay.web.embedded import LinkedRun, index_page, run_page
from assay.web.item import item_view
from assay.web.item_api import ItemQuery
from assay.web.query import item_page
from assay.web.run_index import open_run
from assay.web.run_view import run_card
from assay.words.language import speaking
from tests.support.journal import failed, judged
from tests.support.page import never, study_rows, write_study

HOSTILE = "</script><script>alert(1)</script><!--<script> ]]> \u2028\u2029 \x1b[31m & ' \""


@pytest.fixture(autouse=True)
def _bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of a test needs no built bundle; this one tries to end its element too."""
    files = {"app.js": b'const a = "</script><b>";', "app.css": b"b { color: red }"}
    monkeypatch.setattr(embedded, "bundle_file", files.__getitem__)


class Elements(HTMLParser):
    """The elements of a page as a browser finds them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[str] = []
        self.policy = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element, and the policy of the page."""
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "meta" and dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        """Add text to the script that is open."""
        if self.tags[-1:] == ["script"] and self.scripts:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data

    def handle_endtag(self, tag: str) -> None:
        """Note the end of an element."""
        self.tags.append(f"/{tag}")

    def data(self, name: str) -> Any:
        """The content of a data element."""
        (text,) = [text for attributes, text in self.scripts if attributes.get("id") == name]
        if name == "assay-head":
            return json.loads(text)
        assert re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text)
        return json.loads(gzip.decompress(base64.b64decode(text)))


def page_of(journal: Path) -> Elements:
    """The page of a run, parsed."""
    index = open_run(journal)
    return Elements(run_page("a", [(run_card("a", journal), index)]).decode())


def test_the_file_has_everything_that_the_server_answers(tmp_path: Path):
    """Items put together again are equal to the views of the server."""
    rows = study_rows()
    passage = {"id": "p1", "text": "The rent is 900 a month.", "page": 3, "rank": 1}
    for row in rows[:6]:
        row["passages"] = [passage, {"id": "p2"}]
    journal = write_study(tmp_path / "a.jsonl", rows)
    page, index = page_of(journal), open_run(journal)
    head = page.data("assay-head")
    (entry,) = head["runs"]
    assert (head["format"], head["workspace"]["is_static"]) == (1, True)
    items = page.data(f"assay-{entry['items']}")
    texts = page.data(f"assay-{entry['texts']}")
    answers = page.data(f"assay-{entry['answers']}")
    details = [each for number in entry["details"] for each in page.data(f"assay-{number}")]
    assert texts["passages"] == ["The rent is 900 a month."]
    listed = item_page(index, ItemQuery(), never)
    assert [items["ids"][item] for item in items["order"]] == [row.id for row in listed.rows]
    for row in listed.rows:
        view = item_view(index, row.item)
        assert items["questions"][row.item] == view.question
        for number, answer in enumerate(view.answers):
            assert items["statuses"][items["status"][number][row.item]] == answer.status
            assert items["values"]["avg_gold_coverage"][number][row.item] == answer.value
            assert answers[number][row.item] == answer.answer
            detail = details[row.item]["answers"][number]
            assert [
                texts["reasons"][score[2]] if score[2] >= 0 else None for score in detail["scores"]
            ] == [msgspec.to_builtins(score.reason) for score in answer.scores]
            assert [
                texts["reasons"][score[3]] if score[3] >= 0 else None for score in detail["scores"]
            ] == [msgspec.to_builtins(score.unsure) for score in answer.scores]


def test_nothing_in_the_data_can_leave_its_element(tmp_path: Path):
    """Whatever a name or an answer contains, the page has the elements that it was given."""
    rows = [
        judged(HOSTILE, name, 1.0, question=HOSTILE, answer=HOSTILE, source=HOSTILE)
        for name in (HOSTILE, "on")
    ]
    plain = page_of(
        write_study(tmp_path / "b.jsonl", [judged("q", "on", 1.0), judged("q", "x", 1.0)])
    )
    hostile = page_of(write_study(tmp_path / "a.jsonl", rows))
    assert hostile.tags == plain.tags
    entry = hostile.data("assay-head")["runs"][0]
    assert hostile.data(f"assay-{entry['answers']}")[0][0] == HOSTILE
    assert "\u2028" not in "".join(text for _, text in hostile.scripts)


def test_only_its_own_code_may_run(tmp_path: Path):
    """The policy names the hashes of the script and of the style, and forbids requests."""
    page = page_of(write_study(tmp_path / "a.jsonl"))
    code = [text for attributes, text in page.scripts if "type" not in attributes]
    assert len(code) == 1
    digest = base64.b64encode(hashlib.sha256(code[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.policy
    assert page.policy.startswith("default-src 'none'")
    assert "connect-src" not in page.policy
    assert "unsafe" not in page.policy


def test_the_index_of_a_folder_links_to_the_files_of_its_runs(tmp_path: Path):
    """It has their cards and no data of theirs."""
    journal = write_study(tmp_path / "a.jsonl")
    linked = LinkedRun(card=run_card("a", journal), href="a.html")
    page = Elements(index_page("two runs", [linked]).decode())
    head = page.data("assay-head")
    assert head["runs"] == [{"id": "a", "href": "a.html"}]
    assert [run["name"] for run in head["workspace"]["runs"]] == ["a"]


def test_the_file_opens_in_the_language_in_use(tmp_path: Path):
    """And not in that of the browser: whoever wrote it has chosen."""
    journal = write_study(tmp_path / "a.jsonl")
    with speaking("ru"):
        page = run_page("a", [(run_card("a", journal), open_run(journal))]).decode()
    assert '<html lang="ru" data-language="ru">' in page


def test_what_must_not_be_sent_is_not_in_the_file(tmp_path: Path):
    """Neither in answers, errors and passages, nor in what was typed."""
    key = "sk-proj-" + "Ab3" * 8
    passage = {"id": "p", "text": f"The key is {key}.", "rank": 1, "page": 1}
    rows = [
        judged("q1", "on", 1.0, answer=f"Use {key}.", passages=[passage]),
        failed("q2", "on") | {"error": f"refused: {key} in {tmp_path}/rag.py"},
    ]
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").touch()
    journal = write_study(tmp_path / "experiments" / "a.jsonl", rows)
    page = page_of(journal)
    whole = json.dumps([page.data(name) for name in names(page)])
    assert key not in whole
    assert str(tmp_path) not in whole
    assert "refused: *** in ./rag.py" in whole


def names(page: Elements) -> list[str]:
    """The ids of the data elements of a page."""
    found = [attributes.get("id") or "" for attributes, _ in page.scripts]
    return [name for name in found if name.startswith("assay-")]
