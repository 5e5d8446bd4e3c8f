"""A new workspace is complete and consistent, and no file of the user is overwritten."""

import shutil
import subprocess
from pathlib import Path

import pytest

from assay.config.workspace import Workspace
from assay.data.corpus.chunk import load_corpus
from assay.data.question import read_questions
from assay.errors import UseError
from assay.jobs.corpus.ingest import ingest
from assay.jobs.corpus.new_workspace import create_workspace
from tests.support.git import NEEDS_GIT


@pytest.fixture(name="workspace", scope="module")
def _workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("init") / "new" / "work"
    create_workspace(folder)
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """The bytes of every file below a folder, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_workspace_is_complete(workspace: Path):
    """The workspace is recognised, and every gold chunk is in its corpus."""
    located = Workspace.find(start=workspace / "documents" / "zh")
    assert located.root == workspace.resolve()
    defaults = located.load_experiments().value.defaults
    assert defaults.questions_path is not None
    assert defaults.chunks_manifest is not None
    questions = read_questions(workspace / defaults.questions_path)
    known = {chunk.id for chunk in load_corpus(workspace / defaults.chunks_manifest).chunks}
    assert all(name in known for question in questions for name in question.gold)
    assert sum(not question.gold for question in questions) >= 20
    assert len((workspace / "README.md").read_text().splitlines()) <= 12


def test_ingesting_its_documents_changes_nothing(workspace: Path, tmp_path: Path):
    """The workspace's chunks are those that ``assay ingest`` makes from its documents."""
    shutil.copytree(workspace / "documents", tmp_path / "documents")
    ingest(tmp_path / "documents", tmp_path / "chunks")
    assert snapshot(tmp_path / "chunks") == snapshot(workspace / "chunks")


@NEEDS_GIT
def test_private_files_are_ignored_by_git(workspace: Path, tmp_path: Path):
    """Results, caches, embeddings and keys are ignored by git; files written by hand are not."""
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
    ignored = subprocess.run(
        ["git", "-C", str(tmp_path), "check-ignore", *private, *public],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ignored.stdout.split() == private


def test_a_folder_in_use_is_refused(tmp_path: Path):
    """A folder that is not empty, or a file, is refused, and nothing is written."""
    existing = tmp_path / "README.md"
    existing.write_text("mine")
    with pytest.raises(UseError, match="is not empty; name a new folder, or pass --force"):
        create_workspace(tmp_path)
    with pytest.raises(UseError, match=r"README\.md is a file; name a folder"):
        create_workspace(existing)
    assert snapshot(tmp_path) == {"README.md": b"mine"}


def test_force_moves_a_users_file_aside(tmp_path: Path, workspace: Path):
    """A file with a sample's name is renamed; other files stay as they are."""
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "notes.txt").write_text("also mine")
    created = create_workspace(tmp_path, force=True)
    assert created.moved == (("README.md", "README.md.old-1"),)
    expected = snapshot(workspace) | {"README.md.old-1": b"mine", "notes.txt": b"also mine"}
    assert snapshot(tmp_path) == expected
    (tmp_path / "README.md").write_text("mine again")
    again = create_workspace(tmp_path, force=True)
    assert again.moved == (("README.md", "README.md.old-2"),)
    assert again.written == ("README.md",)


def test_a_folder_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path):
    """A file in the place of a folder is reported in one line."""
    (tmp_path / "documents").write_text("a file")
    with pytest.raises(UseError, match=r"documents.*: cannot be written"):
        create_workspace(tmp_path, force=True)
