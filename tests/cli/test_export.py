"""``assay export``: one row a case, for tools that count lines."""

import json
import os
from pathlib import Path
from threading import Thread

import pytest

from tests.support.journal import failed, judged, write_header, write_rows
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A workspace with a run: one case failed and was asked again, one failed for good."""
    (tmp_path / "experiments").mkdir()
    rows = [
        failed("q1", "on"), judged("q2", "on", 0.5), judged("q1", "on", 1.0), failed("q3", "on"),
        judged("q1", "off", 1.0),
    ]  # fmt: skip
    journal = write_rows(tmp_path / "experiments/study.jsonl", rows, end='{"key": "q4::on')
    write_header(journal, ["on"])
    return tmp_path


def test_one_row_a_case_is_written(assay: Program, root: Path):
    """Of a case that was asked twice the last row; a row of another variant is not of this run."""
    journal = root / "experiments/study.jsonl"
    before = journal.read_bytes()
    ran = assay("export", "study", "--to", "rows", "--root", root)
    assert ran.code == 0, ran.err
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [(row["question_id"], row["status"]) for row in rows] == [
        ("q2", "scored"),
        ("q1", "scored"),
        ("q3", "failed"),
    ]
    assert rows[1] == judged("q1", "on", 1.0)
    assert "3 cases\n1 earlier row of these cases is left out\n1 recorded row is not" in ran.err
    assert journal.read_bytes() == before


def test_the_rows_go_to_a_file_and_the_journal_is_not_replaced(assay: Program, root: Path):
    """``--out`` writes the same lines; it never replaces the file that is read."""
    out = root / "rows.jsonl"
    printed = assay("export", "study", "--to", "rows", "--root", root).out
    assert assay("export", "study", "--to", "rows", "--out", out, "--root", root).code == 0
    assert out.read_text(encoding="utf-8") == printed
    journal = root / "experiments/study.jsonl"
    refused = assay("export", "study", "--to", "rows", "--out", journal, "--root", root)
    assert refused.code == 2


def test_a_pipe_stays_a_pipe(assay: Program, root: Path):
    """What is no file is written to and not replaced: ``/dev/stdout``, or a pipe of a shell."""
    pipe = root / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    assert assay("export", "study", "--to", "rows", "--out", pipe, "--root", root).code == 0
    reader.join(20)
    assert pipe.is_fifo()
    assert len(read[0].splitlines()) == 3


def test_an_unknown_target_is_refused(assay: Program, root: Path):
    """One line says which targets there are."""
    refused = assay("export", "study", "--to", "xml", "--root", root)
    assert (refused.code, refused.err) == (2, "assay: --to xml: not one of rows\n")
