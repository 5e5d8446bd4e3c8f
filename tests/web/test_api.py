"""The types of the page in TypeScript are those of the structs."""

import subprocess
import sys

from tests.support.path import ROOT


def test_the_types_of_the_page_are_up_to_date():
    """A field that only one side knows would be read as undefined."""
    command = [sys.executable, str(ROOT / "tools" / "generate_types.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
