"""Play scenarios in empty folders and write what came of them as records.

``python -m tests.golden.play`` reads lines of JSON, ``[name, folder, records]``, plays each
scenario in its folder and answers with a line: null, or what went wrong. It is a process of its
own, so that nothing of the caller's is seen. Every command runs in a fork of it: as fresh as
from the shell, without the seconds that importing takes. Only the program's entry point is
called.
"""

import contextlib
import gc
import hashlib
import importlib
import json
import os
import pkgutil
import re
import shlex
import sys
import traceback
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import assay
from tests.golden import normal
from tests.golden.chart import chart_lines
from tests.golden.scenarios import SCENARIOS
from tests.golden.step import Edit, Keep, ListFiles, Retime, Run, Step, Write
from tests.support.command_server import compile_expressions

ENTRY = "assay.cli.main"
SLOW_TO_IMPORT = (
    "aiohttp", "jmespath", "matplotlib.backends.backend_svg", "matplotlib.figure",
    "numpy.random", "opencc", "pypdfium2", "rapidfuzz", "rich.progress", "rjieba", "splintr",
    "Stemmer", "tantivy", "typer._adapters", "yaml",
)  # fmt: skip


class Player:
    """Plays steps in a folder; ``records`` maps the names of records to their texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records: dict[str, str] = {}
        self._sources: set[str] = set()
        self._exits: list[str] = []
        self._messages: list[str] = []
        package = Path(assay.__file__).parent
        self._paths = {
            re.escape(str(folder.resolve())): "<folder>",
            re.escape(str(package)) + r"/(?:\w+/)*samples\b": "<samples>",
        }

    def play(self, steps: tuple[Step, ...]) -> None:
        """Do all steps, then write down how the commands ended and what they said."""
        for step in steps:
            self._do(step)
        self.records["exits.txt"] = "".join(self._exits)
        self.records["messages.txt"] = "".join(self._messages)

    def _do(self, step: Step) -> None:
        match step:
            case Write(path, content):
                target = self.folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.encode() if isinstance(content, str) else content)
            case Edit(path, change):
                target = self.folder / path
                before = target.read_text(encoding="utf-8")
                after = change(before)
                assert after != before, f"the edit of {path} changes nothing"
                target.write_text(after, encoding="utf-8")
            case Retime(path):
                _retime(self.folder / path)
            case Keep(path, name, timed):
                if not (self.folder / path).exists():
                    self._exits.append(f"   ABSENT: {path}\n")
                    return
                text = (self.folder / path).read_text(encoding="utf-8")
                self._record(name or path.replace("/", "-"), text, timed=timed)
            case ListFiles(path):
                self._list(path)
            case Run():
                self._run(step)

    def _list(self, path: str) -> None:
        top = self.folder / path
        files = sorted(str(file.relative_to(top)) for file in top.rglob("*") if file.is_file())
        told = normal.plain_text("\n".join(files), self._paths)
        name = "files.txt" if path == "." else f"files-{path.replace('/', '-')}.txt"
        self.records[name] = told + "\n"

    def _run(self, step: Run) -> None:
        before = {name: _digest(self.folder / name) for name in step.leaves}
        code, out, err = _command(shlex.split(step.words), self.folder)
        declared = "" if code == step.exit else f" (declared {step.exit})"
        self._exits.append(f"{code}{declared}  assay {step.words}\n")
        for name, digest in before.items():
            same = digest is not None and _digest(self.folder / name) == digest
            self._exits.append(f"   {'same bytes' if same else 'CHANGED'}: {name}\n")
        if step.save is not None:
            self._record(step.save, out, timed=step.timed)
            out = ""
        if not step.quiet:
            said = normal.message_text(normal.plain_text(f"{out}--- stderr\n{err}", self._paths))
            said = said.removesuffix("--- stderr\n")
            self._messages.append(f"$ assay {step.words}\n{said}\n")

    def _record(self, name: str, text: str, *, timed: bool) -> None:
        """Store a text by its kind, data and words in files of their own."""
        assert name not in self._sources, f"two records are called {name}"
        self._sources.add(name)
        text = normal.plain_text(text, self._paths)
        try:
            self.records |= _split(name, text, timed=timed)
        except (ValueError, ET.ParseError):
            self._exits.append(f"   UNREADABLE: {name}\n")
            self.records[name] = text


def _split(name: str, text: str, *, timed: bool) -> dict[str, str]:
    """The records that a text makes: its data, and its prose where it has any."""
    stem, _, kind = name.rpartition(".")
    data_name, prose_name = name, f"{name}.prose.txt"
    if kind == "jsonl":
        data, prose = normal.split_rows(text, timed=timed)
    elif kind == "json":
        data, prose = normal.split_json(json.loads(text), timed=timed)
    elif kind == "html":
        data, prose = normal.split_json(normal.page_data(text), timed=timed)
        data_name = f"{name}.json"
    elif kind == "md":
        data, prose = normal.split_markdown(text)
        data_name, prose_name = f"{stem}.tables.md", f"{stem}.prose.md"
    elif kind == "tex":
        data, prose = normal.split_latex(text)
    elif kind == "xml":
        data, prose = normal.split_junit(text)
    elif kind == "svg":
        data, prose = chart_lines(text), ""
        data_name = f"{stem}.chart.txt"
    else:
        data, prose = text, ""
    return {data_name: data} | ({prose_name: prose} if prose.strip() else {})


def _command(words: list[str], folder: Path) -> tuple[int, str, str]:
    """Run the program in a fork: its exit code, standard output and standard error."""
    out, err = folder.with_name(f"{folder.name}.out"), folder.with_name(f"{folder.name}.err")
    child = os.fork()
    if child == 0:
        code: Any = 70
        try:
            for number, path in ((1, out), (2, err)):
                os.dup2(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644), number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.chdir(folder)
            sys.argv = ["assay", *words]
            sys.modules["__main__"].__package__ = ""  # usage says "assay", as for the script
            importlib.import_module(ENTRY).main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # noqa: BLE001  a fork must not return into the caller
            traceback.print_exc()
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), out.read_text("utf-8"), err.read_text("utf-8")


def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def _retime(path: Path) -> None:
    """Replace what the clock said: 10 ms to 265 ms, told from the row's key."""
    lines = []
    for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
        row = json.loads(line)
        if "elapsed_s" in row:
            row["elapsed_s"] = (10 + hashlib.sha256(row["key"].encode()).digest()[0]) / 1000
            for place, stage in enumerate(row.get("stages") or ()):
                stage["elapsed_s"] = (place + 1) / 1000
        lines.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    path.write_text("".join(lines), encoding="utf-8")


def warm_up() -> None:
    """Import and compile once what every command would: libraries, and all of the package."""
    names = [module.name for module in pkgutil.walk_packages(assay.__path__, "assay.")]
    for name in (*SLOW_TO_IMPORT, *names):
        if not name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # an extra that is not installed
                importlib.import_module(name)
    compile_expressions()
    gc.collect()
    gc.freeze()  # forks share what is there instead of copying it


def play(name: str, folder: Path, out: Path) -> None:
    """Play the scenario of this name in ``folder``; its records go to the folder ``out``."""
    folder.mkdir(parents=True)
    player = Player(folder)
    player.play(SCENARIOS[name].steps)
    out.mkdir(parents=True)
    for record, text in player.records.items():
        (out / record).write_text(text, encoding="utf-8")


def main() -> None:
    """Play what standard input asks for, until it ends."""
    warm_up()
    for line in sys.stdin:
        name, folder, out = json.loads(line)
        problem = None
        try:
            play(name, Path(folder), Path(out))
        except Exception:  # noqa: BLE001  told to the caller, who fails
            problem = traceback.format_exc()
        sys.stdout.write(json.dumps(problem) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
