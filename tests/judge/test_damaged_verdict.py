"""Stored verdicts that no judge can have given are named and left out; the others count."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.runs.write import verdicts_path
from tests.support.judged import (
    FIRST,
    label_rows,
    serve,
    some,
    write_judged,
    write_labels,
    write_workspace,
)
from tests.support.program import Program


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    journal = write_judged(tmp_path, 40)
    write_labels(tmp_path, label_rows(some(35, 40)))
    return journal


def damage(journal: Path, line: int, verdict: Any) -> None:
    """Replace the verdict of a line; a dictionary changes fields of it."""
    path = verdicts_path(journal)
    rows = [json.loads(text) for text in path.read_text().splitlines()]
    before = rows[line - 1]["verdict"]
    rows[line - 1]["verdict"] = before | verdict if isinstance(verdict, dict) else verdict
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def check(assay: Program, journal: Path, *words: object) -> Any:
    """Run assay judge check."""
    return assay("judge", "check", "trial", "--root", journal.parent.parent, *words)


@pytest.mark.parametrize("line", [1, 7])
@pytest.mark.parametrize(
    "verdict",
    [{"score": 5.0}, {"score": -3}, {"label": "right", "score": 0.0}, "right", None, [1]],
)
def test_a_damaged_verdict_is_named_and_left_out(
    assay: Program, journal: Path, line: int, verdict: Any
):
    """The rates are those of the other answers, whichever line it is."""
    damage(journal, line, verdict)
    ran = check(assay, journal, "--json")
    assert ran.code == 0, ran.err
    assert "1 damaged verdict left out: " in ran.err
    assert f"trial.verdicts.jsonl:{line}: " in ran.err
    rates = [rate["corrected"] for rate in json.loads(ran.out)["rates"]]
    assert sum(rate["n"] for rate in rates) == 79
    assert all(0 <= rate["raw"] <= 1 for rate in rates)


def test_a_comparison_names_damaged_verdicts_too(assay: Program, journal: Path):
    """The gate does not decide by a score of five; a run that is both sides is named once."""
    damage(journal, 3, {"score": 5.0})
    ran = assay(
        "compare", "--base", journal, "--cand", journal, "--base-variant", "off", "--variant", "on",
        "--metric", "judge.correct", "--max-regressions", 50,
    )  # fmt: skip
    assert (ran.out + ran.err).count("1 damaged verdict left out") == 1


def test_a_file_with_nothing_sound_says_what_is_wrong(assay: Program, journal: Path):
    """Not that no judge has judged the run."""
    path = verdicts_path(journal)
    row = json.loads(path.read_text().splitlines()[0])
    path.write_text(json.dumps({**row, "verdict": {"x": 1}}) + "\n")
    ran = check(assay, journal)
    assert ran.code == 2
    assert "trial.verdicts.jsonl:1: " in ran.err


def test_a_damaged_verdict_is_asked_for_again(assay: Program, tmp_path: Path):
    """The judge is asked about this answer only, and then nothing is damaged any more."""
    with serve() as server:
        journal = write_workspace(tmp_path, server.base_url, questions=4)
        words = ("judge", "trial", "--judge", "correct", "--root", tmp_path, "--no-call-cache")
        assert assay(*words).code == 0
        for verdict in ({"score": 5.0}, "right", {"label": 7}):
            last = len(verdicts_path(journal).read_text().splitlines())
            damage(journal, last, verdict)
            ran = assay(*words)
            assert ran.code == 0, ran.err
            assert "8 of 8 judged: 1 asked, 7 known before" in ran.out
            assert "damaged: 1 stored verdict asked for again" in ran.out
        assert "0 asked, 8 known before" in assay(*words).out
        assert "damaged" not in assay(*words).out


def test_an_earlier_judge_is_mentioned(assay: Program, journal: Path):
    """A new judge that has judged less is used, and the figures say so."""
    write_labels(journal.parent.parent, label_rows(some(35, 40)))
    path = verdicts_path(journal)
    rows = [json.loads(text) for text in path.read_text().splitlines()]
    new = [{**row, "judge": FIRST + "{temperature}", "ts": 2.0} for row in rows[:12]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows + new))
    ran = check(assay, journal)
    assert ran.code == 0
    assert "the latest judge correct counts, which has judged 12 of 80 answers" in ran.err
    assert "an earlier one of this name" in ran.err
    assert "judged 80" in ran.err
