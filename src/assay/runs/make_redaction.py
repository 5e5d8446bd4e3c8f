"""The redaction that settings describe: its key, its finders, and the libraries it needs."""

from pathlib import Path

from assay.config.system import RedactConfig
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.redact.find import own_finder
from assay.redact.finding import Finder
from assay.redact.name import check_names, find_names
from assay.redact.pseudonym import Forgotten, KeyFile, Pseudonyms, default_key_path
from assay.redact.redaction import Redaction
from assay.registry import optional_library


def need_libraries() -> None:
    """Raise ``UseError`` if the extra ``redact`` is not installed."""
    for module in ("phonenumbers", "re2", "stdnum"):
        optional_library(module, "redact", "assay redact")


def key_path(workspace: Workspace, key: str | None) -> Path:
    """Where the key lies; ``UseError`` if somebody names a file inside the workspace."""
    if key is None:
        return default_key_path(workspace.root)
    path = workspace.root / key
    if path.resolve().is_relative_to(workspace.root.resolve()):
        raise UseError(f"{path}: the key must not lie inside the workspace; name another file")
    return path


def make_redaction(workspace: Workspace, settings: RedactConfig) -> Redaction | None:
    """The redaction that these settings describe; ``None`` if there is none."""
    if settings.mode == "off":
        return None
    need_libraries()
    if settings.no_key:
        pseudonyms: Pseudonyms = Forgotten()
    else:
        optional_library("cryptography", "redact", "the call cache with redaction")
        pseudonyms = KeyFile(key_path(workspace, settings.key))
    return Redaction(settings.mode, pseudonyms, further_finders(settings))


def further_finders(settings: RedactConfig) -> list[Finder]:
    """The finders of the user's own words and patterns, and of names."""
    finders: list[Finder] = []
    if settings.words or settings.patterns:
        finders.append(own_finder(settings.words, settings.patterns))
    if settings.names:
        check_names()
        finders.append(find_names)
    return finders
