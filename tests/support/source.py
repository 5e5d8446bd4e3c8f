"""The source of the package as syntax trees, for tests of how it is written."""

import ast
from functools import cache
from pathlib import Path

from tests.support.path import ROOT

PACKAGE = ROOT / "src" / "assay"


@cache
def package_nodes() -> dict[Path, list[ast.AST]]:
    """The nodes of each module by its path, parsed when a test first needs them."""
    return {
        path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(PACKAGE.rglob("*.py"))
    }
