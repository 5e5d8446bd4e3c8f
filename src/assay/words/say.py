"""What commands say, in the language in use."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from assay.words.language import Lang, language
from assay.words.plural import Count


def say(message: str, /, **fields: Any) -> str:
    """The message in the language in use, with its ``{name}`` fields filled.

    The English text is the key. A text that has no translation, such as the help of another
    package, stays as it is. Whole numbers choose the forms of nouns.

    >>> say("{n} {n:row|rows}", n=1)
    '1 row'
    """
    lang = language()
    text = message if lang == "en" else catalogue(lang).get(message, message)
    if not fields:
        return text
    return text.format(
        **{name: Count(value) if type(value) is int else value for name, value in fields.items()}
    )


def listed(parts: Iterable[str]) -> str:
    """The parts in one line, with the comma of the language between them.

    >>> listed(["2 scored", "1 failed"])
    '2 scored, 1 failed'
    """
    return say(", ").join(parts)


@cache
def catalogue(lang: Lang) -> Mapping[str, str]:
    """The messages of commands in a language other than English, by their English texts.

    Every line of the file is a comment or ``"English" = "translation"``. They are cut apart here,
    because the parser of TOML takes longer to import than ``assay --help`` takes altogether.
    """
    path = f"{__file__.rpartition('say')[0]}command/{lang}.toml"
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib would take longer
        lines = file.read().split("\n")
    pairs = (line[1:-1].split('" = "') for line in lines if line.startswith('"'))
    return {_plain(english): _plain(text) for english, text in pairs}


def _plain(text: str) -> str:
    return text.replace('\\"', '"') if "\\" in text else text
