"""``assay redact``: what its commands print, and where the key lies."""

from pathlib import Path

import pytest

from tests.support.program import Program, program

TEXT = "电话13812345678，邮箱li@example.cn\n"


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Program:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return program(capsys)


def test_scan_lists_places_and_counts(assay: Program):
    """No value is shown whole."""
    ran = assay("redact", "scan", ".")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "a.txt:1: PHONE 13…78",
        "a.txt:1: EMAIL li…cn",
        "2 values in 1 file: EMAIL 1, PHONE 1",
    ]


def test_scan_fails_if_a_file_could_not_be_read(assay: Program):
    """The file is named, and JSON names it too."""
    Path("b.txt").write_bytes(b"\xff")
    assert "not read: b.txt" in assay("redact", "scan", ".").err
    ran = assay("redact", "scan", ".", "--json")
    assert ran.code == 1
    assert '"unread":["b.txt' in ran.out


def test_a_masked_file_is_revealed_with_the_key_of_the_workspace(assay: Program, tmp_path: Path):
    """The key lies outside the workspace; another workspace does not have it."""
    assert assay("redact", "mask", "a.txt", "--out", "m.txt").code == 0
    assert Path("m.txt").read_text(encoding="utf-8") == "电话[PHONE_1]，邮箱[EMAIL_1]\n"
    names = sorted(path.name for path in Path().iterdir())
    assert names == [".assay", "a.txt", "m.txt"]
    assert sorted(path.name for path in Path(".assay").iterdir()) == [".gitignore", "outputs"]
    assert len(list((tmp_path / "state").rglob("*.key"))) == 1
    assert assay("redact", "reveal", "m.txt").out == TEXT
    elsewhere = assay("redact", "reveal", "m.txt", "--root", str(tmp_path))
    assert elsewhere.code == 2
    assert "no such key" in elsewhere.err


def test_without_a_key_nothing_is_kept(assay: Program, tmp_path: Path):
    """The tags have a random part, and there is no file."""
    ran = assay("redact", "mask", "a.txt", "--no-key")
    assert "13812345678" not in ran.out
    assert not (tmp_path / "state").exists()
    refused = assay("redact", "mask", "a.txt", "--no-key", "--key", "k")
    assert (refused.code, "not both" in refused.err) == (2, True)


def test_a_file_is_not_overwritten_by_itself(assay: Program):
    """The original would be lost."""
    ran = assay("redact", "mask", "a.txt", "--out", "./a.txt")
    assert (ran.code, "name another file" in ran.err) == (2, True)
    assert Path("a.txt").read_text(encoding="utf-8") == TEXT
