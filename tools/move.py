"""Move modules into their rooms, as the tables of ``docs/decisions/0050-rooms.md`` say.

Four steps, each of which does nothing where there is nothing left to do:

1. files that still have their old name are moved with ``git mv``, and their tests with them;
2. dotted names of moved modules are rewritten in code, tests and documents;
3. imports from another room go through its door, and the door names what is imported;
4. names that are to change are changed where they are defined, imported and used.

Run ``make format`` afterwards: it sorts what this writes.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "assay"
TABLE = ROOT / "docs" / "decisions" / "0050-rooms.md"
GROUPS = {"", "cli", "data", "jobs", "judges", "rag", "report", "scorers"}
"""Folders that only group rooms; a file in one of them is a room of its own."""


def rows(heading: str) -> list[tuple[str, str]]:
    """The rows of the table whose first column has this heading."""
    table = TABLE.read_text(encoding="utf-8").split(f"| {heading} |")[1]
    lines = table.split("\n\n")[0].splitlines()[2:]
    return [(left.strip(" `"), right.strip(" `")) for _, left, right, _ in map(_cells, lines)]


def _cells(line: str) -> list[str]:
    return line.split("|")


def move_files(moves: list[tuple[str, str]]) -> None:
    """Move every file that still has its old name, and its test."""
    for old, new in moves:
        if old.startswith("tests/"):
            _move(ROOT / old, ROOT / new)
        elif old.endswith("/") or "." in old:
            _move(SOURCE / old, SOURCE / new)
        else:
            _move(SOURCE / f"{old}.py", SOURCE / f"{new}.py")
            _move(_test_of(old), _test_of(new))
    for folder in sorted({path.parent for path in SOURCE.rglob("*.py")}):
        for package in (folder, *folder.parents):
            if package.is_relative_to(SOURCE) and not (package / "__init__.py").exists():
                (package / "__init__.py").write_text("")


def _test_of(module: str) -> Path:
    folder, _, name = module.rpartition("/")
    return ROOT / "tests" / folder / f"test_{name}.py"


def _move(old: Path, new: Path) -> None:
    if not old.exists() or new.exists():
        return
    new.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "mv", str(old), str(new)], cwd=ROOT, check=True)


def dotted(path: str) -> str:
    """The dotted name of a row's path.

    >>> dotted("datasets/__init__")
    'assay.datasets'
    """
    return "assay." + path.rstrip("/").removesuffix("/__init__").replace("/", ".")


def rename_modules(moves: list[tuple[str, str]]) -> None:
    """Rewrite the dotted names of moved modules wherever they are written.

    A module that became a room of its own name keeps its dotted name: step 3 sorts out which
    file of the room is meant.
    """
    names = {
        dotted(old): dotted(new)
        for old, new in moves
        if not old.startswith("tests/")
        and "." not in old
        and not f"{dotted(new)}.".startswith(f"{dotted(old)}.")
        and not (SOURCE / f"{old}.py").exists()  # a new file that has taken the old name
    }
    pattern = re.compile(
        "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)).join(
            ("(?<![\\w./])(?:", ")(?!\\w)")
        )
    )
    for path in _texts():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            text = _module_imports(text, names)
        changed = pattern.sub(lambda match: names[match.group()], text)
        if changed != path.read_text(encoding="utf-8"):
            path.write_text(changed, encoding="utf-8")


def _texts() -> list[Path]:
    found = [ROOT / "pyproject.toml", *ROOT.glob("*.md")]
    for folder in ("src", "tests", "bench", "tools", "docs"):
        for suffix in ("py", "md", "sh", "toml"):
            found += (ROOT / folder).rglob(f"*.{suffix}")
    return [path for path in found if path not in {TABLE, Path(__file__)}]


def _module_imports(text: str, names: dict[str, str]) -> str:
    """``from package import module``, where the module has moved."""
    lines = text.splitlines(keepends=True)
    for node in _imports(text):
        moved = {alias.name for alias in node.names if f"{node.module}.{alias.name}" in names}
        if moved:
            written = []
            for alias in node.names:
                full = names.get(f"{node.module}.{alias.name}", f"{node.module}.{alias.name}")
                package, _, name = full.rpartition(".")
                written.append(_statement(node, package, [(name, alias.asname or alias.name)]))
            _replace(lines, node, "".join(written))
    return "".join(lines)


def _imports(text: str) -> list[ast.ImportFrom]:
    """The statements ``from assay… import …``, the last first, so that lines can be replaced."""
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "assay"
    ]
    return sorted(found, key=lambda node: node.lineno, reverse=True)


def _statement(node: ast.ImportFrom, module: str, names: list[tuple[str, str]]) -> str:
    listed = ", ".join(name if name == known else f"{name} as {known}" for name, known in names)
    lazy = "  # noqa: PLC0415" if node.col_offset else ""
    return f"{' ' * node.col_offset}from {module} import {listed}{lazy}\n"


def _replace(lines: list[str], node: ast.ImportFrom, text: str) -> None:
    last = node.end_lineno or node.lineno
    lines[node.lineno - 1 : last] = [text] + [""] * (last - node.lineno)


class House:
    """Where every name of the package is defined, and what each door names."""

    def __init__(self) -> None:
        self.modules: dict[str, set[str]] = {}
        self.packages: set[str] = set()
        self.doors: dict[str, dict[str, str]] = {}
        for path in SOURCE.rglob("*.py"):
            name = module_name(path)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if path.name == "__init__.py":
                self.packages.add(name)
                self.doors[name] = {
                    alias.asname or alias.name: node.module or ""
                    for node in tree.body
                    if isinstance(node, ast.ImportFrom)
                    for alias in node.names
                }
                if name.removeprefix("assay").lstrip(".") in GROUPS:
                    self.doors[name] = {}
                self.doors[name] |= dict.fromkeys(_defined(tree), name)
            else:
                self.modules[name] = _defined(tree)

    def definer(self, module: str, name: str) -> str | None:
        """The module that defines what ``from module import name`` means."""
        if module in self.modules:
            return module
        if f"{module}.{name}" in self.modules or f"{module}.{name}" in self.packages:
            return None
        below = [
            other
            for other, names in self.modules.items()
            if other.startswith(f"{module}.") and name in names
        ]
        own = [other for other in below if other.rpartition(".")[0] == module]
        if len(own or below) != 1:
            raise SystemExit(f"from {module} import {name}: defined in {own or below}")
        return (own or below)[0]

    def target(self, importer: str, module: str, name: str, *, is_test: bool) -> str | None:
        """Where ``importer`` should import ``name`` from; ``None`` leaves it as it is."""
        named = self.doors.get(module, {}).get(name)
        if named == module or (named and not f"{importer}.".startswith(f"{module}.")):
            return None
        definer = self.definer(module, name)
        if definer is None:
            return None
        room = definer.rpartition(".")[0]
        if room.removeprefix("assay").lstrip(".") in GROUPS:
            return definer
        if f"{importer}.".startswith(f"{room}.") or is_test:
            return definer
        self.doors[room].setdefault(name, definer)
        return room


def _defined(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                names |= {leaf.id for leaf in ast.walk(target) if isinstance(leaf, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names - {"__all__"}


def module_name(path: Path) -> str:
    """The dotted name of a file of the package; a test's path otherwise."""
    if not path.is_relative_to(SOURCE):
        return str(path)
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def use_doors(descriptions: dict[str, str]) -> None:
    """Send imports from another room through its door."""
    house = House()
    files = [
        path
        for folder in ("src", "tests", "bench", "tools")
        for path in (ROOT / folder).rglob("*.py")
    ]
    for path in files:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        importer, is_test = module_name(path), not path.is_relative_to(SOURCE)
        for node in _imports(text):
            wanted: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for alias in node.names:
                module = node.module or ""
                target = house.target(importer, module, alias.name, is_test=is_test) or module
                wanted[target].append((alias.name, alias.asname or alias.name))
            if set(wanted) != {node.module}:
                statements = [_statement(node, *item) for item in wanted.items()]
                _replace(lines, node, "".join(statements))
        if (changed := "".join(lines)) != text:
            path.write_text(changed, encoding="utf-8")
    for room, names in house.doors.items():
        _write_door(room, names, descriptions.get(room.removeprefix("assay.").replace(".", "/")))


def _write_door(room: str, names: dict[str, str], description: str | None) -> None:
    path = SOURCE.parent.joinpath(*room.split(".")) / "__init__.py"
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    if any(module == room for module in names.values()):
        return  # it defines something itself: written by hand
    doc = ast.get_docstring(tree, clean=False) or description or ""
    written = [f'"""{doc}"""\n']
    if names:
        written += [f"\nfrom {module} import {name}" for name, module in sorted(names.items())]
        listed = "".join(f"\n    {name!r}," for name in sorted(names))
        written.append(f"\n\n__all__ = [{listed}\n]\n".replace("'", '"'))
    if set(names) != _exported(tree) or ast.get_docstring(tree, clean=False) != doc:
        path.write_text("".join(written), encoding="utf-8")


def _exported(tree: ast.Module) -> set[str]:
    """The names that a door imports now."""
    return {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def rename_symbols(names: list[tuple[str, str]]) -> None:
    """Change names of functions, classes and constants; a row is ``module.name | new name``."""
    modules = House().modules
    for row, new in names:
        path, _, old = row.rpartition(".")
        module = dotted(path)
        if old not in modules.get(module, set()):
            continue
        room = module.rpartition(".")[0]
        for file in (ROOT / folder for folder in ("src", "tests", "bench", "tools")):
            for source in file.rglob("*.py"):
                text = source.read_text(encoding="utf-8")
                if old in text and (
                    module_name(source) == module or _uses(text, {module, room}, old)
                ):
                    text = _renamed(text, old, new)
                    if source.name == "__init__.py":
                        text = text.replace(f'"{old}",', f'"{new}",')
                    source.write_text(text, encoding="utf-8")


def _uses(text: str, modules: set[str], name: str) -> bool:
    return any(
        node.module in modules and any(alias.name == name for alias in node.names)
        for node in _imports(text)
    )


def _renamed(text: str, old: str, new: str) -> str:
    """The text with every use of a name changed: not attributes, keywords or other strings."""
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    depth = 0
    places = []
    for before, token, after in zip([tokens[0], *tokens], tokens, tokens[1:], strict=False):
        depth += {"(": 1, ")": -1}.get(token.string, 0) if token.type == tokenize.OP else 0
        is_name = token.type == tokenize.NAME and token.string == old
        if is_name and before.string != "." and not (depth and after.string == "="):
            places.append(token.start)
        elif token.type == tokenize.STRING and token.start[0] == token.end[0]:
            start = token.start[1]
            places += [
                (token.start[0], start + found.start())
                for found in re.finditer(rf"(?<![\w.]){old}(?!\w)", token.string)
                if _is_code(token.string, found.start(), old)
            ]
    for row, column in sorted(places, reverse=True):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + new + line[column + len(old) :]
    word = rf"(?<![\w.\"'=]){old}(?=[(.,\s\])])"
    for place, line in enumerate(lines):
        if line.lstrip().startswith((">>> ", "... ")):
            lines[place] = re.sub(word, new, line)
    return re.sub(rf"(?<=`){re.escape(old)}(?=[`(.])", new, "".join(lines))


def _is_code(literal: str, place: int, name: str) -> bool:
    """Whether a name in a string is code: in braces of an f-string, or a quoted class."""
    if literal[0] in "fF" or literal[:2].lower() in {"rf", "fr"}:
        opened = literal.rfind("{", 0, place)
        is_quoted = literal[place - 1] in "'\""
        return opened > literal.rfind("}", 0, place) and not is_quoted
    is_class = name[0].isupper() and not name.isupper()
    return is_class and re.fullmatch(r"\"[\w\[\], |.]+\"", literal) is not None


if __name__ == "__main__":
    MOVES = rows("old")
    move_files(MOVES)
    rename_modules(MOVES)
    use_doors(dict(rows("room")))
    rename_symbols(rows("name"))
