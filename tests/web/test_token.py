"""The token of the page: kept for the user alone, and the same after a restart."""

from pathlib import Path

import pytest

from assay.errors import UseError
from assay.web.guard import cookie_value, default_token_file, read_token, user_token


def test_a_token_is_made_once_and_kept(tmp_path: Path):
    """Only the user can read its file."""
    path = tmp_path / "page-token"
    token = read_token(path)
    assert len(token) >= 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_token(path) == token
    assert token not in cookie_value(token)


def test_only_the_users_own_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A path of --token-file that was mistyped makes no folders."""
    with pytest.raises(UseError, match="No such file or directory"):
        read_token(tmp_path / "no" / "token")
    assert not (tmp_path / "no").exists()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    token = user_token()
    assert (tmp_path / "state" / "assay" / "page-token").read_text().strip() == token


def test_a_token_that_others_can_read_is_refused(tmp_path: Path):
    """With the remedy."""
    path = tmp_path / "token"
    read_token(path)
    path.chmod(0o644)
    with pytest.raises(UseError, match="chmod 600"):
        read_token(path)


def test_a_file_without_a_proper_token_is_refused(tmp_path: Path):
    """It may be another file that was named by mistake."""
    path = tmp_path / "token"
    path.write_text("short\n")
    path.chmod(0o600)
    with pytest.raises(UseError, match="16 characters"):
        read_token(path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    """With the option that helps."""
    (tmp_path / "file").touch()
    with pytest.raises(UseError, match="--token-file"):
        read_token(tmp_path / "file" / "token")


def test_the_token_is_kept_with_the_state_of_the_user(monkeypatch: pytest.MonkeyPatch):
    """Not in the workspace, from where it could get into git."""
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert default_token_file() == Path("/state/assay/page-token")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert default_token_file() == Path("/home/me/.local/state/assay/page-token")
