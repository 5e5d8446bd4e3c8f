"""What ``assay judge check`` prints: aligned tables, and what is missing."""

import json
from pathlib import Path

import pytest

from assay.cli.judge_text import calibration_text
from assay.config.workspace import Workspace
from assay.errors import DatasetError
from assay.judge.workbench import check_judge, labels_of, open_run, scores_of
from assay.text.width import display_width
from assay.words.language import LANGUAGES, speaking
from tests.support.judged import label_rows, some, write_judged, write_labels


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return write_judged(tmp_path, 60, wrong=range(0, 60, 7))


def checked(journal: Path, labels: Path | None = None) -> list[str]:
    """The lines of assay judge check."""
    run = open_run(Workspace.find(start=journal.parent), str(journal))
    judge = scores_of(run, None, None)
    return calibration_text(check_judge(run, judge, labels_of(run, labels, judge.rubric)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_figures_are_under_their_headers(journal: Path, lang: str):
    """Columns of numbers end, and columns of rates begin, where their header does."""
    write_labels(journal.parent.parent, label_rows(some(40, 60)))
    with speaking(lang):
        lines = checked(journal)
    head, yes, no = lines[2:5]
    width = display_width(head)
    assert display_width(yes) == display_width(no) == width
    table = lines[6:10]
    assert table[0].lstrip().startswith("n ")
    at = [display_width(row[: row.index("0.")]) for row in table[1:]]
    third = table[0].split()[1]
    assert set(at) == {display_width(table[0][: table[0].index(third)])}
    n_end = display_width(table[0][: table[0].index("n") + 1])
    assert {at[0] - 2} == {n_end}


def test_a_sheet_that_is_not_filled_in_says_what_is_missing(journal: Path):
    """Two variants are there, but nobody has labelled their answers."""
    rows = [{**row, "verdict": "unclear"} for row in label_rows(some(40, 60))]
    write_labels(journal.parent.parent, rows)
    line = next(line for line in checked(journal) if line.startswith("errors between"))
    assert line == ("errors between variants: cannot be compared: no label counts for off, on")


def test_a_torn_line_of_a_given_file_is_named(journal: Path):
    """Half a line is no label, and a whole one needs no newline at its end."""
    rows = label_rows(range(60))
    path = write_labels(journal.parent.parent, rows)
    whole = path.read_bytes().rstrip(b"\n")
    given = journal.parent / "given.jsonl"
    given.write_bytes(whole)
    assert checked(journal, given)[0].startswith("judge.correct against 120 labelled answers")
    given.write_bytes(json.dumps(rows[0]).encode()[:40])
    with pytest.raises(DatasetError, match=r"given\.jsonl:1: "):
        checked(journal, given)
