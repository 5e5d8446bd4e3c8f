"""Secrets in the query of a URL: known by the name of the parameter, or by the form of the value.

A parameter that says who calls (``token``, ``sig``, ``subscription-key``) is a secret whatever its
value is. Others are called alike whether they hold a key or a plain word (``code=en``); with them,
and with names that say nothing, the value decides.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

from assay.mask import looks_secret
from assay.redact import has_key_form

_RUN_TOGETHER: Final = re.compile(
    r"api.?key|secret|passw|authori[sz]ation|credential|bearer|signature|hmac"
    r"|(?:access|auth|id|api|session|function|subscription|shared|private).?(?:token|key)",
    re.IGNORECASE,
)
_MAY_BE_SECRET: Final = frozenset(
    ("assertion", "code", "invite", "nonce", "otp", "pass", "session", "sid", "sign", "ticket")
)
_SHORTEST: Final = 8
"""The shortest value that makes a secret of a parameter whose name leaves it open."""
_STRETCH: Final = re.compile(r"[A-Za-z0-9+/]{16,}")
_PIECE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[+/]")
_LONGEST_PIECE: Final = 2.6
"""Letters of one case or digits that follow each other, on average; in words they are longer."""


def is_named_secret(name: str, value: str) -> bool:
    """Whether the name of a parameter says that its value is a secret, which may be exchanged.

    >>> is_named_secret("subscription-key", "a"), is_named_secret("sig", "b")
    (True, True)
    >>> is_named_secret("code", "xK2-9fQz8"), is_named_secret("code", "en")
    (True, False)
    """
    name = unquote_plus(name)
    if looks_secret(name) or _RUN_TOGETHER.search(name):
        return True
    return name.lower() in _MAY_BE_SECRET and len(value) >= _SHORTEST and _is_no_word(value)


def is_formed_secret(value: str) -> bool:
    """Whether a value looks like a key, whatever it is called.

    >>> is_formed_secret("x9Kd03LmQ2vT7bRw"), is_formed_secret("2024-05-01-preview")
    (True, False)
    """
    value = unquote_plus(value)
    return has_key_form(value) or any(map(_is_random, _STRETCH.findall(value)))


def secret_parameters(query: str) -> Iterator[tuple[str, str, bool]]:
    """The name and the value of each secret in a query, and whether its name says that it is one."""
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        is_named = is_named_secret(name, value)
        if value and (is_named or is_formed_secret(value)):
            yield name, value, is_named


def shown_query(query: str) -> str:
    """A query with ``***`` in place of each secret.

    >>> shown_query("k=5&token=abc&v=2024-10-21")
    'k=5&token=***&v=2024-10-21'
    """
    return "&".join(map(_shown_pair, query.split("&")))


def _shown_pair(pair: str) -> str:
    name, _, value = pair.partition("=")
    is_secret = is_named_secret(name, value) or is_formed_secret(value)
    return f"{name}=***" if is_secret else pair


def _is_no_word(value: str) -> bool:
    """Whether a value has digits among its letters, or capital letters after small ones.

    >>> _is_no_word("mainland"), _is_no_word("20240501"), _is_no_word("mainLand1")
    (False, False, True)
    """
    return len(_PIECE.findall(value)) > 1 and any(map(str.isalpha, value))


def _is_random(stretch: str) -> bool:
    """Whether letters and digits change so often that the stretch consists of no words."""
    pieces = _PIECE.findall(stretch)
    return any(map(str.isdigit, stretch)) and len(stretch) <= _LONGEST_PIECE * len(pieces)
