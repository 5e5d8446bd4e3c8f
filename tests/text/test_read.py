"""The lexicon files: what a colleague who adds a word or a phrase may rely on."""

import functools
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from assay.text.lexicon import LANGUAGES, alternatives, entry, expressions, word_list
from tests.support.path import ROOT

FOLDER = ROOT / "src" / "assay" / "text" / "patterns"


def lexicon(language: str) -> dict[str, Any]:
    """The whole lexicon of a language."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def keys(value: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every key of a lexicon by its path, with its entries."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from keys(item, f"{path}.{name}".lstrip("."))
    elif isinstance(value, str):
        yield path, [value]
    else:
        # A pair is an expression and what replaces it.
        yield path, [item if isinstance(item, str) else item[0] for item in value]


@functools.cache
def names_in_code() -> frozenset[str]:
    """Every quoted name in the code, and the beginning of one whose last part is inserted."""
    quoted = re.compile(r"""["']([\w.-]+\.\{|[\w.-]+(?=["']))""")
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    return frozenset(name for source in sources for name in quoted.findall(source))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_expression_of_a_lexicon_compiles_by_itself(language: str):
    """An entry with a mistake fails here, not in a joined expression; only lists of words are long."""
    for path, entries in keys(lexicon(language)):
        for source in entries:
            assert source.strip(), path
            assert re.compile(source, re.IGNORECASE).search("") is None, source
            assert len(source) <= 100 or not re.search(r"[()|\\\[]", source), source


def test_every_key_of_a_lexicon_is_read_by_the_code():
    """A misspelt key would be ignored silently otherwise."""
    paths = {path for language in LANGUAGES for path, _ in keys(lexicon(language))}
    # A key is named in full, or its last part is inserted: f"unit.currency.{code}".
    named = names_in_code()
    assert {
        path for path in paths if path not in named and f"{path.rpartition('.')[0]}.{{" not in named
    } == set()


def test_an_unknown_key_is_refused():
    """Code that asks for a key that a lexicon does not have fails with the name of the key."""
    with pytest.raises(LookupError, match=r"lexicon of 'ru' has no 'date\.mnoths'"):
        entry("ru", "date.mnoths")
    with pytest.raises(LookupError, match=r"no lexicon has 'date\.mnoths'"):
        expressions("date.mnoths")


def test_a_language_may_leave_a_key_out():
    """The entries of the other languages are returned, in the order of the languages."""
    assert expressions("choice.and", "en", "ru", "zh")[:2] == (r"and\b", r"и\b")
    assert alternatives("choice.and", "ru") == r"и\b"
    assert word_list("redact.passport_stem", "en")[0] == "passport"
