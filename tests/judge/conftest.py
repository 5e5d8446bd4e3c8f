"""The command line in this process, for tests of what judges leave behind."""

import sys

import pytest

from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(sys, "argv", ["assay", "judge"])
    return program(capsys)
