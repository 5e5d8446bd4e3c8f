"""The checks of the repository find what they look for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.path import ROOT

PROGRAM = ROOT / "tools" / "check_repository.py"
OTHER = "assay"
"""Written apart from the commands below, which would be findings themselves."""


def check(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the program on a folder."""
    return subprocess.run(
        [sys.executable, str(PROGRAM), str(root)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "line",
    [
        "pip install {0}",
        "- run: pip install --quiet {0} # first",
        "`pip install '{0}[query]'`",
        "an image with `{0}[ray]`",
        'dependencies = ["{0}"]',
        '"{0} >= 0.2"',
    ],
)
def test_the_package_of_somebody_else_is_found(tmp_path: Path, line: str):
    """A finding names the file and the line, and the program ends with 1."""
    (tmp_path / "docs").mkdir()
    text = "{0}\npip install {0}-eval\n{0}-eval[ray]\n" + line + "\n"
    (tmp_path / "docs" / "page.md").write_text(text.format(OTHER), encoding="utf-8")
    done = check(tmp_path)
    assert done.returncode == 1
    (finding,) = done.stdout.splitlines()
    assert finding.startswith("docs/page.md:4: names the package")


def test_a_hint_that_is_written_by_hand_is_found(tmp_path: Path):
    """Only one module of the package writes the command."""
    for name in ("extra", "other"):
        path = tmp_path / "src" / "assay" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("hint = f'pip install {name}'\n", encoding="utf-8")
    done = check(tmp_path)
    assert done.returncode == 1
    (finding,) = done.stdout.splitlines()
    assert finding.startswith("src/assay/other.py:1: writes how to install")


def test_what_programs_have_written_is_not_read(tmp_path: Path):
    """Packages of npm and caches are not the project's."""
    for folder in ("web/node_modules", ".venv/lib", "build"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.md").write_text(f"pip install {OTHER}\n", encoding="utf-8")
    assert check(tmp_path).returncode == 0
