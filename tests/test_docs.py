"""What the pages say to type works; ``tools/check`` looks at everything that need not run."""

import json
import re
import shlex
import socket
from pathlib import Path

import pytest

from tests.support.command_server import shared_server
from tests.support.docs import page_script, run_script, script_environment
from tests.support.path import ROOT
from tools.page import SHELL, TRANSLATED, Page, pages

README = Page(ROOT, "README.md")
MIGRATE = Page(ROOT, "docs/migrate.md")
RUNNABLE = [
    page
    for page in pages(ROOT)
    if page.name not in TRANSLATED
    and any(b.language in {*SHELL, "python"} and not b.is_excused for b in page.blocks)
]
DATASET = {"id": "report", "pdf": "documents/ru/report.pdf", "questions": "eval/questions.jsonl"}
CONFIG = json.dumps({"name": "benchmark-v1", "datasets": [DATASET]})
SAMPLES = ROOT / "src" / "assay" / "data" / "samples" / "bench"
EXAMPLE_PORT = "8917"
"""Where the service of docs/start.md listens."""
PREPARED = (
    "echo '@@ docs/migrate.md, its table of counterparts'",
    f"mkdir -p eval/benchmark && echo '{CONFIG}' > eval/benchmark/config.v1.json",
    f"mkdir benchmark && cp {shlex.quote(str(SAMPLES / 'en'))}/ruling* benchmark",
)
"""Creates the two sets of files that a reader of the table is expected to have."""


@pytest.fixture(name="forked_commands", scope="session")
def _forked_commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an ``assay`` that need not import its modules at each start."""
    folder = tmp_path_factory.mktemp("commands")
    shared_server(script_environment()).write_shim(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_what_a_page_says_to_type_works(page: Page, tmp_path: Path, forked_commands: Path):
    """Every command and Python block of a page runs in order in an empty folder.

    The commands of the table in docs/migrate.md run as well, and the README shows what is printed.
    """
    # the port of the example may be taken: by another suite, or by a service of whoever runs this
    script = page_script(page).replace(EXAMPLE_PORT, _free_port())
    if page == MIGRATE:
        script += "\n".join([*PREPARED, *map(as_run, counterparts())])
    process = run_script(script, tmp_path, forked_commands)
    blocks_run = re.findall(r"^@@ (.+)$", process.stdout, re.MULTILINE)
    assert process.returncode == 0, (
        f"{blocks_run[-1:]} ended with {process.returncode}:\n{process.stdout[-3000:]}"
    )
    if page == README:
        assert [line for line in page.shown_lines if line not in process.stdout] == []


def _free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


def counterparts() -> list[str]:
    """The commands of assay and pytest in the table of the first tools' commands."""
    table = MIGRATE.text.partition("## Commands")[2]
    return re.findall(
        r"\| `((?:assay|pytest) [^`]+)` \|$", table.partition("\n## ")[0], re.MULTILINE
    )


def as_run(command: str) -> str:
    """The command as the test runs it.

    pytest may exit with 1: then some questions scored too low, but the command itself works.
    """
    return f"{command} || [ $? = 1 ]" if command.startswith("pytest ") else command


def test_first_tools_commands_have_counterparts():
    """The table has a command of assay for every command of the tools that assay replaces."""
    first = ("run_eval.py", "compare_runs.py", "run_benchmark.py", "ablation_benchmark.py")
    first += ("test_runner.py", "summarize_results.py", "--depth-mode", "--mode depth", "--limit")
    rows = MIGRATE.text.splitlines()
    assert [
        name for name in first if not any(name in row and "| `assay" in row for row in rows)
    ] == []
    assert len(counterparts()) >= 14
    assert [command for command in counterparts() if command.startswith("pytest ")]
