"""Runs the blocks of a page as one shell script; ``tools/page.py`` reads the pages."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tools.page import SHELL, Block, Page

RUN_PYTHON = """\
import ast, asyncio, inspect, pathlib, sys
path = sys.argv[1]
flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
result = eval(compile(pathlib.Path(path).read_text(encoding="utf-8"), path, "exec", flags), {})
if inspect.iscoroutine(result):
    asyncio.run(result)
"""
"""Runs a block that may use ``await`` at its top level, as in a notebook."""


def page_script(page: Page) -> str:
    """The blocks of a page that a test runs, as one shell script.

    One shell runs all blocks, so that ``cd`` in one block applies to the next ones.
    """
    parts = ["set -eo pipefail"]
    for block in page.blocks:
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
