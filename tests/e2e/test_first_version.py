"""Runs that assay 0.1.0 recorded, one for each job: they are read, reported, scored and resumed.

``first_version`` is the workspace as 0.1.0 left it: each run was ended before its last case, by a
limit or because the system was away.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

RECORDED = Path(__file__).with_name("first_version")
DEPTH = (
    "depth --novel novel.txt --data-set deep.jsonl --context-lengths 500 --depth-mode fixed "
    "--depth 50 --system python:clerk:ask --output experiments/deep.jsonl"
)
QUALITY = (
    "quality --pdf sale.pdf --questions sale.jsonl --system python:clerk:ask "
    "--out experiments/deed.json"
)
REVIEW = "review --data clauses.jsonl --laws laws.jsonl --config review.yaml --no-report"
JOBS = {
    "berths": ("ablate -e berths --no-report", 4, 8),
    "deep": (DEPTH, 2, 4),
    "deed.rows": (QUALITY, 2, 3),
    "lease": (REVIEW, 4, 8),
    "facts": ("bench sale --name facts --system python:clerk:ask --no-report", 2, 3),
}
"""The command of each run, the answers that 0.1.0 recorded, and the cases of the whole run."""


@pytest.fixture(name="assay")
def _assay(assay: Any) -> Any:
    """The installed command, in a copy of the workspace."""
    shutil.copytree(RECORDED, assay.folder, dirs_exist_ok=True)
    return assay


def files(assay: Any) -> dict[str, bytes]:
    """The rows of all runs."""
    return {path.name: path.read_bytes() for path in assay.folder.glob("experiments/*.jsonl")}


def tally(assay: Any, name: str) -> dict[str, Any]:
    """The counts of a run in its summary."""
    path: Path = assay.folder / "experiments" / f"{name}.json"
    counts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["tally"]
    return counts


def test_the_runs_were_recorded_by_the_first_version():
    """Nobody has written them again."""
    for name, (_, recorded, _) in JOBS.items():
        summary = json.loads((RECORDED / "experiments" / f"{name}.json").read_text())
        assert summary["assay_version"] == "0.1.0"
        assert summary["tally"]["scored"] == recorded


def test_all_runs_are_listed(assay: Any):
    """With the counts that 0.1.0 wrote."""
    listed = assay.run("list", "--json")
    assert listed.returncode == 0, listed.stderr
    runs = {run["name"]: run for run in json.loads(listed.stdout)}
    assert {name: runs[name]["scored"] for name in JOBS} == {
        name: recorded for name, (_, recorded, _) in JOBS.items()
    }


@pytest.mark.parametrize("name", JOBS)
def test_a_report_is_made(assay: Any, name: str):
    """Tables come from the recorded rows, which stay as they are; nothing is asked."""
    before = files(assay)
    made = assay.run("report", name, "--charts", "none")
    assert made.returncode == 0, made.stderr
    assert (assay.folder / "experiments" / f"{name}.md").stat().st_size > 500
    assert files(assay) == before
    assert not (assay.folder / "asked.txt").exists()


@pytest.mark.parametrize("name", JOBS)
def test_recorded_answers_are_scored_again(assay: Any, name: str):
    """Each scored row is read; nothing is asked, and the recorded rows stay as they are."""
    before = files(assay)
    scored = assay.run("score", name)
    assert scored.returncode == 0, scored.stderr
    assert {file: files(assay)[file] for file in before} == before
    assert not (assay.folder / "asked.txt").exists()


@pytest.mark.parametrize("name", JOBS)
def test_a_run_goes_on(assay: Any, name: str):
    """What 0.1.0 did not record is asked, and nothing else; its rows stay at the beginning."""
    command, recorded, total = JOBS[name]
    journal = assay.folder / "experiments" / f"{name}.jsonl"
    before = journal.read_bytes()
    done = assay.run(*command.split())
    assert done.returncode == 0, done.stderr
    asked = (assay.folder / "asked.txt").read_text().splitlines()
    assert len(asked) == total - recorded
    assert journal.read_bytes().startswith(before)
    assert (tally(assay, name)["scored"], tally(assay, name)["failed"]) == (total, 0)
    assert assay.run(*command.split()).returncode == 0
    assert (assay.folder / "asked.txt").read_text().splitlines() == asked


def test_a_quality_run_is_a_base_of_the_gate(assay: Any):
    """Its results, in the format of that job, are compared with themselves."""
    deed = ("experiments/deed.json",) * 2
    compared = assay.run("compare", "--base", deed[0], "--cand", deed[1])
    assert compared.returncode == 0, compared.stdout + compared.stderr


def test_a_run_of_the_reference_pipeline_says_what_changed(assay: Any):
    """Its embedder is another one now: the run stops before the first case, or keeps its answers."""
    words = ("ablate", "-e", "search", "--no-report")
    before = files(assay)
    refused = assay.run(*words)
    assert refused.returncode == 2
    assert "2 recorded answers belong to an earlier version" in refused.stderr
    assert "hashed-2" in refused.stderr
    assert files(assay) == before
    kept = assay.run(*words, "--keep-stale")
    assert kept.returncode == 0, kept.stderr
    assert tally(assay, "search")["scored"] == 4
