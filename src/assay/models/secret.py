"""API keys: read from the environment or ``.env``, never shown.

A ``Secret`` prints as ``***``; its text comes out only where a header is made. ``scrub``
takes it out of whatever a provider may have echoed into an error.
"""

import os
import re
from pathlib import Path

from assay.errors import UseError

_LINE = re.compile(r"^\s*(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>.*?)\s*$")
_REFERENCE = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*)\}")


class Secret:
    """A text that must not be seen. Not a struct, so that nothing can encode it by accident.

    >>> Secret("sk-123")
    ***
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself, for a request's header."""
        return self._text

    def scrub(self, text: str) -> str:
        """``text`` without the secret in it, nor the part of it behind ``Bearer``.

        >>> Secret("Bearer sk-12345678").scrub("bad key sk-12345678")
        'bad key ***'
        """
        for part in {self._text, self._text.split()[-1] if self._text.split() else ""}:
            if len(part) >= 6:
                text = text.replace(part, "***")
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
        """The variable's value; empty counts as absent."""
        return os.environ.get(name) or self._from_file.get(name) or None

    def secret(self, name: str) -> Secret:
        """The key in ``name``; an absent one is an error that names the variable."""
        value = self.get(name)
        if value is None:
            raise UseError(f"{name} is not set: put the key into the environment or into .env")
        return Secret(value)

    def expand(self, text: str, where: str) -> Secret:
        """``text`` with every ``${NAME}`` replaced; secret, since it may hold a key."""

        def value(match: re.Match[str]) -> str:
            found = self.get(match["name"])
            if found is None:
                raise UseError(f"{where}: {match['name']} is not set in the environment or .env")
            return found

        return Secret(_REFERENCE.sub(value, text))


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
            value = match["value"]
            quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
            found[match["name"]] = value[1:-1] if quoted else value.split(" #")[0].rstrip()
    return found
