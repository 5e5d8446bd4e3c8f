"""The samples: their number, their gold sections, and the PDF that is made from Markdown."""

import importlib.util
import json
import re
from collections import Counter
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from assay.data.corpus.chunk import Chunk
from assay.data.document.document import read_document
from assay.data.samples import sample as samples
from assay.data.samples.sample import (
    LANGUAGES,
    gold_chunks,
    sample_chunks,
    sample_document,
    sample_question_lines,
    written_questions,
)
from assay.text.language import language

TOOL = Path(__file__).parents[2] / "tools" / "make_sample_pdf.py"


@pytest.fixture(name="chunks", scope="module")
def _chunks() -> tuple[Chunk, ...]:
    return sample_chunks()


@pytest.fixture(name="tool", scope="module")
def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_sample_pdf", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_enough(chunks: tuple[Chunk, ...]):
    """There are at least 300 chunks, and 120 questions of which 20 have no answer."""
    assert len(chunks) >= 300
    questions = [question for name in LANGUAGES for question in written_questions(name)]
    kinds = Counter(question.kind for question in questions)
    assert len(questions) >= 120
    assert kinds["unanswerable"] >= 20
    assert kinds["multi"] >= 20
    assert set(kinds) == {"single", "multi", "unanswerable"}
    assert len({question.id for question in questions}) == len(questions)


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_gold_section_is_one_chunk(name: str, chunks: tuple[Chunk, ...]):
    """Each gold section is exactly one chunk, and it is on the page that the question names."""
    for question in written_questions(name):
        assert language(question.question) == name
        assert bool(question.gold) == (question.kind != "unanswerable")
        assert (len(question.gold) > 1) == (question.kind == "multi")
        gold_parts = [gold_chunks(gold, name, chunks) for gold in question.gold]
        assert all(len(parts) == 1 for parts in gold_parts)
        if question.page is not None:
            assert question.page == gold_parts[0][0].page


def test_every_section_is_a_chunk_of_its_own(chunks: tuple[Chunk, ...]):
    """No two chunks of a document share a heading, so no section was cut by mistake."""
    headings = Counter((chunk.source, chunk.heading) for chunk in chunks)
    assert set(headings.values()) == {1}


def test_the_first_questions_are_like_the_whole(chunks: tuple[Chunk, ...]):
    """The first N questions contain each language and kind in its share, within 1.5 questions."""
    rows = [json.loads(line) for line in sample_question_lines(chunks).splitlines()]
    totals = Counter((row["language"], row["kind"]) for row in rows)
    assert set(totals) == set(product(LANGUAGES, ("single", "multi", "unanswerable")))
    for size in (20, 50, 100, 200):
        part = Counter((row["language"], row["kind"]) for row in rows[:size])
        for group, count in totals.items():
            assert abs(part[group] - size * count / len(rows)) <= 1.5


def test_the_pdf_says_what_its_source_says(tool: ModuleType):
    """Each page of the PDF has the text of its Markdown, apart from markup and spaces."""
    pages = sample_document("ru/report.pdf").pages
    markdown = Path(samples.__file__).parent.joinpath("ru", "report.md").read_text("utf-8")
    for page, source in zip(pages, markdown.split(tool.PAGE_MARK), strict=True):
        assert letters(page.text) == letters(source)


def test_the_pdf_can_be_made_again(tool: ModuleType, tmp_path: Path):
    """Two runs of the tool give the same bytes, and the same text as the packaged PDF."""
    source = tool.SOURCE.read_text(encoding="utf-8")
    pdf = tool.make_pdf(source)
    assert pdf == tool.make_pdf(source)
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf)
    document = read_document(path, name="ru/report.pdf")
    assert document == sample_document("ru/report.pdf")


def letters(text: str) -> list[str]:
    """The characters of a text in sorted order, without markup and white space.

    They are sorted because a wrapped table cell is read in a different order.
    """
    bare = re.sub(r"^#+ |^\|[-|]+\|$", "", text, flags=re.MULTILINE)
    return sorted(re.sub(r"[\s|]", "", bare))
