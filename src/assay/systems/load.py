"""From a word on the command line to a system: ``kind:rest``."""

from collections.abc import Callable, Mapping
from pathlib import Path

from assay.config.document import nearest
from assay.errors import SystemLoadError
from assay.systems.protocol import System
from assay.systems.python import load_python
from assay.systems.replay import ReplaySystem

LOADERS: Mapping[str, Callable[[str], System]] = {
    "python": load_python,
    "replay": lambda place: ReplaySystem(Path(place)),
}


def load_system(spec: str) -> System:
    """The system that ``spec`` names, e.g. ``python:package.module:callable``."""
    kind, _, place = spec.partition(":")
    if kind not in LOADERS:
        raise SystemLoadError(
            f"unknown kind of system {kind!r} in {spec!r}{nearest(kind, LOADERS)}"
        )
    return LOADERS[kind](place)
