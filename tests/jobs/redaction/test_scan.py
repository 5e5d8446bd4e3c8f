"""Scanning files: places, formats, names, and files that cannot be read."""

import json
import sys
from pathlib import Path

import pytest
from fpdf import FPDF

from assay.errors import UseError
from assay.jobs.redaction.rewrite import masked_file
from assay.jobs.redaction.scan import scan_files
from assay.redact.pseudonym import Forgotten

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
    with pytest.raises(UseError, match=r"pip install 'assay-eval\[redact\]'"):
        scan_files(tmp_path)


def test_numbers_of_json_are_no_values(tmp_path: Path):
    """Masking keeps numbers of JSON, so they are not listed; the same digits as a text are."""
    row = {"cost": 0.000778, "latency_s": 13812345678, "tokens": [89161234567], "seed": "n/a"}
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(row)}\n" * 2, encoding="utf-8")
    (tmp_path / "all.json").write_text(json.dumps([row], indent=2), encoding="utf-8")
    (tmp_path / "text.json").write_text(json.dumps({"phone": PHONE}), encoding="utf-8")
    assert places(tmp_path) == [("text.json", None, 1, "PHONE")]


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".txt", ".csv", ".md"])
def test_a_masked_file_is_clean(tmp_path: Path, suffix: str):
    """What is listed is what masking changes: a masked file has no value, a clean one stays."""
    row = {
        "question": f"Call {PHONE} or 8 (916) 123-45-67, ИНН 7707083893",
        "usage": {"prompt_tokens": 4276380142765515, "cost": 0.000778123456},
        "tokens": 18,
        "latency_s": 1.7731062179,
        "system": "openai:http://127.0.0.1:8123/v1",
        "stages": [{"query": f"call {PHONE}", "password": "Tr0ub4dor&3"}],
    }
    path = tmp_path / f"a{suffix}"
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    found = scan_files(path).found
    assert {each.kind for each in found} >= {"PHONE", "INN", "API_KEY"}
    path.write_text("".join(masked_file(path, Forgotten())), encoding="utf-8")
    assert scan_files(path).found == ()


def test_the_lines_of_json_are_those_of_an_editor(tmp_path: Path):
    """A value has the line of its text, whatever the form of the file."""
    (tmp_path / "a.json").write_text(
        json.dumps({"n": [1, 2], "a": {"phone": [PHONE]}}, indent=1), encoding="utf-8"
    )
    assert places(tmp_path) == [("a.json", None, 8, "PHONE")]


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "127.1.2.3:8000", "0.0.0.0:80", "0:0:0:0:0:0:0:1"]
)
def test_the_address_of_every_computer_is_no_value(tmp_path: Path, address: str):
    """An address that every computer has for itself tells nothing, also after a word."""
    (tmp_path / "a.yaml").write_text(f"IP: {address}\nurl: http://{address}/v1\n", encoding="utf-8")
    assert places(tmp_path) == []
