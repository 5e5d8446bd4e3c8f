"""With redaction, or where a key is in use, only their owner reads the files that assay makes."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.models.cache_file import connect
from tests.redact.main import Program
from tests.redact.test_seal import ASK, write


@pytest.fixture(autouse=True)
def _usual_mask() -> Iterator[None]:
    """Files that are not protected are for everybody to read, as on most computers."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The modes of the files of a run."""
    return {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (folder / "experiments").rglob("*")
        if path.is_file() and path.name not in {"experiments.yaml", ".gitignore"}
    }


def test_files_of_a_redacted_run_are_for_their_owner(program: Program):
    """Rows, plan, summary, report, charts and exports; a mode that somebody gave a file stays."""
    write(program.folder, "outputs")
    assert program.run(ASK)[0] == 0
    assert program.run("report phone --charts svg")[0] == 0
    assert (
        program.run("report phone --charts none --format html --out experiments/phone.html")[0] == 0
    )
    found = modes(program.folder)
    assert {
        "phone.jsonl",
        "phone.plan.jsonl",
        "phone.json",
        "phone.md",
        "phone.html",
    } <= found.keys()
    assert any(name.endswith(".svg") for name in found)
    assert set(found.values()) == {0o600}, found
    outputs = program.folder / ".assay" / "outputs"  # hashes of what was written to --out
    assert stat.S_IMODE(outputs.stat().st_mode) == 0o600
    summary = program.folder / "experiments" / "phone.json"
    summary.chmod(0o640)
    assert program.run("score phone")[0] == 0
    assert program.run(f"{ASK} --resume refresh")[0] == 0
    assert modes(program.folder)["phone.json"] == 0o640


def test_files_without_redaction_and_keys_are_as_they_were(program: Program):
    """Nothing changes for runs that have nothing to hide."""
    write(program.folder, "off")
    assert program.run_apart(ASK) == 0  # this process may know keys of other tests
    assert set(modes(program.folder).values()) == {0o644}


def test_files_of_a_run_with_a_key_are_for_their_owner(program: Program):
    """A key of the workspace is in use, so rows and call cache are not for everybody."""
    write(program.folder, "off")
    (program.folder / ".env").write_text("FAR_API_KEY=tq9xzpl3mw8vr2kn\n", encoding="utf-8")
    assert program.run_apart(ASK) == 0
    assert set(modes(program.folder).values()) == {0o600}


def test_a_call_cache_is_created_for_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Also the files that SQLite writes beside it."""
    monkeypatch.setattr("assay.models.cache_file.file_mode", lambda: 0o600)
    connection = connect(tmp_path / "calls.sqlite")
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    connection.close()
    assert "calls.sqlite-wal" in found
    assert set(found.values()) == {0o600}
