"""A folder made into a corpus: the same every time, and nothing left out in silence."""

from pathlib import Path

import pytest

from assay.datasets.chunk import load_corpus
from assay.errors import DatasetError, UseError
from assay.jobs.ingest import ingest


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    (folder / "law").mkdir(parents=True)
    (folder / "law" / "code.md").write_text("# 条例\n\n第一条　甲。\n\n第二条　乙。\n", "utf-8")
    (folder / "note.txt").write_text("Статья 1. Срок\n\nПять дней.\n", "utf-8")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    (folder / "bad.txt").write_bytes(b"ok \xff")
    (folder / "blank.md").write_text(" \n")
    (folder / ".hidden.txt").write_text("no")
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_documents_become_a_corpus(folder: Path, tmp_path: Path):
    """Each source is a file; what was left out is named with the reason."""
    done = ingest(folder, tmp_path / "chunks")
    corpus = load_corpus(done.manifest)
    assert [(chunk.source, chunk.heading) for chunk in corpus.chunks] == [
        ("law/code.md", "条例 › 第一条"),
        ("law/code.md", "条例 › 第二条"),
        ("note.txt", "Статья 1. Срок"),
    ]
    assert done.chunks == 3
    reasons = {item.source: (item.failed, item.reason) for item in done.passed}
    assert set(reasons) == {"photo.png", "bad.txt", "blank.md"}
    assert reasons["photo.png"] == (False, "not a .txt, .md, .pdf or .docx file")
    assert reasons["bad.txt"][0]
    assert "not UTF-8 at byte 3" in reasons["bad.txt"][1]
    assert "no text" in reasons["blank.md"][1]


def test_ingesting_again_gives_the_same_bytes(folder: Path, tmp_path: Path):
    """Into the same folder or another one, whatever was there before."""
    ingest(folder, tmp_path / "one")
    first = snapshot(tmp_path / "one")
    ingest(folder, tmp_path / "one")
    ingest(folder, tmp_path / "two", tokens=5, overlap=0)
    ingest(folder, tmp_path / "two")
    assert snapshot(tmp_path / "one") == first == snapshot(tmp_path / "two")


def test_the_chunks_folder_is_not_ingested(folder: Path):
    """Output below the folder of documents is not taken for a document."""
    ingest(folder, folder / "chunks")
    done = ingest(folder, folder / "chunks")
    assert not any("chunks" in item.source for item in (*done.passed, *done.ingested))


def test_a_folder_without_documents_is_refused(folder: Path, tmp_path: Path):
    """Nothing to read writes nothing, and says why."""
    out = tmp_path / "chunks"
    with pytest.raises(UseError, match="no such folder"):
        ingest(tmp_path / "gone", out)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match=r"no \.txt, \.md, \.pdf or \.docx file"):
        ingest(tmp_path / "empty", out)
    (folder / "law" / "code.md").unlink()
    (folder / "note.txt").unlink()
    with pytest.raises(DatasetError, match=r"no document could be read; first: .*bad\.txt"):
        ingest(folder, out)
    assert not out.exists()
