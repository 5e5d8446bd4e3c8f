"""The laboratory that tests of whole runs share."""

from pathlib import Path

import pytest

from tests.support.lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A folder with one journal."""
    return Lab(tmp_path)
