"""What a command writes is named in a .gitignore beside it."""

import subprocess
from pathlib import Path

import pytest

from assay.library.privacy import keep_private, keep_run_private
from tests.support.git import NEEDS_GIT

pytestmark = NEEDS_GIT

RUN_FILES = (
    "depth.jsonl", "depth.json", "depth.plan.jsonl", "depth.verdicts.jsonl", "depth.jsonl.torn",
    "depth.md", "depth.zh.md", "depth/charts/bar.png", "depth-page.html", "depth.html",
)  # fmt: skip


def untracked(root: Path) -> set[str]:
    """The files that ``git add .`` would take, apart from the lists themselves."""
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "-z"],
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    return {name for name in listed if name and not name.endswith(".gitignore")}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """An empty repository."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def write(folder: Path, *names: str) -> None:
    """Write small files."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("secret", encoding="utf-8")


@pytest.mark.parametrize("name", ["depth", "опыт 1", "a[1]*b", "深度"])
def test_git_sees_no_file_of_a_run(repository: Path, name: str):
    """All files of a run are ignored, whatever its name, and files of others are not."""
    files = [file.replace("depth", name) for file in RUN_FILES]
    write(repository, *files, f"{name}.py", "depths.yaml", "experiments.yaml")
    keep_run_private(repository / f"{name}.jsonl")
    assert untracked(repository) == {f"{name}.py", "depths.yaml", "experiments.yaml"}


def test_a_results_file_is_ignored_with_its_rows(repository: Path):
    """The rows of ``lease.json`` are in ``lease.rows.jsonl``; both contain answers."""
    write(
        repository, "out/lease.json", "out/lease.rows.jsonl", "out/lease.rows.plan.jsonl", "out/a"
    )
    keep_run_private(repository / "out" / "lease.rows.jsonl")
    assert untracked(repository) == {"out/a"}


def test_a_list_is_written_once_and_what_is_in_it_stays(repository: Path):
    """The lines of the user stay, and a second run adds nothing."""
    write(repository, "map.html")
    ignored = repository / ".gitignore"
    ignored.write_text("*.tmp", encoding="utf-8")
    for _ in range(2):
        keep_private(repository / "map.html")
    lines = ignored.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*.tmp"
    assert lines.count("/map.html") == 1
    assert untracked(repository) == set()


@pytest.mark.parametrize("pattern", ["out/", "out/*", "/out/*", "*.jsonl"])
def test_what_a_folder_above_ignores_is_not_named_again(repository: Path, pattern: str):
    """In a workspace of ``assay init`` no further list appears."""
    write(repository, "out/run.jsonl")
    (repository / ".gitignore").write_text(f"{pattern}\n", encoding="utf-8")
    keep_run_private(repository / "out" / "run.jsonl")
    assert not (repository / "out" / ".gitignore").exists()
    assert untracked(repository) == set()


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path: Path):
    """A run is not stopped because its list cannot be written."""
    (tmp_path / ".gitignore").mkdir()
    keep_private(tmp_path / "map.html")
