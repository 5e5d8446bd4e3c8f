"""Read the lexicon and the lists of words of a language.

Each language has a TOML file in the folder ``patterns``. The tables of a file are subjects (``law``,
``citation``, ``redact``), and a key is named by its path, ``redact.phone``. Values are words, or
short regular expressions that are joined as alternatives.

A file is read when its language is first used, and only once.

The lists of words in ``lists`` are TOML too: a key is a list of strings, and each string has words separated by white space.
In a phrase of several words, ``_`` stands for the space. Words are in lower case, with one character width, е for ё and
simplified Chinese characters: as ``assay.text.search_term`` folds them. ``values.toml`` has the words of all languages
that stand for a value: its tables have the words of each value.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from pkgutil import get_data
from typing import Any, Final, cast

LANGUAGES: Final = ("en", "ru", "zh")
"""The languages in the order in which their expressions are joined."""


def entry(language: str, key: str) -> Any:
    r"""The value of ``key`` in the lexicon of ``language``, one of ``LANGUAGES``.

    Raises:
        LookupError: the lexicon has no such key.

    >>> entry("en", "choice.and")
    'and\\b'
    """
    value = _value(language, key)
    if value is None:
        message = f"the lexicon of {language!r} has no {key!r}"
        raise LookupError(message)
    return value


def expressions(key: str, *languages: str) -> tuple[str, ...]:
    r"""The entries of ``key`` in these languages, or in all; a language may leave the key out.

    Raises:
        LookupError: none of the languages has the key.

    >>> expressions("choice.and", "en", "ru")
    ('and\\b', 'и\\b')
    """
    values = [_value(language, key) for language in languages or LANGUAGES]
    lists = [[value] if isinstance(value, str) else value for value in values if value is not None]
    if not lists:
        message = f"no lexicon has {key!r}"
        raise LookupError(message)
    return tuple(chain.from_iterable(lists))


def alternatives(key: str, *languages: str) -> str:
    r"""The entries of ``key`` in these languages, or in all, as alternatives of one expression.

    >>> alternatives("choice.and", "en", "ru")
    'and\\b|и\\b'
    """
    return "|".join(expressions(key, *languages))


@cache
def word_list(key: str, *languages: str) -> tuple[str, ...]:
    """The words of the entries of ``key``, which are separated by white space.

    >>> word_list("redact.passport_stem", "en")
    ('passport',)
    """
    return tuple(word for text in expressions(key, *languages) for word in text.split())


def _value(language: str, key: str) -> Any:
    value: Any = _lexicon(language)
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


@cache
def _lexicon(language: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - slow to import, and many commands need no lexicon

    # importlib.resources would do the same, but takes 15 ms longer to import and start.
    content = get_data(__package__, f"patterns/{language}.toml")
    assert content is not None
    return tomllib.loads(content.decode())


# Regular expressions that are written and compiled only when they are first used.

_METHODS: Final = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split", "pattern")


class LazyPattern:
    """A regular expression that is compiled when it is first used; then it costs nothing more.

    It has the methods of ``re.Pattern``. The package has many long expressions whose words come
    from the lexicon, and most commands need none of them.

    Args:
        source: the expression, or a function that returns it when it is first needed.
        flags: flags of the ``re`` module.
    """

    def __init__(
        self, source: str | Callable[[], str], flags: re.RegexFlag = re.IGNORECASE
    ) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the expression. Called only for attributes that are not set yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        source = self._source if isinstance(self._source, str) else self._source()
        compiled = re.compile(source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(
    source: str | Callable[[], str], flags: re.RegexFlag = re.IGNORECASE
) -> re.Pattern[str]:
    """A ``LazyPattern`` that type checkers take for a compiled expression.

    >>> lazy_pattern(lambda: "не|ни").search("Не указано").group()
    'Не'
    """
    return cast("re.Pattern[str]", LazyPattern(source, flags))


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
    """Each word of the list ``name`` with the words that are in one string with it.

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
    """The words of a table of ``values.toml``, each with the key under which it is.

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
