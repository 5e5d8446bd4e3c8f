"""Reads the pages of the project for tests: code blocks, links, and what a block needs to run.

A fenced block may have notes, which are HTML comments directly above it:

- ``<!-- not run: reason -->``: no test runs the block, for the given reason.
- ``<!-- file: path -->``: the block is written to this path before the next block runs.
- ``<!-- exits: N -->``: the last command of the block must end with this exit code.

A Python block whose first line is a comment with a file name (``# my_rag.py``) is written to that
file.
"""

import ast
import functools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import typer

from assay.cli.main import COMMANDS, app
from tests.support.path import ROOT

GENERATED = {"cli.md", "metrics.md"}
SHELL = {"bash", "console", "sh", "shell"}

_FENCE = re.compile(
    r"(?P<notes>(?:^[ ]*<!--[^\n]*-->\n\s*?)*)"
    r"^(?P<indent>[ ]*)```(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^[ ]*```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_NOTE = re.compile(r"<!--\s*(not run|file|exits)\s*(?::\s*(.*?))?\s*-->")
_FILE_COMMENT = re.compile(r"#\s*([\w/-]+\.py)\s*\n")
_LINK = re.compile(r"(?:\[[^\]]*\]\(<?|src=\")([^)\s>\"]+)")
_INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")

RUN_PYTHON = """\
import ast, asyncio, inspect, pathlib, sys
path = sys.argv[1]
flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
result = eval(compile(pathlib.Path(path).read_text(encoding="utf-8"), path, "exec", flags), {})
if inspect.iscoroutine(result):
    asyncio.run(result)
"""
"""Runs a block that may use ``await`` at its top level, as in a notebook."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page; ``line`` is the line of its opening fence."""

    page: Path
    line: int
    language: str
    text: str
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """The position of the block as ``page:line``, for messages."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_excused(self) -> bool:
        """Whether the block has a ``not run`` note."""
        return "not run" in self.notes

    @property
    def file(self) -> str | None:
        """The file that the block is written to; ``None`` if it is not a file."""
        comment = _FILE_COMMENT.match(self.text) if self.language == "python" else None
        return self.notes.get("file") or (comment[1] if comment else None)

    @property
    def script(self) -> str:
        """The commands of a shell block; in a console block, the text after each prompt."""
        if self.language != "console":
            return self.text
        return "".join(line[2:] for line in self.text.splitlines(True) if line.startswith("$ "))


TRANSLATED = ("README.zh.md", "README.ru.md")
"""The README in other languages; its commands are those of README.md, so they need not run."""


def pages() -> list[Path]:
    """Every page that is written by hand, not generated."""
    top = ("README.md", *TRANSLATED, "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
    docs = sorted((ROOT / "docs").rglob("*.md"))
    return [*(ROOT / name for name in top), *(p for p in docs if p.name not in GENERATED)]


def shown_lines(page: Path) -> list[str]:
    """The lines of output that a page shows; a line with only an ellipsis stands for others."""
    shown = (block.text for block in blocks(page) if block.language == "text")
    return [line.rstrip() for text in shown for line in text.splitlines() if line not in {"", "…"}]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return list(_blocks(page, page.read_text(encoding="utf-8")))


def _blocks(page: Path, text: str) -> Iterator[Block]:
    for match in _FENCE.finditer(text):
        indent = len(match["indent"])
        lines = match["text"].splitlines(keepends=True)
        yield Block(
            page=page,
            line=text.count("\n", 0, match.start("language")) + 1,
            language=match["language"],
            text="".join(line[indent:] if line.strip() else line for line in lines),
            notes={key: reason or "" for key, reason in _NOTE.findall(match["notes"])},
        )


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return _FENCE.sub("\n", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """The targets of the links of a page, without links to other sites."""
    text = _INLINE.sub("code", prose(page))
    return [
        target
        for target in _LINK.findall(text)
        if not target.startswith(("http://", "https://", "mailto:"))
    ]


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub generates them."""
    headings = re.findall(r"^#+ +(.+?) *$", prose(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def inline_commands(page: Path) -> list[str]:
    """The ``assay …`` commands in the sentences and tables of a page."""
    spans = (" ".join(span.split()) for span in _INLINE.findall(prose(page)))
    return [span.replace("\\|", "|") for span in spans if span.startswith("assay ")]


def unknown_words(script: str) -> list[str]:
    """The commands, options and make targets in a script that do not exist.

    >>> unknown_words("assay list --jsn && make demo")
    ['assay list --jsn']
    >>> unknown_words("assay paint")
    ['assay paint']
    """
    unknown = []
    for line in script.replace("\\\n", " ").splitlines():
        command: list[str] = []
        for word in [*shlex.split(line, comments=True), ";"]:
            command.append(word.rstrip(";"))
            if word in {"&&", "||", "|"} or word.endswith(";"):
                unknown += _unknown_in(command)
                command = []
    return unknown


def _unknown_in(command: list[str]) -> list[str]:
    while command and re.fullmatch(r"\w+=.*", command[0]):
        command = command[1:]
    if command[:1] == ["make"]:
        targets = set(re.findall(r"^([\w-]+):", _makefile(), re.MULTILINE))
        return [f"make {word}" for word in command[1:] if word.isalpha() and word not in targets]
    return _unknown_to_assay(command[1:]) if command[:1] == ["assay"] else []


def _makefile() -> str:
    return (ROOT / "Makefile").read_text(encoding="utf-8")


_command = functools.cache(lambda: typer.main.get_command(app))


def _unknown_to_assay(words: list[str]) -> list[str]:
    program = _command()
    name = words[0] if words else "--help"
    if not name.startswith("-") and name not in COMMANDS:
        return [f"assay {name}"]
    commands = [program] if name.startswith("-") else [program.get_command(None, name)]
    commands += getattr(commands[0], "commands", {}).values() if commands[0] is not program else []
    known = {"--help"} | {
        option
        for command in commands
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    options = (re.split(r"[=/]", word)[0] for word in words if re.match(r"--?[A-Za-z]", word))
    return [f"assay {name} {option}" for option in options if option not in known]


def page_script(page: Path) -> str:
    """The blocks of a page that a test runs, as one shell script.

    One shell runs all blocks, so that ``cd`` in one block applies to the next ones.
    """
    parts = ["set -eo pipefail"]
    for block in blocks(page):
        parts += _steps(block)
    return "\n".join(parts) + "\n"


def _steps(block: Block) -> list[str]:
    steps = [f"echo '@@ {block.where}'"]
    end = "END_OF_BLOCK"
    if block.file:
        folder = shlex.quote(str(Path(block.file).parent))
        steps.append(f"mkdir -p {folder}")
        steps.append(f"cat > {shlex.quote(block.file)} <<'{end}'\n{block.text}{end}")
    if block.is_excused or block.language not in {*SHELL, "python"}:
        return steps if block.file else []
    if block.language == "python":
        name = block.file or ".block.py"
        if not block.file:
            steps.append(f"cat > {name} <<'{end}'\n{block.text}{end}")
        return [*steps, f'python -c "$RUN_PYTHON" {shlex.quote(name)} < /dev/null']
    if "exits" in block.notes:
        return [
            *steps,
            "code=0",
            f"(\n{block.script}) || code=$?",
            f'[ "$code" = {block.notes["exits"]} ]',
        ]
    return [*steps, block.script]


def script_environment() -> dict[str, str]:
    """The environment of a page's commands: the installed command, and no API key."""
    environment = {name: value for name, value in os.environ.items() if "API_KEY" not in name}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    environment["RUN_PYTHON"] = RUN_PYTHON
    # the samples are small: threads for linear algebra would only wait for each other
    return environment | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


def run_script(script: str, folder: Path, commands: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script in ``folder``; commands are first looked for in ``commands``."""
    environment = script_environment()
    environment["PATH"] = f"{commands}:{environment['PATH']}"
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
        check=False,
    )


def parses_as_python(block: Block) -> bool:
    """Whether the block can be compiled as Python, with ``await`` allowed at the top level."""
    try:
        compile(block.text, block.where, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    return True
