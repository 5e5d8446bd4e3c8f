"""Only labels of answers that a recorded draw chose correct a rate."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.config.workspace import Workspace
from assay.judge.calibration import Calibration
from assay.judge.draw import Drawn, drawn_part
from assay.judge.rate_table import judge_tables
from assay.judge.workbench import check_judge, labels_of, open_run, scores_of
from tests.support.judged import is_right, label_rows, write_judged, write_labels
from tests.support.program import Program


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return write_judged(tmp_path, 100, wrong=range(0, 100, 7))


def check(journal: Path) -> Calibration:
    """What assay judge check finds."""
    run = open_run(Workspace.find(start=journal.parent), str(journal))
    judge = scores_of(run, None, None)
    return check_judge(run, judge, labels_of(run, None, judge.rubric))


def estimates(journal: Path) -> list[float | None]:
    """The corrected rates of all variants."""
    return [rate.corrected.estimate for rate in check(journal).rates]


def only_right() -> list[dict[str, Any]]:
    """Labels of right answers only, as if these had been drawn."""
    return [row for row in label_rows(range(100)) if row["verdict"] == "right"]


def drawn_sheet(assay: Program, journal: Path, count: int) -> list[dict[str, Any]]:
    """Draw answers; the sheet of labels with the true verdicts."""
    root = journal.parent.parent
    sheet = root / "sheet.jsonl"
    words = ("judge", "plan", "trial", "--root", root, "--draw", count, "--out", sheet)
    assert assay(*words).code == 0
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    for row in rows:
        number = int(row["case_id"].removeprefix("q"))
        row["verdict"] = "right" if is_right(number, row["variant"]) else "wrong"
    return rows


def test_a_probability_without_a_draw_counts_as_chosen_by_hand(assay: Program, journal: Path):
    """Labels of the right answers only, with a made-up probability, correct nothing anywhere."""
    root = journal.parent.parent
    write_labels(root, only_right(), is_drawn=False)
    found = check(journal)
    assert estimates(journal) == [None, None]
    assert (found.counts.used, found.counts.undrawn) == (0, len(only_right()))
    text = assay("judge", "check", "trial", "--root", root).out
    assert "left out: 140 labels with a probability that no draw of this run gave" in text
    (table,) = judge_tables(journal, Workspace.find(start=journal.parent))
    assert "judge.correct: 140 labels correct nothing" in " ".join(table.notes)
    compared = assay(
        "compare", "--base", journal, "--cand", journal, "--base-variant", "off",
        "--variant", "on", "--metric", "judge.correct", "--max-regressions", 50,
    )  # fmt: skip
    assert "140 labels correct nothing" in compared.out + compared.err


def test_another_probability_than_that_of_the_draw_counts_as_chosen_by_hand(
    assay: Program, journal: Path
):
    """An answer is drawn, but its label says that it was unlikelier than it was."""
    rows = drawn_sheet(assay, journal, 40)
    write_labels(journal.parent.parent, [{**row, "probability": 0.1} for row in rows])
    assert check(journal).counts.undrawn == 80
    assert estimates(journal) == [None, None]


def test_labels_of_all_answers_need_no_draw(journal: Path):
    """Nothing was chosen, so the rate is that of the labels, whatever probability they state."""
    write_labels(journal.parent.parent, label_rows(range(100)), is_drawn=False)
    assert estimates(journal) == pytest.approx([0.6, 0.8])


def test_a_part_of_a_draw_that_was_picked_corrects_nothing(assay: Program, journal: Path):
    """Labels behind the first drawn answer without one are left out, and it says how many are drawn."""
    root = journal.parent.parent
    rows = drawn_sheet(assay, journal, 60)
    picked = [row for row in rows if row["verdict"] == "right"]
    write_labels(root, picked)
    found = check(journal)
    assert estimates(journal) == [None, None]
    assert (found.drawn, found.drawn_labelled) == (120, len(picked))
    assert found.counts.unfinished == len(picked) - found.counts.used
    text = assay("judge", "check", "trial", "--root", root).out
    assert f"drawn for labelling: 120, labelled: {len(picked)}" in text
    blank = [row if row["verdict"] == "right" else {**row, "verdict": "unclear"} for row in rows]
    write_labels(root, blank)
    assert estimates(journal) == [None, None]


def test_the_beginning_of_a_draw_counts(assay: Program, journal: Path):
    """Who labels a sheet from its first line on has a smaller random draw at any time."""
    rows = drawn_sheet(assay, journal, 60)
    first = [row for row in rows if row["variant"] == "off"][:45]
    write_labels(journal.parent.parent, first)
    found = check(journal)
    assert (found.counts.used, found.counts.unfinished) == (45, 0)
    assert found.rates[0].corrected.estimate == pytest.approx(0.6, abs=0.15)


def test_a_label_without_a_probability_has_that_of_the_draw(assay: Program, journal: Path):
    """The page records none; what counts is that the answer was drawn."""
    rows = drawn_sheet(assay, journal, 40)
    write_labels(journal.parent.parent, [{**row, "probability": None} for row in rows])
    assert check(journal).counts.used == 80
    assert None not in estimates(journal)


def drawn(number: int, **fields: Any) -> Drawn:
    """A drawn answer."""
    return Drawn(
        run="r", case_id=f"q{number}", variant="v", answer_hash="h", probability=0.5, **fields
    )


def test_a_draw_without_a_recorded_order_must_be_complete():
    """Earlier versions recorded no seed, so nobody can say which part is random."""
    lines = [drawn(number) for number in range(20)]
    said = {line.answer: True for line in lines}
    assert len(drawn_part(lines, said)) == 20
    del said[lines[19].answer]
    assert drawn_part(lines, said) == {}


def test_a_complete_smaller_draw_counts_beside_an_unfinished_larger_one():
    """Drawing more does not take away what the labels of the first draw tell."""
    small = [drawn(number, seed=0, count=10) for number in range(10)]
    large = [drawn(number, seed=0, count=30) for number in range(10, 30)]
    assert len(drawn_part(small + large, {line.answer: True for line in small})) == 10


def test_few_answers_that_nobody_can_judge_are_no_gap():
    """One in ten drawn answers may have the label "cannot tell"."""
    lines = [drawn(number, seed=0, count=40) for number in range(40)]
    said = {line.answer: number % 10 != 0 for number, line in enumerate(lines)}
    assert len(drawn_part(lines, said)) >= 30
    half = {line.answer: number % 2 == 0 for number, line in enumerate(lines)}
    assert len(drawn_part(lines, half)) <= 20
