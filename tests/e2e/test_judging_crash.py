"""Crashes between answering and judging: no answer is lost, and nothing is asked twice."""

import collections
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

CASES = 24
KILLS = 8
CONCURRENCY = 4

PROGRAM = """
import asyncio, os, random, sys
from pathlib import Path
from assay.config.experiment import RunSettings
from assay.records import Answer, Question, RunHeader, Usage, Variant
from assay.runs.handler import SystemHandler; from assay.runs.plan import product_plan, top_k_placement; from assay.runs.run import run_plan

def note(name, text):
    log = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(log, (text + "\\n").encode())
    os.close(log)

class Clerk:
    identity = "clerk"
    settings = None
    max_concurrency = None

    async def ask(self, question, settings, top_k):
        note("asked.log", question.id)
        return Answer(text=f"answer to {question.id}", usage=Usage(calls=1, cost=1.0, paid=1.0))

    async def close(self):
        pass

class JudgedHandler(SystemHandler):
    judge_identity = "slow judge"

    async def judge(self, case, answer):
        note("judged.log", case.question.id)
        await asyncio.sleep(random.uniform(0.0, 0.4))
        return {"right": answer.text == f"answer to {case.question.id}"}

    def score(self, case, answer, verdict):
        return {"right": verdict["right"]}

questions = [Question(id=f"q{number}", text="why?") for number in range(int(sys.argv[1]))]
plan = product_plan(
    questions=questions,
    variants=[Variant(name="plain")],
    placements=[top_k_placement(10)],
    system="clerk",
)
header = RunHeader(
    job="run", name="lab", system="clerk", variants=plan.variants, total=plan.total
)
settings = RunSettings(concurrency=int(sys.argv[2]), timeout_s=60)
result = run_plan(plan, JudgedHandler(Clerk()), header, Path("lab.jsonl"), settings=settings)
print(result.tally.scored, result.tally.answered, result.asked, result.paid)
"""


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _rows(path: Path) -> list[dict[str, Any]]:
    """The complete rows of a journal that may be growing."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


@pytest.mark.slow
def test_kills_between_answering_and_judging_ask_nothing_twice(tmp_path: Path):
    """A run that is killed while answers are judged asks no case twice, and judges every answer."""
    program = [sys.executable, "-c", PROGRAM, str(CASES), str(CONCURRENCY)]
    journal, asked = tmp_path / "lab.jsonl", tmp_path / "asked.log"
    moments = random.Random(20261116)
    kills = 0
    while kills < KILLS:
        process = subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        judged_before = len(_lines(tmp_path / "judged.log"))
        patience = time.monotonic() + 60
        while True:
            assert time.monotonic() < patience, "the run does not reach its judge"
            rows = {row["key"]: row["status"] for row in _rows(journal)}
            is_judging = len(_lines(tmp_path / "judged.log")) > judged_before
            # every answer is in the journal, and at least one waits for its verdict
            if (
                is_judging
                and len(rows) == len(_lines(asked))
                and "answered" in rows.values()
                and moments.random() < 0.5
            ):
                break
            if process.poll() is not None:
                break
            time.sleep(0.002)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    assert kills == KILLS
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True)
    scored, answered, _, paid = done.stdout.split()
    assert (int(scored), int(answered), float(paid)) == (CASES, 0, float(CASES))
    calls = collections.Counter(_lines(asked))
    assert calls == {f"q{number}": 1 for number in range(CASES)}
    last = {row["key"]: row for row in _rows(journal)}
    assert all(row["scores"] == {"right": True} for row in last.values())
    verdicts = [json.loads(line)["key"] for line in _lines(tmp_path / "lab.verdicts.jsonl")]
    assert sorted(verdicts) == sorted(last)
