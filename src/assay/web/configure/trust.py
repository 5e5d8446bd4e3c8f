"""What a page may not add: code that would run here, and secrets that would be sent away.

Whoever may change something on the page must not gain more than that. Python objects, commands and
recordings can be used if the file on disk names them already. An environment variable goes only to
an address for which the file on disk uses it already, or to the own address of a known provider.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.config import (
    CommandConfig,
    ExperimentFile,
    HttpConfig,
    PythonConfig,
    SystemConfig,
    parse_document,
)
from assay.errors import AssayError, UseError
from assay.models import variables_in
from assay.systems import KNOWN_PROVIDERS

_WORDS: Final = ("python:", "command:")


def refuse_code(new: ExperimentFile, old_text: str, path: Path) -> None:
    """Raise ``UseError`` if ``new`` has code, or sends variables, that the file on disk does not."""
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
    allowed = {*_sent(old), *KNOWN_PROVIDERS}
    for variable, address in _sent(new):
        if (variable, address) not in allowed:
            raise UseError(
                f"the variable {variable}: the page sends it only to an address for which the "
                f"saved {path.name} uses it; for another one, write it into {path.name} with an "
                "editor first"
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


def _sent(file: ExperimentFile) -> Iterator[tuple[str, str]]:
    """The environment variables that are used, each with the address that gets it."""
    for model in file.models.values():
        address = model.base_url.rstrip("/")
        if model.key_variable:
            yield model.key_variable, address
        for variable in variables_in(_text(model)):
            yield variable, address
    for system in file.systems.values():
        for variable in variables_in(_text(system)):
            yield variable, _address(system)
    for spec in _specs(file):
        for variable in variables_in(spec):
            yield variable, spec


def _address(system: SystemConfig) -> str:
    """Where a system sends something; both addresses of a service with a preparation."""
    if not isinstance(system, HttpConfig):
        return ""
    return system.url if system.prepare is None else f"{system.url} {system.prepare.url}"


def _text(section: Any) -> str:
    return msgspec.json.encode(section).decode()
