"""A program that prints too much, hangs, or starts other programs can do no harm."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from assay.errors import CaseError, SystemFailed, TransientError
from assay.systems import program as program_module
from assay.systems.program import Program, start_program

LOOP = "import json, os, sys, time\nfor line in sys.stdin:\n    case = json.loads(line)\n"
ANSWER = "    print(json.dumps({'answer': case['q']}), flush=True)\n"
REPEATED = (
    "    print(json.dumps({'answer': case['q'], 'request_id': case['request_id']}), flush=True)\n"
)


def with_program(source: str, scenario: Callable[[Program], Coroutine[Any, Any, Any]]) -> Any:
    """Start a Python program with this source, run the scenario, and end the program."""

    async def run() -> Any:
        program = await start_program([sys.executable, "-c", source], os.environ)
        try:
            return await scenario(program)
        finally:
            await program.end()

    return asyncio.run(run())


async def answers(program: Program, *questions: str) -> list[str]:
    """The answers to the questions, asked one after the other."""
    return [(await program.exchange({"q": question}))["answer"] for question in questions]


def ends(pid: int) -> bool:
    """Whether a process ends; waits up to a minute for it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("extra", ["{'answer': 'extra'}", "{'log': 1}"])
def test_a_second_line_fails_its_own_case(extra: str):
    """No later question can get the extra line as its answer."""
    source = LOOP + ANSWER + f"    print(json.dumps({extra}), flush=True)\n"
    with pytest.raises(SystemFailed, match="more than one line for a request"):
        with_program(source, lambda program: answers(program, "a", "b"))


def test_a_line_before_the_first_request_fails_the_case(tmp_path: Path):
    """A line that the program prints when it starts is no answer, even if it looks like one."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    source = (
        f"print('{{\"answer\": \"loading\"}}', flush=True); open({str(ready)!r}, 'w').close()\n"
        + LOOP
        + ANSWER
    )

    async def scenario(program: Program) -> Any:
        await asyncio.to_thread(ready.read_text)
        while not program._unasked:  # printed, but perhaps not read yet
            await asyncio.to_thread(time.sleep, 0.005)
        return await answers(program, "a")

    with pytest.raises(SystemFailed, match="loading"):
        with_program(source, scenario)


def test_a_reply_with_the_id_of_another_request_is_refused():
    """A program that repeats ids cannot give the answer to an earlier question."""
    source = LOOP + REPEATED.replace("case['request_id']", "1")
    with pytest.raises(SystemFailed, match="answered request 1 where 2 was asked"):
        with_program(source, lambda program: answers(program, "a", "b"))


@pytest.mark.parametrize("form", ["str", "float"])
def test_the_id_may_be_a_text_or_any_number(form: str):
    """Programs read it into their own types; another id in the same form is refused all the same."""
    source = LOOP + REPEATED.replace("case['request_id']", f"{form}(case['request_id'])")
    assert with_program(source, lambda program: answers(program, "a", "b")) == ["a", "b"]
    source = LOOP + REPEATED.replace("case['request_id']", f"{form}(1)")
    with pytest.raises(SystemFailed, match="where 2 was asked"):
        with_program(source, lambda program: answers(program, "a", "b"))


def test_a_program_that_repeats_ids_must_always_do_so():
    """A reply without an id after replies with ids is refused."""
    source = LOOP + (
        "    reply = {'answer': case['q']}\n"
        "    if case['q'] == 'a': reply['request_id'] = case['request_id']\n"
        "    print(json.dumps(reply), flush=True)\n"
    )
    with pytest.raises(SystemFailed, match="but not of this one"):
        with_program(source, lambda program: answers(program, "a", "b"))


def test_the_id_is_no_part_of_the_reply():
    """The reply is returned without the id, and empty lines are nothing."""
    source = LOOP + REPEATED + "    print(flush=True)\n"
    assert with_program(source, lambda program: answers(program, "a", "b", "c")) == ["a", "b", "c"]


def test_output_without_a_newline_is_bounded(monkeypatch: pytest.MonkeyPatch):
    """An endless line fails the case after the limit, and is not kept."""
    monkeypatch.setattr(program_module, "_GRACE_S", 0.2)
    monkeypatch.setattr(program_module, "MOST_REPLY_BYTES", 1 << 20)
    source = LOOP + "    while True: sys.stdout.write('x' * 65536)\n"
    with pytest.raises(SystemFailed, match="more than 1 MB without a newline"):
        with_program(source, lambda program: answers(program, "a"))


def test_two_hundred_megabytes_of_errors_are_read_and_forgotten():
    """A program that floods standard error without a newline still answers; memory stays flat."""
    flood = "    for _ in range(200): sys.stderr.write('x' * (1 << 20))\n    sys.stderr.flush()\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert with_program(LOOP + flood + ANSWER, lambda program: answers(program, "a")) == ["a"]
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kb < 50_000


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("'x ' * 300 + 'key sk-proj-' + 'a1b2c3' * 8", "line: x x x"),
        ("'sk-proj-' + 'a1b2c3' * 3000", "its last error line has more than 8 kB"),
        ("'early\\n' + 'key sk-proj-' + 'a1b2c3' * 8", "line: key ***"),
    ],
)
def test_nothing_is_left_of_a_secret_in_a_long_error_line(line: str, shown: str):
    """The last line of standard error is searched before it is cut."""
    source = f"import sys\nsys.stdin.readline()\nsys.stderr.write({line})\nsys.exit(3)\n"
    with pytest.raises(TransientError) as failed:
        with_program(source, lambda program: answers(program, "a"))
    assert shown in str(failed.value)
    assert "a1b2c3" not in str(failed.value)
    assert len(str(failed.value)) < 600


def test_output_that_is_no_json_is_shown_without_secrets():
    """It is searched before it is cut."""
    source = LOOP + "    print('x' * 60, 'key sk-proj-' + 'a1b2c3' * 8, flush=True)\n"
    with pytest.raises(SystemFailed, match="not JSON: 'xxx") as failed:
        with_program(source, lambda program: answers(program, "a"))
    assert "sk-pro" not in str(failed.value)


def test_nesting_that_cannot_be_read_is_a_failed_case():
    """A reply of 100,000 brackets is an error of the case and not of assay."""
    source = LOOP + "    print('[' * 100_000, flush=True)\n"
    with pytest.raises(SystemFailed, match="not JSON"):
        with_program(source, lambda program: answers(program, "a"))


CHILDREN = (
    "import subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_the_program_started_ends_with_it():
    """The child of a program that ends well is killed with the group."""
    source = CHILDREN + LOOP + "    print(json.dumps({'answer': str(child.pid)}), flush=True)\n"
    (child,) = with_program(source, lambda program: answers(program, "a"))
    assert ends(int(child))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_a_crashed_program_started_ends_too():
    """A program that dies while its child holds the pipes is noticed, and the child is ended."""
    source = CHILDREN + LOOP + "    sys.exit(f'child {child.pid}')\n"
    started: list[int] = []

    async def scenario(program: Program) -> None:
        with pytest.raises(TransientError) as caught:
            await answers(program, "a")
        started.append(int(str(caught.value).split()[-1]))

    with_program(source, scenario)
    assert ends(started[0])


KILLED = """
    import asyncio, os, sys
    from assay.systems.program import start_program

    async def main():
        program = await start_program([sys.executable, "-c", sys.argv[1]], os.environ)
        reply = await program.exchange({"q": "a"})
        print(reply["answer"], flush=True)
        await asyncio.sleep(600)

    asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the signal")
def test_programs_end_when_assay_is_killed():
    """After SIGKILL, the program and its own child are gone, although both only sleep."""
    source = (
        CHILDREN
        + LOOP
        + "    print(json.dumps({'answer': f'{os.getpid()} {child.pid}'}), flush=True)\n"
        + "    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", textwrap.dedent(KILLED), source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pids = [int(word) for word in owner.stdout.readline().split()]
        owner.kill()
    try:
        assert len(pids) == 2
        assert all(ends(pid) for pid in pids)
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("source", "code"), [("import sys; sys.exit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9)]
)
def test_the_exit_code_is_that_of_the_program(source: str, code: int):
    """The message has the program's own code, also for a signal."""
    with pytest.raises(CaseError, match=f"ended with code {code}"):
        with_program(source, lambda program: answers(program, "a"))
