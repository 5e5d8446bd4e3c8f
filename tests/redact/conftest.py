"""The program in a folder of its own, with a place for keys outside of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.mask import set_redactor
from tests.redact.main import Program


@pytest.fixture(name="program")
def _program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Program]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    yield Program(tmp_path / "work", monkeypatch, capfd)
    set_redactor(None)
