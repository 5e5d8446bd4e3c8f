"""The search for cycles of unused objects pauses while a command starts."""

import subprocess
import sys

import pytest

_START = """
import gc
from assay.cli.collection import pause_collection, resume_collection
{before}
print(gc.isenabled(), gc.get_freeze_count() > 0)
resume_collection()
print(gc.isenabled(), gc.get_freeze_count() > 0)
"""


def _printed(before: str) -> list[str]:
    program = _START.format(before=before)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()


def test_what_was_imported_before_the_search_resumes_is_left_out_of_it():
    """After a pause, Python searches again, but only in new objects."""
    assert _printed("pause_collection()") == ["False False", "True True"]


def test_without_a_pause_nothing_is_left_out():
    """A parser that is used from Python changes nothing in the process of its user."""
    assert _printed("") == ["True False", "True False"]


@pytest.mark.parametrize(
    ("command", "frozen"), [("list", True), ("report", True), ("query", False), ("lisst", False)]
)
def test_a_command_searches_again_once_it_is_imported(command: str, frozen: bool):
    """A long run must not grow without end, and some libraries must free their objects."""
    program = (
        "import atexit, gc, sys\n"
        f"sys.argv = ['assay', '{command}', '--help']\n"
        "from assay.cli.main import main\n"
        "atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 0))\n"
        "main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.stdout.splitlines()[-1] == f"True {frozen}"
