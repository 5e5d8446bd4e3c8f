"""How the package is laid out: rooms with doors, and no folder that is missing.

docs/decisions/0050-rooms.md says why.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from tools.check.repository import Finding, Module, Repository

GROUPS = {"", "cli", "data", "jobs", "judges", "rag", "report", "scorers"}
"""Folders that only group rooms; a file in one of them is a room of its own."""
MACHINERY = {"TYPE_CHECKING", "lazy_door", "lazy_function"}
"""What a door imports for itself."""
MOST = 3
"""So many files of a folder may share a prefix."""


def doors(repository: Repository) -> Iterator[Finding]:
    """Code of another room imports what a room's ``__init__`` names, never a file inside it."""
    modules = repository.modules
    names = {name: set(_imported(module)) for name, module in modules.items() if module.is_door}
    for module in modules.values():
        for line, source, name in _imports(module):
            is_file = f"{source}.{name}" in modules and name not in names.get(source, set())
            target = modules.get(f"{source}.{name}" if is_file else source)
            if target is None or target.is_door:
                continue
            room = target.name.rpartition(".")[0]
            if _is_room(room) and not f"{module.name}.".startswith(f"{room}."):
                yield Finding(
                    module.where,
                    line,
                    f"imports {target.name}, which is private to its room; "
                    f"import from {room}, and let its __init__ name what others may use",
                )


def lazy_doors(repository: Repository) -> Iterator[Finding]:
    """The table of a door that imports late says the same as its imports for type checkers."""
    for module in repository.modules.values():
        table = _lazy_table(module) if module.is_door else None
        if table is None:
            continue
        branches = (node.body for node in module.tree.body if isinstance(node, ast.If))
        shown = _origins(chain.from_iterable(branches))
        places = {}
        for name, place in table.items():
            file, _, original = place.partition(":")
            places[name] = f"{module.name}.{file}.{original or name}"
        for name in sorted(places.keys() | shown.keys()):
            if places.get(name) != shown.get(name):
                yield Finding(
                    module.where,
                    1,
                    f"{name} is {places.get(name, 'missing')} in the table of lazy_door and "
                    f"{shown.get(name, 'missing')} below TYPE_CHECKING; say the same in both",
                )


def exports(repository: Repository) -> Iterator[Finding]:
    """``__all__`` of a folder lists exactly its public names that are not modules."""
    for module in repository.modules.values():
        if not module.is_door:
            continue
        bound = _imported(module) | _defined(module)
        public = {
            name
            for name, origin in bound.items()
            if not name.startswith("_")
            and name not in MACHINERY
            and origin not in repository.modules
        }
        exported = set(_exported(module))
        for name in sorted(public - exported):
            yield Finding(
                module.where, 1, f"{name} is not in __all__; add it, or rename it _{name}"
            )
        for name in sorted(exported - bound.keys()):
            yield Finding(module.where, 1, f"__all__ names {name}, which is not there; remove it")


def prefixes(repository: Repository) -> Iterator[Finding]:
    """At most three files of a folder share a prefix; more than that is a folder that is missing."""
    paths = sorted(module.path for module in repository.modules.values())
    for folder, files in groupby(paths, key=lambda path: path.parent):
        stems = [path.stem for path in files if not path.stem.startswith("_")]
        for prefix, count in Counter(stem.split("_")[0] for stem in stems).items():
            if count > MOST:
                where = repository.where(folder)
                text = f"{count} files begin with {prefix}; make the folder {prefix}"
                yield Finding(where, 1, text)


def _is_room(package: str) -> bool:
    """Whether a package has a door."""
    return package.removeprefix("assay").lstrip(".").replace(".", "/") not in GROUPS


def _top(module: Module) -> Iterator[ast.stmt]:
    """The statements of a door, also those below ``if TYPE_CHECKING``."""
    for node in module.tree.body:
        yield from node.body if isinstance(node, ast.If) else (node,)


def _imported(module: Module) -> dict[str, str]:
    """The names that a door imports from modules, with the path that each has there."""
    return _origins(_top(module))


def _origins(statements: Iterable[ast.stmt]) -> dict[str, str]:
    """The names that the imports among the statements bind, with the path that each has."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in statements
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _defined(module: Module) -> dict[str, str]:
    """The names that a door defines itself, without an origin."""
    names = []
    for node in _top(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [each.id for each in node.targets if isinstance(each, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return dict.fromkeys(names, "")


def _exported(module: Module) -> list[str]:
    """What ``__all__`` lists."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def _lazy_table(module: Module) -> dict[str, str] | None:
    """The table that a door gives to ``lazy_door``; ``None`` if it imports everything at once."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lazy_door":
            return dict(ast.literal_eval(node.args[1]))
    return None


def _imports(module: Module) -> Iterator[tuple[int, str, str]]:
    """Line, module and name of everything that a file imports from the package."""
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "assay":
            for alias in node.names:
                yield node.lineno, node.module or "", alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("assay."):
                    package, _, name = alias.name.rpartition(".")
                    yield node.lineno, package, name
