"""Crashes and write errors: no row is lost, and the next run resumes."""

import collections
import json
import os
import random
import resource
import signal
import time
from pathlib import Path
from typing import Any

import pytest

COUNTING = """
import asyncio, os
from assay.records import Answer, Passage

async def ask(question, settings):
    log = os.open("calls.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(log, (question + "\\n").encode())
    os.close(log)
    await asyncio.sleep(0.02)
    number = int(question.split()[3])
    found = number if settings["lookup"] or number % 3 else 0
    passages = (Passage(id="hours"), Passage(id=f"fee-{found}"))
    # a fixed latency, as of a recorded call, which does not depend on the machine
    return Answer(text="57 crowns [2].", passages=passages, latency_s=number / 1000)
"""
RUN = ("ablate", "-e", "berths", "--no-report")
JOURNAL = "experiments/berths.jsonl"
KILLS = 8
CONCURRENCY = 8
QUESTIONS = 200


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _untimed(path: Path) -> dict[str, Any]:
    """A summary without its times."""
    summary: dict[str, Any] = json.loads(path.read_text())
    for name in ("started_at", "completed_at", "elapsed_s", "stretches"):
        assert summary.pop(name)
    return summary


@pytest.mark.slow
def test_kills_lose_nothing_and_repeat_only_what_was_in_flight(assay: Any):
    """After SIGKILLs each case has one outcome; only calls in flight are repeated.

    The summary is then that of a run which nobody disturbed, times aside.
    """
    system = assay.write_system("counting", COUNTING)
    assay.write_harbour(questions=QUESTIONS, system=system)
    command = (*RUN, f"--concurrency={CONCURRENCY}")
    journal = assay.folder / JOURNAL
    calls = assay.folder / "calls.log"
    moments = random.Random(20261115)
    repeatable = 0
    for _ in range(KILLS):
        rows_before, calls_before = _lines(journal), _lines(calls)
        process = assay.start(*command)
        patience = time.monotonic() + 30
        while _lines(calls) == calls_before and process.poll() is None:
            assert time.monotonic() < patience, "the run does not start"
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        in_flight = (_lines(calls) - calls_before) - (_lines(journal) - rows_before)
        assert 0 <= in_flight <= CONCURRENCY
        repeatable += in_flight
    done = assay.run(*command)
    assert done.returncode == 0, done.stderr
    rows = assay.rows()
    assert len(rows) == 2 * QUESTIONS
    assert len({row["key"] for row in rows}) == 2 * QUESTIONS
    assert {row["status"] for row in rows} == {"scored"}
    asked = collections.Counter(calls.read_text().splitlines())
    assert sum(asked.values()) == 2 * QUESTIONS + repeatable
    assert repeatable <= KILLS * CONCURRENCY
    whole = assay.run(*command, "--out=undisturbed", "--concurrency=64")
    assert whole.returncode == 0, whole.stderr
    resumed, undisturbed = (
        _untimed(folder / "berths.json")
        for folder in (assay.folder / "experiments", assay.folder / "undisturbed")
    )
    assert resumed["results"]["effects"]
    assert resumed == undisturbed


def _limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def test_a_full_disk_ends_clearly_and_resumes(assay: Any):
    """A failed write names its cause and leaves complete rows; the next run does the rest."""
    assay.write_harbour(questions=200)
    stopped = assay.run(*RUN, preexec_fn=_limit_file_size)
    assert stopped.returncode == 1
    assert "file-size limit" in stopped.stderr
    assert "resume with: assay ablate -e berths" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    assert (assay.folder / JOURNAL).stat().st_size <= 20_000
    early = assay.rows()
    assert early
    done = assay.run(*RUN)
    assert done.returncode == 0, done.stderr
    assert assay.rows()[: len(early)] == early
    assert len({row["key"] for row in assay.rows()}) == len(assay.rows()) == 400


def test_a_folder_that_cannot_be_written_is_said_before_any_call(assay: Any):
    """If results cannot be written, nothing is asked."""
    assay.write_harbour(system=assay.write_system("counting", COUNTING))
    locked = assay.folder / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    # the superuser writes anywhere, but not into /proc
    target = "/proc/none" if os.geteuid() == 0 else str(locked / "results")
    refused = assay.run(*RUN, f"--out={target}")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].startswith("assay: ")
    assert not (assay.folder / "calls.log").exists()


def test_a_second_process_on_one_journal_is_refused(assay: Any):
    """A second run on the same journal is refused with the name of the first process."""
    assay.write_harbour(questions=300, latency_s=0.2)
    first = assay.start(*RUN)
    try:
        journal = assay.folder / JOURNAL
        patience = time.monotonic() + 30
        while not _lines(journal):
            assert time.monotonic() < patience, "the run does not start"
            time.sleep(0.01)
        second = assay.run(*RUN)
        assert second.returncode == 2
        assert f"process {first.pid}" in second.stderr
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()


def test_an_edited_experiment_is_refused_before_any_call(assay: Any):
    """If the system changed, recorded answers are refused with what changed."""
    assay.write_harbour(questions=5, system=assay.write_system("counting", COUNTING))
    assert assay.run(*RUN).returncode == 0
    calls = _lines(assay.folder / "calls.log")
    assay.write_system("counting", COUNTING + "\n# edited\n")
    refused = assay.run(*RUN)
    assert refused.returncode == 2
    assert "the system is now python:counting:ask@" in refused.stderr
    assert "--resume fresh" in refused.stderr
    assert _lines(assay.folder / "calls.log") == calls
    assert assay.run(*RUN, "--resume=keep").returncode == 0
    assert _lines(assay.folder / "calls.log") == calls
    assert assay.run(*RUN, "--resume=fresh").returncode == 0
    assert _lines(assay.folder / "calls.log") == 2 * calls
    kept = list((assay.folder / "experiments").glob("berths.jsonl.*.old"))
    assert len(kept) == 1


def test_garbage_in_the_middle_is_refused_with_its_line(assay: Any):
    """A damaged journal is neither repaired nor overwritten."""
    assay.write_harbour(questions=5)
    assert assay.run(*RUN).returncode == 0
    journal = assay.folder / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], b'{"key": "x", oops\n', *lines[3:]])
    journal.write_bytes(damaged)
    refused = assay.run(*RUN)
    assert refused.returncode == 2
    assert "berths.jsonl:4: " in refused.stderr
    assert journal.read_bytes() == damaged
