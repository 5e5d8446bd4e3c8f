"""What is left out of the texts of the page, and how its texts are made."""

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
from assay.report.label import title_of
from assay.words.language import Lang
from assay.words.message import Message, Said, Title, message

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
            cleaned = {name: self.value(item) for name, item in value.items()}
            return self._message(cleaned) if cleaned.keys() >= _MESSAGE else cleaned
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def encoded(self, value: Any) -> Any:
        """The same for a value with structs in it."""
        return self.value(msgspec.to_builtins(value))

    def _message(self, message: dict[str, Any]) -> Any:
        """A message; its English if only the whole sentence shows what is to be left out."""
        english = _english(message)
        cleaned = self.text(english)
        return message if cleaned == english else cleaned

    def _text(self, text: str) -> str:
        text = mask_text(text)
        for folder, pattern, shown in self._folders:
            if folder in text:
                text = pattern.sub(shown, text)
        return without_secrets(text)


_MESSAGE: Final = frozenset({"text", "fields"})
"""What a message with fields has as JSON."""
_FIELD: Final = re.compile(r"\{(\w+)\}")


def _english(said: Any) -> str:
    """The English of a text of the interface, as JSON."""
    if not isinstance(said, Mapping):
        return str(said)
    fields = {"n": said.get("n"), **said["fields"]} if said.keys() >= _MESSAGE else {}
    is_many = "plural" in said and said.get("n") != 1
    text = str(said.get("plural" if is_many else "text", said.get("en", "")))
    return _FIELD.sub(lambda name: _english(fields.get(name[1], name[0])), text)


def _root(journal: Path | None) -> Path | None:
    if journal is None:
        return None
    try:
        return Workspace.find(start=journal.resolve().parent).root
    except (AssayError, OSError):
        return None


# Texts of the interface.


def in_all(make: Callable[[Lang], str]) -> Title:
    """The text that ``make`` writes in each language: what comes from tables and maps."""
    return Title(en=make("en"), zh=make("zh"), ru=make("ru"))


def named_metric(metric: Metric) -> Said:
    """The title of a metric, and its name as the command takes it."""
    title = title_of(metric)
    if title.en == metric.name:
        return title
    return Message("{title} ({name})", {"title": title, "name": metric.name})


def undefined_text(metric: Metric) -> Message | None:
    """For which answers a metric has no value; ``None`` if it always has one."""
    return message(metric.undefined, "undefined") if metric.undefined else None
