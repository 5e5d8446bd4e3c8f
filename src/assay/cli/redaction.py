"""The option ``--redact`` of commands that show or write what was recorded."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

from assay.cli.options import one_of
from assay.config.workspace import Workspace
from assay.runs.redaction import MODES, RedactOptions, redacting

Redact = Annotated[
    str | None,
    typer.Option(
        "--redact",
        metavar="|".join(MODES),
        help="Mask personal data in what is written and shown; calls: also in what is sent to "
        "other computers. Default: redact of the configuration.",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option("--key", help="File of the key. Default: one for each workspace, outside of it."),
]
NoKey = Annotated[
    bool, typer.Option("--no-key", help="Keep no key: nothing can turn the tags back.")
]
REDACT_OPTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "redact": (Redact, None),
    "key": (Key, None),
    "no_key": (NoKey, False),
}
"""The options with their types and defaults."""


def redact_options(words: dict[str, Any]) -> RedactOptions:
    """Take the options out of ``words``."""
    chosen = (words.pop(name, default) for name, (_, default) in REDACT_OPTIONS.items())
    mode, key, no_key = chosen
    if mode is not None:
        one_of("--redact", mode, MODES)
    return RedactOptions(mode=mode, key=key, no_key=no_key)


def redacted(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, and mask what it writes and shows.

    The workspace is that of its option ``--root``, if it has one, or of the current folder.
    """
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    own = [each.replace(annotation=hints[name]) for name, each in signature.parameters.items()]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)
        for name, (option, default) in REDACT_OPTIONS.items()
    ]

    @wraps(command)
    def masked(*values: Any, **words: Any) -> None:
        words |= dict(zip(signature.parameters, values, strict=False))
        options = redact_options(words)
        with redacting(Workspace.find(words.get("root")), options):
            command(**words)

    masked.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    masked.__annotations__ = {each.name: each.annotation for each in (*own, *added)}
    return masked
