"""A Python callable as the system under test."""

import asyncio
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.errors import ProviderUnavailable, SystemFailed, SystemLoadError, UseError
from assay.records import Answer, Question
from assay.systems.load import load_system
from assay.systems.protocol import Setting, check_settings
from assay.systems.python.system import PythonSystem

QUESTION = Question(id="q", text="why?")


def ask(system: Any, settings: dict[str, Any] | None = None, top_k: int = 10) -> Answer:
    """Ask one question, close the system, and return the answer."""

    async def ask_and_close() -> Answer:
        try:
            return await system.ask(QUESTION, settings or {}, top_k)
        finally:
            await system.close()

    return asyncio.run(ask_and_close())


Write = Callable[..., str]


@pytest.fixture(name="write_module")
def _write_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a module into the current folder and returns its name; forgets it at the end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    written: set[str] = set()

    def write(source: str, name: str = "lab_system") -> str:
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        sys.modules.pop(name, None)
        written.add(name)
        return name

    yield write
    for name in written:
        sys.modules.pop(name, None)


def sync_full(text: str, settings: dict[str, Any], top_k: int) -> str:
    """A function with all parameters."""
    return f"{text} {settings} {top_k}"


async def async_full(text: str, settings: dict[str, Any], top_k: int) -> str:
    """The same as an async function."""
    await asyncio.sleep(0)
    return f"{text} {settings} {top_k}"


class Called:
    """A callable object."""

    def __call__(self, text: str, settings: dict[str, Any], top_k: int) -> str:
        """Answer."""
        return f"{text} {settings} {top_k}"


class Awaited:
    """An object with an async ``__call__``."""

    async def __call__(self, text: str, **more: Any) -> str:
        """Answer."""
        return f"{text} {more['settings']} {more['top_k']}"


class Queried:
    """An object with a ``query`` method."""

    def query(self, text: str, settings: dict[str, Any], top_k: int) -> str:
        """Answer."""
        return f"{text} {settings} {top_k}"


class Asked:
    """An object with an async ``ask`` method."""

    async def ask(self, text: str, settings: dict[str, Any], top_k: int) -> str:
        """Answer."""
        return f"{text} {settings} {top_k}"


@pytest.mark.parametrize(
    "target",
    [
        sync_full,
        async_full,
        Called(),
        Awaited(),
        Queried(),
        Asked(),
        functools.partial(sync_full),
        functools.partial(async_full),
        lambda text, settings, top_k: async_full(text, settings, top_k),  # noqa: PLW0108 - a sync way to an awaitable
    ],
)
def test_sync_async_and_objects_are_asked_alike(target: Any):
    """Every form gets the question's text, the settings and ``top_k``."""
    assert ask(PythonSystem(target), {"x": 1}, 5).text == "why? {'x': 1} 5"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (lambda text: text, "why?"),
        (lambda text, top_k: f"{text}{top_k}", "why?7"),
        (lambda text, settings: f"{text}{settings}", "why?{'x': 1}"),
        (lambda text, **more: f"{text}{sorted(more)}", "why?['settings', 'top_k']"),
        (str.upper, "WHY?"),
    ],
)
def test_a_callable_gets_only_what_it_accepts(target: Any, expected: str):
    """Only the arguments that the callable accepts are passed."""
    assert ask(PythonSystem(target), {"x": 1}, 7).text == expected


def test_the_settings_are_the_callables_own_copy():
    """A system that changes its settings does not affect the next question."""
    shared = {"x": 1}

    def careless(text: str, settings: dict[str, Any]) -> str:
        settings["x"] = 2
        return text

    ask(PythonSystem(careless), shared)
    assert shared == {"x": 1}


def test_what_cannot_be_asked_is_refused():
    """An object without a call or a method of the usual names cannot be a system."""
    with pytest.raises(
        SystemLoadError, match="not callable and has no method ask, query, invoke, run or chat"
    ):
        PythonSystem(42)


class Conversation:
    """A system that keeps a conversation until it is reset."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def reset(self) -> None:
        """Forget."""
        self.log.append("reset")

    def query(self, text: str) -> str:
        """Answer."""
        self.log.append(text)
        return "x"


class AsyncConversation(Conversation):
    """The same with an async ``reset``."""

    async def reset(self) -> None:  # type: ignore[override]
        """Forget."""
        await asyncio.sleep(0)
        self.log.append("reset")


@pytest.mark.parametrize("kind", [Conversation, AsyncConversation])
def test_reset_comes_before_each_question_and_one_at_a_time(kind: type[Conversation]):
    """``reset`` is called before each question, and questions are asked one at a time."""
    target = kind()
    system = PythonSystem(target)
    assert system.max_concurrency == 1

    async def two() -> None:
        for _ in range(2):
            await system.ask(QUESTION, {}, 10)
        await system.close()

    asyncio.run(two())
    assert target.log == ["reset", "why?", "reset", "why?"]


def test_a_synchronous_callable_is_asked_one_question_at_a_time():
    """It may keep its settings or its session in a module; an asynchronous one has no limit."""
    assert PythonSystem(sync_full).max_concurrency == 1
    assert PythonSystem(sync_full).one_variant_at_a_time
    assert PythonSystem(async_full).max_concurrency is None
    assert not PythonSystem(async_full).one_variant_at_a_time


class Declared:
    """An object that says how much it can take."""

    max_concurrency = 4

    def ask(self, text: str) -> str:
        """Answer."""
        return text


def test_more_at_once_must_be_declared_or_vouched_for():
    """The callable, its configuration or the user may say more; a declared limit holds."""
    assert PythonSystem(Declared()).max_concurrency == 4
    assert PythonSystem(Declared(), vouched=8).max_concurrency == 4
    assert PythonSystem(Declared(), max_concurrency=2).max_concurrency == 2
    assert PythonSystem(sync_full, vouched=8).max_concurrency == 8
    assert PythonSystem(sync_full, reset=lambda: None, vouched=8).max_concurrency == 1
    for wrong in (0, True, "many"):
        with pytest.raises(SystemLoadError, match="max_concurrency is"):
            PythonSystem(sync_full, max_concurrency=wrong)  # type: ignore[arg-type]


def test_a_note_says_what_the_user_vouches_for():
    """Only where the number is the user's word alone."""
    (note,) = PythonSystem(sync_full, vouched=8, identity="python:lab:ask@1").notes
    assert str(note).startswith("--concurrency 8: you vouch that lab:ask can answer 8 questions")
    for system in (
        PythonSystem(sync_full),
        PythonSystem(sync_full, vouched=1),
        PythonSystem(async_full, vouched=8),
        PythonSystem(Declared(), vouched=8),
        PythonSystem(sync_full, reset=lambda: None, vouched=8),
    ):
        assert system.notes == ()


def test_an_unknown_setting_is_refused_with_the_nearest_name():
    """A mistyped name is refused before the first call, with the right name."""
    system = PythonSystem(sync_full, settings={"search_dim": int, "mode": ("a", "b")})
    check_settings(system, {"search_dim": 128, "mode": "b"}, "variant x")
    with pytest.raises(UseError) as caught:
        check_settings(system, {"serch_dim": 128}, "variant x")
    assert str(caught.value) == (
        "variant x: unknown setting 'serch_dim'; did you mean 'search_dim'?"
    )


def test_a_system_without_declared_settings_takes_any():
    """Without a declaration any setting is accepted."""
    system = PythonSystem(sync_full)
    assert system.settings is None
    check_settings(system, {"anything": 1}, "variant x")


def test_sync_calls_run_in_parallel_and_leave_the_loop_free():
    """Blocking callables wait side by side while the loop goes on."""
    together = threading.Barrier(5, timeout=60)
    loop_went_on = threading.Event()

    def blocking(text: str) -> str:
        together.wait()  # passes only when four calls and the loop's own thread are in it
        return text if loop_went_on.wait(60) else "the loop was blocked"

    async def scenario() -> list[Answer]:
        system = PythonSystem(blocking)
        tasks = [asyncio.create_task(system.ask(QUESTION, {}, 10)) for _ in range(4)]
        await asyncio.to_thread(together.wait)
        await asyncio.sleep(0.001)
        loop_went_on.set()
        answers = await asyncio.gather(*tasks)
        await system.close()
        return answers

    assert [answer.text for answer in asyncio.run(scenario())] == ["why?"] * 4


async def abandon(system: PythonSystem, question: Question, begun: threading.Event) -> None:
    """Ask, and give the call up once it has begun, as at a deadline."""
    asked = asyncio.create_task(system.ask(question, {}, 10))
    assert await asyncio.to_thread(begun.wait, 60)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


def test_nothing_is_asked_before_a_call_past_its_deadline_has_ended():
    """Its thread may still write into what the next question reads."""
    begun, release, calls = threading.Event(), threading.Event(), list[str]()

    def slow_at_first(question: str) -> str:
        calls.append(f"begin {question}")
        begun.set()
        if question == "slow":
            release.wait(60)
        calls.append(f"end {question}")
        return question

    async def scenario() -> None:
        system = PythonSystem(slow_at_first)
        await abandon(system, Question(id="1", text="slow"), begun)
        second = asyncio.create_task(system.ask(Question(id="2", text="next"), {}, 10))
        done, _ = await asyncio.wait({second}, timeout=0.05)
        assert not done
        release.set()
        assert (await second).text == "next"
        await system.close()

    asyncio.run(scenario())
    assert calls == ["begin slow", "end slow", "begin next", "end next"]


def test_a_call_that_never_ends_stops_the_run(monkeypatch: pytest.MonkeyPatch):
    """No other question can be asked safely, so the run ends with what to do."""
    monkeypatch.setattr("assay.systems.python.system.PATIENCE_S", 0.05)
    begun, release = threading.Event(), threading.Event()

    def never_ends(text: str) -> str:
        begun.set()
        return str(release.wait(60))

    async def scenario() -> None:
        system = PythonSystem(never_ends)
        await abandon(system, QUESTION, begun)
        with pytest.raises(ProviderUnavailable, match="isolate: process"):
            await system.ask(QUESTION, {}, 10)
        await system.close()

    try:
        asyncio.run(scenario())
    finally:
        release.set()


def raising(error: BaseException) -> tuple[Callable[[str], str], Callable[[str], Any]]:
    """A sync and an async callable that raise ``error``."""

    def sync(text: str) -> str:
        raise error

    async def coroutine(text: str) -> str:
        raise error

    return sync, coroutine


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("error", [StopIteration("s"), StopAsyncIteration("s"), SystemExit(3)])
def test_errors_that_would_break_the_loop_arrive_as_errors(error: BaseException, is_async: bool):
    """``StopIteration`` or ``SystemExit`` fails the call, not the program."""
    with pytest.raises(Exception, match=r"^s$|StopIteration|SystemExit") as caught:
        ask(PythonSystem(raising(error)[is_async]))
    assert isinstance(caught.value, Exception)
    assert not isinstance(caught.value, StopIteration)


@pytest.mark.parametrize("is_async", [False, True])
def test_an_error_of_the_callable_arrives_as_it_is(is_async: bool):
    """The callable's own exception is raised unchanged, so that it can be classified."""
    with pytest.raises(KeyError, match="lost"):
        ask(PythonSystem(raising(KeyError("lost"))[is_async]))


def test_a_reply_that_cannot_be_read_fails_the_call():
    """A reply that is not an answer raises ``SystemFailed``."""
    with pytest.raises(SystemFailed, match="returned int"):
        ask(PythonSystem(lambda _: 42))


def test_a_function_is_loaded_by_its_path(write_module: Write):
    """``python:module:function`` is found in the current folder."""
    name = write_module("def answer(text):\n    return text + '!'\n")
    system = load_system(f"python:{name}:answer")
    assert ask(system).text == "why?!"
    assert system.identity.startswith(f"python:{name}:answer@")


def test_a_class_is_instantiated_and_a_nested_name_is_found(write_module: Write):
    """Classes are instantiated without arguments; dots select nested names."""
    name = write_module(
        "class Clerk:\n    def query(self, text):\n        return 'clerk'\n"
        "class Desk:\n    clerk = Clerk()\n"
    )
    assert ask(load_system(f"python:{name}:Clerk")).text == "clerk"
    assert ask(load_system(f"python:{name}:Desk.clerk")).text == "clerk"


def test_reset_and_settings_may_be_in_the_module(write_module: Write):
    """``reset`` and ``SETTINGS`` may be defined in the module instead of the object."""
    name = write_module(
        "log = []\nSETTINGS = {'dim': int}\n"
        "def reset():\n    log.append('reset')\n"
        "def answer(text):\n    return str(log)\n"
    )
    system = load_system(f"python:{name}:answer")
    assert system.max_concurrency == 1
    assert system.settings == {"dim": Setting(kind=int)}
    assert ask(system).text == "['reset']"


def test_the_identity_follows_the_source(write_module: Write):
    """Edited code has another identity, so that old answers are not reused."""

    def identity(source: str) -> str:
        return load_system(f"python:{write_module(source)}:answer").identity

    first = identity("def answer(text):\n    return 'a'\n")
    assert identity("def answer(text):\n    return 'a'\n") == first
    assert identity("def answer(text):\n    return 'b'\n") != first


def test_a_partial_is_identified_by_its_function():
    """Its own class is in the standard library, whose files say nothing about the system.

    What it binds is part of the system.
    """
    plain, bound = (
        PythonSystem(functools.partial(functools.partial(sync_full), *values)).identity
        for values in ((), ("why?",))
    )
    assert plain == PythonSystem(sync_full).identity
    assert ":sync_full@" in plain
    assert bound.startswith(f"{plain}+")


def test_a_declared_version_stands_for_the_source(write_module: Write):
    """With ``VERSION`` an edit keeps the identity, and a new version changes it."""

    def identity(version: str, comment: str) -> str:
        source = f"VERSION = {version!r}\n# {comment}\ndef answer(text):\n    return 'a'\n"
        return load_system(f"python:{write_module(source)}:answer").identity

    assert identity("1.2", "one") == identity("1.2", "two") == "python:lab_system:answer@1.2"
    assert identity("1.3", "one") != identity("1.2", "one")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("python:lab_system", "write it as python:package.module:callable"),
        ("python::answer", "write it as python:package.module:callable"),
        ("python:nowhere_at_all:answer", "there is no Python module 'nowhere_at_all'"),
        ("python:lab_system.sub:answer", "there is no Python module 'lab_system.sub'"),
        ("python:lab_system:anser", "lab_system has no 'anser'; did you mean 'answer'?"),
        ("python:lab_system:number", "42 is not callable"),
        ("python:lab_system:Needy", "could not be created: TypeError"),
        ("python:lab_system:Angry", "could not be created: ValueError: two lines"),
        ("pyton:lab_system:answer", "there is no system 'pyton:lab_system:answer'"),
        ("", "there is no system ''"),
    ],
)
def test_a_system_that_cannot_be_loaded_is_one_line(write_module: Write, spec: str, expected: str):
    """Every kind of wrong specification has its own message, on one line."""
    write_module(
        "number = 42\ndef answer(text):\n    return text\n"
        "class Needy:\n    def __init__(self, key): ...\n    def query(self, text): ...\n"
        "class Angry:\n    def __init__(self): raise ValueError('two\\nlines')\n"
    )
    with pytest.raises(SystemLoadError) as caught:
        load_system(spec)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import nowhere_at_all\n", "lab_system needs the module 'nowhere_at_all'"),
        ("1 / 0\n", "lab_system could not be imported: ZeroDivisionError"),
        ("def answer(:\n", "lab_system could not be imported: SyntaxError"),
        ("raise RuntimeError('two\\nlines')\n", "could not be imported: RuntimeError: two lines"),
        (
            "import sys\nsys.exit('no key')\n",
            "lab_system could not be imported: SystemExit: no key",
        ),
    ],
)
def test_a_module_that_cannot_be_imported_is_one_line(
    write_module: Write, source: str, expected: str
):
    """An error inside the user's module is reported in one line, without a traceback."""
    name = write_module(source)
    with pytest.raises(SystemLoadError) as caught:
        load_system(f"python:{name}:answer")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
