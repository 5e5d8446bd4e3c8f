"""The reference pipeline with the documents of a benchmark."""

import asyncio
from pathlib import Path

import pytest

from assay.bench import BenchmarkRunner
from assay.errors import SystemFailed
from assay.jobs.legal.benchmark import read_benchmark_data
from assay.jobs.legal.document_system import ByDocument, paged_chunks
from assay.records import Question
from assay.systems.scripted import ScriptedSystem
from tests.jobs.legal.small import write_small


def test_no_chunk_runs_over_a_page(tmp_path: Path):
    """The text of each chunk is on the page of the chunk, and all ids differ."""
    benchmark = read_benchmark_data(write_small(tmp_path))
    (source,) = benchmark.documents.values()
    chunks = paged_chunks(source)
    assert {chunk.page for chunk in chunks} == {1, 2}
    assert all(chunk.text in source.pages[(chunk.page or 0) - 1] for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_a_question_goes_to_its_document():
    """The system of the question's document is asked; a question without a document fails."""
    both = ByDocument({"a": ScriptedSystem({"q": "A"}), "b": ScriptedSystem({"q": "B"})})

    async def ask(source: str | None) -> str:
        return (await both.ask(Question(id="q", text="?", source=source), {}, 5)).text

    assert asyncio.run(ask("b")) == "B"
    with pytest.raises(SystemFailed, match="names no document"):
        asyncio.run(ask(None))


def test_the_pipeline_cites_pages_and_passages(tmp_path: Path):
    """Offline, the pipeline finds the price and cites a passage with its page."""
    runner = BenchmarkRunner(write_small(tmp_path))
    summary = runner.run_benchmark("reference", "fact_exact")
    (price,) = summary["questions"]
    assert price["score"] == 1.0
    (citation,) = price["citations"]
    assert citation["page"] == 1
    assert "£4,200 in all" in citation["text"]
    assert summary["system"].startswith("reference:")
