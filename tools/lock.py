"""Pin every dependency with its hashes: ``constraints.txt`` to run, ``constraints-dev.txt`` to work.

The files name versions and hashes only; where packages come from is each machine's own
business. Needs ``uv`` (``make lock`` installs it).
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = "hatchling\neditables\n"  # installing from a checkout needs these two
HEADER = "# Made by `make lock` from pyproject.toml: versions and hashes, no addresses.\n"


def compile_pins(target: Path, *groups: str) -> None:
    """Resolve for every platform and Python from 3.11 on."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"]
    command += [f"--group={group}" for group in groups]
    command += ["pyproject.toml", "-"]
    done = subprocess.run(
        command, cwd=ROOT, input=BUILD, text=True, check=True, capture_output=True
    )
    target.write_text(HEADER + done.stdout, encoding="utf-8")


def main() -> None:
    """Write both files."""
    compile_pins(ROOT / "constraints.txt")
    compile_pins(ROOT / "constraints-dev.txt", "dev")


if __name__ == "__main__":
    main()
