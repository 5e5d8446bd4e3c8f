"""Rows that cannot be scored again are named with their line and counted; the others are scored."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import typer

from assay.cli.score import score
from assay.results.job import job_spec
from assay.study.rescore import MOST_NAMED, _Rescoring, rescore
from tests.support.path import ROOT

BASE = ROOT / "tests" / "fuzz" / "base"
FIELDS = {
    "ablation": {"answer": [5], "passages": 7},
    "depth": {"question_type": ["x"], "correct_answer": {"a": 1}},
    "quality": {"expected": "x", "question": None},
    "review": {"expected_level": ["x"], "answer": [[]]},
    "bench": {"gold": [], "question_type": ["x"]},
}


def rows_of(job: str) -> list[dict[str, Any]]:
    """The recorded rows of a job."""
    lines = (BASE / f"{job}.jsonl").read_text().splitlines()
    return [row for row in map(json.loads, lines) if "key" in row]


def keyed(row: dict[str, Any], placement: str) -> str:
    """The key of the same question and variant at another placement."""
    return f"{row['question_id']}::{row['config']}::{placement}"


def put_run(folder: Path, job: str, rows: list[dict[str, Any]]) -> Path:
    """Write a journal and its summary."""
    journal = folder / "run.jsonl"
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "run.json").write_bytes((BASE / f"{job}.json").read_bytes())
    return journal


@pytest.mark.parametrize("job", sorted(FIELDS))
def test_a_wrong_field_is_named_with_its_line(job: str, tmp_path: Path):
    """The row is copied as it is, and the rows beside it are scored again."""
    good = rows_of(job)[0]
    wrong = [{**good, "key": keyed(good, name), name: value} for name, value in FIELDS[job].items()]
    journal = put_run(tmp_path, job, [good, *wrong])
    result = rescore(journal)
    assert result.judged >= 1
    assert result.judged + result.malformed == 1 + len(wrong)
    assert result.malformed >= 1
    assert all(f"{journal}:" in problem for problem in result.problems)
    copied = [json.loads(line) for line in result.journal.read_text().splitlines()]
    named = {int(problem.split("run.jsonl:")[1].split(":")[0]) for problem in result.problems}
    for line in named:
        assert copied[line - 1] == ([good, *wrong])[line - 1]


@pytest.mark.parametrize(
    ("job", "field"),
    [("depth", "question_type"), ("quality", "expected"), ("bench", "gold")],
)
def test_a_missing_field_is_named(job: str, field: str, tmp_path: Path):
    """The message says which field the row does not have, and the summary that not all rows have the rules of today."""
    good = rows_of(job)[0]
    lost = {name: value for name, value in good.items() if name != field}
    result = rescore(put_run(tmp_path, job, [good, {**lost, "key": keyed(good, "k")}]))
    assert result.malformed == 1
    assert f"run.jsonl:2: the row cannot be scored: it has no {field!r}" in result.problems[0]
    summary = json.loads(result.journal.with_suffix(".json").read_text())
    assert summary["extra"]["ruler"] == "mixed"


def test_the_command_counts_all_and_names_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Exit code 1, a line for each of the first rows, and one with the count."""
    good = rows_of("quality")[0]
    bad = [{**good, "key": keyed(good, str(number)), "expected": 5} for number in range(12)]
    journal = put_run(tmp_path, "quality", [good, *bad])
    with pytest.raises(typer.Exit) as caught:
        score(str(journal), root=tmp_path)
    assert caught.value.exit_code == 1
    err = capsys.readouterr().err
    assert err.count("the row cannot be scored") == MOST_NAMED
    assert "12 rows that cannot be scored" in err


def test_rows_are_scored_in_a_stream(tmp_path: Path):
    """Ten times as many rows need no more memory."""
    row = rows_of("ablation")[0]

    def peak_bytes(count: int) -> int:
        rows = [{**row, "key": keyed(row, str(number))} for number in range(count)]
        journal = put_run(tmp_path, "ablation", rows)
        rescoring = _Rescoring(job_spec("ablation"), {}, {})
        for _ in rescoring.lines(journal):  # what is read and scored once is cached once
            pass
        tracemalloc.start()
        try:
            assert sum(1 for _ in rescoring.lines(journal)) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few = peak_bytes(60)
    assert peak_bytes(600) < 2 * few
