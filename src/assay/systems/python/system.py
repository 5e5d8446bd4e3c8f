"""A Python callable in this process: asynchronous on the event loop, synchronous in threads.

The callable may take any of ``question``, ``question_id``, ``source``, ``row`` (the further fields
of the question's line), ``settings`` (a dict) and ``top_k``. It returns a reply as described in
``assay.systems.reply``. A class is instantiated without arguments. For an object that is not
callable, its ``ask``, ``query``, ``invoke``, ``run`` or ``chat`` is used, and objects of LangChain,
LlamaIndex, Haystack and DSPy are asked as they are there (``assay.systems.framework``). What a generator
yields, synchronous or not, is joined. The object or its module may also define

- ``prepare``: called before the first question, so that what it does is in no question's
  latency. It may take ``sources``, the documents that will be asked about, and ``settings``; then
  it is called once for each variant. Synchronous or asynchronous;
- ``reset``: called before every question; questions are then asked one at a time. Its time is not
  part of the latency;
- ``close``: called once when the run is over; synchronous or asynchronous;
- ``SETTINGS``: the settings that the system understands (``declaration``), so that an unknown
  name is refused before the first call;
- ``ENVIRONMENT``: the names of the environment variables on which its answers depend. Their values,
  and those of ``SETTINGS`` when it is loaded, belong to what is asked, without keys and passwords;
- ``PASSAGES``: ``"prompt_order"`` if its passages are listed in the order of its prompt and not
  from the best to the worst;
- ``INPUT``: what an object of such a library is given, if it does not say: the name of its field, or
  the whole input with ``{{question}}`` in it;
- ``max_concurrency``: how many questions it can answer at the same time;
- ``VERSION``: identifies the code in the system's identity. Without it, hashes of the
  source of the module and of the local modules that it imports are used, so that a run of edited
  code does not continue with old answers.

Code that was written for one caller often keeps its settings or its session in a module. A
synchronous callable is therefore asked one question at a time unless it or the user says more,
never with two settings at the same time, and not again before a call that passed its deadline has
ended.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, Literal

from assay.config.system import PassagesOrder, PerQuestion
from assay.errors import ProviderUnavailable, SystemFailed, SystemLoadError
from assay.models.limit import current_deadline
from assay.models.meter import not_working, work_ends, work_starts
from assay.records import Answer, Question
from assay.systems.framework import declared_on
from assay.systems.protocol import Configuration, Setting, System
from assay.systems.python.declaration import (
    read_configuration,
    read_settings,
    settings_in_force,
    unread_settings,
)
from assay.systems.python.isolated import IsolatedPythonSystem
from assay.systems.python.streamed import join, join_async, pieces_in
from assay.systems.python.target import (
    Target,
    callable_of,
    error_line,
    hook_arguments,
    identity_of,
    names_in,
    read_limit,
    read_order,
    read_signature,
    read_target,
)
from assay.systems.reply import to_answer
from assay.systems.thread import ThreadPool
from assay.words.message import Message, message

PATIENCE_S: Final = 60.0
"""The least time that a call past its deadline is waited for before the run gives up."""
HOOKS: Final = frozenset({"settings", "sources"})
"""What ``prepare`` may take."""
_CLOSING_S = 30.0


class PythonSystem:
    """Asks a callable. ``identity`` defaults to its module, name and version (see the module).

    ``max_concurrency`` is what the callable or its configuration declares; ``vouched`` is what
    the user asks for on the command line, which counts if nothing is declared.
    """

    def __init__(
        self,
        target: Any,
        *,
        identity: str | None = None,
        reset: Callable[[], Any] | None = None,
        prepare: Callable[..., Any] | None = None,
        close: Callable[[], Any] | None = None,
        settings: Any = None,
        environment: Any = None,
        only_when: Any = None,
        passages: Any = None,
        max_concurrency: int | None = None,
        takes: Any = None,
        vouched: int | None = None,
        per_question: PerQuestion | None = None,
    ) -> None:
        def declared(value: Any, name: str) -> Any:
            return value if value is not None else declared_on(target, name)

        self._call = callable_of(target, declared(takes, "INPUT"))
        self._is_async = is_async(self._call)
        self._signature = read_signature(self._call)
        self._close = _hook(declared(close, "close"), frozenset())
        self._reset = _hook(declared(reset, "reset"), frozenset())
        self._prepare = _hook(declared(prepare, "prepare"), HOOKS)
        in_force = settings_in_force(declared(settings, "SETTINGS"))
        self._settings = read_settings(in_force, declared(only_when, "ONLY_WHEN"))
        self._configuration = read_configuration(in_force, declared(environment, "ENVIRONMENT"))
        self._unread = unread_settings(in_force)
        order = declared(passages, "PASSAGES")
        self._passages_order = read_order(order)
        self._declares_rank = bool(order == "rank")
        self._declared_limit = read_limit(declared(max_concurrency, "max_concurrency"))
        self._vouched = vouched
        self.per_question = per_question
        self._identity = identity or identity_of(target)
        self._sources: tuple[str, ...] = ()
        self._pool = ThreadPool()

    @classmethod
    def of(cls, target: Target, **changes: Any) -> "PythonSystem":
        """The system of what was read from a module; None in ``changes`` changes nothing."""
        declared = {name: getattr(target, name) for name in target.__struct_fields__}
        asked = declared.pop("asked")
        given = {name: value for name, value in changes.items() if value is not None}
        return cls(asked, **{**declared, **given})

    @property
    def identity(self) -> str:
        """The module and name of the callable, and its version or a hash of its source."""
        return self._identity

    @property
    def passages_order(self) -> PassagesOrder:
        """The order of the passages that ``PASSAGES`` declares."""
        return self._passages_order

    @property
    def declares_rank(self) -> bool:
        """Whether ``PASSAGES`` says that the order is the rank, whatever its settings are called."""
        return self._declares_rank

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings that ``SETTINGS`` declares; None, which allows any, without it."""
        return self._settings

    @property
    def configuration(self) -> Configuration:
        """The values of the settings and of the variables in ``ENVIRONMENT`` when it was loaded."""
        return self._configuration

    @property
    def max_concurrency(self) -> int | None:
        """1 with a ``reset``, because the system then keeps state; otherwise what is declared.

        If nothing is declared, a synchronous callable has what the user asks for, or 1, and an
        asynchronous one has no limit.
        """
        if self._reset is not None:
            return 1
        if self._declared_limit is not None or self._is_async:
            return self._declared_limit
        return self._vouched or 1

    @property
    def declared_limit(self) -> int | None:
        """What the callable or its configuration says about questions at the same time."""
        return self._declared_limit

    @property
    def one_variant_at_a_time(self) -> bool:
        """Whether it is synchronous: its settings may be global."""
        return not self._is_async

    @property
    def answers_on_loop(self) -> bool:
        """Whether it is asynchronous."""
        return self._is_async

    @property
    def notes(self) -> tuple[Message | str, ...]:
        """What the user vouches for, if they do; and which settings cannot be read."""
        return (*self._vouched_notes(), *self._unread_notes())

    def _unread_notes(self) -> tuple[Message, ...]:
        if self._unread is None:
            return ()
        note = message(
            "SETTINGS: {name} cannot be created without arguments, so what it reads from the environment is not recorded, and a change is not noticed; write an object: SETTINGS = {name}(…)",
            name=self._unread,
        )
        return (note,)

    def _vouched_notes(self) -> tuple[Message, ...]:
        at_once = self._vouched or 1
        if self.max_concurrency == 1 or self._is_async or self._declared_limit or at_once == 1:
            return ()
        name = self._identity.removeprefix("python:").rpartition("@")[0]
        note = message(
            "--concurrency {at_once}: you vouch that {name} can answer {c} questions at the same time without mixing them up; without it, one is asked at a time",
            at_once=at_once,
            name=name,
            c=at_once,
        )
        return (note,)

    @property
    def takes_row(self) -> bool:
        """Whether the callable has the parameter ``row``."""
        return "row" in self._signature.names

    @property
    def wants_sources(self) -> bool:
        """Whether ``prepare`` has the parameter ``sources``."""
        return self._prepare is not None and "sources" in self._prepare[1]

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Note the sources that ``prepare`` is called with."""
        self._sources = tuple(sources)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Call ``reset`` if there is one, then call the system and read its reply.

        A call that passed its deadline must have ended first; that is not part of the latency.
        """
        await self._settle()
        if self._reset is not None:
            await self._run(self._reset[0])
        text, arguments = self._signature.arguments(question, settings, top_k)
        return to_answer(await self._run(partial(self._call, *text, **arguments), asked=True))

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Call the system's ``prepare`` if it has one: once, or once for each of the settings.

        Raises ``SystemLoadError`` if it fails.
        """
        if self._prepare is None:
            return
        prepare, taken = self._prepare
        calls: list[dict[str, Any]] = [{}]
        if "settings" in taken:
            calls = [{"settings": dict(chosen)} for chosen in settings]
        for arguments in calls:
            if "sources" in taken:
                arguments["sources"] = list(self._sources)
            try:
                await self._run(partial(prepare, **arguments))
            except Exception as error:
                raise SystemLoadError(
                    f"the system's prepare() failed: {error_line(error)}"
                ) from error

    async def close(self) -> None:
        """Call the system's ``close`` if it has one, and let the worker threads end.

        Raises ``SystemFailed`` if ``close`` fails or does not return in time.
        """
        close, self._close = self._close, None
        try:
            if close is not None:
                await asyncio.wait_for(self._run(close[0]), _CLOSING_S)
        except TimeoutError:
            raise SystemFailed(
                f"the system's close() did not return within {_CLOSING_S:g} s"
            ) from None
        except Exception as error:
            raise SystemFailed(f"the system's close() failed: {error_line(error)}") from error
        finally:
            self._pool.close()

    async def _settle(self) -> None:
        """Wait until calls that were abandoned have ended: they may write into shared state."""
        if not self._pool.has_abandoned:
            return
        deadline = current_deadline.get()
        patience_s = max(PATIENCE_S, deadline.seconds if deadline is not None else 0.0)
        with deadline.paused() if deadline is not None else nullcontext(), not_working():
            try:
                await asyncio.wait_for(self._pool.settled(), patience_s)
            except TimeoutError:
                raise ProviderUnavailable(
                    "a call that passed its deadline has not ended "
                    f"{patience_s:g} s later, and the system cannot be asked anything else "
                    "meanwhile; give it a longer --timeout, or isolate: process (docs/adapters.md)"
                ) from None

    async def _run(self, function: Callable[[], Any], *, asked: bool = False) -> Any:
        """Call a function of the system.

        What answers a question is timed where it runs, and what it yields is joined.
        """
        on_loop = is_async(function)
        if asked:
            function = _timed(function)
        try:
            result = function() if on_loop else await self._pool.call(function)
            result = await result if inspect.isawaitable(result) else result
            if asked and isinstance(result, AsyncIterator):
                result = await join_async(result)
            elif asked and (pieces := pieces_in(result)) is not None:
                result = await self._pool.call(partial(join, pieces))
        except SystemExit as error:  # it would end the event loop and the whole program
            raise RuntimeError(f"the system raised SystemExit: {error}") from error
        return result


def _timed(function: Callable[[], Any]) -> Callable[[], Any]:
    """The function, which starts and stops the stopwatch of the question around its work.

    A thread may have to wait before it begins, and the event loop before it takes the result.
    """

    def call() -> Any:
        work_starts()
        result = function()
        if (pieces := pieces_in(result)) is not None:
            result = join(pieces)
        if not isinstance(result, Awaitable | AsyncIterator):
            work_ends()
        return result

    return call


def _hook(
    function: Any, offered: frozenset[str]
) -> tuple[Callable[..., Any], frozenset[str]] | None:
    """A hook and what it takes of ``offered``; None if it needs more, since it is no hook then."""
    taken = hook_arguments(function, offered) if callable(function) else None
    return None if taken is None else (function, taken)


def is_async(function: Any) -> bool:
    """Whether calling the function gives a coroutine or an asynchronous generator."""
    while isinstance(function, partial):
        function = function.func
    called = getattr(function, "__call__", None)  # noqa: B004 - not a test of whether it is callable
    return any(
        inspect.iscoroutinefunction(each) or inspect.isasyncgenfunction(each)
        for each in (function, called)
    )


class UnimportedSystem:
    """What is known of the callable at ``path`` before its module is imported: it runs no code.

    A dry run plans and estimates with it. Nobody can ask it.
    """

    is_imported = False
    settings: Mapping[str, Setting] | None = None

    def __init__(
        self,
        path: str,
        passages: PassagesOrder | None = None,
        *,
        max_concurrency: int | None = None,
        per_question: PerQuestion | None = None,
    ) -> None:
        names_in(path)
        self.identity = f"python:{path}"
        self.passages_order: PassagesOrder = passages or "rank"
        self.max_concurrency = max_concurrency or 1
        self.per_question = per_question

    @property
    def notes(self) -> tuple[Message | str, ...]:
        """What is therefore not known."""
        note = message(
            "a dry run does not import {system}: its settings are not checked, recorded answers of any version count, and the time assumes a concurrency of {n}",
            system=self.identity,
            n=self.max_concurrency,
        )
        return (note,)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Refuse: there is nobody to ask."""
        raise SystemFailed(f"{self.identity} was not imported")

    async def close(self) -> None:
        """Nothing was opened."""


# Loading a Python system by its path, into this process or into one of its own.


def load_python(
    path: str,
    passages: PassagesOrder | None = None,
    *,
    max_concurrency: int | None = None,
    vouched: int | None = None,
    per_question: PerQuestion | None = None,
    isolate: Literal["process"] | None = None,
    imports: bool = True,
) -> System:
    """Load the system at ``package.module:callable``; the current folder is searched first.

    ``passages``, ``max_concurrency`` and ``per_question`` are what the configuration declares,
    ``vouched`` is the number of questions at once that the user asks for. Without ``imports`` the
    system can only be estimated. Raises ``SystemLoadError`` if the module cannot be imported or
    has no such callable.
    """
    if not imports:
        return UnimportedSystem(
            path, passages, max_concurrency=max_concurrency or vouched, per_question=per_question
        )
    if isolate == "process":
        return IsolatedPythonSystem(
            path,
            passages=passages,
            max_concurrency=max_concurrency,
            vouched=vouched,
            per_question=per_question,
        )
    return PythonSystem.of(
        read_target(path),
        passages=passages,
        max_concurrency=max_concurrency,
        vouched=vouched,
        per_question=per_question,
    )
