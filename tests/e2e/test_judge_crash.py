"""``assay judge`` is killed again and again: nothing is asked twice beyond the calls in flight."""

import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from assay.runs.write import verdicts_path
from tests.support.judged import serve, verdict_of, write_workspace

QUESTIONS = 30
KILLS = 3
CONCURRENCY = 4
BETWEEN = 12
"""How many replies the server gives before the next kill."""


def test_killed_judging_asks_nothing_twice(tmp_path: Path):
    """After every kill the command goes on; each verdict is stored once, and no row changes."""
    asked: Counter[str] = Counter()
    enough = threading.Semaphore(0)
    lock = threading.Lock()

    def respond(body: dict[str, Any]) -> str:
        with lock:
            asked[body["messages"][1]["content"]] += 1
            if sum(asked.values()) % BETWEEN == 0:
                enough.release()
        return verdict_of(body)

    with serve(respond, latency_s=0.02) as server:
        journal = write_workspace(tmp_path, server.base_url, questions=QUESTIONS)
        before = journal.read_bytes()
        command = [
            sys.executable, "-m", "assay", "judge", "trial", "--judge", "correct",
            "--concurrency", str(CONCURRENCY), "--root", str(tmp_path),
        ]  # fmt: skip
        for _ in range(KILLS):
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
                assert enough.acquire(timeout=60)
                process.kill()
        ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert f"{2 * QUESTIONS} of {2 * QUESTIONS} judged" in ended.stdout
    distinct = len(asked)
    assert sum(asked.values()) <= distinct + KILLS * CONCURRENCY
    lines = verdicts_path(journal).read_bytes().splitlines()
    keys = [json.loads(line)["key"] for line in lines]
    assert len(keys) == len(set(keys)) == 2 * QUESTIONS
    assert journal.read_bytes() == before
