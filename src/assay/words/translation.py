"""Reads the words of reports and of the page from the data file of a language, such as ``zh.toml``."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from assay.words.language import Lang


class Translation(NamedTuple):
    """The words of reports, charts, heatmaps and of the page in one language.

    ``label``, ``heatmap`` and ``page`` map keys to texts, ``value`` maps a kind of value and a value to a
    text. Titles of metrics are not among them: a metric declares its own.
    """

    label: Mapping[str, str]
    value: Mapping[str, Mapping[str, str]]
    heatmap: Mapping[str, str]
    page: Mapping[str, str]


@cache
def translation(lang: Lang) -> Translation:
    """Returns the words of a language. Each file is read once, when it is first needed."""
    # slow to import, and many commands need no words
    import tomllib  # noqa: PLC0415
    from pkgutil import get_data  # noqa: PLC0415 - quicker than importlib.resources

    content = get_data(__package__, f"{lang}.toml")
    assert content is not None
    return Translation(**tomllib.loads(content.decode()))
