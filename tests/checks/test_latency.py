"""The time to the first token, from a system that streams to the tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Program, program

SYSTEM = """
import time

def ask(question):
    time.sleep(0.1)
    yield "5"
    time.sleep(0.1)
    yield " days"

def plain(question):
    return "5 days"
"""


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Program:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    Path("q.csv").write_text("question,expected\nHow long?,5 days\n")
    Path("streaming_lab.py").write_text(SYSTEM)
    return program(capsys)


def run(assay: Program, system: str, name: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The row, the results and the report of a run."""
    words = ("--questions", "q.csv", "--system", system, "--name", name)
    result = assay("run", *words, "--charts", "none")
    assert result.code == 0, result.err
    row, summary, report = (
        Path("experiments", name).with_suffix(end).read_text("utf-8")
        for end in (".jsonl", ".json", ".md")
    )
    (results,) = json.loads(summary)["results"]["variants"].values()
    return json.loads(row), results, report


def test_the_time_to_the_first_token_is_in_row_results_and_tables(assay: Program):
    """A part of the latency, also when the answer is replayed or given in another process."""
    Path("experiments").mkdir()
    Path("experiments/experiments.yaml").write_text(
        "systems:\n  apart: {kind: python, target: 'streaming_lab:ask', isolate: process}\n"
    )
    for name, system in (("here", "python:streaming_lab:ask"), ("there", "apart")):
        row, results, report = run(assay, system, name)
        assert row["answer"] == "5 days"
        assert 0.1 <= row["ttft_s"] < row["elapsed_s"] - 0.05
        assert results["ttft_s"] == row["ttft_s"]
        assert "Mean time to first token" in report
    again, _, _ = run(assay, "replay:experiments/there.jsonl", "again")
    assert (again["ttft_s"], again["elapsed_s"]) == (row["ttft_s"], row["elapsed_s"])


def test_a_run_without_streams_does_not_speak_of_it(assay: Program):
    """No field, no metric and no column."""
    row, results, report = run(assay, "python:streaming_lab:plain", "plain")
    assert "ttft_s" not in row
    assert "ttft_s" not in results
    assert "ttft_s" not in results["n"]
    assert "first token" not in report
