"""Which files of a workspace are systems of the user: found by reading them, never by importing."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from assay.errors import UnnamedSystem

_ASK: Final = "ask"
_METHODS: Final = (_ASK, "query")
_QUESTION: Final = "question"
_DECLARATIONS: Final = frozenset(
    {"SETTINGS", "ENVIRONMENT", "ONLY_WHEN", "PASSAGES", "VERSION", "prepare", "reset"}
)
"""What only a system has in its module, beside ``ask``."""
_LARGEST: Final = 1_000_000
_Function: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def adapter(source: bytes) -> str | None:
    r"""The name in a module that can be asked; None if it is not written to be asked.

    It is a function ``ask``, or a class with such a method or a ``query``, that takes a ``question``,
    or that has beside it what a system declares.

    >>> adapter(b"def ask(question): ..."), adapter(b"def ask(prompt): ...")
    ('ask', None)
    >>> adapter(b"class Backend:\n    def ask(self, question): ...")
    'Backend'
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = set(_names(tree))
    for node in tree.body:
        if isinstance(node, _Function) and node.name == _ASK:
            return _ASK if _takes_question(node) or names & _DECLARATIONS else None
        if isinstance(node, ast.ClassDef):
            methods = [each for each in node.body if isinstance(each, _Function)]
            if any(each.name in _METHODS and _takes_question(each) for each in methods):
                return node.name
    return None


def _names(tree: ast.Module) -> Iterator[str]:
    """What a module defines at its top."""
    for node in tree.body:
        if isinstance(node, (*_Function, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _takes_question(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    arguments = function.args
    taken = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return any(each.arg == _QUESTION for each in taken)


def adapters_in(folder: Path) -> list[str]:
    """The systems in the files of a folder, as ``--system`` names them."""
    found = []
    for path in sorted(folder.glob("*.py")):
        if not path.stem.isidentifier() or path.stem.startswith(("test_", "conftest")):
            continue
        try:
            source = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
        except OSError:
            continue
        if name := adapter(source):
            found.append(f"python:{path.stem}:{name}")
    return found


def refuse_unnamed(folders: Sequence[Path], default: str) -> None:
    """Refuse to ask ``default`` where nobody named a system and the user has one.

    Raises:
        UnnamedSystem: There is one in one of the folders.
    """
    for folder in dict.fromkeys(folders):
        if found := adapters_in(folder):
            files = ", ".join(f"{spec.split(':')[1]}.py" for spec in found)
            options = "; ".join(f"--system {spec}" for spec in found)
            raise UnnamedSystem(
                f"no system is named, and {files} in {folder} can be asked. Write which one is meant: "
                f"{options}; or, for the one that comes with assay: --system {default}",
                choices=(*found, default),
            )
