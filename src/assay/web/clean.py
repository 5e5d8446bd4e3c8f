"""What is left out of a page that is sent to others: secrets, and folders of this computer."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.config import Workspace
from assay.errors import AssayError
from assay.mask import mask_text
from assay.redact import without_secrets

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
