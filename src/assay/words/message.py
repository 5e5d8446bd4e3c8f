"""A text that is passed on before it is known in which language it will be read."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

import msgspec

from assay.words.language import Lang
from assay.words.say import say_in, say_n_in


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """An English text with named fields, to be shown in the language of the reader.

    ``plural`` and ``n`` are there if the form of the text depends on a number; ``context`` tells
    translations of the same English text apart. Fields may be messages too. As JSON it is what it is
    made of, without the parts that are absent, and the page translates it.

    >>> str(message("{file}: not found", file="a.md"))
    'a.md: not found'
    """

    text: str
    fields: Mapping[str, Any] = {}
    plural: str | None = None
    n: int | None = None
    context: str | None = None

    def __str__(self) -> str:
        """The English text, for files and programs."""
        return self.text_in("en")

    def __hash__(self) -> int:
        """Messages that read the same count once."""
        return hash((self.text, self.n))

    def text_in(self, lang: Lang) -> str:
        """The text in a language, with its fields filled."""
        if self.plural is None or self.n is None:
            return say_in(lang, self.text, self.context, **self.fields)
        return say_n_in(lang, self.text, self.plural, self.n, context=self.context, **self.fields)


def message(text: str, /, context: str | None = None, **fields: Any) -> Message:
    """A text with its fields.

    >>> message("running", context="state").text_in("en")
    'running'
    """
    return Message(text, _plain(fields), context=context)


def message_n(one: str, many: str, n: int, /, **fields: Any) -> Message:
    """A text whose form depends on the number ``n``.

    >>> str(message_n("{n} row of {file}", "{n} rows of {file}", 2, file="a.csv"))
    '2 rows of a.csv'
    """
    return Message(one, _plain(fields), plural=many, n=n)


class Title(msgspec.Struct, frozen=True):
    """A name that whoever declares it gives in all languages, such as the title of a metric."""

    en: str
    zh: str
    ru: str

    def __str__(self) -> str:
        """The English name."""
        return self.en

    def text_in(self, lang: Lang) -> str:
        """The name in a language."""
        return {"en": self.en, "zh": self.zh, "ru": self.ru}[lang]


Said: TypeAlias = str | Message | Title
"""A text for readers: a name as it is, a message that is translated, or a title."""
T = TypeVar("T", bound=Said)


def joined(parts: Iterable[T], separator: str = "; ") -> T | Message | str:
    """Several texts as one, with a separator between them; parts that are empty are left out.

    >>> str(joined([message("{n} failed", n=2), "", "a.csv"]))
    '2 failed; a.csv'
    """
    known = [part for part in parts if part]
    if len(known) < 2:
        return next(iter(known), "")
    texts = [part for part in known if isinstance(part, str)]
    if len(texts) == len(known):
        return separator.join(texts)
    fields = {f"part{number}": part for number, part in enumerate(known, 1)}
    return Message(separator.join(f"{{{name}}}" for name in fields), fields)


def text_of(value: "Message | Title | str", lang: Lang) -> str:
    """A message in a language; a plain text, such as a name, as it is.

    >>> text_of("a.csv", "ru")
    'a.csv'
    """
    return value if isinstance(value, str) else value.text_in(lang)


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields as JSON has them: a path is a text."""
    kept = (str, int, float, Message, Title)
    return {
        name: value if isinstance(value, kept) else str(value) for name, value in fields.items()
    }
