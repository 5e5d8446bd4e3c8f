"""API keys: read from the environment or ``.env``, and never shown.

A ``Secret`` prints as ``***``; its text is used only to build a request header. ``scrub`` removes
it from messages, because a provider may repeat the key in an error.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from assay.errors import UseError
from assay.mask import add_secrets, looks_secret, secret_values
from assay.redact.error_text import masked_error

_LINE = re.compile(r"^\s*(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>.*?)\s*$")
_QUOTED = re.compile(r"(?P<quote>['\"])(?P<inside>.*?)(?P=quote)(?:\s+#.*)?")
_REFERENCE = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*)\}")
_SHORTEST = 6
_SHORTEST_BEGINNING = 8


class Secret:
    """A text that must not be shown. It is not a struct, so that nothing encodes it by accident.

    If only parts of the text are secret, ``parts`` holds them.

    >>> Secret("sk-123")
    ***
    """

    __slots__ = ("_text", "parts")

    def __init__(self, text: str, parts: "Iterable[Secret]" = ()) -> None:
        self._text = text
        self.parts = tuple(parts)

    def reveal(self) -> str:
        """The text itself, for a request header."""
        return self._text

    def scrub(self, text: str) -> str:
        """``text`` with this secret replaced by ``***``.

        The parts of the secret are replaced too, or, without parts, its last word (the key after
        ``Bearer``). Secrets of fewer than six characters are not replaced, because they could be
        ordinary words.

        >>> Secret("Bearer sk-12345678").scrub("bad key sk-12345678")
        'bad key ***'
        """
        if len(self._text) >= _SHORTEST:
            text = text.replace(self._text, "***")
        hidden = [part.reveal() for part in self.parts] or self._text.split()[-1:]
        for secret in sorted(hidden, key=len, reverse=True):
            text = _without(text, secret) if len(secret) >= _SHORTEST else text
        return text

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled")


class Environment:
    """The environment variables of the process, then those of the ``.env`` file in ``root``."""

    def __init__(self, root: Path | None = None) -> None:
        self._from_file = _read_dotenv(root / ".env") if root else {}
        add_secrets(secret_values(self._from_file))

    def get(self, name: str) -> str | None:
        """The variable's value without surrounding white space; None if it is not set or empty."""
        # A key pasted with its line break would be an invalid header, for no visible reason.
        return os.environ.get(name, "").strip() or self._from_file.get(name, "").strip() or None

    def secret(self, name: str) -> Secret:
        """The key in the variable ``name``.

        Raises:
            UseError: the variable is not set.
        """
        value = self.get(name)
        if value is None:
            raise UseError(f"{name} is not set: put the key into the environment or into .env")
        add_secrets([value])
        return Secret(value)

    def expand(self, text: str, where: str) -> Secret:
        """``text`` with every ``${NAME}`` replaced by the variable's value.

        The result is a ``Secret``, because a value may be a key; its ``parts`` are the values.
        ``where`` is the beginning of the error message.

        Raises:
            UseError: a variable is not set.
        """
        parts: list[Secret] = []

        def expansion(match: re.Match[str]) -> str:
            value = self.get(match["name"])
            if value is None:
                raise UseError(f"{where}: {match['name']} is not set in the environment or .env")
            parts.append(Secret(value))
            if looks_secret(match["name"]):
                add_secrets([value])
            return value

        return Secret(_REFERENCE.sub(expansion, text), parts)


def variables_in(text: str) -> list[str]:
    """The names of the variables that ``Environment.expand`` replaces in a text.

    >>> variables_in("https://${HOST}/ask")
    ['HOST']
    """
    return [match["name"] for match in _REFERENCE.finditer(text)]


def scrub_secrets(text: str, secrets: Iterable[Secret]) -> str:
    """The text of an error with ``***`` in place of these secrets and of all that look like one."""
    for secret in secrets:
        text = secret.scrub(text)
    return masked_error(text)


def _without(text: str, secret: str) -> str:
    """``text`` without the secret, and without beginnings of it of eight characters or more.

    A beginning of the secret can be left when a message was shortened.

    >>> _without("bad key: sk-house-0123, sk-house-01", "sk-house-0123")
    'bad key: ***, ***'
    """
    text = text.replace(secret, "***")
    for length in range(len(secret) - 1, _SHORTEST_BEGINNING - 1, -1):
        text = text.replace(secret[:length], "***")
    return text


def _read_dotenv(path: Path) -> dict[str, str]:
    """Read the ``NAME=value`` lines of a file; return an empty dict if the file does not exist.

    Quotes around a value are removed. Lines that start with ``#`` are comments.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UseError(f"{path}: cannot be read: {error}") from None
    variables = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match and not line.lstrip().startswith("#"):
            variables[match["name"]] = _strip_quotes(match["value"])
    return variables


def _strip_quotes(value: str) -> str:
    """A value without its quotes or the comment after it.

    >>> _strip_quotes("'a # b' # c"), _strip_quotes("a#b # c")
    ('a # b', 'a#b')
    """
    quoted = _QUOTED.fullmatch(value)
    return quoted["inside"] if quoted else value.partition(" #")[0].rstrip()
