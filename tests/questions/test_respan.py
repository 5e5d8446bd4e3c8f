"""Gold chunks as spans: they survive another chunk size, and a run can compare sizes."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.corpus.chunk import load_corpus
from assay.data.corpus.recut import Cut, recut_corpus
from assay.data.question import read_questions
from assay.errors import DatasetError, UseError
from assay.jobs.corpus.new_workspace import create_workspace
from assay.questions.gold import respan
from tests.support.program import Program, program


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with the samples."""
    create_workspace(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def recorded_rows(root: Path) -> list[dict[str, Any]]:
    """The rows of the run."""
    lines = (root / "experiments/sizes.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_every_chunk_lies_where_it_says(root: Path):
    """The text of a document between the offsets of a chunk is the text of the chunk."""
    for chunk in load_corpus(root / "chunks").chunks:
        if not chunk.source.endswith(".md"):
            continue
        text = (root / "documents" / chunk.source).read_text(encoding="utf-8")
        between = text[chunk.start : chunk.end].lstrip("# ")
        assert "".join(between.split()) == "".join(chunk.text.lstrip("# ").split())


def test_respan_keeps_everything_but_the_chunk_ids(root: Path):
    """Each gold chunk becomes a span with text and offsets; other fields stay."""
    before = read_questions(root / "questions/questions.jsonl")
    result = respan(root / "questions/questions.jsonl", root / "chunks", root / "spans.jsonl")
    after = read_questions(result.path)
    assert [question.text for question in after] == [question.text for question in before]
    assert [len(question.spans) for question in after] == [len(item.gold) for item in before]
    assert [question.answerable for question in after] == [item.answerable for item in before]
    first = json.loads(result.path.read_text(encoding="utf-8").splitlines()[0])
    assert "bundle" not in first
    with pytest.raises(UseError, match="exists"):
        respan(root / "questions/questions.jsonl", root / "chunks", root / "spans.jsonl")


def test_chunk_sizes_are_compared_in_one_run(root: Path, assay: Program):
    """Chunk gold is refused for another chunk size; spans are scored at both sizes."""
    (root / "experiments/experiments.yaml").write_text(
        "defaults: {questions_path: questions/questions.jsonl}\n"
        "experiments:\n"
        "  - {name: sizes, baseline: fast, ablation_variable: chunk_tokens, values: [60, 300]}\n",
        encoding="utf-8",
    )
    ran = assay("ablate", "-e", "sizes", "--limit", "4")
    assert ran.code == 2
    assert "assay questions respan" in ran.err
    assert assay("questions", "respan").code == 0
    config = (root / "experiments/experiments.yaml").read_text(encoding="utf-8")
    config = config.replace("questions.jsonl", "questions.spans.jsonl")
    (root / "experiments/experiments.yaml").write_text(config, encoding="utf-8")
    ran = assay("ablate", "-e", "sizes", "--limit", "6", "--no-report")
    assert ran.code == 0, ran.err
    rows = recorded_rows(root)
    assert {row["config"] for row in rows} == {"chunk_tokens_60", "chunk_tokens_300"}
    with_gold = [row for row in rows if row.get("gold_spans")]
    assert any(row["gold_metrics"]["gold_hit_any"] for row in with_gold)
    assert [path.name for path in (root / "chunks").glob("cut-*")] == ["cut-headings-60-40"]
    assert assay("score", "experiments/sizes.jsonl").code == 0
    assert [row["scores"] for row in recorded_rows(root)] == [row["scores"] for row in rows]


def test_a_cut_is_made_once_and_follows_its_documents(root: Path):
    """The second time nothing is read again; a changed document is refused."""
    cut = Cut(tokens=80, overlap=0, chunker="plain")
    first = recut_corpus(root / "chunks/manifest.json", cut)
    written = root / "chunks" / cut.folder / "manifest.json"
    stamp = written.stat().st_mtime_ns
    assert recut_corpus(root / "chunks/manifest.json", cut) == first
    assert written.stat().st_mtime_ns == stamp
    (root / "documents/en/handbook.md").write_text("Changed.", encoding="utf-8")
    with pytest.raises(DatasetError, match="changed since assay ingest"):
        recut_corpus(root / "chunks/manifest.json", Cut(tokens=90))
