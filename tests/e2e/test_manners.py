"""Small manners of a run command that users notice when they are missing."""

import re
import shlex
import signal
import subprocess
import time
from typing import Any


def test_the_printed_command_finds_the_folder_that_was_made(assay: Any):
    """Without a folder one is made; the resume line names it, and running it finishes."""
    process = assay.start("demo", "--latency=0.2", "--questions=20", "--log-lines")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    found = re.search(r"resume with: (.+)", err)
    assert found
    words = shlex.split(found[1])
    done = assay.run(*words[1:])
    assert done.returncode == 0, done.stderr
    assert "40 in" in done.stderr
    subprocess.run(["rm", "-r", words[-1]], check=True)


def test_a_reader_that_leaves_does_not_end_the_run(assay: Any):
    """``| head -1`` closes the pipe; the cases are asked and recorded all the same."""
    process = assay.start("demo", "results", "--questions=30", "--log-lines", "--latency=0.02")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    patience = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < patience:
        time.sleep(0.05)
    assert process.stderr is not None
    process.stderr.close()
    assert len({row["key"] for row in assay.rows()}) == 60


def test_a_ceiling_without_a_price_is_said(assay: Any):
    """A budget that cannot be held is not kept silent about."""
    done = assay.run("demo", "results", "--max-cost=1")
    assert "no price is known" in done.stderr


def test_the_reference_system_can_be_tried(assay: Any):
    """A workspace, then the demonstration's questions to the reference pipeline."""
    assert assay.run("init", "work").returncode == 0
    done = assay.run("demo", "r", "--root=work", "--system=reference", "--questions=3")
    assert done.returncode == 0, done.stderr
    rows = assay.rows("r/experiments/demo.jsonl")
    assert {row["config"] for row in rows} == {"as_it_comes"}
    assert all(row["stages"] for row in rows)
