"""How the root of a workspace is found, and that configured paths cannot leave it."""

from pathlib import Path

import pytest

from assay.config.workspace import Workspace, make_folder
from assay.errors import ConfigError, UseError


def make_experiments(folder: Path, text: str = "experiments: []\n") -> Path:
    """Write an experiments file in ``folder``, and return its path."""
    path = folder / "experiments" / "experiments.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_root_option_wins_over_everything(tmp_path: Path):
    """``--root`` is used even if the current folder has an experiments file."""
    make_experiments(tmp_path / "current")
    (tmp_path / "other").mkdir()
    workspace = Workspace.find(tmp_path / "other", start=tmp_path / "current")
    assert workspace.root == (tmp_path / "other").resolve()


def test_a_root_that_is_no_folder_is_refused(tmp_path: Path):
    """A mistyped root is reported and not created."""
    with pytest.raises(UseError, match=r"^--root .*gone: no such folder$"):
        Workspace.find(tmp_path / "gone")


def test_the_nearest_experiments_file_above_is_found(tmp_path: Path):
    """From a deeply nested folder, the nearest workspace is used, not the outermost one."""
    make_experiments(tmp_path)
    make_experiments(tmp_path / "inner")
    deep = tmp_path / "inner" / "a" / "b"
    deep.mkdir(parents=True)
    assert Workspace.find(start=deep).root == (tmp_path / "inner").resolve()
    assert Workspace.find(start=tmp_path).root == tmp_path.resolve()


def test_an_experiments_file_wins_over_the_seed_layout(tmp_path: Path):
    """``Research Files/rag_eval`` is used only if there is no experiments file."""
    make_experiments(tmp_path)
    below = tmp_path / "below"
    (below / "Research Files" / "rag_eval").mkdir(parents=True)
    assert Workspace.find(start=below).root == tmp_path.resolve()


def test_the_seed_layout_is_found_below_the_current_folder(tmp_path: Path):
    """Without an experiments file, ``Research Files/rag_eval`` is the root."""
    (tmp_path / "Research Files" / "rag_eval").mkdir(parents=True)
    workspace = Workspace.find(start=tmp_path)
    assert workspace.root == tmp_path.resolve() / "Research Files" / "rag_eval"


def test_the_current_folder_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """If nothing else is there, the root is the current folder."""
    monkeypatch.chdir(tmp_path)
    assert Workspace.find().root == tmp_path.resolve()


@pytest.fixture(name="workspace")
def _workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "root" / "questions").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
    return Workspace.find(tmp_path / "root")


@pytest.mark.parametrize("configured", ["questions/a.jsonl", "./questions", ".", "a/../b", "new/x"])
def test_a_path_inside_the_root_is_resolved(workspace: Workspace, configured: str):
    """Paths are relative to the root, whether they exist or not."""
    assert workspace.resolve(configured, "f:1") == (workspace.root / configured).resolve()


@pytest.mark.parametrize(
    "configured", ["../x", "questions/../../x", "link/x", "/elsewhere/x", "../root2"]
)
def test_a_path_that_leaves_the_root_is_refused(workspace: Workspace, configured: str):
    """A path outside the root is refused with its position and a remedy.

    It does not matter whether it leads there upwards, absolutely or by a symbolic link.
    """
    with pytest.raises(UseError) as caught:
        workspace.resolve(configured, "experiments.yaml:3")
    message = str(caught.value)
    assert message.startswith(f"experiments.yaml:3: {configured!r} lies outside {workspace.root}")
    assert message.endswith("pass --allow-outside-root")


@pytest.mark.parametrize("configured", ["../x", "link/x", "/elsewhere/x"])
def test_a_path_outside_is_allowed_on_request(workspace: Workspace, configured: str):
    """With ``--allow-outside-root``, configured paths may be outside the root."""
    unrestricted = Workspace.find(workspace.root, allow_outside_root=True)
    assert unrestricted.resolve(configured, "f:1") == (workspace.root / configured).resolve()


def test_an_absolute_path_inside_is_allowed(workspace: Workspace):
    """An absolute path is accepted if it leads into the root."""
    inside = workspace.root / "questions" / "a.jsonl"
    assert workspace.resolve(str(inside), "f:1") == inside


def test_the_experiments_are_loaded_from_the_workspace_or_a_given_file(tmp_path: Path):
    """``load_experiments`` reads the file of the workspace if no other path is passed."""
    make_experiments(tmp_path, "experiments:\n- name: own\n")
    other = tmp_path / "other.yaml"
    other.write_text("experiments:\n- name: other\n", encoding="utf-8")
    workspace = Workspace.find(tmp_path)
    assert workspace.load_experiments().value.experiments[0].name == "own"
    assert workspace.load_experiments(other).value.experiments[0].name == "other"


def test_an_absent_experiments_file_is_refused_by_name(tmp_path: Path):
    """The message names the path of the missing file."""
    with pytest.raises(ConfigError, match=r"experiments\.yaml: no such file$"):
        Workspace.find(tmp_path).load_experiments()


def test_paths_may_start_at_the_repository_that_holds_the_research_files(tmp_path: Path):
    """Their owner writes them from the top; those from the root keep their meaning."""
    root = tmp_path.resolve() / "Research Files" / "rag_eval"
    (root / "questions").mkdir(parents=True)
    (tmp_path / "backend").mkdir()
    for workspace in (Workspace.find(start=tmp_path / "backend"), Workspace.find(tmp_path)):
        assert workspace.root == root
        top = workspace.resolve("Research Files/rag_eval/questions/q.jsonl", "x")
        assert top == root / "questions" / "q.jsonl"
        assert workspace.resolve("questions", "x") == root / "questions"
        assert workspace.resolve("backend", "x") == tmp_path.resolve() / "backend"
        assert workspace.resolve("new.jsonl", "x") == root / "new.jsonl"
        with pytest.raises(UseError, match="outside"):
            workspace.resolve("../../../elsewhere", "x")


def test_what_assay_keeps_for_itself_stays_out_of_git(tmp_path: Path):
    """``.assay`` has a ``.gitignore`` of its own; other folders get none, and one that is there stays."""
    make_folder(tmp_path / ".assay" / "pdf" / "abc")
    own = tmp_path / ".assay" / ".gitignore"
    assert own.read_text(encoding="utf-8") == "*\n"
    own.write_text("!keep\n", encoding="utf-8")
    make_folder(tmp_path / ".assay" / "bench")
    assert own.read_text(encoding="utf-8") == "!keep\n"
    make_folder(tmp_path / "embeddings")
    assert list((tmp_path / "embeddings").iterdir()) == []
