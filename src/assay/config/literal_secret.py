"""Keys and passwords that are written into ``experiments.yaml`` itself.

They should be in the environment or in ``.env``, but files have them: in a header, in the ``env`` of a
program or behind an option of it, in an address, under a name like ``api_key``. Once a file is read, they are masked wherever
text is written; a page shows the file with a placeholder for each.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from assay.config.document import KeyPath
from assay.mask import is_credential, is_varied, looks_secret

_REFERENCE: Final = re.compile(r"\$\{\w+\}")
_URL: Final = re.compile(r"\w+://[^\s\"'<>]+")
_SHORTEST: Final = 6
"""Shorter values could be ordinary words."""


def literal_secrets(value: Any, at: KeyPath = ()) -> Iterator[str]:
    """The secrets in a configuration as plain data, which are masked wherever text is written.

    The value of a variable of a program may be an ordinary word (``production``), and so may that of a
    setting called ``key``. Such a value is masked everywhere only if its form is that of a secret.

    >>> list(literal_secrets({"env": {"MODE": "production", "SHOP_KEY": "a1b2c3d4"}}))
    ['a1b2c3d4']
    """
    if isinstance(value, dict):
        for name, item in value.items():
            yield from literal_secrets(item, (*at, name))
    elif isinstance(value, list | tuple):
        for step, item in zip(item_steps(value), value, strict=True):
            yield from literal_secrets(item, (*at, *step))
    elif isinstance(value, str):
        is_certain = "headers" in at or "://" in value or (_is_variable(at) and _names_secret(at))
        yield from (part for part in secret_parts(at, value) if is_certain or is_varied(part))


def item_steps(items: Sequence[Any]) -> Iterator[KeyPath]:
    """The steps to the items of a list; one after ``--password`` has that option as its name.

    >>> list(item_steps(["serve", "--token", "abc-12"]))
    [(0,), (1,), (2, 'token')]
    """
    before: Any = None
    for number, item in enumerate(items):
        is_option = isinstance(before, str) and before.startswith("-") and "=" not in before
        yield (number, before.lstrip("-")) if is_option else (number,)
        before = item


def secret_parts(at: KeyPath, value: str) -> list[str]:
    """The parts of a text that are secrets, judged by its place and by its form.

    >>> secret_parts(("systems", "a", "headers", "Authorization"), "Bearer abc-123-def")
    ['abc-123-def']
    >>> secret_parts(("systems", "a", "url"), "https://me:pa55word@host/?token=t0ken-1")
    ['pa55word', 't0ken-1']
    >>> secret_parts(("systems", "a", "headers", "Authorization"), "Bearer ${KEY}")
    []
    """
    parts = [part for url in _URL.findall(value) for part in _url_parts(url)]
    name = next((str(step) for step in reversed(at) if not isinstance(step, int)), "")
    if at[:1] == ("redact",):  # its key is the name of a file
        return parts
    if _is_variable(at):
        parts.append(value)
    elif is_credential(name) and ("headers" in at or any(map(str.isdigit, value))):
        parts += value.split()[-1:]
    plain = (part for part in parts if not _REFERENCE.search(part))
    return list(dict.fromkeys(part for part in plain if len(part) >= _SHORTEST))


def _is_variable(at: KeyPath) -> bool:
    """Whether the value is that of a variable of a program: all of them are secret."""
    return len(at) > 1 and at[-2] == "env"


def _names_secret(at: KeyPath) -> bool:
    return looks_secret(str(at[-1]))


def _url_parts(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        user, _, host = parts.netloc.rpartition("@")
        if host and user:
            yield user.partition(":")[2] or user
        yield from (value for name, value in parse_qsl(parts.query) if looks_secret(name))
    except ValueError:
        return
