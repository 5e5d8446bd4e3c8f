"""Real runs of all five jobs on the page: every view is complete, in three languages."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hatch_build import NOT_PAGE, PAGE_WORDS, ROOT
from typer.testing import CliRunner

from assay.cli.main import app
from assay.web.api import LARGEST_BODY, RunView
from assay.web.item import item_view
from assay.web.item_api import ItemQuery
from assay.web.library import Library
from assay.web.query import item_page
from assay.web.run_index import RunIndex
from assay.web.run_view import run_view
from assay.words.language import LANGUAGES
from assay.words.message import Message, Title, text_of
from tests.support.page import never
from tests.support.page_runs import JOBS, shared_runs

CHARTS = {
    "ablation": {"differences", "bars", "tradeoff"},
    "depth": {"heatmap", "bars", "cost"},
    "quality": {"bars", "groups"},
    "review": {"confusion", "differences", "bars", "tradeoff"},
    "bench": {"groups", "reasons", "bars"},
}


@pytest.fixture(name="library", scope="module")
def _library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    base = tmp_path_factory.getbasetemp()
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    return Library(shared_runs((base.parent if is_worker else base) / "page-runs"))


@pytest.fixture(name="opened", scope="module", params=JOBS)
def _opened(library: Library, request: pytest.FixtureRequest) -> tuple[str, RunIndex, RunView]:
    job = request.param
    index = library.open(JOBS[job])
    return job, index, run_view(index, library.card(JOBS[job], index.path))


def texts(value: Any) -> Iterator[Message | Title]:
    """All texts inside a view."""
    if isinstance(value, Message | Title):
        yield value
        yield from texts(getattr(value, "fields", None))
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from texts(getattr(value, field))
    elif isinstance(value, dict):
        yield from (each for part in value.values() for each in texts(part))
    elif isinstance(value, list | tuple):
        yield from (each for part in value for each in texts(part))


def test_all_runs_are_listed(library: Library):
    """With their job, their state and their main number."""
    cards = {card.id: card for card in library.cards()}
    assert set(cards) >= set(JOBS.values())
    for job, run_id in JOBS.items():
        card = cards[run_id]
        assert (card.job, card.state) == (job, "complete")
        assert card.headline is not None
        assert card.metric is not None


def test_a_run_has_sentences_numbers_charts_and_tables(opened: tuple[str, RunIndex, RunView]):
    """And fits into one answer of the server."""
    job, _, view = opened
    assert view.sentences
    assert {chart.kind for chart in view.charts} >= CHARTS[job]
    assert len({chart.id for chart in view.charts}) == len(view.charts)
    assert view.tables
    assert view.setup.facts
    assert view.setup.command.startswith("assay ")
    assert view.card.counts.scored == view.card.counts.total
    for table in view.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
    assert len(msgspec.json.encode(view)) < LARGEST_BODY


def test_every_text_is_there_in_three_languages(opened: tuple[str, RunIndex, RunView]):
    """No text is empty or has a field that was not filled in."""
    for text in texts(opened[2]):
        for lang in LANGUAGES:
            assert text_of(text, lang)
            assert "{" not in text_of(text, lang)


def test_every_sentence_has_its_translations_in_the_page(opened: tuple[str, RunIndex, RunView]):
    """The page has only a part of the catalogues: all that it is sent must be in it."""
    _, index, view = opened
    known = json.loads(PAGE_WORDS.read_text(encoding="utf-8"))["texts"]
    items = [item_view(index, item) for item in range(index.findings.items)]
    lacking = set()
    for said in texts([view, items]):
        # without fields it may be what a file says
        if isinstance(said, Message) and (said.fields or said.context == "undefined"):
            key = f"{said.context}\x04{said.text}" if said.context else said.text
            has_words = any(letter.isalpha() for letter in re.sub(r"\{\w+\}", "", said.text))
            if has_words and key not in known:
                lacking.add(key)
    assert not lacking


def test_the_places_without_texts_of_the_page_exist():
    """A place that is renamed would put its texts into the page again."""
    assert [name for name in NOT_PAGE if not (ROOT / name).exists()] == []


def test_the_numbers_are_those_of_the_report(opened: tuple[str, RunIndex, RunView]):
    """The page computes nothing of its own."""
    _, index, view = opened
    for variant, summary in zip(view.variants, index.findings.analysis.variants, strict=True):
        for name, cell in variant.cells.items():
            assert cell.value == summary.cells[name].value
            assert cell.n == summary.cells[name].n


def test_every_item_opens_with_its_scores_and_reasons(opened: tuple[str, RunIndex, RunView]):
    """The value in the list is the one in the view; every score has a reason or a value."""
    job, index, _ = opened
    page = item_page(index, ItemQuery(limit=40), never)
    for row in page.rows:
        view = item_view(index, row.item)
        assert view.question
        assert [answer.value for answer in view.answers] == [cell.value for cell in row.cells]
        for answer in view.answers:
            assert answer.answer is not None
            assert answer.scores
            for text in texts(answer.scores):
                assert all(text_of(text, lang) for lang in LANGUAGES)
        if job != "ablation":
            assert view.expected


def test_gold_and_cited_passages_are_marked(library: Library):
    """The cited stretch of a passage is the sentence that the answer quotes."""
    index = library.open(JOBS["ablation"])
    spans = []
    for item in range(index.findings.items):
        for answer in item_view(index, item).answers:
            for passage in answer.passages or ():
                assert passage.is_gold is not None or not item_view(index, item).gold
                for start, end in passage.spans:
                    assert passage.is_cited
                    assert passage.text is not None
                    assert passage.text[start:end].split()[0] in (answer.answer or "")
                    spans.append(end - start)
    assert spans


def test_a_depth_map_has_every_cell(library: Library):
    """By depth and length, for all answers and for parsed ones."""
    index = library.open(JOBS["depth"])
    view = run_view(index, library.card(JOBS["depth"], index.path))
    data = next(chart.data for chart in view.charts if chart.kind == "heatmap")
    cells = data["models"][0]["views"]["all"]["cells"]
    assert len(cells) == len(data["lengths"]) * len(data["bins"])
    assert all(cell["accuracy"] is None or 0 <= cell["accuracy"] <= 1 for cell in cells)


def test_a_confusion_matrix_counts_every_clause(library: Library):
    """Rows are true levels; the last column has unparsed replies."""
    index = library.open(JOBS["review"])
    view = run_view(index, library.card(JOBS["review"], index.path))
    data = next(chart.data for chart in view.charts if chart.kind == "confusion")
    for matrix in data["matrices"]:
        assert sum(map(sum, matrix["counts"])) == index.findings.items
        assert all(len(row) == len(data["columns"]) for row in matrix["counts"])


def test_a_page_can_be_written_from_a_folder(library: Library, tmp_path: Path):
    """The command says where the file is and how large it is."""
    journal = library.journal(JOBS["bench"])
    result = CliRunner().invoke(
        app, ["report", str(journal), "--format", "html", "--out", str(tmp_path / "b.html")]
    )
    assert result.exit_code == 0, result.output
    assert "MB" in result.output
    assert (tmp_path / "b.html").stat().st_size > 100_000
