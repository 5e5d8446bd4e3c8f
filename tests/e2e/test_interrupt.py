"""Ctrl+C in a real terminal, SIGTERM, and systems that never answer."""

import re
import signal
import subprocess
import time
from typing import Any

import pexpect

from tests.e2e.conftest import first_line

RUN = ("ablate", "-e", "berths", "--no-report")
HANGING = """
import {module}

{declaration} ask(question):
    while "berth 50 " in question:
        try:
            {wait}
        except BaseException:
            pass  # not even a cancellation ends it
    return "57 crowns"
"""
HANGS_IN_THE_LOOP = HANGING.format(
    module="asyncio", declaration="async def", wait="await asyncio.sleep(3600)"
)
HANGS_IN_A_THREAD = HANGING.format(module="time", declaration="def", wait="time.sleep(3600)")
BLOCKS_THE_LOOP = """
import pathlib, time

async def ask(question):
    pathlib.Path("asked").touch()
    time.sleep(3600)
"""


def _terminal(assay: Any, *arguments: str) -> pexpect.spawn:
    return pexpect.spawn(
        assay.program,
        list(arguments),
        cwd=str(assay.folder),
        env=assay.environment,
        dimensions=(24, 120),
        encoding="utf-8",
        timeout=60,
    )


def test_ctrl_c_prints_the_command_that_finishes_the_work(assay: Any):
    """Ctrl+C gives exit code 130 and a command that asks only the remaining cases."""
    assay.write_harbour(questions=150, latency_s=0.05)
    child = _terminal(assay, *RUN)
    child.expect(r"\d+/300")  # the live bar
    child.expect(r"/s .* ETA ")
    child.sendintr()
    child.expect(r"stopped: interrupted")
    child.expect(r"resume with: ([^\r\n]+)")
    command = child.match.group(1)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    done_first = len(assay.rows())
    assert 0 < done_first < 300
    resumed = subprocess.run(
        command,
        shell=True,
        cwd=assay.folder,
        env=assay.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert resumed.returncode == 0, resumed.stderr
    assert len({row["key"] for row in assay.rows()}) == len(assay.rows()) == 300
    assert f"[ablation] {done_first + 1}/300 " in resumed.stdout


def test_a_second_ctrl_c_leaves_at_once_even_from_a_blocked_loop(assay: Any):
    """A second Ctrl+C ends the process even if a system blocks the event loop."""
    assay.write_harbour(system=assay.write_system("blocking", BLOCKS_THE_LOOP))
    child = _terminal(assay, *RUN)
    patience = time.monotonic() + 60
    while not (assay.folder / "asked").exists():  # the loop is blocked from now on
        assert time.monotonic() < patience
        time.sleep(0.01)
    # two signals that arrive together count as one, so press until the program has ended
    for _ in range(300):
        child.sendintr()
        if child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=0.2) == 0:
            break
    child.close()
    assert child.exitstatus == 130


def test_sigterm_ends_like_ctrl_c(assay: Any):
    """After SIGTERM the run can be resumed."""
    assay.write_harbour(questions=200, latency_s=0.1)
    process = assay.start("ablate", "-e", "berths", "--log-lines")
    first_line(process)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143
    assert "resume with: assay ablate -e berths --log-lines\n" in err
    assert re.search(r"\d+ not asked", err)
    assert not (assay.folder / "experiments/berths.md").exists()  # who leaves is not kept waiting


def _check_hang(assay: Any, source: str) -> None:
    assay.write_harbour(questions=100, system=assay.write_system("hanging", source))
    ended = assay.run(*RUN, "--timeout=3")
    assert ended.returncode == 1
    assert "198 scored, 2 failed" in ended.stderr
    failed = [row for row in assay.rows() if row["status"] == "failed"]
    assert [row["question_id"] for row in failed] == ["berth-050", "berth-050"]
    for row in failed:
        assert row["error_kind"] == "timeout"
        assert "answer" not in row
        assert "scores" not in row


def test_a_coroutine_that_never_answers_delays_nobody(assay: Any):
    """A case that hangs and ignores its cancellation fails by timeout; the others are scored."""
    _check_hang(assay, HANGS_IN_THE_LOOP)


def test_a_blocking_call_that_never_answers_ends_with_its_process(assay: Any):
    """In a process of its own, a case that hangs fails by timeout, and the others are scored."""
    assay.write_system("hanging", HANGS_IN_A_THREAD)
    assay.write_harbour(questions=100, system="apart")
    with (assay.folder / "experiments" / "experiments.yaml").open("a") as file:
        file.write("\nsystems:\n  apart: {kind: python, target: 'hanging:ask', isolate: process}\n")
    ended = assay.run(*RUN, "--timeout=4")
    assert ended.returncode == 1, ended.stderr
    assert "198 scored, 2 failed" in ended.stderr
    failed = [row for row in assay.rows() if row["status"] == "failed"]
    assert [row["question_id"] for row in failed] == ["berth-050", "berth-050"]
    assert {row["error_kind"] for row in failed} == {"timeout"}
