"""What tests of git need: an unpacked sdist may be tested on a machine without it."""

import shutil
from typing import Final

import pytest

NEEDS_GIT: Final = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
"""Marks tests of what git does with the files that we write."""
