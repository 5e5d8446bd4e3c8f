"""API keys: read from the environment or ``.env``, never shown.

A ``Secret`` prints as ``***``; its text comes out only where a header is made. ``scrub``
takes it out of whatever a provider may have echoed into an error.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from assay.errors import UseError

_LINE = re.compile(r"^\s*(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>.*?)\s*$")
_QUOTED = re.compile(r"(?P<quote>['\"])(?P<inside>.*?)(?P=quote)(?:\s+#.*)?")
_REFERENCE = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*)\}")
_SHORTEST = 6
_HEAD = 8


class Secret:
    """A text that must not be seen. Not a struct, so that nothing can encode it by accident.

    ``parts`` are the secrets inside it where the rest of it may be seen.

    >>> Secret("sk-123")
    ***
    """

    __slots__ = ("_text", "parts")

    def __init__(self, text: str, parts: "Iterable[Secret]" = ()) -> None:
        self._text = text
        self.parts = tuple(parts)

    def reveal(self) -> str:
        """The text itself, for a request's header."""
        return self._text

    def scrub(self, text: str) -> str:
        """``text`` without the secret in it, nor its parts, nor what stands behind ``Bearer``.

        >>> Secret("Bearer sk-12345678").scrub("bad key sk-12345678")
        'bad key ***'
        """
        if len(self._text) >= _SHORTEST:
            text = text.replace(self._text, "***")
        hidden = [part.reveal() for part in self.parts] or self._text.split()[-1:]
        for one in sorted(hidden, key=len, reverse=True):
            text = _without(text, one) if len(one) >= _SHORTEST else text
        return text

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a secret is not to be pickled")


class Environment:
    """Variables of the process and, where those lack one, of a ``.env`` file."""

    def __init__(self, root: Path | None = None) -> None:
        self._from_file = _read_dotenv(root / ".env") if root else {}

    def get(self, name: str) -> str | None:
        """The variable's value without white space around it; empty counts as absent."""
        # a key pasted with its line break is no header, and no user can see why
        return os.environ.get(name, "").strip() or self._from_file.get(name, "").strip() or None

    def secret(self, name: str) -> Secret:
        """The key in ``name``; an absent one is an error that names the variable."""
        value = self.get(name)
        if value is None:
            raise UseError(f"{name} is not set: put the key into the environment or into .env")
        return Secret(value)

    def expand(self, text: str, where: str) -> Secret:
        """``text`` with every ``${NAME}`` replaced; secret, since it may hold a key.

        The values put in are its ``parts``.
        """
        parts: list[Secret] = []

        def value(match: re.Match[str]) -> str:
            found = self.get(match["name"])
            if found is None:
                raise UseError(f"{where}: {match['name']} is not set in the environment or .env")
            parts.append(Secret(found))
            return found

        return Secret(_REFERENCE.sub(value, text), parts)


def scrub_secrets(text: str, secrets: Iterable[Secret]) -> str:
    """``text`` without any of the secrets in it."""
    for secret in secrets:
        text = secret.scrub(text)
    return text


def _without(text: str, secret: str) -> str:
    """``text`` without the secret, and without the head of it that a cut may have left.

    >>> _without("bad key: sk-house-0123, sk-house-01", "sk-house-0123")
    'bad key: ***, ***'
    """
    text = text.replace(secret, "***")
    for length in range(len(secret) - 1, _HEAD - 1, -1):
        text = text.replace(secret[:length], "***")
    return text


def _read_dotenv(path: Path) -> dict[str, str]:
    """``NAME=value`` lines; quotes around a value are dropped, ``#`` starts a comment line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UseError(f"{path}: cannot be read: {error}") from None
    found = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match and not line.lstrip().startswith("#"):
            found[match["name"]] = _unquoted(match["value"])
    return found


def _unquoted(value: str) -> str:
    """A value without its quotes or the comment behind it.

    >>> _unquoted("'a # b' # c"), _unquoted("a#b # c")
    ('a # b', 'a#b')
    """
    quoted = _QUOTED.fullmatch(value)
    return quoted["inside"] if quoted else value.partition(" #")[0].rstrip()
