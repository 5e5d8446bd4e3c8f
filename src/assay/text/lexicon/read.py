"""Read the lexicon of a language.

Each language has a TOML file in this folder. The tables of a file are subjects (``law``,
``citation``, ``redact``), and a key is named by its path, ``redact.phone``. Values are words, or
short regular expressions that are joined as alternatives.

A file is read when its language is first used, and only once.
"""

from collections.abc import Iterator
from functools import cache
from pkgutil import get_data
from typing import Any, Final

LANGUAGES: Final = ("en", "ru", "zh")
"""The languages in the order in which their expressions are joined."""


def entry(language: str, key: str) -> Any:
    r"""The value of ``key`` in the lexicon of ``language``, one of ``LANGUAGES``.

    Raises:
        LookupError: the lexicon has no such key.

    >>> entry("en", "choice.and")
    'and\\b'
    """
    value: Any = _lexicon(language)
    for name in key.split("."):
        if not isinstance(value, dict) or name not in value:
            message = f"the lexicon of {language!r} has no {key!r}"
            raise LookupError(message)
        value = value[name]
    return value


def expressions(key: str, *languages: str) -> tuple[str, ...]:
    r"""The entries of ``key`` in these languages, or in all; a language may leave the key out.

    Raises:
        LookupError: none of the languages has the key.

    >>> expressions("choice.and", "en", "ru")
    ('and\\b', 'и\\b')
    """
    values = list(_values(key, languages or LANGUAGES))
    if not values:
        message = f"no lexicon has {key!r}"
        raise LookupError(message)
    return tuple(
        item for value in values for item in ([value] if isinstance(value, str) else value)
    )


def alternatives(key: str, *languages: str) -> str:
    r"""The entries of ``key`` in these languages, or in all, as alternatives of one expression.

    >>> alternatives("choice.and", "en", "ru")
    'and\\b|и\\b'
    """
    return "|".join(expressions(key, *languages))


def word_list(key: str, *languages: str) -> tuple[str, ...]:
    """The words of the entries of ``key``, which are separated by white space.

    >>> word_list("redact.passport_stem", "en")
    ('passport',)
    """
    return tuple(word for text in expressions(key, *languages) for word in text.split())


def _values(key: str, languages: tuple[str, ...]) -> Iterator[Any]:
    for language in languages:
        try:
            yield entry(language, key)
        except LookupError:
            continue


@cache
def _lexicon(language: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - slow to import, and many commands need no lexicon

    # importlib.resources would do the same, but takes 15 ms longer to import and start.
    content = get_data(__package__, f"{language}.toml")
    assert content is not None
    return tomllib.loads(content.decode())
