"""What assay says, in the language in use or in one that is named.

The English text is the key: English needs no catalogue, and a text that has no translation, such as
the help of another package, stays as it is. ``locale/zh.po`` and ``locale/ru.po`` have the others;
``hatch_build.py`` compiles them to the ``.mo`` files that are read here.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from assay.words.language import Lang, language

if TYPE_CHECKING:
    from gettext import NullTranslations


def say(text: str, /, context: str | None = None, **fields: Any) -> str:
    """The text in the language in use, with its ``{name}`` fields filled.

    A field may be a ``Message``, which is translated too.

    >>> say("{file}: not found", file="a.md")
    'a.md: not found'
    """
    return say_in(language(), text, context, **fields)


def say_n(one: str, many: str, n: int, /, **fields: Any) -> str:
    """The text in the form that goes with the number ``n``, which fills the field of that name.

    >>> say_n("{n} row", "{n} rows", 1), say_n("{n} row", "{n} rows", 2)
    ('1 row', '2 rows')
    """
    return say_n_in(language(), one, many, n, **fields)


def say_in(lang: Lang, text: str, /, context: str | None = None, **fields: Any) -> str:
    """The text in a language, with its fields filled.

    >>> say_in("ru", "a text that nobody has translated")
    'a text that nobody has translated'
    """
    if lang != "en":
        known = _catalogue(lang)
        text = known.pgettext(context, text) if context else known.gettext(text)
    return _filled(lang, text, fields)


def say_n_in(
    lang: Lang, one: str, many: str, n: int, /, context: str | None = None, **fields: Any
) -> str:
    """The text in a language, in the form that goes with a number."""
    if lang == "en":
        text = one if n == 1 else many
    elif context:
        text = _catalogue(lang).npgettext(context, one, many, n)
    else:
        text = _catalogue(lang).ngettext(one, many, n)
    return _filled(lang, text, {"n": n, **fields})


def listed(parts: Iterable[str]) -> str:
    """The parts in one line, with the comma of the language between them.

    >>> listed(["2 scored", "1 failed"])
    '2 scored, 1 failed'
    """
    return say(", ").join(parts)


def marked(text: str, /, context: str | None = None) -> str:  # noqa: ARG001 - read by `make words`
    """The text itself. It says that the text is in the catalogues, where another place shows it.

    >>> marked("the answer is empty")
    'the answer is empty'
    """
    return text


def _filled(lang: Lang, text: str, fields: Mapping[str, Any]) -> str:
    if not fields:
        return text
    return text.format(**{name: _field(lang, value) for name, value in fields.items()})


def _field(lang: Lang, value: Any) -> Any:
    return value.text_in(lang) if hasattr(value, "text_in") else value


@cache
def _catalogue(lang: Lang) -> "NullTranslations":
    """The translations of a language. Without its file, as in a tree that is not built, none."""
    from gettext import GNUTranslations, NullTranslations  # noqa: PLC0415 - English needs none

    path = f"{__file__.rpartition('say')[0]}locale/{lang}.mo"
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would take longer
            return GNUTranslations(file)
    except FileNotFoundError:
        return NullTranslations()
