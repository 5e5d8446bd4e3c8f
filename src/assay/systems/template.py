"""Filling ``{{question}}`` and its kin into a request. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from assay.errors import UseError

_PLACE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")


def fill_template(template: Any, values: Mapping[str, Any]) -> Any:
    """``template`` with every place filled; a text that is one place alone keeps its type.

    >>> fill_template({"q": "{{question}}", "n": "{{top_k}}", "s": "top {{top_k}}"},
    ...        {"question": "why?", "top_k": 3})
    {'q': 'why?', 'n': 3, 's': 'top 3'}
    """
    if isinstance(template, str):
        alone = _PLACE.fullmatch(template.strip())
        if alone:
            return _value(alone[1], values)
        return _PLACE.sub(lambda place: _text(_value(place[1], values)), template)
    if isinstance(template, Mapping):
        return {key: fill_template(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill_template(item, values) for item in template]
    return template


def with_texts(template: Any, change: Callable[[str], str]) -> Any:
    """``template`` with ``change`` made to every text in it; names stay.

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
    """A URL with every place filled and quoted.

    >>> fill_url("http://x/ask?q={{question}}", {"question": "a b&c"})
    'http://x/ask?q=a%20b%26c'
    """
    return _PLACE.sub(lambda place: quote(_text(_value(place[1], values)), safe=""), template)


def check_places(template: Any, known: set[str], where: str) -> None:
    """Refuse a place that no case can fill, before the first call."""
    for name in _PLACE.findall(str(template)):
        if name.split(".")[0] not in known:
            raise UseError(
                f"{where}: there is no {{{{{name}}}}}; places are "
                + ", ".join(f"{{{{{one}}}}}" for one in sorted(known))
            )


def _value(name: str, values: Mapping[str, Any]) -> Any:
    """``settings.NAME`` goes into the mapping; a setting that is not set is ``None``."""
    first, _, rest = name.partition(".")
    value = values.get(first)
    return value.get(rest) if rest and isinstance(value, Mapping) else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()
