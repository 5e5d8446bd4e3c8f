"""``assay ingest``: output and exit codes."""

import json
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.ingest import ingest
from assay.data.corpus.chunker import OVERLAP, TOKENS
from assay.data.document.document import document_endings
from assay.errors import UseError


def run_ingest(*words: str) -> Result:
    """Run the command alone; an error of assay is raised."""
    app = typer.Typer()
    app.command()(ingest)
    done = CliRunner().invoke(app, list(words))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("# T\n\nArticle 1. One\n\nText.\n\nArticle 2. Two\n\nMore.\n")
    (folder / "b.png").write_text("x")
    return folder


def test_counts_and_what_was_skipped_are_printed(folder: Path, tmp_path: Path):
    """The output has one line per document, one per skipped file and the totals."""
    done = run_ingest("documents")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "a.md: 2 chunks",
        f"2 chunks of 1 document in {tmp_path / 'chunks' / 'manifest.json'}; 1 file skipped",
    ]
    settings = json.loads((tmp_path / "chunks" / "manifest.json").read_text())["settings"]
    assert settings == {"tokens": TOKENS, "overlap": OVERLAP}
    assert done.stderr == f"skipped b.png: not a {document_endings()} file\n"


def test_a_document_that_cannot_be_read_is_left_out(folder: Path, tmp_path: Path):
    """Other documents are ingested; only with ``--strict`` the exit code is 1."""
    (folder / "c.pdf").write_bytes(b"rubbish")
    assert run_ingest("documents", "--out", "elsewhere").exit_code == 0
    assert run_ingest("documents", "--out", "elsewhere", "--strict").exit_code == 1
    done = run_ingest("documents", "--out", "elsewhere", "--json")
    assert done.exit_code == 0
    assert done.stderr == ""
    output = json.loads(done.stdout)
    assert output["ingested"] == [
        {
            "source": "a.md",
            "chunks": 2,
            "pages": None,
            "encoding": "",
            "empty_pages": [],
            "unread": {},
        }
    ]
    assert [(item["source"], item["failed"]) for item in output["passed"]] == [
        ("b.png", False),
        ("c.pdf", True),
    ]
    assert (tmp_path / "elsewhere" / "a.md.jsonl").exists()


def test_a_document_that_outweighs_all_others_is_named(folder: Path):
    """A note names the document with more than half of all chunks, unless it is the only one."""
    assert "note" not in run_ingest("documents").stderr
    (folder / "b.md").write_text("# U\n\nOne.\n\n# V\n\nTwo.\n")
    assert "note" not in run_ingest("documents").stderr
    (folder / "a.md").write_text((folder / "a.md").read_text() + "\nArticle 3. Three\n\nLast.\n")
    assert (
        "note: a.md has 3 of 5 chunks, more than all others together: most passages that are found "
        "will be from it\n"
    ) in run_ingest("documents").stderr


def test_sizes_are_passed_on(folder: Path, tmp_path: Path):
    """``--tokens`` and ``--overlap`` are used, and an overlap that is too large is an error."""
    (folder / "a.md").write_text("One two three. Four five six. Seven eight nine.")
    assert run_ingest("documents", "--tokens", "5", "--overlap", "0").stdout.startswith(
        "a.md: 3 chunks"
    )
    settings = json.loads((tmp_path / "chunks" / "manifest.json").read_text())["settings"]
    assert settings == {"tokens": 5, "overlap": 0}
    with pytest.raises(UseError, match="overlap must be less"):
        run_ingest("documents", "--tokens", "5", "--overlap", "5")


def test_a_second_ingest_says_how_it_cuts(folder: Path, tmp_path: Path):
    """Without sizes the corpus keeps its own; with others, a note says what became of it."""
    (folder / "a.md").write_text("One two three. Four five six. Seven eight nine.")
    run_ingest("documents", "--tokens", "5", "--overlap", "0")
    again = run_ingest("documents")
    assert again.stdout.startswith("a.md: 3 chunks")
    assert "note: cut as before: 5 tokens, overlap 0" in again.stderr
    anew = run_ingest("documents", "--tokens", "300")
    assert anew.stdout.startswith("a.md: 1 chunk\n")
    assert "note: cut anew: 300 tokens, overlap 0; before: 5, 0" in anew.stderr
    assert "note: 3 previous chunks are not in the new corpus" in anew.stderr
    assert f"note: the previous chunks are now in {tmp_path / 'chunks' / 'old-1'}" in anew.stderr


def test_the_configured_manifest_says_where_the_chunks_go(folder: Path, tmp_path: Path):
    """Without ``--out`` the chunks go to the folder of the configured manifest."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(
        "defaults: {chunks_manifest: corpora/mine/manifest.json}\n"
    )
    assert run_ingest("documents").exit_code == 0
    assert (tmp_path / "corpora" / "mine" / "manifest.json").exists()
    assert not (tmp_path / "chunks").exists()


def test_replace_names_the_folder_of_the_old_chunks(folder: Path, tmp_path: Path):
    """Existing chunks are replaced only with ``--replace``; a note names their new folder."""
    run_ingest("documents")
    (folder / "a.md").rename(folder / "z.md")
    with pytest.raises(UseError, match="--replace"):
        run_ingest("documents")
    done = run_ingest("documents", "--replace")
    assert done.exit_code == 0
    aside = tmp_path / "chunks" / "old-1"
    assert f"note: the previous chunks are now in {aside}\n" in done.stderr
    assert (aside / "a.md.jsonl").exists()
