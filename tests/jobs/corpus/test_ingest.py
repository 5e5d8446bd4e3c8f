"""Making a corpus from a folder: repeatable, and every file that is left out is reported."""

import os
import shutil
from pathlib import Path

import pytest

from assay.config.workspace import Workspace
from assay.data.corpus.chunk import load_corpus
from assay.data.corpus.chunker import OVERLAP, TOKENS
from assay.data.corpus.recut import Cut
from assay.data.document.document import document_endings
from assay.errors import DatasetError, UseError
from assay.jobs.corpus.ingest import chunks_folder, ingest, is_corpus_of


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
    """The bytes of every file below a folder, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_documents_become_a_corpus(folder: Path, tmp_path: Path):
    """The chunks name their sources; files that were left out are listed with the reason."""
    done = ingest(folder, tmp_path / "chunks")
    corpus = load_corpus(done.manifest)
    assert [(chunk.source, chunk.heading) for chunk in corpus.chunks] == [
        ("law/code.md", "条例 › 第一条"),
        ("law/code.md", "条例 › 第二条"),
        ("note.txt", "Статья 1. Срок"),
    ]
    assert done.chunks == 3
    reasons = {item.source: (item.failed, str(item.reason)) for item in done.passed}
    assert set(reasons) == {"photo.png", "bad.txt", "blank.md"}
    assert reasons["photo.png"] == (False, f"not a {document_endings()} file")
    assert reasons["bad.txt"][0]
    assert "not UTF-8 at byte 3" in reasons["bad.txt"][1]
    assert "no text" in reasons["blank.md"][1]


def test_ingesting_again_gives_the_same_bytes(folder: Path, tmp_path: Path):
    """Ingesting again gives the same bytes, also in a folder with an older corpus."""
    ingest(folder, tmp_path / "first")
    before = snapshot(tmp_path / "first")
    ingest(folder, tmp_path / "first")
    ingest(folder, tmp_path / "second", tokens=5, overlap=0)
    done = ingest(folder, tmp_path / "second", tokens=TOKENS, overlap=OVERLAP)
    assert done.aside == tmp_path / "second" / "old-1"
    shutil.rmtree(done.aside)
    assert snapshot(tmp_path / "first") == before == snapshot(tmp_path / "second")


@pytest.fixture(name="long_folder")
def _long_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "long"
    folder.mkdir()
    sentences = (
        f"The harbour of town number {number} was opened in 18{number}." for number in range(10, 60)
    )
    (folder / "a.md").write_text(" ".join(sentences))
    return folder


def test_a_corpus_keeps_its_sizes(long_folder: Path, tmp_path: Path):
    """Ingesting again without options cuts as before, so that no chunk id is lost."""
    out = tmp_path / "chunks"
    ingest(long_folder, out, tokens=30, overlap=0)
    before = snapshot(out)
    done = ingest(long_folder, out)
    assert (done.cut.tokens, done.cut.overlap, done.lost, done.aside) == (30, 0, 0, None)
    assert snapshot(out) == before
    assert ingest(long_folder, out, tokens=60).cut == Cut(tokens=60, overlap=0)


@pytest.mark.parametrize("how", ["sizes", "document"])
def test_lost_chunks_are_kept_aside(long_folder: Path, tmp_path: Path, how: str):
    """If sizes or documents change, chunks that questions may name stay in a subfolder."""
    out = tmp_path / "chunks"
    ingest(long_folder, out, tokens=30, overlap=0)
    before = snapshot(out)
    ids = {chunk.id for chunk in load_corpus(out / "manifest.json").chunks}
    if how == "document":
        (long_folder / "a.md").write_text("Another text.")
    done = ingest(long_folder, out, tokens=300 if how == "sizes" else None)
    new = {chunk.id for chunk in load_corpus(done.manifest).chunks}
    assert done.lost == len(ids - new) > 0
    assert done.aside is not None
    assert snapshot(done.aside) == before


def test_an_addition_sets_nothing_aside(long_folder: Path, tmp_path: Path):
    """A new document adds chunks; no chunk that was there is lost."""
    out = tmp_path / "chunks"
    ingest(long_folder, out)
    (long_folder / "b.md").write_text("More.")
    done = ingest(long_folder, out)
    assert (done.lost, done.aside) == (0, None)


def test_chunks_are_kept_on_request(long_folder: Path, tmp_path: Path):
    """With ``keep_chunks``, a corpus is not replaced by one that lacks some of its chunks."""
    out = tmp_path / "chunks"
    ingest(long_folder, out)
    assert is_corpus_of(long_folder, out)
    before = snapshot(out)
    (long_folder / "a.md").write_text("Another text.")
    assert not is_corpus_of(long_folder, out)
    with pytest.raises(UseError, match="questions may refer to would be lost; run assay ingest"):
        ingest(long_folder, out, keep_chunks=True)
    assert snapshot(out) == before


def test_the_chunks_folder_is_not_ingested(folder: Path):
    """Output inside the folder of documents is not read as a document."""
    ingest(folder, folder / "chunks")
    done = ingest(folder, folder / "chunks")
    assert not any("chunks" in item.source for item in (*done.passed, *done.ingested))


def test_a_folder_without_documents_is_refused(folder: Path, tmp_path: Path):
    """If nothing can be read, nothing is written, and the message says why."""
    out = tmp_path / "chunks"
    with pytest.raises(UseError, match="no such file or folder"):
        ingest(tmp_path / "gone", out)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match=r"no \.csv, \.docx, .* file is there"):
        ingest(tmp_path / "empty", out)
    (folder / "law" / "code.md").unlink()
    (folder / "note.txt").unlink()
    with pytest.raises(DatasetError, match=r"no document could be read; first: .*bad\.txt"):
        ingest(folder, out)
    assert not out.exists()


def test_an_edited_or_added_document_needs_no_flag(folder: Path, tmp_path: Path):
    """Ingesting again works without an option if no document is lost."""
    out = tmp_path / "chunks"
    ingest(folder, out)
    (folder / "note.txt").write_text("Статья 1. Срок\n\nШесть дней.\n", "utf-8")
    (folder / "new.txt").write_text("More.\n")
    done = ingest(folder, out)
    assert (done.lost, done.aside) == (1, out / "old-1")
    assert [document.source for document in done.ingested] == ["law/code.md", "new.txt", "note.txt"]
    assert "Шесть" in (out / "note.txt.jsonl").read_text("utf-8")


def test_chunks_of_other_documents_are_not_replaced_unasked(folder: Path, tmp_path: Path):
    """A folder with other documents is refused before anything is read or written."""
    out, other = tmp_path / "chunks", tmp_path / "other"
    ingest(folder, out)
    before = snapshot(out)
    other.mkdir()
    (other / "guide.txt").write_text("Notice is thirty days.\n")
    read: list[str] = []
    with pytest.raises(UseError, match=r"chunks of law/code\.md and 1 more, not in .*--replace"):
        ingest(other, out, progress=lambda done, total, source: read.append(source))
    assert read == []
    assert snapshot(out) == before


def test_a_document_that_went_bad_does_not_lose_its_chunks(folder: Path, tmp_path: Path):
    """A document that can no longer be read is refused, and its old chunks stay."""
    out = tmp_path / "chunks"
    ingest(folder, out)
    before = snapshot(out)
    (folder / "note.txt").write_bytes(b"\xff")
    with pytest.raises(
        UseError, match=r"chunks of note\.txt, which now fails .*not UTF-8.*--replace"
    ):
        ingest(folder, out)
    assert snapshot(out) == before


def test_replace_sets_the_old_corpus_aside_whole(folder: Path, tmp_path: Path):
    """The old corpus can still be loaded from its subfolder; each has its own subfolder."""
    out, other = tmp_path / "chunks", tmp_path / "other"
    first = load_corpus(ingest(folder, out).manifest)
    (out / "mine.txt").write_text("left alone")
    other.mkdir()
    (other / "guide.txt").write_text("Notice is thirty days.\n")
    done = ingest(other, out, replace=True)
    assert done.aside == out / "old-1"
    assert load_corpus(done.aside / "manifest.json") == first
    assert [chunk.source for chunk in load_corpus(done.manifest).chunks] == ["guide.txt"]
    assert (out / "mine.txt").read_text() == "left alone"
    assert ingest(other, out, replace=True).aside is None
    assert ingest(folder, out, replace=True).aside == out / "old-2"


@pytest.mark.parametrize("manifest", ['{"files": ["x.jsonl"]}', "rubbish", None])
def test_chunks_made_elsewhere_are_set_aside_only_on_request(
    folder: Path, tmp_path: Path, manifest: str | None
):
    """Chunks of another tool, with or without a manifest, are never overwritten."""
    out = tmp_path / "chunks"
    out.mkdir()
    (out / "x.jsonl").write_text('{"id": "x", "text": "y"}\n')
    if manifest is not None:
        (out / "manifest.json").write_text(manifest)
    before = snapshot(out)
    with pytest.raises(UseError, match=r"did not make; choose another --out, or pass --replace"):
        ingest(folder, out)
    assert snapshot(out) == before
    done = ingest(folder, out, replace=True)
    assert done.aside is not None
    assert snapshot(done.aside) == before


def test_jsonl_files_without_chunks_are_left_alone(folder: Path, tmp_path: Path):
    """A question file in the output folder is not a corpus and stays."""
    out = tmp_path / "output"
    out.mkdir()
    (out / "q.jsonl").write_text('{"id": "q1", "question": "Why?"}\n')
    assert ingest(folder, out, replace=True).aside is None
    assert (out / "q.jsonl").exists()


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        ("corpora/one/manifest.json", "corpora/one"),
        ("corpora/v1.2", "corpora/v1.2"),
        (None, "chunks"),
    ],
)
def test_chunks_belong_where_the_configuration_says(
    tmp_path: Path, configured: str | None, expected: str
):
    """Chunks are written to the folder of the configured manifest."""
    text = f"defaults: {{chunks_manifest: {configured}}}\n" if configured else "experiments: []\n"
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(text)
    workspace = Workspace.find(tmp_path)
    assert chunks_folder(workspace) == workspace.root / expected


@pytest.mark.parametrize(
    ("configured", "message"),
    [("a/corpus.json", "assay ingest writes manifest.json"), ("../x/manifest.json", "outside")],
)
def test_an_unusable_manifest_path_is_reported_with_its_line(
    tmp_path: Path, configured: str, message: str
):
    """Another file name or a path outside the workspace is reported with file and line."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(
        f"defaults:\n  chunks_manifest: {configured}\n"
    )
    with pytest.raises(UseError, match=rf"experiments\.yaml:2: .*{message}"):
        chunks_folder(Workspace.find(tmp_path))


def test_what_is_no_file_is_named(folder: Path, tmp_path: Path):
    """Linked folders, links to nothing and pipes are not read, and the result says so."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "more.txt").write_text("More.", "utf-8")
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    (folder / "gone.txt").symlink_to(tmp_path / "nothing.txt")
    (folder / "round.txt").symlink_to(folder / "round.txt")
    os.mkfifo(folder / "pipe.txt")
    done = ingest(folder, tmp_path / "chunks")
    reasons = {item.source: str(item.reason) for item in done.passed}
    assert "a link to a folder" in str(reasons["linked"])
    assert "does not exist" in reasons["gone.txt"]
    assert "does not exist" in reasons["round.txt"]
    assert "a pipe" in reasons["pipe.txt"]
    with pytest.raises(UseError, match="neither a file nor a folder"):
        ingest(folder / "pipe.txt", tmp_path / "other")
