"""The redaction of a command: what the configuration and the command line say about it.

Every command that shows results has this part. What finds and masks values (``make_redaction``) is imported
only if there is redaction: its expressions take longer to compile than a whole ``assay list``.

A run that was redacted stays so. What is shown and said about it later is masked as well: the
configuration need not have ``--redact outputs``, and later commands do not repeat it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from assay.config.system import RedactConfig, RedactMode
from assay.config.workspace import Workspace
from assay.errors import AssayError, UseError
from assay.mask import mask_text, redactor, set_redactor

if TYPE_CHECKING:
    from assay.redact.redaction import Redaction

import threading

from msgspec import UNSET

from assay.runs.summary import read_summary
from assay.runs.write import summary_path

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
    # most files do not mention redaction and need not be parsed, which takes as long as a whole
    # assay list; results can be shown beside a wrong file that does not mention it
    mentions = _mentions_redaction(config or workspace.experiments_file)
    if mentions == "no" and options.mode is None:
        return "off"
    try:
        document = workspace.load_configuration(config)
    except UseError:
        if mentions == "yes" or options.mode is not None:
            raise
        return "off"
    return document.value.redact if document is not None else "off"


def _mentions_redaction(path: Path) -> Literal["yes", "no", "maybe"]:
    """Whether the file has the word; maybe if it has escapes, which can spell it differently."""
    try:
        content = path.read_bytes()
    except OSError:
        return "no"
    if b"redact" in content:
        return "yes"
    return "maybe" if b"\\" in content else "no"


def open_redaction(workspace: Workspace, mode: str | None = None) -> "Redaction | None":
    """The redaction of the configuration, or of ``mode``, for a program that applies it by parts.

    Raises ``UseError`` if there is no such mode.
    """
    if mode is not None and mode not in MODES:
        raise UseError(f"redact: {mode!r} is not one of {', '.join(MODES)}")
    return _made(workspace, redact_settings(workspace, RedactOptions(mode=mode)))


def _made(workspace: Workspace, settings: RedactConfig) -> "Redaction | None":
    """The redaction that these settings describe; ``None`` if there is none."""
    if settings.mode == "off":
        return None
    from assay.runs.make_redaction import make_redaction  # noqa: PLC0415 - slow to import, see above

    return make_redaction(workspace, settings)


@contextmanager
def applied(redaction: "Redaction | None") -> Iterator[None]:
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
        if followed is not None:
            from assay.redact.redaction import Redaction  # noqa: PLC0415 - imported already, see above

            if isinstance(followed, Redaction):
                set_redactor(None)
                followed.close()


@contextmanager
def redacting(
    workspace: Workspace, options: RedactOptions, config: Path | None = None
) -> Iterator["Redaction | None"]:
    """Mask at all doors inside the ``with`` block, if the settings say so.

    Messages of errors are masked before they leave the block. After an error that is a bug,
    redaction stays, so that the traceback is masked too.
    """
    workspace.know_secrets(config)
    redaction = _made(workspace, redact_settings(workspace, options, config))
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


_starting: Final = threading.Lock()


def follow_run(journal: Path, *, is_needed: bool = False) -> None:
    """Redact from now on if the run of ``journal`` is redacted, unless ``--redact off`` was given.

    The key is that of the workspace if there is one; otherwise none is kept. ``is_needed`` raises
    ``UseError`` if the libraries are not installed: something is to be written about the run.
    """
    if redactor() is not None or is_switched_off():
        return
    summary = read_summary(summary_path(journal))
    if summary is None or summary.redact is UNSET:
        return
    from assay.runs.make_redaction import key_path, make_redaction  # noqa: PLC0415 - slow to import

    workspace = Workspace.find(start=journal.resolve().parent)
    try:
        settings = redact_settings(workspace, RedactOptions(mode=summary.redact))
        if not settings.no_key and not key_path(workspace, settings.key).is_file():
            settings = replace(settings, key=None, no_key=True)
        with _starting:
            if redactor() is None:
                set_redactor(make_redaction(workspace, settings))
    except UseError:
        if is_needed:
            raise
