"""Modules that other packages import by the paths of assay 0.1: they work, with a warning.

The names are in ``assay`` and ``assay.plugin`` now. This goes with version 0.3.
"""

from __future__ import annotations  # names of types that are slow to import

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOVED: dict[str, tuple[str, ...]] = {
    "assay.scorers": (),
    "assay.scorers.scorer": ("Scorer", "Subject"),
    "assay.scorers.latency": ("LATENCY",),
    "assay.scorers.law_citation": ("check_law", "law_citations"),
    "assay.systems": ("Setting", "System", "SystemContext", "load_system"),
    "assay.runner": ("SystemHandler", "product_plan", "top_k_placement"),
    "assay.jobs.setup": ("load_configuration", "make_system_context"),
    "assay.jobs.spec": ("JobSpec",),
    "assay.judges": (),
    "assay.judges.verifier": ("AligningReranker", "verify_quotation_with"),
    "assay.data.contract": ("read_laws",),
}
"""The names that the pages of assay 0.1 told people to import, by their old module."""


def moved_name(module: str, name: str) -> object:
    """A name of an old module, from where it is now, with a ``DeprecationWarning``."""
    if name not in MOVED.get(module, ()):
        message = f"module {module!r} has no attribute {name!r}"
        raise AttributeError(message)
    package, plugin = import_module("assay"), import_module("assay.plugin")
    place = package if name in package.__all__ else plugin
    warnings.warn(
        f"{module}.{name} is {place.__name__}.{name} now; the old path goes with assay 0.3",
        DeprecationWarning,
        stacklevel=3,
    )
    value: object = getattr(place, name)
    return value


class _MovedModule:
    """Makes an old module, whose names are looked up when they are imported.

    It and the finder have the methods of ``importlib.abc``, which takes longer to import than assay.
    """

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        module.__getattr__ = lambda attribute: moved_name(name, attribute)  # type: ignore[method-assign]


class _MovedFinder:
    """Finds the old modules; it is asked only if there is no module of that name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        is_package = any(name.startswith(f"{fullname}.") for name in MOVED)
        return ModuleSpec(fullname, _MovedModule(), is_package=is_package)  # type: ignore[arg-type]


def find_moved_modules() -> None:
    """Let Python find the old modules where no other module has their name."""
    if not any(isinstance(finder, _MovedFinder) for finder in sys.meta_path):
        sys.meta_path.append(_MovedFinder())
