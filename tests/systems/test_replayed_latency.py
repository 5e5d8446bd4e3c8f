"""The latency of recorded answers: that of the recording, or not known."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.answered_set import read_answered
from tests.support.program import Program, program

PROMPTFOO = {"vars": {"question": "How long?"}, "latencyMs": 120, "response": {"output": "5 days"}}


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Program:
    monkeypatch.chdir(tmp_path)
    return program(capsys)


def replayed(assay: Program, file: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The row and the results of a run of the answers in a file."""
    words = ("--questions", "q.csv", "--system", f"replay:{file}", "--name", name)
    result = assay("run", *words, "--charts", "none")
    assert result.code == 0, result.err
    row = json.loads(Path(f"experiments/{name}.jsonl").read_text(encoding="utf-8"))
    summary = json.loads(Path(f"experiments/{name}.json").read_text(encoding="utf-8"))
    (results,) = summary["results"]["variants"].values()
    return row, results


def test_the_time_to_look_an_answer_up_is_no_latency(assay: Program):
    """It is undefined in rows and results; one that a file or a run has is taken over."""
    Path("q.csv").write_text("question,expected\nHow long?,5 days\n")
    Path("a.csv").write_text("question,response\nHow long?,5 days\n")
    row, results = replayed(assay, "a.csv", "plain")
    assert "elapsed_s" not in row
    assert results["avg_latency_s"] is results["p50_latency_s"] is None
    Path("t.csv").write_text("question,response,latency_s\nHow long?,5 days,1.5\n")
    row, results = replayed(assay, "t.csv", "timed")
    assert (row["elapsed_s"], results["avg_latency_s"]) == (1.5, 1.5)
    row, _ = replayed(assay, "experiments/timed.jsonl", "again")
    assert row["elapsed_s"] == 1.5
    row, _ = replayed(assay, "experiments/plain.jsonl", "still")
    assert "elapsed_s" not in row
    tables = {
        name: Path(f"experiments/{name}.md").read_text("utf-8") for name in ("plain", "timed")
    }
    assert ["### Latency" in tables[name] for name in ("plain", "timed")] == [False, True]


@pytest.mark.parametrize(
    ("name", "row", "latency_s"),
    [
        ("p.jsonl", PROMPTFOO, 0.12),
        ("p.jsonl", {**PROMPTFOO, "response": {"output": "5 days", "cached": True}}, None),
        ("l.jsonl", {"inputs": {"question": "Q?"}, "outputs": {"answer": "A"}, "reference_outputs": {"answer": "A"}, "latency": 1.2}, 1.2),
        ("d.json", [{"input": "Q?", "actualOutput": "A", "completionTime": 0.7}], 0.7),
        ("t.json", [{"question": "Q?", "response": "A", "latency": 1200}], None),
        ("t.json", [{"question": "Q?", "response": "A", "latency_s": -1}], None),
    ],
)  # fmt: skip
def test_latencies_of_other_tools(tmp_path: Path, name: str, row: Any, latency_s: float | None):
    """A name without a unit is not read, and the time of a stored reply is none."""
    path = tmp_path / name
    path.write_text(json.dumps(row) + "\n")
    assert [each.latency_s for each in read_answered(path)] == [latency_s]
