"""Small details of run commands that matter to users."""

import re
import shlex
import signal
import time
from pathlib import Path
from typing import Any

from tests.e2e.conftest import first_line


def test_the_printed_command_finds_the_folder_that_was_made(assay: Any):
    """The resume line of ``assay demo`` names the folder that it created."""
    assay.environment["TMPDIR"] = str(assay.folder)
    process = assay.start("demo", "--questions=90", "--log-lines")
    first_line(process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    found = re.search(r"resume with: (.+)", err)
    assert found, err
    words = shlex.split(found[1])
    journal = Path(words[-1], "experiments/mrl_dimension.jsonl")
    early = journal.read_bytes()
    assert early
    assert process.returncode == 130
    goes_on = assay.start(*words[1:])
    first_line(goes_on)
    goes_on.send_signal(signal.SIGKILL)
    goes_on.communicate()
    assert journal.read_bytes().startswith(early)


def test_a_reader_that_leaves_does_not_end_the_run(assay: Any):
    """If the output pipe is closed (``| head -1``), all cases are still recorded."""
    assay.write_harbour(questions=30, latency_s=0.02)
    process = assay.start("ablate", "-e", "berths", "--no-report", "--log-lines")
    first_line(process)
    process.stdout.close()
    patience = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < patience:
        time.sleep(0.05)
    assert process.stderr is not None
    process.stderr.close()
    assert len({row["key"] for row in assay.rows()}) == 60


def test_a_ceiling_without_a_price_is_said(assay: Any):
    """If no price is known, a note says that ``--max-cost`` had no effect."""
    assay.write_harbour(questions=2)
    done = assay.run("ablate", "-e", "berths", "--no-report", "--max-cost=1")
    assert "no price is known" in done.stderr


def test_the_reference_system_can_be_tried(assay: Any):
    """A run on a workspace works from a folder outside it."""
    assert assay.run("init", "work").returncode == 0
    done = assay.run("ablate", "-e", "hyde", "--root=work", "--limit=3", "--no-report")
    assert done.returncode == 0, done.stderr
    rows = assay.rows("work/experiments/hyde.jsonl")
    assert {row["config"] for row in rows} == {"hyde_on", "hyde_off"}
    assert len(rows) == 6
    assert all(row["stages"] and row["evaluation"] for row in rows)
