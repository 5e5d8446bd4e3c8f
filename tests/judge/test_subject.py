"""What a judge reads: the passages that the answer was given, or none."""

from pathlib import Path

from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk, load_corpus
from assay.data.corpus.corpus_files import write_corpus
from assay.judge.subject import read_recorded
from tests.support.journal import judged, write_header, write_rows


def test_a_changed_corpus_is_not_read_for_a_run(tmp_path: Path):
    """Its chunk may have another text now; texts of rows are read in any case."""
    write_corpus(tmp_path / "chunks", [Chunk(id="b", text="The rent is due.", source="lease")])
    (tmp_path / "experiments").mkdir()
    journal = tmp_path / "experiments" / "a.jsonl"
    passages = [{"id": "a", "text": "From the row."}, {"id": "b"}]
    write_rows(journal, [judged("q", "on", 1.0, passages=passages)])

    def read(corpus: str) -> tuple[str, ...] | None:
        write_header(journal, ["on"], corpus_sha256=corpus)
        (case,) = read_recorded(journal, Workspace(root=tmp_path)).cases
        return case.passages

    now = load_corpus(tmp_path / "chunks").sha256
    assert read(now) == ("From the row.", "The rent is due.")
    assert read("another") is None


def test_a_judge_does_not_read_thoughts(tmp_path: Path):
    """It judges the answer; the recorded text keeps the thoughts."""
    journal = tmp_path / "experiments" / "a.jsonl"
    journal.parent.mkdir()
    row = judged("q", "on", 1.0) | {"answer": "<think>12 crowns</think>30 days"}
    write_rows(journal, [row])
    write_header(journal, ["on"])
    (case,) = read_recorded(journal, Workspace(root=tmp_path)).cases
    assert (case.subject.answer, case.read_by("correctness").text) == ("30 days", "30 days")
    assert case.answer.text == row["answer"]
