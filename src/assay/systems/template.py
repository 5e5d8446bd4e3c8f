"""Filling placeholders such as ``{{question}}`` in the template of a request.

All functions are pure.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from assay.errors import UseError

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")


def fill_template(template: Any, values: Mapping[str, Any]) -> Any:
    """``template`` with every placeholder replaced by its value.

    A string that consists of one placeholder becomes the value itself and keeps its type.

    >>> fill_template({"q": "{{question}}", "n": "{{top_k}}", "s": "top {{top_k}}"},
    ...        {"question": "why?", "top_k": 3})
    {'q': 'why?', 'n': 3, 's': 'top 3'}
    """
    if isinstance(template, str):
        only = _PLACEHOLDER.fullmatch(template.strip())
        if only:
            return _value(only[1], values)
        return _PLACEHOLDER.sub(lambda match: _text(_value(match[1], values)), template)
    if isinstance(template, Mapping):
        return {key: fill_template(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill_template(item, values) for item in template]
    return template


def with_texts(template: Any, change: Callable[[str], str]) -> Any:
    """``template`` with ``change`` applied to every string value; keys stay as they are.

    >>> with_texts({"a": ["x", 1]}, str.upper)
    {'a': ['X', 1]}
    """
    if isinstance(template, str):
        return change(template)
    if isinstance(template, Mapping):
        return {key: with_texts(value, change) for key, value in template.items()}
    if isinstance(template, list):
        return [with_texts(item, change) for item in template]
    return template


def fill_url(template: str, values: Mapping[str, Any]) -> str:
    """A URL with every placeholder replaced by its value, percent-encoded.

    >>> fill_url("http://x/ask?q={{question}}", {"question": "a b&c"})
    'http://x/ask?q=a%20b%26c'
    """
    return _PLACEHOLDER.sub(lambda match: quote(_text(_value(match[1], values)), safe=""), template)


def check_placeholders(template: Any, known: set[str], where: str) -> None:
    """Raise ``UseError`` for a placeholder that is not known, before the first call."""
    for name in _PLACEHOLDER.findall(str(template)):
        if name.split(".")[0] not in known:
            raise UseError(
                f"{where}: there is no {{{{{name}}}}}; placeholders are "
                + ", ".join(f"{{{{{placeholder}}}}}" for placeholder in sorted(known))
            )


def _value(name: str, values: Mapping[str, Any]) -> Any:
    """The value of a placeholder; ``settings.NAME`` is None if that setting is not set."""
    first, _, rest = name.partition(".")
    value = values.get(first)
    return value.get(rest) if rest and isinstance(value, Mapping) else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()
