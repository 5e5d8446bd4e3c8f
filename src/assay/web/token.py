"""The token of the page: random, kept in a file that only the user can read.

It stays the same after a restart of the server, so that an address and a cookie stay good.
"""

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from assay.errors import UseError

SHORTEST: Final = 16
"""The shortest token or password, in characters."""


def default_token_file() -> Path:
    """Where the token is kept: in the user's folder for state."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "assay" / "page-token"


def user_token() -> str:
    """The token of this user; its folder is made if need be."""
    path = default_token_file()
    with suppress(OSError):  # read_token says why it cannot be kept there
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return read_token(path)


def read_token(path: Path) -> str:
    """The token in a file; a new one is written if there is no file yet.

    Raises ``UseError`` if others can read the file, or if it has no proper token.
    """
    try:
        token = _read(path)
        if token is None:
            token = secrets.token_urlsafe(24)
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(fd, "w", encoding="ascii") as file:
                file.write(f"{token}\n")
    except FileExistsError:  # another server was a moment faster
        return read_token(path)
    except OSError as error:
        raise UseError(
            f"{path}: the token of the page cannot be kept there: {error.strerror}; "
            "choose another file with --token-file"
        ) from None
    return token


def _read(path: Path) -> str | None:
    with suppress(FileNotFoundError):
        if path.stat().st_mode & 0o077:
            raise UseError(f"{path}: others can read this token; chmod 600 it, or delete it")
        token = path.read_text(encoding="utf-8").strip()
        if len(token) < SHORTEST:
            raise UseError(f"{path}: has no token of {SHORTEST} characters; delete the file")
        return token
    return None


def cookie_value(token: str) -> str:
    """What the cookie has instead of the token itself."""
    return hmac.new(token.encode(), b"assay page cookie", hashlib.sha256).hexdigest()


def change_key(token: str) -> str:
    """What the page sends with a change; it does not follow from the cookie."""
    return hmac.new(token.encode(), b"assay page change", hashlib.sha256).hexdigest()


def equal(given: str, wanted: str) -> bool:
    """Whether two secrets are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))
