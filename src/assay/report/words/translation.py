"""Reads the words of a language from its data file, such as ``zh.toml`` beside this module."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import msgspec
from msgspec import Struct

from assay.text import Language

Lang: TypeAlias = Language


class Translation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All words of one language.

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
    import tomllib  # noqa: PLC0415 - slow to import, and many commands need no words

    content = (files("assay.report.words") / f"{lang}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(content), Translation)
