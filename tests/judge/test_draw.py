"""Which answers are drawn for labelling: what is recorded about a draw never falls."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.runs.write import draw_path
from tests.support.judged import FIRST, write_labels, write_verdicts, write_workspace
from tests.support.program import Program


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    journal = write_workspace(tmp_path, "http://127.0.0.1:9", questions=100)
    write_verdicts(journal, FIRST, wrong=range(0, 100, 7))
    return journal


def plan(assay: Program, journal: Path, *words: object) -> Any:
    """Run assay judge plan."""
    return assay("judge", "plan", "trial", "--root", journal.parent.parent, *words)


def rates(assay: Program, journal: Path) -> list[Any]:
    """The corrected rates of all variants."""
    ran = assay("judge", "check", "trial", "--root", journal.parent.parent, "--json")
    return [rate["corrected"] for rate in json.loads(ran.out)["rates"]]


def label_draw(assay: Program, journal: Path, count: int) -> None:
    """Draw, and label what was drawn."""
    root = journal.parent.parent
    sheet = root / "sheet.jsonl"
    assert plan(assay, journal, "--draw", count, "--out", sheet).code == 0
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    for row in rows:
        number = int(row["case_id"].removeprefix("q"))
        row["verdict"] = "right" if f"is {number} days" in row["answer"] else "wrong"
    write_labels(root, rows)


def test_a_smaller_draw_is_refused_and_changes_nothing(assay: Program, journal: Path):
    """Labels that exist stand for as many answers as before, so the rates stay."""
    label_draw(assay, journal, 60)
    before, drawn = rates(assay, journal), draw_path(journal).read_bytes()
    refused = plan(assay, journal, "--draw", 20)
    assert refused.code == 2
    assert "60 answers of" in refused.err
    assert "use --draw 60 or more" in refused.err
    assert draw_path(journal).read_bytes() == drawn
    assert plan(assay, journal, "--draw", 60).code == 0
    assert draw_path(journal).read_bytes() == drawn
    assert rates(assay, journal) == before


def test_another_seed_is_refused(assay: Program, journal: Path):
    """The probabilities of two seeds do not belong together."""
    label_draw(assay, journal, 30)
    drawn = draw_path(journal).read_bytes()
    refused = plan(assay, journal, "--draw", 60, "--seed", 9)
    assert refused.code == 2
    assert "drawn with --seed 0" in refused.err
    assert draw_path(journal).read_bytes() == drawn
    assert plan(assay, journal, "--draw", 60, "--seed", 0).code == 0


def test_a_file_with_a_smaller_later_draw_is_read_with_the_larger_probabilities(
    assay: Program, journal: Path
):
    """Earlier versions appended lines of smaller draws; these lines count no more."""
    label_draw(assay, journal, 60)
    before = rates(assay, journal)
    path = draw_path(journal)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    old = [{**row, "probability": row["probability"] / 3} for row in rows[:20]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows + old))
    assert rates(assay, journal) == before


def test_a_sheet_that_exists_is_refused_before_anything_is_drawn(assay: Program, journal: Path):
    """The file of the draw is not written for a command that fails."""
    sheet = journal.parent / "sheet.jsonl"
    sheet.write_text("")
    assert plan(assay, journal, "--draw", 10, "--out", sheet).code == 2
    assert not draw_path(journal).exists()
