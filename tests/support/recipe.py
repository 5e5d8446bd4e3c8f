"""The recipes of ARCHITECTURE.md, and a copy of the project in which a test follows them.

A recipe is a bold title and numbered steps. In a step, code in backticks that is a path from the
root of the repository (``src/assay/…``) is a file that the step writes or changes.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.support.path import ROOT

PAGE = "ARCHITECTURE.md"
COPIED = (
    PAGE,
    "docs",
    "hatch_build.py",
    "pyproject.toml",
    "src",
    "tests/results/test_spec.py",
    "tests/support",
    "tools",
    "web/src",
)
"""What the recipes change, and what shows that the result works."""

_STEP = re.compile(r"^(\d+)\. (.+(?:\n   .+)*)", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_CHANGED_FILE = re.compile(r"(src|tests|docs)/\S+\.\w+|[A-Z]+\.md")
_FILE = re.compile(r"[\w*/]+\.(py|md|toml|po)")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Step:
    """A numbered paragraph on one line, with its placeholders replaced by names."""

    number: int
    text: str

    @property
    def code(self) -> list[str]:
        """What is in backticks."""
        return _CODE.findall(self.text)

    @property
    def changed_files(self) -> set[str]:
        """The paths of the files that the step writes or changes."""
        return {code for code in self.code if _CHANGED_FILE.fullmatch(code)}

    @property
    def names(self) -> set[str]:
        """The names of code that the changed files must contain; no paths and no commands."""
        spans = [
            code
            for code in self.code
            if not _FILE.fullmatch(code) and not code.startswith(("assay ", "--"))
        ]
        return {name for span in spans for name in _NAME.findall(span)}

    @property
    def table_entry(self) -> str:
        """The entry that the step adds to a table: ``"name": …``."""
        (entry,) = [code for code in self.code if code.startswith('"')]
        return entry


def section(page: str, title: str) -> str:
    """The text of a section of a page."""
    start = f"## {title}\n"
    assert page.count(start) == 1, f"{PAGE} has no section {title!r}"
    return page.partition(start)[2].partition("\n## ")[0]


def steps(text: str) -> list[Step]:
    """The numbered paragraphs of a text, which must be numbered from 1."""
    numbered = [Step(int(number), " ".join(lines.split())) for number, lines in _STEP.findall(text)]
    numbers = [step.number for step in numbered]
    assert numbers == list(range(1, len(numbers) + 1)), f"the steps are numbered {numbers}"
    return numbered


def recipe(page: str, title: str, names: Mapping[str, str]) -> list[Step]:
    """The steps of a recipe, with its placeholders (``NAME``) replaced by ``names``."""
    start = f"\n**{title}.**"
    text = section(page, "How to add")
    assert text.count(start) == 1, f"{PAGE} has no recipe {title!r}"
    text = text.partition(start)[2].partition("\n**")[0]
    for placeholder, name in names.items():
        text = text.replace(placeholder, name)
    return steps(text)


def files_to_read(page: str) -> set[str]:
    """The files in the package that the recipes name for reading, as paths below ``src/assay``."""
    code = _CODE.findall(section(page, "How to add"))
    return {
        span
        for span in code
        if _FILE.fullmatch(span) and "/" in span and not _CHANGED_FILE.fullmatch(span)
    }


class Edit(Protocol):
    """One change of one file."""

    def apply(self, root: Path, step: Step) -> None:
        """Make the change in the project at ``root``, as the step says."""


@dataclass(frozen=True)
class Write:
    """Write a new file."""

    path: str
    text: str

    def apply(self, root: Path, step: Step) -> None:
        """Write the file, which must not exist."""
        path = root / self.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(self.text)


@dataclass(frozen=True)
class Change:
    """Replace a text that occurs once in a file."""

    path: str
    old: str
    new: str

    def apply(self, root: Path, step: Step) -> None:
        """Replace the text."""
        path = root / self.path
        before = path.read_text(encoding="utf-8")
        assert before.count(self.old) == 1, f"{self.path}: {self.old!r} does not occur once"
        path.write_text(before.replace(self.old, self.new), encoding="utf-8")


@dataclass(frozen=True)
class AddEntry:
    """Add the entry that the step prints to a table; ``…`` in it is replaced by ``text``."""

    path: str
    table: str
    text: str = ""

    def apply(self, root: Path, step: Step) -> None:
        """Add the entry after the last one of the table."""
        path = root / self.path
        source = path.read_text(encoding="utf-8")
        (table,) = [
            part
            for node in ast.parse(source).body
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == self.table
            for part in ast.walk(node)
            if isinstance(part, ast.Dict)
        ]
        first, last = table.keys[0], table.values[-1]
        assert first is not None
        assert last.end_lineno is not None
        lines = source.splitlines(keepends=True)
        entry = step.table_entry.replace("…", self.text)
        lines.insert(last.end_lineno, f"{' ' * first.col_offset}{entry},\n")
        path.write_text("".join(lines), encoding="utf-8")


@dataclass(frozen=True)
class Translate:
    """Bring the catalogues up to date, and translate what is new: by text, in Chinese and Russian."""

    project: "ProjectCopy"
    texts: Mapping[str, tuple[str, str]]

    def apply(self, root: Path, step: Step) -> None:
        """Do what ``make words`` does; then each of the texts must lack a translation."""
        self.project.python("-m", "tools.words")
        for number, lang in enumerate(("zh", "ru")):
            for text, translated in self.texts.items():
                lacks = f'msgid "{text}"\nmsgstr "'
                change = Change(
                    f"src/assay/words/locale/{lang}.po",
                    f'{lacks}"',
                    lacks + translated[number] + '"',
                )
                change.apply(root, step)


class ProjectCopy:
    """The parts of the project that recipes are about, in a folder of a test.

    Byte code is copied too: a file keeps its time, so its byte code is valid until it is changed.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder
        for name in COPIED:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, target)
            else:
                shutil.copy2(ROOT / name, target)

    def follow(self, title: str, names: Mapping[str, str], work: Sequence[Sequence[Edit]]) -> None:
        """Follow a recipe: ``work`` has the edits for each of its steps.

        Fails unless there is work for every step, each step changes exactly the files that it
        names, and these files then contain the code that it names.
        """
        page = (self.root / PAGE).read_text(encoding="utf-8")
        all_steps = recipe(page, title, names)
        assert len(all_steps) == len(work), (
            f"{title}: {len(all_steps)} steps, and work for {len(work)}"
        )
        before = self._contents()
        for step, edits in zip(all_steps, work, strict=True):
            for edit in edits:
                edit.apply(self.root, step)
            after = self._contents()
            changed = {name for name in after if before.get(name) != after[name]}
            assert changed == step.changed_files, f"{title}, step {step.number}"
            text = b"\n".join(after[name] for name in changed).decode()
            missing = step.names - set(_NAME.findall(text))
            assert not missing, f"{title}, step {step.number}: no {missing} in {changed}"
            before = after

    def assay(
        self, *words: object, folder: Path, code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run a command of the copy in a folder."""
        return self.python("-m", "assay", *words, folder=folder, code=code)

    def python(
        self, *words: object, folder: Path | None = None, code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run Python with the package of the copy; fails unless it ends with this exit code."""
        environment = {name: value for name, value in os.environ.items() if "API_KEY" not in name}
        environment["PYTHONPATH"] = os.pathsep.join(map(str, (self.root / "src", self.root)))
        environment["COLUMNS"] = "120"
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compile the copy once, not every time
        process = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=folder or self.root,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
        )
        assert process.returncode == code, f"{words}: {process.stdout}{process.stderr}"
        return process

    def _contents(self) -> dict[str, bytes]:
        """The bytes of every file by its path."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
