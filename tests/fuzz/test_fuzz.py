"""No damaged file ends in a traceback: what fuzzing found, and a few new cases of each reader."""

import time
from pathlib import Path

import pytest

from tests.fuzz.run import FOUND, fuzz, read_damaged, seed_files
from tests.fuzz.target import Target, targets

ALL = targets()


@pytest.mark.parametrize("target", ALL, ids=lambda target: target.name)
def test_whole_files_are_read(target: Target, tmp_path: Path):
    """The files that are damaged are good before: a fuzzer of refused files finds nothing."""
    for name, content in target.files.items():
        assert not read_damaged(target, name, content, tmp_path / "case")


@pytest.mark.parametrize("target", [*filter(seed_files, ALL)], ids=lambda target: target.name)
def test_what_was_found_stays_repaired(target: Target, tmp_path: Path):
    """Each file that once ended in a traceback is read or refused."""
    for path in seed_files(target):
        _, _, name = path.name.rpartition("+")
        try:
            read_damaged(target, name, path.read_bytes(), tmp_path / "case")
        except BaseException as error:
            error.add_note(f"the file is {path}")
            raise


@pytest.mark.parametrize("target", ALL, ids=lambda target: target.name)
def test_new_damage_is_no_traceback(target: Target, tmp_path: Path):
    """A small part of ``make fuzz``."""
    FOUND.clear()
    fuzz(target, 3, 20261116, tmp_path / "case", time.monotonic() + 600)
    assert [trace for _, _, trace in FOUND.values()] == []
