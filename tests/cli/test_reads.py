"""How often a command reads a journal: once to resume, once to report, and it analyses it once."""

import io
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assay.data import jsonl
from assay.jobs.corpus.new_workspace import create_workspace
from assay.study import analysis
from tests.support.program import Program, program

RUNS = {
    "ablate": (
        ("ablate", "--experiment", "hyde", "--limit", "4", "--charts", "none"),
        "experiments/hyde.jsonl",
    ),
    "depth": (
        ("depth", "--sample", "--depth-mode=uniform", "--context-lengths", "2000,4000", "--out", "sample.jsonl"),
        "sample.jsonl",
    ),
    "quality": (
        (
            "quality", "--pdf", "documents/ru/report.pdf", "--questions", "eval/questions.jsonl",
            "--out", "lease.json", "--limit", "8",
        ),
        "lease.rows.jsonl",
    ),
    "review": (("review", "--sample", "--limit", "4", "--charts", "none"), "experiments/review_sample.jsonl"),
    "bench": (
        ("bench", "--sample", "--type", "fact_exact", "--charts", "none"),
        "experiments/bench-sample-fact_exact.jsonl",
    ),
}  # fmt: skip
"""Each run command: its words and its journal."""


COUNTED = {Path(journal).name for _, journal in RUNS.values()} | {
    "worse.jsonl",
    "hyde.rescored.jsonl",
}


class CountedFile(io.BufferedReader):
    """A file that is read; it counts as one reading if it is read from start to end."""

    def __init__(self, path: Path, counts: Counter[str]) -> None:
        super().__init__(io.FileIO(path))
        self._path, self._counts = path, counts
        self._bytes = 0
        self._has_jumped = False

    def read(self, size: int | None = -1, /) -> bytes:
        """Read and count bytes."""
        data = super().read(size)
        self._bytes += len(data)
        return data

    def readinto(self, buffer: Any, /) -> int:
        """Read into a buffer and count bytes."""
        count = super().readinto(buffer)
        self._bytes += count
        return count

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read and count the bytes of a line."""
        data = super().readline(size)
        self._bytes += len(data)
        return data

    def seek(self, target: int, whence: int = 0, /) -> int:
        """Jump to a place; a reader that does so looks up single rows."""
        self._has_jumped = True
        return super().seek(target, whence)

    def close(self) -> None:
        """Count the reading if it was a whole one."""
        size = self._path.stat().st_size
        if size and self._bytes >= size and not self._has_jumped:
            self._counts[self._path.name] += 1
        self._bytes = 0
        super().close()


@pytest.fixture(name="reads")
def _reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each journal was read as a whole, and how often rows were analysed."""
    counts: Counter[str] = Counter()
    open_path, analyse = Path.open, analysis.analyse

    def counted_open(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if mode == "rb" and path.name in COUNTED:
            return CountedFile(path, counts)
        return open_path(path, mode, *rest, **more)

    def counted_analyse(*words: Any, **more: Any) -> Any:
        counts["analyses"] += 1
        return analyse(*words, **more)

    monkeypatch.setattr(Path, "open", counted_open)
    monkeypatch.setattr(analysis, "analyse", counted_analyse)
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 512)  # a journal has many blocks, as a long one has
    return counts


@pytest.fixture(name="workspace", scope="module")
def _workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    create_workspace(folder)
    return folder


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    workspace: Path,
) -> Program:
    folder = tmp_path / "work"
    shutil.copytree(workspace, folder)
    monkeypatch.chdir(folder)
    return program(capsys)


def run_half(assay: Program, words: tuple[str, ...], journal: str) -> Path:
    """Run a command, and remove the second half of the rows that it recorded."""
    ran = assay(*words)
    assert ran.code == 0, ran.err
    path = Path(journal)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) >= 4
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    return path


@pytest.mark.parametrize("job", RUNS)
def test_a_resumed_run_reads_its_journal_once_to_resume_and_once_to_report(
    assay: Program, reads: Counter[str], job: str
):
    """The summary, the report and the job's own results come from one reading and one analysis."""
    words, name = RUNS[job]
    journal = run_half(assay, words, name)
    reads.clear()
    ran = assay(*words)
    assert ran.code == 0, ran.err
    assert reads == {journal.name: 2, "analyses": 1}


@pytest.mark.parametrize("job", ["ablate", "review", "bench"])
def test_a_run_with_nothing_left_to_ask_reports_from_one_reading(
    assay: Program, reads: Counter[str], job: str
):
    """The report that is written again needs one reading and one analysis too."""
    words, name = RUNS[job]
    assert assay(*words).code == 0
    reads.clear()
    assert assay(*words).code == 0
    assert reads == {Path(name).name: 2, "analyses": 1}


def test_results_without_a_report_are_read_but_not_analysed_again(
    assay: Program, reads: Counter[str]
):
    """The results file of a finished quality run needs its rows, and no statistics."""
    words, name = RUNS["quality"]
    assert assay(*words).code == 0
    reads.clear()
    assert assay(*words).code == 0
    assert reads == {name: 2}


def test_a_benchmark_printed_as_json_is_read_once(assay: Program, reads: Counter[str]):
    """``--json`` prints results that were read for the summary."""
    words, name = RUNS["bench"]
    run_half(assay, words, name)
    reads.clear()
    assert assay(*words, "--json").code == 0
    assert reads == {Path(name).name: 2, "analyses": 1}


def test_commands_that_read_results_read_each_file_once(assay: Program, reads: Counter[str]):
    """Reports, comparisons, new scores, maps and lists each read a journal once."""
    words, name = RUNS["ablate"]
    assert assay(*words).code == 0
    assert assay(*RUNS["depth"][0]).code == 0
    base = Path(name)
    worse = base.with_name("worse.jsonl")
    text = base.read_text(encoding="utf-8").replace('"gold_coverage":1.0', '"gold_coverage":0.0')
    worse.write_text(text, encoding="utf-8")
    shutil.copy(base.with_suffix(".json"), worse.with_suffix(".json"))

    reads.clear()
    assert assay("report", "hyde", "--changes", "0").code == 0
    assert reads == {"hyde.jsonl": 1, "analyses": 1}

    reads.clear()
    assert assay("report", "hyde", "--format", "csv").code == 0
    assert reads == {"hyde.jsonl": 1, "analyses": 1}

    reads.clear()
    compared = assay(
        "compare", "--base", base, "--cand", worse, "--variant", "hyde_on", "--changes", "1"
    )
    assert compared.code == 1, compared.err
    assert "hired as a deckhand" in compared.out  # the question was looked up in its block
    assert reads == {"hyde.jsonl": 1, "worse.jsonl": 1}

    reads.clear()
    assert assay("score", "hyde").code == 0
    assert reads == {"hyde.jsonl": 1, "hyde.rescored.jsonl": 1, "analyses": 1}

    reads.clear()
    assert assay("heatmap", "sample.jsonl", "--out", "map.svg").code == 0
    assert reads == {"sample.jsonl": 1}

    reads.clear()
    assert assay("report", "sample.jsonl", "--format", "html").code == 0
    exported = reads["sample.jsonl"]
    reads.clear()
    assert assay("heatmap", "sample.jsonl").code == 0
    assert reads == {"sample.jsonl": exported + 1, "analyses": 1}  # its run is in the file

    run_half(assay, words, name)
    base.with_suffix(".json").unlink()
    reads.clear()
    assert assay("list").code == 0
    assert reads == {"hyde.jsonl": 1}  # the others have ended, and their summaries say all
