"""Read the lists of a language.

The files are TOML: a key is a list of strings, and each string has words separated by white space.
In a phrase of several words, ``_`` stands for the space. Words are in lower case, with one character width, е for ё and
simplified Chinese characters: as ``assay.text.search_term`` folds them. ``values.toml`` has the words of all languages
that stand for a value: its tables have the words of each value.
"""

from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Any, Final

_LANGUAGES: Final = ("en", "ru", "zh")


@cache
def word_set(name: str, *languages: str) -> frozenset[str]:
    """The words of the list ``name`` in these languages, or in all; a language may have none.

    Raises:
        LookupError: none of the languages has the list.

    >>> "without" in word_set("negation"), "不" in word_set("negation", "zh")
    (True, True)
    """
    found = [
        text for language in languages or _LANGUAGES for text in _lists(language).get(name, ())
    ]
    if not found:
        message = f"no language has the list {name!r}"
        raise LookupError(message)
    return frozenset(word.replace("_", " ") for text in found for word in text.split())


@cache
def word_groups(name: str) -> dict[str, frozenset[str]]:
    """Each word of the list ``name`` with the words that stand in one string with it.

    >>> sorted(word_groups("same_unit")["кг"])
    ['кг', 'килограмм']
    """
    groups = [
        frozenset(text.split())
        for language in _LANGUAGES
        for text in _lists(language).get(name, ())
    ]
    return {word: group for group in groups for word in group}


@cache
def word_values(table: str) -> Mapping[str, str]:
    """The words of a table of ``values.toml``, each with the key under which it stands.

    >>> word_values("cardinal")["двадцатью"], word_values("currency")["美元"]
    ('20', 'USD')
    """
    lines = _lists("values")[table].items()
    return {word.replace("_", " "): key for key, text in lines for word in text.split()}


@cache
def _lists(name: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - slow to import, and many commands need no list

    content = get_data(__package__, f"lists/{name}.toml")
    assert content is not None
    return tomllib.loads(content.decode())
