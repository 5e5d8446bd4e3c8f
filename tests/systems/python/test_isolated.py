"""A Python callable in a process of its own."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.config.system import PythonConfig
from assay.errors import AccessRefused, CaseSkipped, SystemFailed, SystemLoadError, TransientError
from assay.records import Question
from assay.systems.load import SystemContext, load_system
from assay.systems.python.isolated import IsolatedPythonSystem
from tests.support.lab import Lab

BACKEND = """\
import os, sys, time
from pathlib import Path
from assay.errors import CaseSkipped
from assay.systems.protocol import Setting

VERSION = "7"
SETTINGS = {"mode": ("a", "b"), "size": Setting(kind=int, only_when={"mode": "a"})}
HERE = Path(__file__).parent
state = {"resets": 0}

class Wrapped(Exception):
    def __init__(self, *, status_code):  # cannot be pickled
        super().__init__("refused")
        self.status_code = status_code

def log(line):
    with (HERE / "log").open("a") as file:
        file.write(line + "\\n")

def prepare(sources, settings):
    log(f"prepare {sources} {settings}")

def reset():
    state["resets"] += 1

def close():
    log("close")

def ask(question, question_id, source, row, settings):
    match question:
        case "state": return f"{state['resets']} {source} {row} {settings}"
        case "pid": return str(os.getpid())
        case "hang":
            import subprocess
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            (HERE / "pids").write_text(f"{os.getpid()} {child.pid}")
            while True: time.sleep(600)
        case "die": os._exit(3)
        case "exit": sys.exit("enough")
        case "refused":
            try:
                raise Wrapped(status_code=401)
            except Wrapped as error:
                raise RuntimeError("the chain broke") from error
        case "skip": raise CaseSkipped("too long")
        case "wrapped skip":
            try:
                raise CaseSkipped("too long")
            except CaseSkipped as error:
                raise RuntimeError("the chain broke") from error
        case "object": return {"answer": "x", "evaluation": {"hit": object()}}
        case "measured": return {"answer": "x", "evaluation": {"hit": 1}, "dim": 64}
        case "print": print("from the backend"); return "printed"
    return question
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the backend, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab_backend.py").write_text(BACKEND, encoding="utf-8")
    return tmp_path


def with_system(
    story: Callable[[IsolatedPythonSystem], Any], name: str = "lab_backend", **options: Any
) -> Any:
    """Load the backend, tell the story, and close it."""

    async def whole() -> Any:
        system = IsolatedPythonSystem(f"{name}:ask", **options)
        try:
            return await story(system)
        finally:
            await system.close()

    return asyncio.run(whole())


def question(text: str) -> Question:
    """A question that says what the backend does."""
    return Question(id="q1", text=text, source="act.pdf")


async def ask(system: IsolatedPythonSystem, text: str, **settings: Any) -> str:
    """The text of the answer."""
    return (await system.ask(question(text), settings, 5)).text


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except FileNotFoundError:
        return False


def wait_for_end(pids: str) -> None:
    """Wait until the processes have ended; a signal takes a moment to arrive."""
    for pid in map(int, pids.split()):
        for _ in range(3000):
            if not is_running(pid):
                break
            time.sleep(0.01)
        assert not is_running(pid)


def wait_for_pids(path: Path) -> None:
    """Wait until the backend has written its process ids."""
    for _ in range(3000):
        if path.exists() and " " in path.read_text(encoding="utf-8"):
            return
        time.sleep(0.01)
    raise AssertionError("the backend was not asked")


def test_what_the_module_declares_is_known_without_importing_it(folder: Path):
    """Identity, settings with their dependence, and the signature come from the process."""

    async def story(system: IsolatedPythonSystem) -> None:
        assert system.identity == "python:lab_backend:ask@7"
        assert system.settings is not None
        assert system.settings["mode"].choices == ("a", "b")
        assert system.settings["size"].only_when == {"mode": "a"}
        assert (system.max_concurrency, system.takes_row, system.wants_sources) == (1, True, True)

    with_system(story)
    assert "lab_backend" not in sys.modules


def test_hooks_are_called_in_the_process(folder: Path):
    """``prepare`` with sources and settings, ``reset`` before each question, ``close`` at last."""

    async def story(system: IsolatedPythonSystem) -> None:
        system.expect_sources(["act.pdf"])
        await system.warm_up([{"mode": "a"}, {"mode": "b"}], 1)
        assert await ask(system, "state", mode="a") == "1 act.pdf {} {'mode': 'a'}"
        assert (await ask(system, "state", mode="b")).startswith("2 ")

    with_system(story)
    lines = (folder / "log").read_text(encoding="utf-8").splitlines()
    assert lines == [
        "prepare ['act.pdf'] {'mode': 'a'}",
        "prepare ['act.pdf'] {'mode': 'b'}",
        "close",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_call_past_its_deadline_ends_with_its_process_and_what_it_started(folder: Path):
    """The next question is asked in a new process, which is prepared first."""

    async def story(system: IsolatedPythonSystem) -> None:
        await system.warm_up([{}], 1)
        before = await ask(system, "pid")
        hanging = asyncio.create_task(system.ask(question("hang"), {}, 5))
        await asyncio.to_thread(wait_for_pids, folder / "pids")
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        assert await ask(system, "pid") != before
        assert (await ask(system, "state")).startswith("2 ")

    with_system(story)
    wait_for_end((folder / "pids").read_text(encoding="utf-8"))
    assert (folder / "log").read_text(encoding="utf-8").count("prepare") == 2


def test_a_run_goes_on_after_a_hang(folder: Path, tmp_path: Path):
    """The case fails by its deadline, all others are answered."""
    lab = Lab(tmp_path / "out")
    (tmp_path / "out").mkdir()
    system = IsolatedPythonSystem("lab_backend:ask")
    texts = ["one", "hang", "two"]
    plan = lab.plan_of([Question(id=f"q{n}", text=text) for n, text in enumerate(texts)], system)
    lab.run(system, plan=plan, settings=RunSettings(timeout_s=1.0))
    assert [row["status"] for row in lab.rows()] == ["scored", "failed", "scored"]


FAILURES = [
    ("die", TransientError, "ended with code 3"),
    ("exit", SystemFailed, "SystemExit: enough"),
    ("refused", AccessRefused, "refused access .401.*the chain broke.*Wrapped: refused"),
    ("skip", CaseSkipped, "too long"),
    ("wrapped skip", CaseSkipped, "too long"),
    ("object", SystemFailed, "cannot be written as JSON.*object"),
]


def test_every_failure_arrives_as_one_of_ours(folder: Path):
    """Exceptions that cannot be pickled are read where they are raised; later calls work."""

    async def story(system: IsolatedPythonSystem) -> None:
        for text, kind, message in FAILURES:
            with pytest.raises(kind, match=message):
                await ask(system, text)
            assert await ask(system, "fine") == "fine"

    with_system(story)


def test_what_was_measured_comes_back_with_its_time(folder: Path):
    """The latency is taken in the process, without the way there and back."""

    async def story(system: IsolatedPythonSystem) -> None:
        answer = await system.ask(question("measured"), {}, 5)
        assert answer.extra == {"evaluation": {"hit": 1}, "dim": 64}
        assert answer.latency_s is not None
        with pytest.raises(SystemFailed, match="'odd' is a generator, which cannot be pickled"):
            await system.ask(question("x"), {"odd": (n for n in [1])}, 5)
        assert await ask(system, "fine") == "fine"

    with_system(story)


def test_what_the_backend_prints_does_not_disturb(folder: Path, capfd: pytest.CaptureFixture[str]):
    """Messages have a pipe of their own; standard output stays standard output."""

    async def story(system: IsolatedPythonSystem) -> str:
        return await ask(system, "print")

    assert with_system(story) == "printed"
    assert capfd.readouterr().out == "from the backend\n"


def test_several_processes_answer_at_the_same_time(folder: Path):
    """``max_concurrency`` is their number; each has globals of its own."""

    async def story(system: IsolatedPythonSystem) -> None:
        assert system.max_concurrency == 2
        await system.warm_up([{}], 2)
        assert len({*await asyncio.gather(*(ask(system, "pid") for _ in range(2)))}) == 2

    with_system(story, max_concurrency=2)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import sys; sys.exit(4)", "could not be imported: SystemExit: 4"),
        ("import os; os._exit(4)", "ended with code 4 while it imported lab_wrong:ask"),
        ("SETTINGS = {'a': (lambda: 1,)}\ndef ask(q): ...", "cannot be pickled"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_one_line(folder: Path, source: str, message: str):
    """The error is the same as without a process of its own, as far as that can be."""
    (folder / "lab_wrong.py").write_text(source, encoding="utf-8")
    with pytest.raises(SystemLoadError, match=message) as error:
        IsolatedPythonSystem("lab_wrong:ask")
    assert "\n" not in str(error.value)


def test_the_configuration_asks_for_it(folder: Path):
    """``isolate: process`` in the entry of a Python system."""
    config = PythonConfig(target="lab_backend:ask", isolate="process", max_concurrency=3)
    system = load_system("mine", SystemContext(folder, systems={"mine": config}))
    assert isinstance(system, IsolatedPythonSystem)
    assert system.max_concurrency == 3
    asyncio.run(system.close())


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_process_ends_with_a_run_that_is_killed(folder: Path):
    """Nothing is left behind, neither the process nor what it has started."""
    program = (
        "import asyncio\n"
        "from assay.records import Question\n"
        "from assay.systems.python.isolated import IsolatedPythonSystem\n"
        "system = IsolatedPythonSystem('lab_backend:ask')\n"
        "asyncio.run(system.ask(Question(id='q', text='hang'), {}, 5))\n"
    )
    run = subprocess.Popen([sys.executable, "-c", program])
    try:
        wait_for_pids(folder / "pids")
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    wait_for_end((folder / "pids").read_text(encoding="utf-8"))
