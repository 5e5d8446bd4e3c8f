"""``assay ingest``: what it prints and how it ends."""

import importlib
import io
import json
import time
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.ingest import ingest
from assay.data.corpus.chunker import OVERLAP, TOKENS
from assay.errors import UseError

# the package's name for it may be the command itself
ingest_module = importlib.import_module("assay.cli.ingest")


def ran(*words: str) -> Result:
    """The command by itself, with an error of ours passed through."""
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
    (folder / "b.csv").write_text("x")
    return folder


def test_counts_and_what_was_skipped_are_printed(folder: Path, tmp_path: Path):
    """A line a document, one for each skipped file, and the sum; exit 0."""
    done = ran("documents")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "a.md: 2 chunks",
        f"2 chunks of 1 documents in {tmp_path / 'chunks' / 'manifest.json'}; 1 files skipped",
    ]
    settings = json.loads((tmp_path / "chunks" / "manifest.json").read_text())["settings"]
    assert settings == {"tokens": TOKENS, "overlap": OVERLAP}
    assert done.stderr == "skipped b.csv: not a .txt, .md, .pdf or .docx file\n"


def test_a_document_that_cannot_be_read_ends_with_1(folder: Path, tmp_path: Path):
    """The rest is ingested, the fault is told, and a script can see it."""
    (folder / "c.pdf").write_bytes(b"rubbish")
    done = ran("documents", "--out", "elsewhere", "--json")
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["ingested"] == [{"source": "a.md", "chunks": 2, "pages": None, "empty_pages": []}]
    assert [(item["source"], item["failed"]) for item in told["passed"]] == [
        ("b.csv", False),
        ("c.pdf", True),
    ]
    assert (tmp_path / "elsewhere" / "a.md.jsonl").exists()


def test_sizes_are_passed_on(folder: Path, tmp_path: Path):
    """``--tokens`` and ``--overlap`` shape the chunks, and bad ones are refused."""
    (folder / "a.md").write_text("One two three. Four five six. Seven eight nine.")
    assert ran("documents", "--tokens", "5", "--overlap", "0").stdout.startswith("a.md: 3 chunks")
    settings = json.loads((tmp_path / "chunks" / "manifest.json").read_text())["settings"]
    assert settings == {"tokens": 5, "overlap": 0}
    with pytest.raises(UseError, match="overlap must be less"):
        ran("documents", "--tokens", "5", "--overlap", "5")


def test_the_configured_manifest_says_where_the_chunks_go(folder: Path, tmp_path: Path):
    """Without ``--out`` the chunks land where a run will look for them."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text(
        "defaults: {chunks_manifest: corpora/mine/manifest.json}\n"
    )
    assert ran("documents").exit_code == 0
    assert (tmp_path / "corpora" / "mine" / "manifest.json").exists()
    assert not (tmp_path / "chunks").exists()


def test_replace_tells_where_the_old_chunks_are(folder: Path, tmp_path: Path):
    """Refused without the option; with it, a note names the new place of the old chunks."""
    ran("documents")
    (folder / "a.md").rename(folder / "z.md")
    with pytest.raises(UseError, match="--replace"):
        ran("documents")
    done = ran("documents", "--replace")
    assert done.exit_code == 0
    aside = tmp_path / "chunks" / "old-1"
    assert f"note: the chunks that stood there are now in {aside}\n" in done.stderr
    assert (aside / "a.md.jsonl").exists()


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def watched(stream: io.StringIO, until: str) -> str:
    """What a reading shows that goes on until ``until`` is seen."""
    with ingest_module._Progress(stream) as progress:
        progress.at(3, 8, "big.pdf")
        for _ in range(2000):
            if until in stream.getvalue():
                break
            time.sleep(0.005)
    return stream.getvalue()


def test_a_long_reading_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch):
    """Lines where there is no terminal, a bar where there is one, nothing for quick work."""
    assert watched(io.StringIO(), "") == ""
    monkeypatch.setattr(ingest_module, "QUIET_S", 0.01)
    monkeypatch.setattr(ingest_module, "LINE_S", 0.01)
    lines = watched(io.StringIO(), "big.pdf\n3 of 8").splitlines()
    assert lines[0] == "3 of 8 documents read in 0 s; now big.pdf"
    assert len(lines) >= 2
    assert "3/8" in watched(Terminal(), "big.pdf")
