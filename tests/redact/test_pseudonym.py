"""Tags and the file that turns them back."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import UseError
from assay.redact.pseudonym import Forgotten, KeyFile, default_key_path

PROGRAM = """
import json, sys
from pathlib import Path
from assay.redact.pseudonym import KeyFile
key, first = KeyFile(Path(sys.argv[1])), int(sys.argv[2])
values = [f"{n}@x.example" for n in range(first, first + 40)]
print(json.dumps({value: key.tag("EMAIL", value) for value in values}))
"""
"""Gives tags to 40 values, half of which the other process has too."""


def test_two_processes_give_a_value_the_same_tag(tmp_path: Path):
    """Both write at once; no value has two tags and no tag has two values."""
    path = tmp_path / "key"
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), first], stdout=subprocess.PIPE, text=True
        )
        for first in ("0", "20")
    ]
    given = [json.loads(program.communicate(timeout=120)[0]) for program in programs]
    assert all(given[0][value] == given[1][value] for value in given[0].keys() & given[1].keys())
    tags = given[0] | given[1]
    assert len(set(tags.values())) == len(tags) == 60
    read = KeyFile(path)
    assert all(read.value(tag) == value for value, tag in tags.items())


def test_only_the_owner_can_read_the_key(tmp_path: Path):
    """The file has mode 600, and a file that others can read is refused."""
    path = tmp_path / "folder" / "key"
    KeyFile(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    with pytest.raises(UseError, match="others can read this key; chmod 600"):
        KeyFile(path)


def test_another_file_is_not_taken_for_a_key(tmp_path: Path):
    """A file with other content is refused and stays as it is."""
    path = tmp_path / "notes"
    path.write_text("hello\n", encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(UseError, match="not a key of assay redact"):
        KeyFile(path)
    assert path.read_text(encoding="utf-8") == "hello\n"


def test_a_half_written_last_line_is_completed(tmp_path: Path):
    """After a crash inside a write, the key can still be read and written."""
    path = tmp_path / "key"
    tag = KeyFile(path).tag("PHONE", "13812345678")
    with path.open("ab") as file:
        file.write(b'{"tag":"[PHONE_2]","ki')
    assert KeyFile(path).tag("PHONE", "13812345678") == tag
    new = KeyFile(path).tag("PHONE", "13912345678")
    again = KeyFile(path)
    assert again.value(new) == "13912345678"
    assert again.value(tag) == "13812345678"


@pytest.mark.parametrize("cut", [0, 5, 20, 57])
def test_a_half_written_first_line_is_written_again(tmp_path: Path, cut: int):
    """Nobody has used a secret that a crash has cut off."""
    path = tmp_path / "key"
    KeyFile(path)
    whole = path.read_bytes()
    assert len(whole) == 58
    path.write_bytes(whole[:cut])
    tag = KeyFile(path).tag("PHONE", "13812345678")
    assert KeyFile(path).value(tag) == "13812345678"


def test_spellings_of_a_number_share_a_tag():
    """Separators and wide digits do not make another value."""
    tags = Forgotten()
    assert tags.tag("PHONE", "138-1234-5678") == tags.tag("PHONE", "１３８１２３４５６７８")
    assert tags.tag("PHONE", "138-1234-5679") != tags.tag("PHONE", "13812345678")
    assert Forgotten().value(tags.tag("PHONE", "13812345678")) is None


def test_forgotten_tags_of_two_processes_differ():
    """Nothing shows whether two runs without a key have the same value."""
    assert len({Forgotten().tag("PHONE", "13812345678") for _ in range(20)}) > 1


def test_each_workspace_has_its_own_key(tmp_path: Path):
    """The key lies outside the workspace."""
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    one, two = (default_key_path(tmp_path / name, environment) for name in ("one", "two"))
    assert one != two
    assert one.parent == two.parent == tmp_path / "state" / "assay" / "redact"


@pytest.mark.parametrize("secret", ["x", "AAAA", "no base64", "é", "A" * 2000])
def test_a_damaged_secret_is_refused(tmp_path: Path, secret: str):
    """The file is named; calls could not be encrypted with such a secret."""
    path = tmp_path / "k.key"
    path.write_text(json.dumps({"secret": secret}) + "\n", encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(UseError, match=r"k\.key: not a key of assay redact"):
        KeyFile(path)
