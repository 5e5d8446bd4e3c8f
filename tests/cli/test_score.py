"""``assay score``: output, files and errors."""

import json
from pathlib import Path

import pytest

from tests.support.harbour import question, write_harbour
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path, assay: Program) -> Path:
    """A workspace with a complete run of five questions."""
    write_harbour(tmp_path, questions=5)
    assert assay("ablate", "-e", "berths", "--root", tmp_path, "--no-report").code == 0
    return tmp_path


def test_unchanged_scores_are_reported(assay: Program, root: Path):
    """The same rules give the same scores, in a new file that ``assay report`` accepts."""
    ran = assay("score", "berths", "--root", root)
    assert ran.code == 0, ran.err
    assert "10 answers scored again, 0 rows without an answer unchanged" in ran.out
    assert "no score changed" in ran.out
    journal = root / "experiments/berths.rescored.jsonl"
    assert f"rows     {journal}" in ran.out
    assert assay("report", journal, "--root", root, "--charts", "none").code == 0
    assert journal.with_suffix(".md").exists()


def test_changes_are_counted_for_people_and_programs(assay: Program, root: Path):
    """With corrected questions the output has the number of changes of each field."""
    corrected = root / "corrected.jsonl"
    corrected.write_text(json.dumps({**question(1), "gold_chunk_ids": ["x"]}) + "\n")
    words = ("score", "berths", "--root", root, "--questions", corrected)
    assert "gold_metrics: 2 changed" in assay(*words).out
    facts = json.loads(assay(*words, "--json").out)
    assert facts["judged"] == 10
    assert facts["changed"]["scores"] == 2
    assert facts["journal"].endswith("berths.rescored.jsonl")


def test_in_place_keeps_the_old_file(assay: Program, root: Path):
    """``--in-place`` replaces the rows and keeps the old file; the run stays complete."""
    before = (root / "experiments/berths.jsonl").read_bytes()
    assert assay("score", "berths", "--root", root, "--in-place").code == 0
    (kept,) = (root / "experiments").glob("berths.jsonl.*.old")
    assert kept.read_bytes() == before == (root / "experiments/berths.jsonl").read_bytes()
    again = assay("ablate", "-e", "berths", "--root", root, "--no-report")
    assert "nothing was asked" in again.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("berth",), "no run of that name"),
        (("berths", "--questions", "gone.jsonl"), "gone.jsonl: cannot be read"),
    ],
)
def test_wrong_input_is_one_line(assay: Program, root: Path, words: tuple[str, ...], message: str):
    """Wrong input gives exit code 2 and one line, and writes nothing."""
    ran = assay("score", *words, "--root", root)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (root / "experiments/berths.rescored.jsonl").exists()
