"""The modules that the system's module imports from its own folder, and a hash of their source.

Imports are read from the source, also those inside of functions, so that the result depends on the
files alone and not on what happens to be loaded. The folder is the one in which the module, or the
package that it is in, was found. Of an installed package only its own modules count.
"""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from msgspec import Struct

_MOST: Final = 2000
"""A pipeline has fewer files; beyond this number, further ones are left out."""
_NAMED: Final = 3
"""So many modules are named in an identity with a hash for each; more have one hash together."""
_INSTALLED: Final = frozenset(("site-packages", "dist-packages"))


class _Source(Struct, frozen=True):
    """A file and the name under which it is imported; a package has the name of its folder."""

    name: str
    path: Path

    @property
    def package(self) -> str:
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]


def local_modules(module: ModuleType) -> dict[str, str]:
    """The names of the local modules that ``module`` imports, also by each other, with hashes."""
    file = getattr(module, "__file__", None)
    if not file or Path(file).suffix != ".py":
        return {}
    own = _Source(_own_name(module), Path(file))
    depth = own.name.count(".") + (own.path.stem == "__init__")
    folder = Path(file).absolute().parents[depth]
    within = own.name.partition(".")[0] if folder.name in _INSTALLED else ""
    known: dict[str, str] = {}
    seen, waiting = {own.name}, [own]
    while waiting and len(known) < _MOST:
        current = waiting.pop()
        try:
            data = current.path.read_bytes()
        except OSError:
            continue
        if current is not own:
            known[current.name] = hashlib.sha256(data).hexdigest()
        for name in _imported(data, current.package):
            path = _path(folder, name)
            if name not in seen and path and (not within or name.partition(".")[0] == within):
                seen.add(name)
                waiting.append(_Source(name, path))
    return dict(sorted(known.items()))


def local_version(module: ModuleType) -> str:
    """What the local modules add to the identity of a system; empty if there are none."""
    hashes = local_modules(module)
    if len(hashes) <= _NAMED:
        return "".join(f"+{name}.{each[:8]}" for name, each in hashes.items())
    together = hashlib.sha256("".join(f"{name}={each};" for name, each in hashes.items()).encode())
    return f"+{len(hashes)}-modules.{together.hexdigest()[:8]}"


def _own_name(module: ModuleType) -> str:
    """The name of a module by its file; a script that was started is called after its file."""
    file = Path(str(module.__file__))
    return module.__name__ if module.__name__ != "__main__" else file.stem


def _imported(data: bytes, package: str) -> Iterator[str]:
    """All names that a source may import as modules, with the packages that they are in."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = _absolute(node.module or "", node.level, package)
            names = [start, *(f"{start}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            words = name.strip(".").split(".")
            yield from (".".join(words[:end]) for end in range(1, len(words) + 1))


def _absolute(name: str, level: int, package: str) -> str:
    """The whole name of a module after ``from``; each dot but the first leaves a package.

    >>> _absolute("prompt", 1, "rag.parts"), _absolute("", 2, "rag.parts")
    ('rag.parts.prompt', 'rag')
    """
    if not level:
        return name
    words = package.split(".") if package else []
    return ".".join([*words[: len(words) - level + 1], *([name] if name else [])])


def _path(folder: Path, name: str) -> Path | None:
    """The file of a module, if it lies in the folder."""
    place = folder.joinpath(*name.split("."))
    candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((path for path in candidates if path.is_file()), None)
