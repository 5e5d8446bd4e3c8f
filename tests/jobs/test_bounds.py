"""Files that data name lie in the workspace, wherever symbolic links lead."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.cli.bench import validate
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import load_corpus
from assay.errors import DatasetError
from assay.jobs.corpus.ingest import ingest
from assay.jobs.legal.benchmark import read_benchmark_data
from assay.jobs.legal.benchmark_check import check_benchmark

QUESTION = {
    "id": "q1",
    "question": "Who signs?",
    "expected": {"abstain": True},
}


def put_benchmark(folder: Path, document: str) -> Path:
    """Write a benchmark file that names this document."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "a.json"
    content: dict[str, Any] = {"benchmark_type": "fact_exact", "document": document}
    path.write_text(json.dumps({**content, "questions": [QUESTION]}))
    return path


@pytest.fixture(name="secret")
def _secret(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "secret.txt"
    path.parent.mkdir()
    path.write_text("The password is tulip.")
    return path


def document_problems(path: Path, bounds: Path | None) -> list[str]:
    """The problems of a file that are about its document."""
    found = check_benchmark(path, bounds).problems
    return [problem.message for problem in found if problem.path == "$.document"]


@pytest.mark.parametrize("way", ["absolute", "upwards", "link"])
def test_a_benchmark_cannot_name_a_document_outside(tmp_path: Path, secret: Path, way: str):
    """An absolute path, ``..`` and a symbolic link are problems; an option allows them."""
    root = tmp_path / "workspace"
    folder = root / "benchmarks"
    name = {"absolute": str(secret), "upwards": "../../elsewhere/secret.txt", "link": "link.txt"}[
        way
    ]
    path = put_benchmark(folder, name)
    (folder / "link.txt").symlink_to(secret)
    (problem,) = document_problems(path, root)
    assert "outside" in problem
    assert "--allow-outside-root" in problem
    assert check_benchmark(path, root).document is None
    with pytest.raises(DatasetError, match="outside"):
        read_benchmark_data(path, root)
    free = check_benchmark(path, None)
    assert free.document is not None
    assert not document_problems(path, None)


def test_a_document_beside_the_file_or_in_the_workspace_is_read(tmp_path: Path):
    """The folder of the file counts as well as the workspace."""
    root = tmp_path / "workspace"
    (root / "documents").mkdir(parents=True)
    (root / "documents" / "a.txt").write_text("Text")
    assert not document_problems(put_benchmark(root / "benchmarks", "a.txt"), root)
    other = put_benchmark(tmp_path / "other", "b.txt")
    (other.parent / "b.txt").write_text("Text")
    assert not document_problems(other, root)


def test_validate_has_the_option(tmp_path: Path, secret: Path, capsys: pytest.CaptureFixture[str]):
    """``assay bench validate`` names the problem."""
    path = put_benchmark(tmp_path / "workspace", str(secret))
    with pytest.raises(Exception, match="2"):
        validate(path, root=tmp_path / "workspace")
    assert "lies outside" in capsys.readouterr().out


def test_a_chunk_file_cannot_lead_outside(tmp_path: Path):
    """A link beside the manifest is followed only if the user allows it."""
    chunks = tmp_path / "workspace" / "chunks"
    chunks.mkdir(parents=True)
    outside = tmp_path / "a.jsonl"
    outside.write_text('{"id": "a", "text": "One."}\n')
    (chunks / "a.jsonl").symlink_to(outside)
    workspace = Workspace.find(tmp_path / "workspace")
    with pytest.raises(DatasetError, match=r"a\.jsonl: a link to .*--allow-outside-root"):
        load_corpus(chunks, workspace.bounds)
    allowed = Workspace.find(tmp_path / "workspace", allow_outside_root=True)
    assert len(load_corpus(chunks, allowed.bounds).chunks) == 1


def test_ingest_leaves_out_links_that_lead_outside(tmp_path: Path, secret: Path):
    """The link is named and skipped, the documents beside it are kept."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("# One\n\nText of the first.")
    (folder / "b.txt").symlink_to(secret)
    result = ingest(folder, tmp_path / "chunks")
    assert [item.source for item in result.ingested] == ["a.md"]
    assert [item.failed for item in result.passed] == [True]
    assert "a link to a file outside" in str(result.passed[0].reason)
    followed = ingest(folder, tmp_path / "more", follow_links=True)
    assert [item.source for item in followed.ingested] == ["a.md", "b.txt"]
