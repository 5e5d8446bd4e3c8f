"""Masked and revealed files: texts, JSON, and what is refused."""

import json
from pathlib import Path

import pytest

from assay.errors import DatasetError, UseError
from assay.jobs.redaction.rewrite import masked_file, revealed_file
from assay.redact.pseudonym import Forgotten, KeyFile


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "电话13812345678，\r\nИНН 7707083893\n"),
        ("a.jsonl", '{"a": ["li@example.cn", 1, 2.5, null], "13812345678": "\\n"}\n'),
        ("a.json", '{\n  "密码": "Zx1234!abcd"\n}\n'),
        ("README", "li@example.cn"),
    ],
)
def test_a_revealed_file_is_the_original(tmp_path: Path, name: str, text: str):
    """Masked with a key and turned back with the same key."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    masked = "".join(masked_file(path, KeyFile(tmp_path / "key")))
    assert masked != text
    assert not any(value in masked for value in ("13812345678", "7707083893", "li@", "Zx12"))
    path.write_bytes(masked.encode())
    assert "".join(revealed_file(path, tmp_path / "key")) == text


def test_a_value_with_quotation_marks_leaves_json_valid(tmp_path: Path):
    """A private key has newlines, which are escaped again when it comes back."""
    secret = "-----BEGIN PRIVATE " + 'KEY-----\n"x"\n-----END PRIVATE KEY-----'
    path = tmp_path / "a.json"
    path.write_text(json.dumps([secret]), encoding="utf-8")
    path.write_text("".join(masked_file(path, KeyFile(tmp_path / "key"))), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == ["[PRIVATE_KEY_1]"]
    assert json.loads("".join(revealed_file(path, tmp_path / "key"))) == [secret]


def test_half_a_character_can_be_written(tmp_path: Path):
    """JSON may have an escape that is no character; it stays one."""
    path = tmp_path / "a.json"
    path.write_text('["\\ud83d"]', encoding="utf-8")
    assert json.loads("".join(masked_file(path, Forgotten()))) == ["\ud83d"]


def test_what_cannot_be_rewritten_is_refused(tmp_path: Path):
    """Other formats, broken JSON with its line, and a key that is not there."""
    for name, content in (("a.pdf", "x"), ("a.jsonl", '{"a": 1}\n{"a\n')):
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(UseError, match="not a text file"):
        list(masked_file(tmp_path / "a.pdf", Forgotten()))
    with pytest.raises(DatasetError, match=r"a\.jsonl:2: not JSON"):
        list(masked_file(tmp_path / "a.jsonl", Forgotten()))
    with pytest.raises(UseError, match="no such key"):
        list(revealed_file(tmp_path / "a.jsonl", tmp_path / "key"))
    assert not (tmp_path / "key").exists()
