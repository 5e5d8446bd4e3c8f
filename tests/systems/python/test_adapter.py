"""Which files of a folder are systems of the user."""

from pathlib import Path

import pytest

from assay.errors import UnnamedSystem
from assay.systems.python.adapter import adapter, adapters_in, refuse_unnamed


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def ask(question, settings): ...", "ask"),
        ("async def ask(*, question): ...", "ask"),
        ("SETTINGS = {}\ndef ask(text): ...", "ask"),
        ("def reset(): ...\ndef ask(text): ...", "ask"),
        ("PASSAGES: str = 'rank'\ndef ask(text): ...", "ask"),
        ("class Backend:\n    def ask(self, question): ...", "Backend"),
        ("class Rag:\n    def query(self, question): ...", "Rag"),
        ("class Table:\n    def query(self, sql): ...", None),
        ("def ask(prompt): return input(prompt)", None),
        ("def query(question): ...", None),
        ("def outer():\n    def ask(question): ...", None),
        ("def ask(question:", None),
        ("", None),
    ],
)
def test_an_adapter_is_known_by_what_it_defines(source: str, name: str | None):
    """It is read and never imported; what is not certainly written to be asked is none."""
    assert adapter(source.encode()) == name


def test_files_that_cannot_be_asked_are_passed_over(tmp_path: Path):
    """Tests, names that cannot be imported, folders, and what cannot be read as Python."""
    for name in ("backend", "test_backend", "conftest", "my-backend"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit\ndef ask(question): ...")
    (tmp_path / "noise.py").write_bytes(b"\xff\x00")
    (tmp_path / "folder.py").mkdir()
    assert adapters_in(tmp_path) == ["python:backend:ask"]


def test_the_first_folder_with_a_system_is_named(tmp_path: Path):
    """Without one, the system that comes with assay is asked."""
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
    refuse_unnamed([tmp_path / "first"], "reference")
    (tmp_path / "second" / "mine.py").write_text("def ask(question): ...")
    with pytest.raises(UnnamedSystem, match=r"mine\.py in .*second can be asked") as refused:
        refuse_unnamed([tmp_path / each for each in ("first", "second", "third")], "reviewer")
    assert refused.value.choices == ("python:mine:ask", "reviewer")
    assert refused.value.exit_code == 2
