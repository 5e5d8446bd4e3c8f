"""A new workspace: complete, consistent, and never at the cost of a user's file."""

import subprocess
from pathlib import Path

import pytest

from assay.config import Workspace
from assay.data.corpus.chunk import load_corpus
from assay.data.question import read_questions
from assay.errors import UseError
from assay.jobs.corpus.ingest import ingest
from assay.jobs.corpus.workspace import create_workspace


@pytest.fixture(name="workspace", scope="module")
def _workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("init") / "new" / "work"
    create_workspace(folder)
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_workspace_is_whole(workspace: Path):
    """It is found as one, and every question's gold is a chunk of its corpus."""
    found = Workspace.find(start=workspace / "documents" / "zh")
    assert found.root == workspace.resolve()
    defaults = found.load_experiments().value.defaults
    assert defaults.questions_path is not None
    assert defaults.chunks_manifest is not None
    questions = read_questions(workspace / defaults.questions_path)
    known = {chunk.id for chunk in load_corpus(workspace / defaults.chunks_manifest).chunks}
    assert all(name in known for question in questions for name in question.gold)
    assert sum(not question.gold for question in questions) >= 20
    assert len((workspace / "README.md").read_text().splitlines()) <= 12


def test_ingesting_its_documents_changes_nothing(workspace: Path, tmp_path: Path):
    """The chunks that came with it are those that ``assay ingest`` makes."""
    ingest(workspace / "documents", tmp_path / "chunks")
    assert snapshot(tmp_path / "chunks") == snapshot(workspace / "chunks")


def test_what_must_stay_out_of_git_does(workspace: Path, tmp_path: Path):
    """Results, caches, embeddings and keys are ignored; what one writes by hand is not."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_bytes((workspace / ".gitignore").read_bytes())
    private = [
        "experiments/mrl.jsonl",
        "experiments/mrl.json",
        "experiments/mrl.md",
        "experiments/mrl/charts/a.png",
        "experiments/mrl.jsonl.torn",
        "embeddings/a.npy",
        ".assay/calls.sqlite",
        ".env",
        "eval/data/x.pdf",
    ]
    public = ["experiments/experiments.yaml", "questions/questions.jsonl", "chunks/manifest.json"]
    asked = subprocess.run(
        ["git", "-C", str(tmp_path), "check-ignore", *private, *public],
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.stdout.split() == private


def test_a_folder_in_use_is_refused(tmp_path: Path):
    """Nothing is written where anything stands, nor over a file."""
    mine = tmp_path / "README.md"
    mine.write_text("mine")
    with pytest.raises(UseError, match="is not empty; name a new folder, or pass --force"):
        create_workspace(tmp_path)
    with pytest.raises(UseError, match=r"README\.md is a file; name a folder"):
        create_workspace(mine)
    assert snapshot(tmp_path) == {"README.md": b"mine"}


def test_force_moves_a_users_file_aside(tmp_path: Path, workspace: Path):
    """What is in the way keeps its content under a new name; the rest stays as it is."""
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "notes.txt").write_text("also mine")
    laid = create_workspace(tmp_path, force=True)
    assert laid.moved == (("README.md", "README.md.old-1"),)
    expected = snapshot(workspace) | {"README.md.old-1": b"mine", "notes.txt": b"also mine"}
    assert snapshot(tmp_path) == expected
    (tmp_path / "README.md").write_text("mine again")
    again = create_workspace(tmp_path, force=True)
    assert again.moved == (("README.md", "README.md.old-2"),)
    assert again.written == ("README.md",)


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path):
    """A file where a folder must be is named."""
    (tmp_path / "documents").write_text("a file")
    with pytest.raises(UseError, match=r"documents.*: cannot be written"):
        create_workspace(tmp_path, force=True)
