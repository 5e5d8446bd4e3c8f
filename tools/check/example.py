"""The fenced blocks and the commands of the pages, as far as they need not run.

tests/test_docs.py runs what can be run.
"""

import ast
import functools
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
import yaml

from assay.cli.main import COMMANDS, app
from assay.config.document import ExperimentFile, parse_document
from assay.errors import AssayError
from tools.check.repository import Finding, Repository
from tools.page import SHELL, Block


def excuses(repository: Repository) -> Iterator[Finding]:
    """A block that no test runs gives a reason, and more than half of the blocks are run."""
    commands = [block for block in _blocks(repository) if block.language in {*SHELL, "python"}]
    excused = [block for block in commands if block.is_excused]
    for block in excused:
        if len(block.notes["not run"].split()) < 2:
            yield _finding(block, "is not run and does not say why; give the reason in its comment")
    if len(excused) > len(commands) / 2:
        text = (
            f"{len(excused)} of {len(commands)} blocks of all pages are not run; run more of them"
        )
        yield Finding("docs", 1, text)


def marks(repository: Repository) -> Iterator[Finding]:
    """A block that begins with a command is marked as shell; otherwise no test would run it."""
    for block in _blocks(repository):
        if block.language in {"", "text"} and re.match(r"(\$ |assay |make |pytest )", block.text):
            yield _finding(block, "begins with a command; mark it as bash or console")


def data(repository: Repository) -> Iterator[Finding]:
    """YAML, JSON and Python parse, and YAML with keys of experiments.yaml is valid in that file."""
    for block in _blocks(repository):
        parse = _PARSERS.get(block.language)
        try:
            if parse:
                parse(block)
        except (AssayError, SyntaxError, ValueError, yaml.YAMLError) as error:
            text = " ".join(str(error).split())
            yield _finding(block, f"is not valid {block.language}: {text}; correct it")


def commands(repository: Repository) -> Iterator[Finding]:
    """Every command and option of assay and every target of make on a page exists."""
    targets = set(re.findall(r"^([\w-]+):", repository.text("Makefile"), re.MULTILINE))
    scripts = [
        (page.name, line, script)
        for page in repository.pages
        for line, script in (
            *((block.line, block.script) for block in page.blocks if block.language in SHELL),
            *page.inline_commands,
        )
    ]
    for name, line, script in scripts:
        for word in unknown_words(script, targets):
            yield Finding(name, line, f"{word}: there is no such command or option; correct it")


def unknown_words(script: str, targets: set[str]) -> list[str]:
    """The commands, options and make targets in a script that do not exist."""
    unknown = []
    for line in script.replace("\\\n", " ").splitlines():
        command: list[str] = []
        for word in [*shlex.split(line, comments=True), ";"]:
            command.append(word.rstrip(";"))
            if word in {"&&", "||", "|"} or word.endswith(";"):
                unknown += _unknown_in(command, targets)
                command = []
    return unknown


def _unknown_in(command: list[str], targets: set[str]) -> list[str]:
    while command and re.fullmatch(r"\w+=.*", command[0]):
        command = command[1:]
    if command[:1] == ["make"]:
        return [f"make {word}" for word in command[1:] if word.isalpha() and word not in targets]
    return _unknown_to_assay(command[1:]) if command[:1] == ["assay"] else []


@functools.cache
def _program() -> Any:
    return typer.main.get_command(app)


def _unknown_to_assay(words: list[str]) -> list[str]:
    program = _program()
    name = words[0] if words else "--help"
    if not name.startswith("-") and name not in COMMANDS:
        return [f"assay {name}"]
    called = [program] if name.startswith("-") else [program.get_command(None, name)]
    called += getattr(called[0], "commands", {}).values() if called[0] is not program else []
    known = {"--help"} | {
        option
        for command in called
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    options = (re.split(r"[=/]", word)[0] for word in words if re.match(r"--?[A-Za-z]", word))
    return [f"assay {name} {option}" for option in options if option not in known]


def _blocks(repository: Repository) -> list[Block]:
    return [block for page in repository.pages for block in page.blocks]


def _finding(block: Block, text: str) -> Finding:
    return Finding(block.page, block.line, f"this block {text}")


def _parse_yaml(block: Block) -> None:
    value = yaml.safe_load(block.text)
    if isinstance(value, dict) and set(value) & set(ExperimentFile.__struct_fields__):
        parse_document(block.text, ExperimentFile, Path(block.page))


def _parse_json(block: Block) -> None:
    """A block is one value, or one value on each line."""
    try:
        json.loads(block.text)
    except json.JSONDecodeError:
        for line in block.text.splitlines():
            if line.strip():
                json.loads(line)


def _parse_python(block: Block) -> None:
    compile(block.text, block.where, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


_PARSERS = {
    "yaml": _parse_yaml,
    "json": _parse_json,
    "jsonl": _parse_json,
    "python": _parse_python,
}
