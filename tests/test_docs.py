"""The pages are correct: commands run, links work, and tables and drawings agree with the code."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

from assay.config import ExperimentFile, parse_document
from tests.support.command_server import shared_server
from tests.support.docs import (
    SHELL,
    TRANSLATED,
    Block,
    anchors,
    blocks,
    inline_commands,
    links,
    page_script,
    pages,
    parses_as_python,
    run_script,
    script_environment,
    shown_lines,
    unknown_words,
)
from tests.support.path import ROOT

PAGES = pages()
BLOCKS = [block for page in PAGES for block in blocks(page)]
RUNNABLE = [
    page
    for page in PAGES
    if page.name not in TRANSLATED
    and any(b.language in {*SHELL, "python"} and not b.is_excused for b in blocks(page))
]
DATASET = {"id": "report", "pdf": "documents/ru/report.pdf", "questions": "eval/questions.jsonl"}
CONFIG = json.dumps({"name": "benchmark-v1", "datasets": [DATASET]})
SAMPLES = ROOT / "src" / "assay" / "data" / "samples" / "bench"
PREPARED = (
    "echo '@@ README.md, its table of counterparts'",
    f"mkdir -p eval/benchmark && echo '{CONFIG}' > eval/benchmark/config.v1.json",
    f"mkdir benchmark && cp {shlex.quote(str(SAMPLES / 'en'))}/ruling* benchmark",
)
"""Creates the two sets of files that a reader of the table is expected to have."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def name_of(page: Path) -> str:
    """The path of a page as shown in the names of tests."""
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(name="forked_commands", scope="session")
def _forked_commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an ``assay`` that need not import its modules at each start."""
    folder = tmp_path_factory.mktemp("commands")
    shared_server(script_environment()).write_shim(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=name_of)
def test_what_a_page_says_to_type_works(page: Path, tmp_path: Path, forked_commands: Path):
    """Every command and Python block of a page runs in order in an empty folder.

    For the README, the commands of its table of counterparts run as well, unless they already ran.
    """
    script = page_script(page)
    is_readme = page.name == "README.md" and page.parent == ROOT
    if is_readme:
        table = [as_run(command) for command in counterparts() if command not in script]
        script += "\n".join([*PREPARED, *table])
    process = run_script(script, tmp_path, forked_commands)
    blocks_run = re.findall(r"^@@ (.+)$", process.stdout, re.MULTILINE)
    assert process.returncode == 0, (
        f"{blocks_run[-1:]} ended with {process.returncode}:\n{process.stdout[-3000:]}"
    )
    if is_readme:
        assert [line for line in shown_lines(page) if line not in process.stdout] == []


def counterparts() -> list[str]:
    """The commands of assay and pytest in the README's table of the first tools' commands."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## From the first")[2]
    return re.findall(
        r"\| `((?:assay|pytest) [^`]+)` \|$", table.partition("\n## ")[0], re.MULTILINE
    )


def as_run(command: str) -> str:
    """The command as the test runs it.

    pytest may exit with 1: then some questions scored too low, but the command itself works.
    """
    return f"{command} || [ $? = 1 ]" if command.startswith("pytest ") else command


def test_first_tools_commands_have_counterparts():
    """The README's table has a command of assay for every command of the tools it replaces."""
    first = ("run_eval.py", "compare_runs.py", "run_benchmark.py", "ablation_benchmark.py")
    first += ("test_runner.py", "summarize_results.py", "--depth-mode", "--mode depth", "--limit")
    rows = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [
        name for name in first if not any(name in row and "| `assay" in row for row in rows)
    ] == []
    assert len(counterparts()) >= 14
    assert [command for command in counterparts() if command.startswith("pytest ")]


def test_what_is_not_run_says_why():
    """A block that no test runs gives a reason, and more than half of the blocks are run."""
    commands = [block for block in BLOCKS if block.language in {*SHELL, "python"}]
    excused = [block for block in commands if block.is_excused]
    for block in excused:
        print(f"{block.where}: {block.notes['not run']}")  # noqa: T201 - shown by -rA
    assert [block.where for block in excused if len(block.notes["not run"].split()) < 2] == []
    assert len(excused) < len(commands) / 2


def test_commands_are_marked_as_such():
    """A block that begins with a command is marked as shell; otherwise no test would run it."""
    plain = [block for block in BLOCKS if block.language in {"", "text"}]
    assert [b.where for b in plain if re.match(r"(\$ |assay |make |pytest )", b.text)] == []


def test_commands_exist():
    """Every command and option of assay and every target of make on a page exists."""
    scripts = [(block.where, block.script) for block in BLOCKS if block.language in SHELL]
    scripts += [(name_of(page), line) for page in PAGES for line in inline_commands(page)]
    assert [f"{where}: {word}" for where, script in scripts for word in unknown_words(script)] == []


@pytest.mark.parametrize(
    "block", [b for b in BLOCKS if b.language == "yaml"], ids=lambda block: block.where
)
def test_yaml_is_what_it_stands_for(block: Block):
    """YAML parses, and a block with keys of experiments.yaml is a valid part of that file."""
    value = yaml.safe_load(block.text)
    if isinstance(value, dict) and set(value) & set(ExperimentFile.__struct_fields__):
        assert parse_document(block.text, ExperimentFile, block.page).value


@pytest.mark.parametrize(
    "block", [b for b in BLOCKS if b.language in {"json", "jsonl"}], ids=lambda block: block.where
)
def test_json_parses(block: Block):
    """A JSON block is one value, or one value on each line."""
    try:
        json.loads(block.text)
    except json.JSONDecodeError:
        assert [json.loads(line) for line in block.text.splitlines() if line.strip()]


def test_python_parses():
    """Every Python block can be compiled, including those that no test runs."""
    python = [block for block in BLOCKS if block.language == "python"]
    assert [block.where for block in python if not parses_as_python(block)] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path):
    """Every relative link names an existing file and, if it has an anchor, a heading of it."""
    broken = []
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


def test_index_lists_every_page():
    """docs/index.md links to every page in docs, so that readers can find all of them."""
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / target.partition("#")[0]).resolve() for target in links(index)}
    pages_in_docs = {page.resolve() for page in (ROOT / "docs").rglob("*.md")} - {index.resolve()}
    assert sorted(page.name for page in pages_in_docs - linked) == []


def test_dependencies_are_justified():
    """docs/decisions/0002-dependencies.md gives a reason for every dependency."""
    page = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w.-]+", page.lower()))
    extras = PROJECT["project"]["optional-dependencies"].values()
    groups = PROJECT["dependency-groups"].values()
    lists = [PROJECT["project"]["dependencies"], *extras, *groups]
    requirements = [requirement for requirements in lists for requirement in requirements]
    packages = {re.match(r"[\w.-]+", requirement)[0] for requirement in requirements}  # type: ignore[index]
    assert (
        sorted(p for p in packages if p.lower() not in named and not p.startswith("types-")) == []
    )
