"""The workers of a run: who answers next, and what happens when one is lost.

A worker that is lost is started again, and what it was asked is asked again, once more for each
loss: by another worker if there is one, alone, and after the questions that nobody was asked yet.
If a worker is lost with such a question, this is the question's fault. A worker that is lost again
and again with different questions, without an answer in between, is set aside. If none is left, the
run stops with the reason.
"""

import asyncio
import os
import pickle
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.errors import AssayError, ProviderUnavailable, SystemFailed, SystemLoadError
from assay.models.foreign_error import classify, describe, skip_of
from assay.models.limit import Deadline, current_deadline, waiting_in_line
from assay.models.meter import metering, stopwatch, time_to_first_text
from assay.records import Answer
from assay.systems.cluster.connection import Member, Recipe, SentQuestion
from assay.systems.cluster.mailbox import Calls, RemoteModels, asking_for
from assay.systems.load import SystemContext
from assay.systems.protocol import Prepares, PreparesSources, System, WarmsUp
from assay.text.width import counted
from assay.words.say import say, say_n

# Noticing that a cluster is gone: Ray itself would wait for ever, or abort the process.

_BEAT_S: Final = 5.0
_PATIENCE_S: Final = 15.0
_MOST_MISSES: Final = 2
"""How often in a row the cluster may not answer. Ray aborts the process after a minute."""


async def until_lost(is_connected: Callable[[], bool]) -> None:
    """Check the connection now and then; return when it is lost."""
    misses = 0
    while misses < _MOST_MISSES:
        await asyncio.sleep(_BEAT_S)
        misses = 0 if await _in_thread(is_connected, _PATIENCE_S) else misses + 1


def _settle(answer: "asyncio.Future[bool]", found: bool) -> None:
    if not answer.done():
        answer.set_result(found)


async def _in_thread(check: Callable[[], bool], patience_s: float) -> bool:
    """What the check returns; False if it fails or takes too long.

    Its thread is one that the end of the program does not wait for.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[bool] = loop.create_future()

    def run() -> None:
        try:
            found = check()
        except Exception:  # noqa: BLE001 - whatever it is, the cluster does not answer
            found = False
        with suppress(RuntimeError):  # the run has ended meanwhile
            loop.call_soon_threadsafe(_settle, answer, found)

    threading.Thread(target=run, name="assay-cluster", daemon=True).start()
    try:
        return await asyncio.wait_for(answer, patience_s)
    except TimeoutError:
        return False


MOST_DEATHS: Final = 3
"""How often in a row a worker may be lost, without an answer in between, before it is set aside."""
MOST_LOSSES: Final = 3
"""How many workers may be lost while they answer the same question; then the question fails."""
START_S: Final = 600.0
"""How long a worker may take to start and to load the system."""
_PAUSE_S: Final = 0.5
_CLOSING_S: Final = 10.0


class Pool:
    """The workers. ``start_actor`` makes a new actor for the place with this number.

    ``at_once`` is the number of questions that a worker takes at the same time. ``identity`` is that
    of the system, which each worker must have. A system that ``blocks`` cannot be interrupted: if a
    question passes its deadline, the worker is replaced. ``tell`` gets lines for the user.
    """

    def __init__(
        self,
        ray: Any,
        size: int,
        at_once: int,
        start_actor: Callable[[int], Any],
        identity: str,
        *,
        blocks: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._tell = tell
        self._ray = ray
        self._blocks = blocks
        self._at_once = at_once
        self._start_actor = start_actor
        self._identity = identity
        self._members = [Member(number) for number in range(1, size + 1)]
        self._tokens = count(1)
        self._waiting: list[asyncio.Future[None]] = []
        self._new_waiting = 0
        self._reviving: set[asyncio.Task[None]] = set()
        self._preparation: tuple[Any, ...] | None = None
        self._failed: ProviderUnavailable | None = None
        self._in_flight: set[asyncio.Future[bytes]] = set()
        self.is_connected = True
        self._is_closing = False
        errors = ray.exceptions
        self._lost = (
            errors.RayActorError, errors.NodeDiedError, errors.WorkerCrashedError,
            errors.ObjectLostError, errors.RaySystemError, errors.LocalRayletDiedError,
            errors.OutOfMemoryError, ConnectionError,
        )  # fmt: skip
        self.losses = 0

    # --- before the first question ----------------------------------------------------------

    async def start(self) -> None:
        """Start all workers and load the system in each. A worker that cannot is named."""
        await _all([self._start(member) for member in self._members])

    async def prepare(self, settings: Any, sources: Any) -> list[Any]:
        """Prepare the system in each worker; returns what that cost."""
        self._preparation = (settings, sources)
        return await _all([self._prepare(member) for member in self._members])

    async def _start(self, member: Member) -> None:
        actor = self._start_actor(member.number)
        try:
            packed = await asyncio.wait_for(_result(actor.load.remote()), START_S)
        except TimeoutError:
            self._kill(actor)
            raise SystemLoadError(
                f"worker {member.number} did not start within {START_S:g} s: is the cluster full? "
                "See `ray status`"
            ) from None
        except self._lost as error:
            self._kill(actor)
            raise SystemLoadError(
                f"worker {member.number} ended while it loaded the system: {_first_line(error)}"
            ) from None
        facts = pickle.loads(packed)  # noqa: S301 - a worker of ours has sent it
        member.host = facts["host"]
        if "problem" in facts:
            self._kill(actor)
            raise SystemLoadError(
                f"{member.name} cannot load the system: {facts['problem']}; install what is "
                "missing on that machine, or put it where the workers see it (docs/operating.md)"
            )
        if facts["identity"] != self._identity:
            self._kill(actor)
            raise SystemLoadError(
                f"{member.name} has another version of the system: {facts['identity']}, the driver "
                f"has {self._identity}; bring the files on that machine up to date"
            )
        member.actor = actor

    async def _prepare(self, member: Member) -> Any:
        assert self._preparation is not None
        request = pickle.dumps((0, *self._preparation, self._at_once))
        try:
            reply = pickle.loads(await member.actor.prepare.remote(request))  # noqa: S301 - as above
        except self._lost as error:
            raise SystemLoadError(
                f"{member.name} ended while it prepared the system: {_first_line(error)}"
            ) from None
        if "error" in reply:
            raise SystemLoadError(f"{member.name}: {reply['error']}") from None
        return reply["meter"]

    # --- questions --------------------------------------------------------------------------

    async def ask(
        self,
        pack: Callable[[int], bytes],
        opened: Callable[[int], None],
        closed: Callable[[int], None],
    ) -> Any:
        """The reply of a worker to the request that ``pack`` makes for a token.

        ``opened`` and ``closed`` are told which tokens are in use.
        """
        question = SentQuestion()
        while True:
            free = self._freest(question)
            if free is None:
                with waiting_in_line():
                    free = await self._free_member(question)
            member = free
            token, actor = next(self._tokens), member.actor
            opened(token)
            member.asked.add(question)
            reference = None
            try:
                reference = actor.ask.remote(pack(token))
                packed = await self._awaited(reference)
            except asyncio.CancelledError:
                self._cancel(reference)
                if self._blocks:  # its thread may never come back, and could mix up answers
                    self._replace(member, actor)
                raise
            except self._lost as error:
                self._note_loss(member, actor, error)
                question.losses += 1
                question.lost_at.add(member)
                if question.losses >= MOST_LOSSES:
                    raise SystemFailed(
                        f"{counted(question.losses, 'worker')} ended while they answered this "
                        f"question, the last with: {_first_line(error)}"
                    ) from None
                continue
            finally:
                closed(token)
                member.asked.discard(question)
                self._wake()
            member.deaths = 0
            return pickle.loads(packed)  # noqa: S301 - a worker of ours has sent it

    def _awaited(self, reference: Any) -> "asyncio.Future[bytes]":
        """The reply; an error if the connection is lost first, since Ray would wait for ever."""
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[bytes] = loop.create_future()
        self._in_flight.add(reply)
        reply.add_done_callback(self._in_flight.discard)

        def arrived(result: Any) -> None:
            with suppress(RuntimeError):  # the run has ended, and its event loop with it
                loop.call_soon_threadsafe(_hand_over, result, reply)

        reference.future().add_done_callback(arrived)
        return reply

    def _freest(self, question: SentQuestion) -> Member | None:
        """The worker with the fewest questions; None if none has room for this one now.

        A question that has cost a worker waits for new ones, and is asked alone at another place.
        """
        if self._failed is not None:
            raise self._failed
        present = [member for member in self._members if member.actor is not None]
        if not question.losses:
            free = [
                member
                for member in present
                if len(member.asked) < self._at_once and not member.has_suspect
            ]
            return min(free, key=lambda member: len(member.asked), default=None)
        if self._new_waiting:
            return None
        others = {each for each in self._members if not each.is_aside} - question.lost_at
        idle = (each for each in present if not each.asked and (each in others or not others))
        return next(idle, None)

    async def _free_member(self, question: SentQuestion) -> Member:
        """The worker with the fewest questions, once one has room."""
        is_new = not question.losses
        self._new_waiting += is_new
        try:
            while True:
                free = self._freest(question)
                if free is not None:
                    return free
                turn = asyncio.get_running_loop().create_future()
                self._waiting.append(turn)
                await turn
        finally:
            self._new_waiting -= is_new
            if is_new and not self._new_waiting:
                self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)

    # --- losses -----------------------------------------------------------------------------

    def _note_loss(self, member: Member, actor: Any, error: BaseException) -> None:
        """Start the worker again, unless another question has noticed the same loss before."""
        if member.actor is not actor or self._is_closing:
            return
        self.losses += 1
        if not self._ray.is_initialized():
            self._fail(f"the connection to Ray is lost: {_first_line(error)}")
            return
        if not member.has_suspect:
            self._count_death(member, _first_line(error))
        self._replace(member, actor)

    def _replace(self, member: Member, actor: Any) -> None:
        """End a worker, and start another in its place."""
        if member.actor is not actor or self._is_closing:
            return
        member.actor = None
        self._kill(actor)
        if not member.is_aside:
            reviving = asyncio.ensure_future(self._revive(member))
            self._reviving.add(reviving)
            reviving.add_done_callback(self._reviving.discard)

    def _count_death(self, member: Member, reason: str) -> None:
        member.deaths += 1
        if member.deaths < MOST_DEATHS:
            return
        member.is_aside = True
        self._wake()  # who waits for this worker
        self._tell(
            say(
                "{name} was lost {n} times in a row and is set aside; the last time: {reason}",
                name=member.name,
                n=MOST_DEATHS,
                reason=reason,
            )
        )
        if all(each.is_aside for each in self._members):
            self._fail(
                f"no worker is left: each was lost {MOST_DEATHS} times in a row; the last one, "
                f"{member.name}: {reason}"
            )

    def _fail(self, reason: str) -> None:
        self._failed = self._failed or ProviderUnavailable(reason)
        for reply in tuple(self._in_flight):
            if not reply.done():
                reply.set_exception(self._failed)
        self._wake()

    async def watch(self) -> None:
        """Look after the connection until cancelled; if it is lost, the run stops."""
        await until_lost(self._is_connected)
        self.is_connected = False
        self._fail("the connection to the Ray cluster is lost")

    def _is_connected(self) -> bool:
        """Whether the cluster answers, and this machine is still a part of it."""
        own = self._ray.get_runtime_context().get_node_id()
        return all(node["Alive"] for node in self._ray.nodes() if node["NodeID"] == own)

    async def _revive(self, member: Member) -> None:
        while not member.is_aside and not self._is_closing:
            await asyncio.sleep(_PAUSE_S * member.deaths)
            try:
                await self._start(member)
                if self._preparation is not None:
                    await self._prepare(member)
            except Exception as error:  # noqa: BLE001 - whatever it is, the place stays empty
                actor, member.actor = member.actor, None
                if actor is not None:
                    self._kill(actor)
                self._count_death(member, describe(error))
            else:
                self._wake()
                return

    # --- the end ----------------------------------------------------------------------------

    async def close(self) -> None:
        """Close the system in each worker, and end the workers."""
        self._is_closing = True
        for task in self._reviving:
            task.cancel()
        if not self.is_connected:
            return
        actors = [member.actor for member in self._members if member.actor is not None]
        with suppress(Exception):
            closing = [asyncio.ensure_future(_result(actor.close.remote())) for actor in actors]
            if closing:
                await asyncio.wait(closing, timeout=_CLOSING_S)
            for task in closing:
                task.cancel()
        for actor in actors:
            self._kill(actor)
        if self.losses:
            self._tell(
                say_n(
                    "{n} worker was lost; what they were asked was asked again",
                    "{n} workers were lost; what they were asked was asked again",
                    self.losses,
                )
            )

    def _kill(self, actor: Any) -> None:
        with suppress(Exception):
            self._ray.kill(actor)

    def _cancel(self, reference: Any) -> None:
        if reference is not None:
            with suppress(Exception):
                self._ray.cancel(reference)


def _hand_over(result: Any, reply: "asyncio.Future[bytes]") -> None:
    if reply.done():
        return
    error = result.exception()
    if error is not None:
        reply.set_exception(error)
    else:
        reply.set_result(result.result())


async def _result(reference: Any) -> Any:
    return await reference


async def _all(work: list[Any]) -> list[Any]:
    """The results of all; the first error, once all have ended."""
    ended = await asyncio.gather(*work, return_exceptions=True)
    for each in ended:
        if isinstance(each, BaseException):
            raise each
    return ended


def _first_line(error: BaseException) -> str:
    """What Ray says, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


# A worker: one copy of the system in a process of the cluster. It becomes a Ray actor.
#
# Requests and replies are bytes, because Ray passes these on as they are. Whatever goes wrong in the
# system is part of the reply: Ray would write an exception to its logs with everything around it.


class Worker:
    """Does what the driver asks for, with its own copy of the system."""

    def __init__(self, recipe: bytes, calls: Calls | None) -> None:
        self._recipe = recipe
        self._calls = calls
        self._system: System | None = None

    async def load(self) -> bytes:
        """Make the system. The reply has its identity, and where this process runs."""
        facts = {"host": socket.gethostname(), "pid": os.getpid()}
        try:
            recipe: Recipe = pickle.loads(self._recipe)  # noqa: S301 - the driver has sent it
            root = recipe.enter()
            context = SystemContext(
                root,
                models=recipe.models,
                systems=recipe.systems,
                defaults=recipe.defaults,
                remote_models=RemoteModels(self._calls, recipe.known_models),
            )
            self._system = recipe.make(context)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code may raise anything
            return pickle.dumps({**facts, "problem": describe(error)})
        return pickle.dumps({**facts, "identity": self._system.identity})

    async def prepare(self, request: bytes) -> bytes:
        """Prepare the system for what will be asked."""
        token, settings, sources, concurrency = pickle.loads(request)  # noqa: S301 - as above
        system = self._loaded()
        return await self._reply(token, _prepare(system, settings, sources, concurrency))

    async def ask(self, request: bytes) -> bytes:
        """Ask the system one question."""
        token, question, settings, top_k, left_s = pickle.loads(request)  # noqa: S301 - as above
        current_deadline.set(Deadline(left_s) if left_s is not None else None)
        return await self._reply(token, self._loaded().ask(question, settings, top_k))

    async def close(self) -> None:
        """Close the system."""
        if self._system is not None:
            await self._system.close()

    def _loaded(self) -> System:
        assert self._system is not None
        return self._system

    async def _reply(self, token: int, work: Any) -> bytes:
        """The result of the work, what it cost, and how long the system worked."""
        asking_for.set(token)
        with metering() as meter, stopwatch() as watch:
            watch.start()
            try:
                result = await work
            except AssayError as error:
                return pickle.dumps({"error": error, "meter": meter})
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code may raise anything
                problem = skip_of(error) or classify(error)
                return pickle.dumps({"error": problem, "meter": meter})
            watch.stop()
        reply: dict[str, Any] = {"elapsed_s": watch.elapsed_s(), "meter": meter}
        if result is None:
            return pickle.dumps(reply)
        if isinstance(result, Answer) and result.ttft_s is None:
            result = replace(result, ttft_s=time_to_first_text(watch, meter))
        try:
            reply["answer"] = _packed(result)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            problem = SystemFailed(f"the answer cannot be sent: {describe(error)}")
            reply = {"error": problem, "meter": meter}
        return pickle.dumps(reply)


def _packed(answer: Any) -> bytes:
    if not isinstance(answer, Answer):
        raise TypeError(f"the system returned a {type(answer).__name__}, not an Answer")
    return msgspec.json.encode(answer)


async def _prepare(
    system: System, settings: Sequence[Mapping[str, Any]], sources: Sequence[str], concurrency: int
) -> None:
    if isinstance(system, Prepares):
        await system.prepare()
    if isinstance(system, PreparesSources) and system.wants_sources:
        system.expect_sources(sources)
    if isinstance(system, WarmsUp):
        await system.warm_up(settings, concurrency)
