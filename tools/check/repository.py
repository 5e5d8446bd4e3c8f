"""The files that are checked, each read and parsed once, and what a check finds."""

import ast
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tools.page import Page, pages


class Finding(NamedTuple):
    """Something to repair: the file by its path from the root, the line, what is wrong and what to do."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Module:
    """A source file of the package; ``name`` is ``assay.room.file``, that of a folder for a door."""

    name: str
    path: Path
    where: str
    """The path from the root of the repository."""

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))


class Repository:
    """A folder with the package, its pages and its settings."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.package = root / "src" / "assay"

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Every source file of the package by its dotted name."""
        found = {}
        for path in sorted(self.package.rglob("*.py")):
            parts = path.relative_to(self.package.parent).with_suffix("").parts
            name = ".".join(parts).removesuffix(".__init__")
            found[name] = Module(name, path, self.where(path))
        return found

    @cached_property
    def pages(self) -> list[Page]:
        """Every page that is written by hand."""
        return pages(self.root)

    @cached_property
    def project(self) -> dict[str, Any]:
        """``pyproject.toml``."""
        return tomllib.loads(self.text("pyproject.toml"))

    def text(self, name: str) -> str:
        """The text of a file by its path from the root; empty if there is no such file."""
        path = self.root / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def where(self, path: Path) -> str:
        """The path from the root, for findings."""
        return path.relative_to(self.root).as_posix()
