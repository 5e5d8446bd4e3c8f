"""What a page may not add: code that would run here, and secrets that would be sent away.

Whoever may change something on the page must not gain more than that. Python objects, commands,
recordings and environment variables can be used if the file on disk names them already; variables
whose names end in ``_API_KEY`` are for models and may be named.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.config import (
    CommandConfig,
    ExperimentFile,
    PythonConfig,
    parse_document,
)
from assay.errors import AssayError, UseError

_WORDS: Final = ("python:", "command:")
_VARIABLE: Final = re.compile(r"\$\{(\w+)\}")
_KEY: Final = re.compile(r"^[A-Z][A-Z0-9_]*_API_KEY$")


def refuse_code(new: ExperimentFile, old_text: str, path: Path) -> None:
    """Raise ``UseError`` if ``new`` names code or variables that the file on disk does not name."""
    old = _parsed(old_text, path)
    for name, system in new.systems.items():
        is_code = isinstance(system, PythonConfig | CommandConfig)
        if is_code and old.systems.get(name) != system:
            raise UseError(
                f"systems.{name}: the page cannot add or change a Python or command system; "
                f"write it into {path.name} with an editor"
            )
    known = set(_specs(old))
    for spec in _specs(new):
        if spec.startswith(_WORDS) and spec not in known:
            raise UseError(
                f"system {spec!r}: the page cannot add a Python or command system; write it into "
                f"{path.name} with an editor"
            )
    for variable in sorted(set(_variables(new)) - set(_variables(old))):
        if not _KEY.match(variable):
            raise UseError(
                f"the variable {variable}: the page can only name variables that end in _API_KEY, "
                f"or that {path.name} names already"
            )


def _parsed(text: str, path: Path) -> ExperimentFile:
    try:
        return parse_document(text, ExperimentFile, path).value
    except AssayError:
        return ExperimentFile()  # nothing in a file that cannot be read is trusted


def _specs(file: ExperimentFile) -> Iterator[str]:
    yield file.defaults.system
    for experiment in file.experiments:
        if experiment.system is not None:
            yield experiment.system


def _variables(file: ExperimentFile) -> Iterator[str]:
    """The environment variables that systems and models use."""
    for model in file.models.values():
        if model.key_variable:
            yield model.key_variable
    for section in (file.models, file.systems):
        yield from _VARIABLE.findall(_text(section))


def _text(section: Any) -> str:
    return msgspec.json.encode(section).decode()
