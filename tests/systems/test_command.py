"""A program as the system under test: it is kept alive, restarted and always ended."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.config.system import CommandConfig
from assay.errors import CaseError, SystemFailed, SystemLoadError, TransientError
from assay.mask import mask_text
from assay.models.limit import Backoff
from assay.records import Question, RunHeader, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.read import read_fields
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.systems.command import CommandSystem
from tests.support.clock import pass_deadline, stop_time

HEAD = "import json, os, sys, time\nopen('pids', 'a').write(f'{os.getpid()}\\n')\n"
LOOP = "for line in sys.stdin:\n    case = json.loads(line)\n    "
ECHO = LOOP + "print(json.dumps({'answer': case['question'], 'extra': case}), flush=True)\n"


class Program:
    """A program in its own folder that records the ids of its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def system(self, source: str, **config: Any) -> CommandSystem:
        """A system that runs ``source``."""
        path = self.folder / "program.py"
        path.write_text(HEAD.replace("'pids'", repr(str(self.folder / "pids"))) + source)
        return CommandSystem(
            CommandConfig(command=[sys.executable, str(path)], **config), name="shop"
        )

    def processes(self) -> list[int]:
        """The ids of the processes started so far."""
        path = self.folder / "pids"
        return [int(line) for line in path.read_text().splitlines()] if path.exists() else []

    def no_process_is_left(self) -> bool:
        """Whether every process has ended; waits up to a minute."""
        deadline = time.monotonic() + 60
        while any(_is_running(pid) for pid in self.processes()):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def end(self) -> None:
        """End all processes that are still running."""
        for pid in self.processes():
            if _is_running(pid):
                os.kill(pid, 9)


def _is_running(pid: int) -> bool:
    with suppress(ChildProcessError):  # reap a process that ended but was not waited for
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(name="program")
def _program(tmp_path: Path) -> Any:
    program = Program(tmp_path)
    yield program
    program.end()


def with_system(system: CommandSystem, scenario: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a scenario, then close the system."""

    async def run_and_close() -> Any:
        try:
            return await scenario()
        finally:
            await system.close()

    return asyncio.run(run_and_close())


def ask_all(system: CommandSystem, *texts: str) -> list[str]:
    """The answers to these questions, asked one after the other."""

    async def scenario() -> list[str]:
        return [
            (await system.ask(Question(id=text, text=text), {"mode": "deep"}, 3)).text
            for text in texts
        ]

    return with_system(system, scenario)


def run(system: CommandSystem, journal: Path, count: int, **settings: Any) -> RunResult:
    """Run ``count`` cases into a journal."""
    plan = product_plan(
        questions=[Question(id=f"q{n}", text=f"text {n}") for n in range(count)],
        variants=[Variant(name="v")],
        placements=[top_k_placement(3)],
        system="s",
    )
    header = RunHeader(job="j", name="a", system="s", variants=plan.variants, total=plan.total)
    return run_plan(
        plan,
        SystemHandler(system),
        header,
        journal,
        settings=RunSettings(**settings),
        backoff=Backoff(base_s=0.0),
    )


def rows(journal: Path) -> list[dict[str, Any]]:
    """All rows of a journal."""
    return [row for block in read_fields(journal) for row in block]


def test_one_process_answers_many_cases(program: Program):
    """The program is started once, kept alive, and ends when the system is closed."""
    texts = [f"第 {number} 条" for number in range(30)]
    assert ask_all(program.system(ECHO), *texts) == texts
    assert len(program.processes()) == 1
    assert program.no_process_is_left()


def test_the_program_gets_question_id_settings_and_top_k(program: Program):
    """The program gets one JSON object on one line."""
    system = program.system(ECHO)

    async def scenario() -> Any:
        return await system.ask(Question(id="q1", text="two\nlines"), {"mode": "deep"}, 3)

    assert with_system(system, scenario).extra == {
        "request_id": 1,
        "question": "two\nlines",
        "question_id": "q1",
        "settings": {"mode": "deep"},
        "top_k": 3,
    }


def test_a_line_of_any_length_is_read(program: Program):
    """A line may be much longer than the default limit of asyncio."""
    source = LOOP + "print(json.dumps({'answer': 'x' * 300_000}), flush=True)\n"
    assert ask_all(program.system(source), "a") == ["x" * 300_000]


def test_a_program_that_ends_is_started_again(program: Program):
    """After a crash the case is tried again with a new process; no case is lost."""
    source = LOOP + (
        "if case['question_id'] == 'q2' and not os.path.exists(__file__ + '.crashed'):\n"
        "        open(__file__ + '.crashed', 'w').close()\n"
        "        os._exit(3)\n"
        "    print(json.dumps({'answer': 'fine'}), flush=True)\n"
    )
    journal = program.folder / "a.jsonl"
    result = run(program.system(source), journal, 6, concurrency=1)
    assert (result.tally.scored, result.tally.failed) == (6, 0)
    assert len(program.processes()) == 2
    assert program.no_process_is_left()


def test_a_program_for_one_case_is_started_for_each(program: Program):
    """A program that exits after one answer still works."""
    source = (
        "case = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'answer': case['question']}), flush=True)\n"
    )
    journal = program.folder / "a.jsonl"
    result = run(program.system(source), journal, 4, concurrency=1)
    assert result.tally.scored == 4
    assert program.no_process_is_left()


def test_a_crash_shows_the_code_and_the_last_error_line(program: Program):
    """The message has the exit code and the last line of standard error."""
    source = (
        LOOP
        + "sys.stderr.write('loading\\nout of memory: 第3条\\n'); sys.stderr.flush(); os._exit(7)\n"
    )
    with pytest.raises(TransientError) as caught:
        ask_all(program.system(source), "a")
    assert "the program ended with code 7; its last error line: out of memory: 第3条" in str(
        caught.value
    )
    assert program.no_process_is_left()


def test_garbage_on_standard_output_fails_the_case(program: Program):
    """The message shows what was printed and says to log to standard error."""
    source = LOOP + (
        "print('Loading model...' if case['question'] == 'a' else "
        "json.dumps({'answer': 'fine'}), flush=True)\n"
    )
    system = program.system(source)

    async def scenario() -> str:
        with pytest.raises(SystemFailed) as caught:
            await system.ask(Question(id="a", text="a"), {}, 3)
        assert "not JSON: 'Loading model...'" in str(caught.value)
        assert "standard error" in str(caught.value)
        return (await system.ask(Question(id="b", text="b"), {}, 3)).text

    assert with_system(system, scenario) == "fine"
    assert len(program.processes()) == 2
    assert program.no_process_is_left()


@pytest.mark.parametrize("reply", ["{}", "[1]", "null", '{"answer": 5}'])
def test_a_reply_without_an_answer_fails_the_case(program: Program, reply: str):
    """JSON without an answer fails the case."""
    source = LOOP + f"print({reply!r}, flush=True)\n"
    with pytest.raises(SystemFailed):
        ask_all(program.system(source), "a")
    assert program.no_process_is_left()


def test_an_error_that_the_program_reports_fails_the_case_and_keeps_the_program(
    program: Program,
):
    """``{"error": …}`` fails the case, and the program goes on with the next one."""
    source = LOOP + (
        "print(json.dumps({'error': 'no index'} if case['question'] == 'a' else "
        "{'answer': 'fine'}), flush=True)\n"
    )
    system = program.system(source)

    async def scenario() -> str:
        with pytest.raises(SystemFailed, match="the program reports an error: no index"):
            await system.ask(Question(id="a", text="a"), {}, 3)
        return (await system.ask(Question(id="b", text="b"), {}, 3)).text

    assert with_system(system, scenario) == "fine"
    assert len(program.processes()) == 1


HANGING = (
    LOOP
    + "time.sleep(600 if case['question_id'] == 'q{hangs}' else 0)\n"
    + ("    print(json.dumps({{'answer': 'fine'}}), flush=True)\n")
)


@pytest.mark.parametrize(
    ("hangs", "chatty"), [(1, True), (3, False)], ids=["chatty, in the middle", "silent, last"]
)
def test_a_program_that_hangs_is_killed_at_the_deadline(
    program: Program, hangs: int, *, chatty: bool, monkeypatch: pytest.MonkeyPatch
):
    """The case times out, the others are answered, and no process keeps running."""
    stop_time(monkeypatch)
    ask = CommandSystem.ask

    async def ask_in_vain(system: CommandSystem, question: Question, *rest: Any) -> Any:
        if question.id == f"q{hangs}":
            pass_deadline()
        return await ask(system, question, *rest)

    monkeypatch.setattr(CommandSystem, "ask", ask_in_vain)
    log_line = "sys.stderr.write('ready\\n'); sys.stderr.flush()\n" if chatty else ""
    source = log_line + HANGING.format(hangs=hangs)
    journal = program.folder / "a.jsonl"
    result = run(program.system(source), journal, 4, concurrency=1, timeout_s=1.0)
    assert (result.tally.scored, result.tally.failed) == (3, 1)
    failed = [row for row in rows(journal) if row["status"] == "failed"]
    assert [row["error_kind"] for row in failed] == ["timeout"]
    assert failed[0]["question_id"] == f"q{hangs}"
    assert program.no_process_is_left()


def test_a_program_that_ignores_the_end_of_its_input_is_killed(
    program: Program, monkeypatch: pytest.MonkeyPatch
):
    """Closing kills a program that does not exit when its input ends."""
    monkeypatch.setattr("assay.systems.program._GRACE_S", 0.3)
    source = (
        "line = sys.stdin.readline()\n"
        "print(json.dumps({'answer': 'fine'}), flush=True)\ntime.sleep(600)\n"
    )
    assert ask_all(program.system(source), "a") == ["fine"]
    assert program.no_process_is_left()


def test_several_processes_work_side_by_side(program: Program):
    """Cases run at the same time in ``processes`` processes, which all end at the end."""
    source = LOOP + "time.sleep(0.3); print(json.dumps({'answer': 'fine'}), flush=True)\n"
    system = program.system(source, processes=3)
    assert system.max_concurrency == 3
    result = run(system, program.folder / "a.jsonl", 9, concurrency=8)
    assert result.tally.scored == 9
    assert len(program.processes()) == 3
    assert program.no_process_is_left()


def test_a_program_that_is_not_there_is_reported_before_the_first_call():
    """The message names the system and the program."""
    with pytest.raises(SystemLoadError, match="shop: there is no program 'no-such-program'"):
        CommandSystem(CommandConfig(command=["no-such-program"]), name="shop")


def test_variables_are_given_to_the_program(program: Program, monkeypatch: pytest.MonkeyPatch):
    """``env`` is filled from the environment and is not part of the identity."""
    monkeypatch.setenv("SHOP_KEY", "sk-command-0123456789")
    source = LOOP + "print(json.dumps({'answer': os.environ['TOKEN']}), flush=True)\n"
    system = program.system(source, env={"TOKEN": "Bearer ${SHOP_KEY}"})
    assert "sk-command" not in system.identity
    assert ask_all(system, "a") == ["Bearer sk-command-0123456789"]


def test_the_identity_changes_with_command_and_version():
    """Another program, other arguments or another version change the identity."""
    names = [
        CommandSystem(CommandConfig(command=command, version=version)).identity
        for command, version in [
            (["sh", "a"], ""),
            (["sh", "b"], ""),
            (["sh", "a"], "2"),
            (["cat", "a"], ""),
        ]
    ]
    assert len(set(names)) == 4


@pytest.mark.parametrize(
    "ending",
    [
        "sys.exit(f'bad key {os.environ[\"TOKEN\"]}')",
        "print(json.dumps({'error': 'bad key ' + os.environ['TOKEN']}), flush=True)",
        "print('bad key ' + os.environ['TOKEN'], flush=True)",
    ],
    ids=["exit", "error", "garbage"],
)
def test_a_key_that_the_program_repeats_is_not_shown(
    program: Program, monkeypatch: pytest.MonkeyPatch, ending: str
):
    """The program's messages become part of a row, but a key in them is hidden."""
    monkeypatch.setenv("SHOP_KEY", "sk-command-0123456789")
    system = program.system(LOOP + ending + "\n", env={"TOKEN": "${SHOP_KEY}"})
    with pytest.raises(CaseError, match=r"bad key \*\*\*") as caught:
        ask_all(system, "a")
    assert "sk-command" not in str(caught.value)


@pytest.mark.parametrize("name", ["SHOP_TOKEN", "MODE"])
def test_a_value_that_the_configuration_has_is_not_shown(program: Program, name: str):
    """All of ``env`` is secret: also what is written there itself, under any name."""
    source = LOOP + f"sys.exit('bad mode ' + os.environ[{name!r}])\n"
    system = program.system(source, env={name: "blue-heron-7731-x"})
    assert "heron" not in system.identity
    with pytest.raises(CaseError, match=r"bad mode \*\*\*") as caught:
        ask_all(system, "a")
    assert "heron" not in str(caught.value)
    assert "heron" not in mask_text("it answered: blue-heron-7731-x")


def test_an_ordinary_word_in_env_stays_in_answers(program: Program):
    """It is hidden in errors only: an answer with this word must not change."""
    program.system(ECHO, env={"MODE": "production"})
    assert mask_text("in production") == "in production"


def test_a_chatty_program_may_end_in_its_own_time(program: Program):
    """A program that wrote to standard error gets the same time to exit as a silent one."""
    source = (
        "sys.stderr.write('ready\\n'); sys.stderr.flush()\n"
        + ECHO
        + "time.sleep(0.3)\nopen(__file__ + '.clean', 'w').close()\n"
    )
    assert ask_all(program.system(source), "a") == ["a"]
    assert (program.folder / "program.py.clean").exists()
