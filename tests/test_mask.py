"""Secrets are masked in everything that is written."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from assay.mask import MASK, Mask, looks_secret, secret_values

KEY = "sk-live-0123456789abcdefghij"


@pytest.fixture(name="mask")
def _mask(monkeypatch: pytest.MonkeyPatch) -> Mask:
    for name in list(os.environ):
        if looks_secret(name):
            monkeypatch.delenv(name)
    return Mask()


@pytest.mark.parametrize(
    "name",
    ["OPENAI_API_KEY", "HF_TOKEN", "DB_PASSWORD", "aws_secret_access_key", "X_AUTH", "apiKey",
     "OPENAI_API_KEY_2", "GITHUB_PAT", "API_KEYS", "ClientSecret"],
)  # fmt: skip
def test_names_that_look_like_secrets(name: str):
    """The names that programs give to keys, tokens and passwords are recognised."""
    assert looks_secret(name)


@pytest.mark.parametrize(
    "name",
    ["PWD", "OLDPWD", "PATH", "SSH_AUTH_SOCK", "MONKEY", "KEYBOARD_LAYOUT", "top_k", "", "1"],
)
def test_names_that_do_not(name: str):
    """Other names are not taken for secrets."""
    assert not looks_secret(name)


def test_a_variable_is_masked_from_twelve_characters_on(
    mask: Mask, monkeypatch: pytest.MonkeyPatch
):
    """A short value could be an ordinary word."""
    monkeypatch.setenv("MY_TOKEN", "abcdef-12345")
    monkeypatch.setenv("SHORT_TOKEN", "ollama")
    mask.read_environment()
    assert mask.text("abcdef-12345 ollama") == f"{MASK} ollama"


def test_a_path_and_a_name_without_a_secret_are_not_masked(tmp_path: Path):
    """A variable that names a file of credentials holds no secret itself."""
    variables = {"GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path), "HOME": "/home/somebody-else"}
    assert secret_values(variables) == set()


def test_a_password_inside_a_url_is_a_secret():
    """The address of a data base or of a proxy may hold a password."""
    variables = {"DATABASE_URL": "postgres://me:correct-horse-1@db/x"}
    assert secret_values(variables) == {"correct-horse-1"}


@pytest.mark.parametrize(
    "value", [KEY, 'a"quoted\\key-012345', "ключ-секретный-01", "sl/ash+plus=0123456"]
)
def test_a_secret_is_masked_in_every_string_of_a_row(mask: Mask, value: str):
    """Rows stay valid JSON, also if the secret has characters that JSON escapes."""
    mask.add([value])
    row = {"answer": f"it is {value}!", "extra": {"a": [value, 1.5, None], value: True}, "n": 7}
    masked = mask.json(json.dumps(row, ensure_ascii=False).encode())
    assert json.loads(masked) == {
        "answer": f"it is {MASK}!",
        "extra": {"a": [MASK, 1.5, None], MASK: True},
        "n": 7,
    }


def test_a_row_without_a_secret_is_the_same_object(mask: Mask):
    """Nothing is decoded or copied if no secret occurs."""
    mask.add([KEY])
    row = b'{"answer": "sk-live is a prefix", "n": 0.1}'
    assert mask.json(row) is row


def test_a_secret_of_digits_does_not_break_numbers(mask: Mask):
    """Only strings are changed."""
    mask.add(["123456789012"])
    row = b'{"n":123456789012,"text":"123456789012"}'
    assert json.loads(mask.json(row)) == {"n": 123456789012, "text": MASK}


def test_the_fields_by_which_a_run_is_resumed_stay(mask: Mask):
    """They come from the user's files; masked, the case would be asked again for ever."""
    mask.add([KEY])
    row = json.dumps({"key": f"{KEY}::v", "question_id": KEY, "answer": KEY}).encode()
    assert json.loads(mask.json(row)) == {"key": f"{KEY}::v", "question_id": KEY, "answer": MASK}


@pytest.mark.parametrize("text", [f"cut off: {KEY[:17]}", f"encoded: a%2F{KEY}"])
def test_a_secret_that_was_cut_off_or_encoded_is_masked(mask: Mask, text: str):
    """A message may end inside a secret, and a URL encodes it."""
    mask.add([KEY, f"a/{KEY}"])
    assert KEY[:16] not in mask.text(text)


def test_what_is_not_json_is_masked_as_text(mask: Mask):
    """A body that cannot be decoded is no reason to write a key."""
    mask.add([KEY])
    for data in (f"<html>{KEY}".encode(), b"\xff" + KEY.encode(), b"[" * 5000 + KEY.encode()):
        assert KEY.encode() not in mask.json(data)


def test_a_key_that_is_set_later_is_masked_from_then_on(
    mask: Mask, monkeypatch: pytest.MonkeyPatch
):
    """A system may read its own file of keys; a run looks again when it starts."""
    value: Any = "late-0123456789"
    assert mask.text(value) == value
    monkeypatch.setenv("LATE_SECRET", value)
    mask.read_environment()
    assert mask.text(value) == MASK
