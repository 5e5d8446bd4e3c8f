"""Keys: read from the environment or ``.env``, and never shown."""

import copy
import pickle
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UseError
from assay.models.secret import Environment, Secret, scrub_secrets

KEY = "sk-0123456789"


@pytest.mark.parametrize(
    "show", [str, repr, "{}".format, "{!r}".format, lambda secret: f"{[secret]}"]
)
def test_a_secret_is_not_shown(show: object):
    """A secret is printed as three stars in every way of formatting it."""
    assert callable(show)
    assert KEY not in show(Secret(KEY))
    assert "***" in show(Secret(KEY))


def test_a_secret_is_not_stored():
    """A secret cannot be pickled, copied or encoded as JSON."""
    with pytest.raises(TypeError):
        pickle.dumps(Secret(KEY))
    with pytest.raises(TypeError):
        msgspec.json.encode({"key": Secret(KEY)})
    assert not hasattr(Secret(KEY), "__dict__")
    with pytest.raises(TypeError):
        copy.copy(Secret(KEY))


def test_a_secret_gives_its_text_when_asked():
    """``reveal`` returns the text."""
    assert Secret(KEY).reveal() == KEY


@given(st.text(max_size=20), st.text(max_size=20))
def test_scrubbing_leaves_nothing_of_the_key(before: str, after: str):
    """The key is removed anywhere in a message, with or without ``Bearer`` before it."""
    secret = Secret(f"Bearer {KEY}")
    assert KEY not in secret.scrub(before + KEY + after)
    assert KEY not in secret.scrub(f"{before}Bearer {KEY}{after}{KEY}")


def test_scrubbing_leaves_other_text_alone():
    """Secrets of a few characters are not replaced, because they could be ordinary words."""
    assert Secret("Bearer a").scrub("a banana") == "a banana"
    assert Secret("").scrub("a banana") == "a banana"


@pytest.mark.parametrize("header", ["${K}", "Bearer ${K}", "token=${K}; v=1", "Basic:${K}"])
def test_a_key_inside_a_header_is_scrubbed_whatever_is_around_it(
    header: str, monkeypatch: pytest.MonkeyPatch
):
    """The key is removed even if the server repeats it without the rest of the header."""
    monkeypatch.setenv("K", KEY)
    secret = Environment().expand(header, "header X")
    assert secret.reveal() == header.replace("${K}", KEY)
    assert KEY not in secret.scrub(f"bad key {KEY}")


def test_the_head_of_a_key_that_was_cut_is_scrubbed():
    """If a message is cut in the middle of a key, the beginning of the key is removed too."""
    key = "sk-house-0123456789abcdef"
    for length in range(len(key) + 1):
        assert key[:9] not in Secret(f"Bearer {key}").scrub(f"bad key {key[:length]}")


def test_what_is_around_a_key_may_be_seen(monkeypatch: pytest.MonkeyPatch):
    """Only the values of the variables are secret; the text around them may be shown."""
    monkeypatch.setenv("K", KEY)
    monkeypatch.setenv("L", "other-secret")
    secret = Environment().expand("http://x/?k=${K}&l=${L}", "url")
    message = scrub_secrets(f"cannot connect to {secret.reveal()}", secret.parts)
    assert message == "cannot connect to http://x/?k=***&l=***"


def test_the_process_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A variable of the process takes precedence over ``.env``, unless it is empty."""
    (tmp_path / ".env").write_text("A=file\nB=file\nC=file\n")
    monkeypatch.setenv("A", "process")
    monkeypatch.setenv("B", "")
    monkeypatch.delenv("C", raising=False)
    environment = Environment(tmp_path)
    assert [environment.get(name) for name in "ABC"] == ["process", "file", "file"]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("K=plain", "plain"),
        ("export K=exported", "exported"),
        ("  K = spaced  ", "spaced"),
        ('K="double quoted"', "double quoted"),
        ("K='single # quoted'", "single # quoted"),
        ("K=value # a comment", "value"),
        ('K="quoted" # a comment', "quoted"),
        ("K=a=b==", "a=b=="),
        ("K=hash#inside", "hash#inside"),
        ("\ufeffK=after a mark", "after a mark"),
        ("K=windows\r", "windows"),
    ],
)
def test_lines_of_a_dotenv_file(
    line: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """All common ways to write a variable in a ``.env`` file are read."""
    monkeypatch.delenv("K", raising=False)
    (tmp_path / ".env").write_bytes(f"{line}\n".encode())
    assert Environment(tmp_path).get("K") == value


@pytest.mark.parametrize("text", ["", "# K=x\n", "K=\n", "not a line\n", "=x\n"])
def test_lines_that_set_nothing(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Comments, empty values and other lines set no variable."""
    monkeypatch.delenv("K", raising=False)
    (tmp_path / ".env").write_text(text)
    assert Environment(tmp_path).get("K") is None


def test_a_dotenv_that_cannot_be_read_is_one_line(tmp_path: Path):
    """A ``.env`` file that is not text is an error that names the file."""
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UseError, match=r"\.env: cannot be read"):
        Environment(tmp_path)


def test_an_absent_key_names_its_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The message for a missing key says which variable to set, and where."""
    monkeypatch.delenv("K", raising=False)
    with pytest.raises(UseError, match=r"^K is not set: put the key into .* \.env$"):
        Environment(tmp_path).secret("K")


def test_a_key_pasted_with_its_line_break_is_the_key(monkeypatch: pytest.MonkeyPatch):
    """White space around a key is removed, because a header cannot contain a line break."""
    monkeypatch.setenv("K", f" {KEY}\n")
    assert Environment().secret("K").reveal() == KEY


def test_an_absent_variable_names_the_place_that_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The message for a missing variable says which setting needs it."""
    monkeypatch.delenv("K", raising=False)
    with pytest.raises(UseError, match=r"shop: header X-Key: K is not set"):
        Environment(tmp_path).expand("${K}", "shop: header X-Key")


def test_text_without_a_variable_stays_as_it_is():
    """Text without ``${NAME}`` is not changed."""
    assert Environment().expand("costs $5 {x}", "header X").reveal() == "costs $5 {x}"
