"""The laboratory that tests of whole runs share."""

from pathlib import Path

import pytest

from assay.checks import registered
from tests.support.lab import Lab


@pytest.fixture(autouse=True)
def no_own_scorers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row has only the scores that its test computes, whichever scorers the catalogue has."""
    monkeypatch.setattr(registered.SCORERS, "_own", {})


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A folder with one journal."""
    return Lab(tmp_path)
