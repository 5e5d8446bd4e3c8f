"""Play scenarios in empty folders and tell what came of them as records."""

import hashlib
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypeAlias
from xml.etree import ElementTree as ET

import assay
from tests.golden import normal
from tests.golden.chart import chart_lines
from tests.golden.scenarios import SCENARIOS
from tests.golden.step import Edit, Keep, ListFiles, Retime, Run, Step, Write

Runner: TypeAlias = Callable[[list[str], Path], "CompletedProcess[str]"]
"""Runs the program with some words in a folder."""


class Player:
    """Plays steps in a folder; ``records`` maps the names of records to their texts."""

    def __init__(self, folder: Path, run: Runner) -> None:
        self.folder = folder
        self._program = run
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
        ended = self._program(shlex.split(step.words), self.folder)
        code, out, err = ended.returncode, ended.stdout, ended.stderr
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


def play(name: str, folder: Path, run: Runner) -> dict[str, str]:
    """Play the scenario of this name in ``folder``; the texts of its records by their names."""
    folder.mkdir(parents=True)
    player = Player(folder, run)
    player.play(SCENARIOS[name].steps)
    return player.records
