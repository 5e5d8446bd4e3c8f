"""The depth job on the command line: the sample, resuming, and a model server."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import ModelServer

SLOW = """
import asyncio, os

async def ask(question, settings):
    log = os.open("calls.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(log, b"call\\n")
    os.close(log)
    await asyncio.sleep(0.02)
    return '{"answer": ["a"]}'
"""
CONCURRENCY = 4


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_the_sample_shows_edges_found_and_the_middle_lost(assay: Any, language: str):
    """The map of the sample shows exactly the window of the offline reader."""
    done = assay.run(
        "depth",
        "--sample",
        "--depth-mode",
        "uniform",
        "--lang",
        language,
        "--out",
        "sample.jsonl",
    )
    assert done.returncode == 0, done.stderr
    shown = assay.run("heatmap", "sample.jsonl", "--json")
    assert shown.returncode == 0, shown.stderr
    cells = json.loads(shown.stdout)["cells"]
    found = {(cell["context_length"], cell["depth_bin"]): cell["accuracy"] for cell in cells}
    depths = ("0%", "25%", "50%", "75%", "100%")
    assert [
        [found[length, depth] for depth in depths] for length in (4000, 8000, 16000, 32000)
    ] == [
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [1, 1, 0, 1, 1],
        [1, 0, 0, 0, 1],
    ]


def test_a_killed_run_goes_on_where_it_was(assay: Any):
    """After SIGKILL no row is lost, and only calls in flight are repeated."""
    system = assay.write_system("slow", SLOW)
    command = (
        "depth", "--sample", "--depth-mode", "uniform", "--context-lengths", "1000,2000",
        "--system", system,
        "--out", "d.jsonl", f"--concurrency={CONCURRENCY}",
    )  # fmt: skip
    journal, calls = assay.folder / "d.jsonl", assay.folder / "calls.log"
    process = assay.start(*command)
    patience = time.monotonic() + 60
    while _lines(journal) < 8 and process.poll() is None:
        assert time.monotonic() < patience, "the run does not start"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    early = journal.read_bytes()
    assert early.endswith(b"\n")
    done = assay.run(*command)
    assert done.returncode == 0, done.stderr
    assert journal.read_bytes().startswith(early)
    first, *rows = assay.rows("d.jsonl")
    assert "metadata" in first
    assert len({row["key"] for row in rows}) == len(rows) == 60
    assert _lines(calls) <= 60 + CONCURRENCY
    before = journal.read_bytes()
    again = assay.run(*command)
    assert again.returncode == 0
    assert "nothing was asked" in again.stderr
    assert journal.read_bytes() == before


def test_a_model_gets_context_and_question_and_every_command_reads_the_rows(assay: Any):
    """A run against a model server is scored, and list, report, score and compare work."""
    experiments = assay.folder / "experiments"
    experiments.mkdir()
    seen: list[str] = []

    def respond(body: Any) -> str:
        seen.append(body["messages"][-1]["content"])
        return '{"answer": ["a"]}'

    with ModelServer(respond=respond, models=["a/b"]) as server:
        (experiments / "experiments.yaml").write_text(
            f"models:\n  m:\n    model: a/b\n    base_url: {server.base_url}\n"
            "    api_key_env: null\n    parameters: {temperature: 0}\n",
            encoding="utf-8",
        )
        done = assay.run(
            "depth", "--sample", "--depth-mode", "uniform", "--model", "m",
            "--context-lengths", "1000,2000",
            "--per-cell", "2", "--closed-book", "--out", "experiments/m.jsonl",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, *rows = assay.rows("experiments/m.jsonl")
    assert first["metadata"]["model_name"] == "a/b"
    assert first["metadata"]["config"]["temperature"] == 0
    assert len(rows) == 20
    assert all("closed_book_correct" in row for row in rows)
    assert sum("<text-" in prompt for prompt in seen) == 20
    listed = assay.run("list")
    assert "m.closed" in listed.stdout
    assert "accuracy" in listed.stdout
    for words in (
        ("report", "m", "--charts", "none"),
        ("score", "m"),
        ("compare", "--base", "experiments/m.jsonl", "--cand", "experiments/m.rescored.jsonl"),
    ):
        ran = assay.run(*words)
        assert ran.returncode == 0, (words, ran.stdout, ran.stderr)
