"""The redaction of a command: what the configuration and the command line say about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from assay.config import RedactConfig, RedactMode, Workspace
from assay.errors import AssayError, UseError
from assay.jobs.redact.scan import need_libraries
from assay.jobs.setup import load_configuration
from assay.mask import mask_text, redactor, set_redactor
from assay.rag.optional_library import optional_library
from assay.redact import (
    Finder,
    Forgotten,
    KeyFile,
    Pseudonyms,
    Redaction,
    check_names,
    default_key_path,
    find_names,
    own_finder,
)

MODES: Final = ("off", "outputs", "calls")


class RedactOptions(Struct, frozen=True, kw_only=True):
    """What the command line says; ``None`` keeps the configured value."""

    mode: str | None = None
    key: Path | None = None
    no_key: bool = False


def redact_settings(
    workspace: Workspace, options: RedactOptions, config: Path | None = None
) -> RedactConfig:
    """The configured settings of ``config`` or of the workspace, replaced by the ``options``."""
    configured = _configured(workspace, options, config)
    if isinstance(configured, str):
        configured = RedactConfig(mode=configured)
    if options.key is not None and options.no_key:
        raise UseError("give --key or --no-key, not both")
    changes: dict[str, object] = {}
    if options.mode is not None:
        changes["mode"] = options.mode
    if options.key is not None:
        changes |= {"key": str(options.key.resolve()), "no_key": False}
    if options.no_key:
        changes |= {"key": None, "no_key": True}
    return replace(configured, **changes)


def _configured(
    workspace: Workspace, options: RedactOptions, config: Path | None
) -> RedactConfig | RedactMode:
    try:
        document = load_configuration(workspace, config)
    except UseError:
        # results can be shown beside a wrong configuration, but only if it does not say redact
        if options.mode is not None or _mentions_redaction(config or workspace.experiments_file):
            raise
        return "off"
    return document.value.redact if document is not None else "off"


def _mentions_redaction(path: Path) -> bool:
    try:
        return b"redact" in path.read_bytes()
    except OSError:
        return False


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


def open_redaction(workspace: Workspace, mode: str | None = None) -> Redaction | None:
    """The redaction of the configuration, or of ``mode``, for a program that applies it by parts.

    Raises ``UseError`` if there is no such mode.
    """
    if mode is not None and mode not in MODES:
        raise UseError(f"redact: {mode!r} is not one of {', '.join(MODES)}")
    return make_redaction(workspace, redact_settings(workspace, RedactOptions(mode=mode)))


@contextmanager
def applied(redaction: Redaction | None) -> Iterator[None]:
    """Mask with ``redaction``, if there is one, inside the ``with`` block."""
    if redaction is None:
        yield
        return
    before = redactor()
    set_redactor(redaction)
    try:
        yield
    finally:
        set_redactor(before)


class _Choice:
    """Whether the command line says ``--redact off``; it holds for the process."""

    is_off = False


def is_switched_off() -> bool:
    """Whether the command line says ``--redact off``, and not only the configuration."""
    return _Choice.is_off


@contextmanager
def _none(options: RedactOptions) -> Iterator[None]:
    """No redaction, unless that of a run is followed inside the ``with`` block."""
    _Choice.is_off = options.mode == "off"
    try:
        yield
    finally:
        _Choice.is_off = False
        followed = redactor()
        if isinstance(followed, Redaction):
            set_redactor(None)
            followed.close()


@contextmanager
def redacting(
    workspace: Workspace, options: RedactOptions, config: Path | None = None
) -> Iterator[Redaction | None]:
    """Mask at all doors inside the ``with`` block, if the settings say so.

    Messages of errors are masked before they leave the block. After an error that is a bug,
    redaction stays, so that the traceback is masked too.
    """
    redaction = make_redaction(workspace, redact_settings(workspace, options, config))
    if redaction is None:
        with _none(options):
            yield None
        return
    set_redactor(redaction)
    try:
        yield redaction
    except AssayError as error:
        error.args = tuple(
            mask_text(each) if isinstance(each, str) else each for each in error.args
        )
        set_redactor(None)
        raise
    except BaseException as error:
        if isinstance(error, (SystemExit, KeyboardInterrupt)) or not isinstance(error, Exception):
            set_redactor(None)
        raise
    else:
        set_redactor(None)
    finally:
        redaction.close()
