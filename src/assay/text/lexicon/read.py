"""Read the lexicon of a language.

Each language has a TOML file in this folder; the comment at its top explains the format. The
tables of a file are subjects (``number``, ``date``, ``abstention``), and a key is named by its
path, ``number.scale.million``. Most values are regular expressions over normalised text (``е`` for
``ё``, one character width, one kind of quotation mark).

A file is read when its language is first used, and only once.
"""

import re
from collections.abc import Iterator
from functools import cache
from pkgutil import get_data
from typing import Any, Final

from assay.text.character import CYRILLIC, HAN

LETTERS: Final = {"en": "a-zA-Z", "ru": CYRILLIC, "zh": HAN}
"""The languages in the order in which their expressions are joined, each with its letters."""

_REFERENCE: Final = re.compile(r"\{([a-z_]+)\}")


def entry(language: str, key: str) -> Any:
    r"""The value of ``key`` in the lexicon of ``language``, which is a key of ``LETTERS``.

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


def expressions(key: str, *languages: str, required: bool = True) -> tuple[str, ...]:
    r"""The entries of ``key`` in these languages, or in all; a language may leave the key out.

    Raises:
        LookupError: none of the languages has the key, unless it is not ``required``.

    >>> expressions("choice.and", "en", "ru")
    ('and\\b', 'и\\b')
    """
    values = list(_values(key, languages or tuple(LETTERS)))
    if not values and required:
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
    # importlib.resources would do the same, but takes 15 ms longer to import and start.
    content = get_data(__package__, f"{language}.toml")
    assert content is not None
    return parse_lexicon(content.decode(), LETTERS[language])


def parse_lexicon(text: str, letters: str) -> dict[str, Any]:
    r"""The lexicon in the text of a TOML file, with every ``{name}`` replaced by its expression.

    ``{letter}`` is predefined as one of ``letters``, which are the inside of a character class.

    Raises:
        LookupError: an entry uses a name that is not defined before it.

    >>> text = r'''
    ... words.noun = ["text", "page"]
    ... words.the_text = 'the {noun}\b'
    ... abstention.phrases = ['{the_text} [^,]{0,9}?is silent']
    ... '''
    >>> parse_lexicon(text, "a-z")["abstention"]
    {'phrases': ['the (?:text|page)\\b [^,]{0,9}?is silent']}
    """
    import tomllib  # noqa: PLC0415 - slow to import, and many commands need no lexicon

    content = tomllib.loads(text)
    words = {"letter": f"[{letters}]"}
    for name, value in content.pop("words", {}).items():
        expression = f"(?:{'|'.join(value)})" if isinstance(value, list) else value
        words[name] = _expand(expression, words)
    return {"words": words, **_expand(content, words)}


def _expand(value: Any, words: dict[str, str]) -> Any:
    """``value`` with the references replaced in every string that it contains."""
    if isinstance(value, dict):
        return {key: _expand(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [_expand(item, words) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    try:
        return _REFERENCE.sub(lambda match: words[match[1]], value)
    except KeyError as error:
        message = f"{{{error.args[0]}}} is not defined in [words] before it is used in {value!r}"
        raise LookupError(message) from None
