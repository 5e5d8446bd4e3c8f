"""How a worker makes its copy of the system: from its specification, not from the object."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO, cast

from msgspec import Struct

from assay.config import Defaults, ModelConfig, SystemConfig
from assay.mask import MaskedStream, read_environment, redactor, set_redactor
from assay.redact import Forgotten, Redaction
from assay.registry import load_object
from assay.systems.context import SystemContext
from assay.systems.protocol import System


class Recipe(Struct, frozen=True, kw_only=True):
    """What makes the system: ``factory`` (``package.module:function``) with these arguments.

    The folders are those of the driver, and modules are found by its ``search_path``; ``base`` is
    the folder that was uploaded, and None if the worker sees the folders of the driver itself.
    """

    factory: str
    arguments: tuple[Any, ...]
    root: Path
    folder: Path
    search_path: tuple[str, ...]
    base: Path | None
    models: Mapping[str, ModelConfig]
    systems: Mapping[str, SystemConfig]
    defaults: Defaults
    redact: Any = None
    known_models: Mapping[str, tuple[ModelConfig, str]] = {}

    def place(self, folder: Path) -> Path:
        """Where a folder of the driver is on this machine."""
        if self.base is None:
            return folder
        uploaded = Path(os.environ.get("ASSAY_UPLOADED") or Path.cwd())
        os.environ["ASSAY_UPLOADED"] = str(uploaded)
        return uploaded / folder.relative_to(self.base)

    def make(self, context: SystemContext) -> System:
        """The system."""
        factory = load_object(self.factory)
        system: System = factory(*self.arguments, context)
        return system

    def enter(self) -> Path:
        """Make this process work in the folder of the driver; return the workspace."""
        root, folder = self.place(self.root), self.place(self.folder)
        os.chdir(folder)
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        if self.base is None:  # the driver may have a PYTHONPATH of its own
            sys.path += [each for each in self.search_path if each and each not in sys.path]
        read_environment()
        if self.redact is not None:
            # without the key: what is masked here is never turned back
            set_redactor(Redaction(self.redact, Forgotten()))
            null = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the process
            sys.stdout = sys.stderr = null
        elif not isinstance(sys.stdout, MaskedStream):
            # Ray writes what is printed to its own log files
            sys.stdout, sys.stderr = (
                cast("TextIO", MaskedStream(stream)) for stream in (sys.stdout, sys.stderr)
            )
        return root


def make_recipe(context: SystemContext, factory: str, arguments: tuple[Any, ...]) -> Recipe:
    """The recipe for a system that the driver has made in this context."""
    active = redactor()
    return Recipe(
        factory=factory,
        arguments=arguments,
        root=context.root.resolve(),
        folder=Path.cwd(),
        search_path=tuple(sys.path),
        base=None,
        models=context.models,
        systems=context.systems,
        defaults=context.defaults,
        redact=None if active is None else active.mode,
        known_models={
            name: (client.config, client.identity) for name, client in context.clients.items()
        },
    )
