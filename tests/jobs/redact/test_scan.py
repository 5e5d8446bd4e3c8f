"""Scanning files: places, formats, names, and files that cannot be read."""

import sys
from pathlib import Path

import pytest
from fpdf import FPDF

from assay.errors import UseError
from assay.jobs.redact import scan_files

PHONE = "13812345678"


def places(path: Path) -> list[tuple[str, int | None, int, str]]:
    """Where each value was found."""
    return [(each.source, each.page, each.line, each.kind) for each in scan_files(path).found]


def test_lines_are_those_of_an_editor(tmp_path: Path):
    """A comment and a form feed do not move a line."""
    (tmp_path / "a.md").write_text(f"<!-- {PHONE}\n\f -->\n\n电话{PHONE}\n", encoding="utf-8")
    assert places(tmp_path) == [("a.md", None, 1, "PHONE"), ("a.md", None, 4, "PHONE")]


def test_json_is_read_without_its_escapes(tmp_path: Path):
    """An escaped newline before a number does not hide it, nor do escaped words."""
    text = '{"a": 1,\n"b": "x\\n' + PHONE + '"}\n{"c": "\\u0418\\u041d\\u041d\\t7707083893"}'
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")
    assert places(tmp_path) == [
        ("rows.jsonl", None, 2, "PHONE"),
        ("rows.jsonl", None, 3, "INN"),
    ]


def test_a_pdf_has_pages(tmp_path: Path):
    """The place in a PDF is a page and a line of its text."""
    pdf = FPDF()
    pdf.set_font("Helvetica")
    for text in ("nothing here", "write to li@example.cn"):
        pdf.add_page()
        pdf.cell(text=text)
    pdf.output(str(tmp_path / "a.pdf"))
    assert places(tmp_path) == [("a.pdf", 2, 1, "EMAIL")]


def test_names_of_files_are_searched(tmp_path: Path):
    """Also of files that are not read."""
    (tmp_path / f"tel {PHONE}.bin").write_bytes(b"\xff")
    result = scan_files(tmp_path)
    assert [(each.line, each.kind, each.shortened) for each in result.found] == [
        (0, "PHONE", "13…78")
    ]
    assert (result.files, result.skipped) == (0, (f"tel {PHONE}.bin",))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    """The others are searched."""
    (tmp_path / "a.txt").write_bytes(b"\xff")
    (tmp_path / "b.txt").write_text(PHONE, encoding="utf-8")
    result = scan_files(tmp_path)
    assert [each.source for each in result.found] == ["b.txt"]
    assert "a.txt: not UTF-8" in result.unread[0]


def test_tags_are_no_values(tmp_path: Path):
    """A masked file has nothing left to mask."""
    (tmp_path / "a.txt").write_text("https://x.example/?token=[URL_1] [API_KEY_a1b2_12]")
    assert places(tmp_path / "a.txt") == []


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A path that does not exist, and a library that is not installed."""
    with pytest.raises(UseError, match="no such file or folder"):
        scan_files(tmp_path / "none")
    monkeypatch.setitem(sys.modules, "stdnum", None)
    with pytest.raises(UseError, match=r"pip install 'assay\[redact\]'"):
        scan_files(tmp_path)
