"""The house: rooms have doors, no folder is missing, and ARCHITECTURE.md draws what is there."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.path import ROOT

SOURCE = ROOT / "src" / "assay"
GROUPS = {"", "cli", "data", "jobs", "judges", "rag", "report", "scorers"}
"""Folders that only group rooms; a file in one of them is a room of its own."""


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in SOURCE.rglob("*.py")}


def is_room(package: str) -> bool:
    """Whether a package has a door."""
    return package.removeprefix("assay").lstrip(".").replace(".", "/") not in GROUPS


def door(package: str) -> set[str]:
    """What a package's ``__init__`` names."""
    tree = ast.parse(MODULES[package].read_text(encoding="utf-8"))
    nodes = [
        inner
        for node in tree.body
        for inner in (node.body if isinstance(node, ast.If) else (node,))  # if TYPE_CHECKING:
    ]
    return {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def imports(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, module and name of everything a file imports from the package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "assay":
            for alias in node.names:
                yield node.lineno, node.module or "", alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("assay."):
                    package, _, name = alias.name.rpartition(".")
                    yield node.lineno, package, name


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_room_is_entered_by_its_door(module: str):
    """Code of another room imports what a room's ``__init__`` names, never a file inside it."""
    past_the_door = []
    for line, imported, name in imports(MODULES[module]):
        is_module = f"{imported}.{name}" in MODULES and name not in door(imported)
        target = f"{imported}.{name}" if is_module else imported
        if MODULES[target].name == "__init__.py":
            continue
        room = target.rpartition(".")[0]
        if is_room(room) and not f"{module}.".startswith(f"{room}."):
            past_the_door.append(f"{module}:{line} imports {target}")
    assert past_the_door == []


LAZY = sorted(
    name
    for name, path in MODULES.items()
    if path.name == "__init__.py" and "lazy_door(" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("package", LAZY)
def test_a_lazy_door_finds_what_it_shows_to_type_checkers(package: str):
    """Each name of such a door can be imported and is the object that type checkers see."""
    room = import_module(package)
    assert set(room.__all__) <= door(package)
    for _, module, name in imports(MODULES[package]):
        if module.startswith(f"{package}."):
            shown = getattr(import_module(module), name)
            assert any(getattr(room, each) is shown for each in room.__all__), name


@pytest.mark.parametrize("folder", sorted({path.parent for path in SOURCE.rglob("*.py")}))
def test_at_most_three_files_of_a_folder_share_a_prefix(folder: Path):
    """More than that is a folder that is missing."""
    stems = [path.stem for path in folder.glob("*.py")]
    prefixes = Counter(stem.split("_")[0] for stem in stems if not stem.startswith("_"))
    assert {prefix: count for prefix, count in prefixes.items() if count > 3} == {}


def drawing() -> list[str]:
    """The lines of the drawing of the layers in ARCHITECTURE.md."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return page.partition("## Layers")[2].partition("```\n")[2].partition("```")[0].splitlines()


def test_the_layers_are_drawn_as_import_linter_holds_them():
    """The lines that are not indented are the layers of the contract, in its order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]["layers"]
    drawn = [re.split(r" {2,}", line)[0] for line in drawing() if not line.startswith(" ")]
    assert drawn == contract


def test_every_room_is_drawn():
    """The indented lines name all rooms of their layer, and none that is gone."""
    drawn: set[str] = set()
    layer = ""
    for line in drawing():
        if not line.startswith(" "):
            layer = line.split()[0] if "data" not in line.split()[:3] else "data"
            continue
        names = re.split(r" {2,}", line.strip())[0].split()
        drawn |= {f"{layer}/{name}" for name in names}
    rooms = {
        path.parent.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("__init__.py")
        if path.parent not in {SOURCE, SOURCE / "cli"} and "/" in str(path.relative_to(SOURCE))
    }
    nested = {room for room in rooms if "/" in room}
    assert nested - drawn == set()
    gone = {
        room
        for room in drawn
        if not (SOURCE / room).is_dir() and not (SOURCE / f"{room}.py").is_file()
    }
    assert gone == set()


def test_the_house_fits_on_one_screen():
    """The drawing is short enough to be seen at once."""
    assert len(drawing()) <= 40
