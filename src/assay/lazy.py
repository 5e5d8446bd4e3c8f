"""Public names that are imported when they are first used.

They are written once, in the stub beside the module: one line ``from PLACE import NAME as NAME``
each. Type checkers and editors read the stub, and so does this module at run time.
"""

from __future__ import annotations  # names of types that are slow to import

import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def attach(
    module: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` for a module with a stub beside its ``file``."""
    places: dict[str, tuple[str, str]] = {}
    with open(f"{file}i", encoding="utf-8") as stub:  # noqa: PTH123 - pathlib would take longer
        for line in stub:
            words = line.split()
            if words[:1] == ["from"] and words[4:5] == ["as"]:
                places[words[5]] = (words[1], words[3])

    def find(name: str) -> object:
        if name not in places:
            message = f"module {module!r} has no attribute {name!r}"
            raise AttributeError(message)
        place, original = places[name]
        value: object = getattr(import_module(place), original)
        setattr(sys.modules[module], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[module]), *places})

    return find, listed, list(places)
