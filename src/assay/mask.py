"""Masking of secrets in everything that is written: rows, recorded replies, summaries, output.

A server or a library may repeat a key in an answer, in an error or in what it prints. The doors
through which text leaves (the journal, the call cache, the summary, the terminal) replace every
known secret by ``***``. Known are the keys that the configuration names and the variables of the
environment and of ``.env`` whose names look like secrets.

A text without a secret costs one search for each known secret, which takes less than a
microsecond; only a text with one is decoded and changed.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

SHORTEST_CONFIGURED: Final = 8
"""Configured keys that are shorter are not masked: they could be ordinary words."""
SHORTEST_VARIABLE: Final = 12
"""The same for variables that only look like secrets."""
MASK: Final = "***"
_BEGINNING: Final = 16
"""A text may be cut off inside a secret; from this length on its beginning is masked too."""
_SECRET_WORDS: Final = frozenset(
    {"secret", "secrets", "password", "passwd", "passphrase", "apikey"}
)
_LAST_WORDS: Final = frozenset(
    {
        "key", "keys", "token", "tokens", "auth", "credential", "credentials", "pat", "pwd",
        "sig", "signature", "bearer", "jwt",
    }
)  # fmt: skip
_NOT_SECRET: Final = frozenset({"PWD", "OLDPWD"})
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_URL_PASSWORD: Final = re.compile(r"://[^/\s:@]*:([^/\s@]+)@")
_IDENTIFYING: Final = frozenset({"key", "question_id", "config", "fingerprint", "scored_against"})
"""Fields of a row by which a run is resumed. They come from the user's files, and stay."""


def looks_secret(name: str) -> bool:
    """Whether the name of a variable or of a parameter says that its value is a secret.

    >>> [looks_secret(name) for name in ("OPENAI_API_KEY", "api_key", "DB_PASSWORD_2", "apiKey")]
    [True, True, True, True]
    >>> [looks_secret(name) for name in ("PWD", "SSH_AUTH_SOCK", "MONKEY", "KEYBOARD", "top_k")]
    [False, False, False, False, False]
    """
    if name in _NOT_SECRET:
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    return bool(words) and (words[-1] in _LAST_WORDS or not _SECRET_WORDS.isdisjoint(words))


class Mask:
    """The known secrets of this process."""

    def __init__(self) -> None:
        self._configured: set[str] = set()
        self._variables: set[str] = set()
        self._is_read = False
        self._values: tuple[str, ...] = ()
        self._text_needles: tuple[str, ...] = ()
        self._needles: tuple[bytes, ...] = ()

    def add(self, values: Iterable[str], *, shortest: int = SHORTEST_CONFIGURED) -> None:
        """Mask these values from now on, if they are long enough."""
        new = {value for value in values if len(value) >= shortest} - self._configured
        if new:
            self._configured |= new
            self._prepare()

    def read_environment(self) -> None:
        """Mask the variables of the process that look like secrets; called when a run starts."""
        self._is_read = True
        variables = secret_values(os.environ)
        if variables != self._variables:
            self._variables = variables
            self._prepare()

    def text(self, text: str) -> str:
        """``text`` with every known secret replaced."""
        if not self._is_read:
            self.read_environment()
        for needle in self._text_needles:
            if needle in text:
                return self._replaced(text)
        return text

    def json(self, data: bytes) -> bytes:
        """JSON text with every known secret replaced; ``data`` itself if there is none.

        Only strings are changed, so that it stays valid JSON.
        """
        if not self._is_read:
            self.read_environment()
        for needle in self._needles:
            if needle in data:
                return self._replaced_json(data)
        return data

    def _prepare(self) -> None:
        # imported here because every command has this door, and most know no secret
        import json  # noqa: PLC0415

        values = self._configured | self._variables
        forms = {form for value in values for form in (value, quote(value, safe=""))}
        self._values = tuple(sorted(forms, key=lambda form: (-len(form), form)))
        starts = dict.fromkeys(form[:_BEGINNING] for form in self._values)
        self._text_needles = tuple(starts)
        encoded = [json.dumps(start, ensure_ascii=False)[1:-1].encode() for start in starts]
        self._needles = tuple(dict.fromkeys(encoded))

    def _replaced(self, text: str) -> str:
        for value in self._values:
            if value[:_BEGINNING] not in text:
                continue
            text = text.replace(value, MASK)
            for length in range(len(value) - 1, _BEGINNING - 1, -1):
                if value[:_BEGINNING] not in text:
                    break
                text = text.replace(value[:length], MASK)
        return text

    def _replaced_json(self, data: bytes) -> bytes:
        # imported here because every command has this door, and most need no msgspec
        import msgspec  # noqa: PLC0415

        try:
            value = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._replaced(data.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        masked = self._walked(value, keep=_IDENTIFYING)
        return data if masked == value else msgspec.json.encode(masked)

    def _walked(self, value: Any, keep: frozenset[str] = frozenset()) -> Any:
        if isinstance(value, str):
            return self._replaced(value)
        if isinstance(value, list):
            return [self._walked(item) for item in value]
        if isinstance(value, dict):
            return {
                self._replaced(key): item if key in keep else self._walked(item)
                for key, item in value.items()
            }
        return value


def secret_values(variables: Mapping[str, str]) -> set[str]:
    """The values of variables that look like secrets, and passwords inside URLs.

    A value that is a path is no secret (``…_CREDENTIALS`` often names a file).
    """
    found: set[str] = set()
    for name, value in variables.items():
        parts = [match[1] for match in _URL_PASSWORD.finditer(value)] if "://" in value else []
        if looks_secret(name):
            stripped = value.strip()
            parts += [stripped, *re.split(r"[,;\s]+", stripped)]
        found.update(
            part for part in parts if len(part) >= SHORTEST_VARIABLE and not _is_path(part)
        )
    return found


def _is_path(value: str) -> bool:
    try:
        return "/" in value and Path(value).exists()
    except (OSError, ValueError):
        return False


_mask: Final = Mask()
add_secrets: Final = _mask.add
"""Mask further values: configured keys, whoever reads them."""
read_environment: Final = _mask.read_environment
mask_text: Final = _mask.text
mask_json: Final = _mask.json
