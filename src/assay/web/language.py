"""Texts in all three languages at once."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.config.workspace import Workspace
from assay.errors import AssayError
from assay.mask import mask_text
from assay.records import Metric
from assay.redact.error_text import without_secrets
from assay.report.label import metric_label, metric_title, page_word, said, value_word
from assay.web.text_store import Text
from assay.words.language import Lang

# What is left out of a page that is sent to others: secrets, and folders of this computer.

_SHORTEST_FOLDER: Final = 2
"""A folder with fewer parts, such as ``/srv``, says nothing, and could be a word of a document."""


class Cleaner:
    """Replaces secrets, the folder of the workspace and the user's own folder in all texts.

    Secrets are those that this process knows (``assay.mask``), and what has the form of a key, a
    token, a private key or a password in an address (``assay.redact``).
    """

    def __init__(self, journal: Path | None = None) -> None:
        named = [(_root(journal), "."), (Path.home(), "~")]
        self._folders = [
            (str(folder), re.compile(rf"{re.escape(str(folder))}(?![\w.-])"), shown)
            for folder, shown in named
            if folder is not None and len(folder.parts) > _SHORTEST_FOLDER
        ]
        self.text = lru_cache(maxsize=4096)(self._text)

    def value(self, value: Any) -> Any:
        """A JSON-like value with all its texts cleaned; the names of fields stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {name: self.value(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def encoded(self, value: Any) -> Any:
        """The same for a value with structs in it."""
        return self.value(msgspec.to_builtins(value))

    def _text(self, text: str) -> str:
        text = mask_text(text)
        for folder, pattern, shown in self._folders:
            if folder in text:
                text = pattern.sub(shown, text)
        return without_secrets(text)


def _root(journal: Path | None) -> Path | None:
    if journal is None:
        return None
    try:
        return Workspace.find(start=journal.resolve().parent).root
    except (AssayError, OSError):
        return None


LANGUAGES: Final[tuple[Lang, ...]] = ("en", "zh", "ru")


def in_all(make: Callable[[Lang], str]) -> Text:
    """The text that ``make`` writes in each language."""
    return Text(en=make("en"), zh=make("zh"), ru=make("ru"))


def same(text: str) -> Text:
    """A text that is the same in all languages: a name, or what a file says."""
    return Text(en=text, zh=text, ru=text)


def page_text(key: str, **fields: object) -> Text:
    """A text of the page, with its fields filled in.

    >>> page_text("chart cost").en
    'Cost'
    """
    return in_all(lambda lang: page_word(key, lang).format(**fields))


@lru_cache(maxsize=1024)
def title_text(metric: Metric) -> Text:
    """The title of a metric with its unit."""
    return in_all(lambda lang: metric_title(metric, lang))


def named_metric(metric: Metric) -> Text:
    """The title of a metric, and its name as the command takes it."""
    return in_all(lambda lang: metric_label(metric, lang))


def undefined_text(metric: Metric) -> Text | None:
    """For which answers a metric has no value; ``None`` if it always has one."""
    if not metric.undefined:
        return None
    return in_all(lambda lang: value_word("undefined", metric.undefined, lang))


# Sentences that another part wrote in English, in all languages of the page.


def translated(text: str) -> Text:
    """The sentence in all languages; sentences may be joined by semicolons.

    >>> translated("base and candidate are the same file").ru
    'основа и кандидат — один и тот же файл'
    """
    return in_all(lambda lang: said(text, lang))
