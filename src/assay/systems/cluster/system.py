"""A system whose copies answer in the workers of a cluster. It is a ``System`` like any other.

Planning, limits, retries, deadlines, spending and the journal stay in the process of the command,
the driver: nothing above this system knows where an answer was made.
"""

import asyncio
import pickle
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.models.limit import current_deadline, waiting_in_line
from assay.models.meter import Meter, metering_part
from assay.records import Answer, Question
from assay.systems.cluster.connection import Link, Recipe, make_recipe
from assay.systems.cluster.mailbox import CallDesk, Mailbox
from assay.systems.cluster.pool import Pool, Worker
from assay.systems.load import SystemContext
from assay.systems.protocol import HasNotes, SeparatesVariants, Setting, System
from assay.words.message import Message
from assay.words.say import say, say_n

AT_ONCE: Final = 8
"""How many questions a worker takes at a time if its system has no limit of its own."""
_MOST_CALLS: Final = 10_000
_MIRRORED: Final = (
    "one_variant_at_a_time", "takes_row", "passages_order", "chunk_ids", "sources", "check",
    "calls", "costs_nothing", "wants_sources",
)  # fmt: skip
"""What a system may have besides the protocol; the copy of the driver answers for the others."""


class ClusterSystem:
    """Asks the copies of ``local`` in the workers; ``local`` itself answers no question.

    Use ``on_workers``, which also gives it what ``local`` has besides the protocol.
    """

    def __init__(self, local: System, recipe: Recipe, link: Link, context: SystemContext) -> None:
        self._local = local
        self._recipe = recipe
        self._link = link
        self._context = context
        self._is_closed = False
        self._starting = asyncio.Lock()
        self._pool: Pool | None = None
        self._desk: CallDesk | None = None
        self._serving: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._sources: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """That of the system: where it answers changes no answer."""
        return self._local.identity

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Those of the system."""
        return self._local.settings

    @property
    def max_concurrency(self) -> int | None:
        """What all workers take together; None before they are counted, if nobody said."""
        workers = self._link.workers
        return None if workers is None else workers * self._at_once

    @property
    def local_copy(self) -> System:
        """The copy of the driver, which answers no question."""
        return self._local

    @property
    def _at_once(self) -> int:
        return self._local.max_concurrency or AT_ONCE

    @property
    def notes(self) -> tuple[Message | str, ...]:
        """Those of the system."""
        return tuple(self._local.notes) if isinstance(self._local, HasNotes) else ()

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Note the sources that each worker is prepared for."""
        self._sources = tuple(sources)

    def __getattr__(self, name: str) -> Any:
        """Whatever else a job asks the system for."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._local, name)

    async def prepare(self) -> None:
        """Connect to the cluster, start the workers, and load the system in each of them."""
        async with self._starting:
            if self._pool is None:
                await self._start()

    async def _start(self) -> None:
        root, folder = self._recipe.root, self._recipe.folder
        connection = await asyncio.to_thread(self._link.open, root, folder)
        ray, options = connection.ray, self._link.options
        workers = self._link.workers or 1
        _tell(
            say_n(
                "{n} worker on {where}; Ray writes its logs to {folder}",
                "{n} workers on {where}; Ray writes its logs to {folder}",
                workers,
                where=connection.where,
                folder=connection.log_folder,
            )
        )
        mailbox = None
        if self._context.clients:
            post = ray.remote(Mailbox).options(num_cpus=0, max_concurrency=_MOST_CALLS)
            mailbox = post.remote()
            self._desk = CallDesk(mailbox, self._context.clients)
            self._serving = asyncio.create_task(self._desk.serve())
        recipe = pickle.dumps(replace(self._recipe, base=connection.base))
        make = ray.remote(Worker).options(
            num_cpus=options.cpus,
            num_gpus=options.gpus or None,
            max_concurrency=self._at_once + 4,
            max_restarts=0,
            scheduling_strategy="SPREAD",
        )
        pool = Pool(
            ray,
            workers,
            self._at_once,
            lambda _: make.remote(recipe, mailbox),
            self.identity,
            tell=_tell,
            blocks=isinstance(self._local, SeparatesVariants) and self._local.one_variant_at_a_time,
        )
        self._pool = pool  # so that it is closed even if a worker cannot start
        await pool.start()
        self._watching = asyncio.create_task(pool.watch())

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Prepare the system in each worker."""
        assert self._pool is not None
        if self._desk is not None:
            self._desk.open(0)
        meters = await self._pool.prepare([dict(each) for each in settings], self._sources)
        for meter in meters:
            _count(meter)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Ask a worker. If it is lost, another one is asked."""
        if self._pool is None:  # a judge may be asked in a run that asks its system nothing
            with waiting_in_line():
                await self.prepare()
        assert self._pool is not None
        deadline = current_deadline.get()

        def pack(token: int) -> bytes:
            left_s = deadline.left() if deadline is not None else None
            return pickle.dumps((token, question, dict(settings), top_k, left_s), protocol=5)

        desk = self._desk
        reply = await self._pool.ask(
            pack,
            desk.open if desk is not None else _ignore,
            desk.close if desk is not None else _ignore,
        )
        _count(reply["meter"])
        if "error" in reply:
            raise reply["error"]
        answer = msgspec.json.decode(reply["answer"], type=Answer)
        if answer.latency_s is None:
            # as the runner computes it for a system in its own process
            latency_s = reply["elapsed_s"] + reply["meter"].replayed_s
            answer = replace(answer, latency_s=latency_s)
        return answer

    async def close(self) -> None:
        """End the workers. The connection ends with the command."""
        self._link.systems -= not self._is_closed
        self._is_closed = True
        try:
            for task in (self._serving, self._watching):
                if task is not None:
                    task.cancel()
            if self._pool is not None:
                self._link.is_lost = not self._pool.is_connected
                await self._pool.close()
        finally:
            self._pool = None
            await self._local.close()


def on_workers(system: System, context: SystemContext, factory: str, *arguments: Any) -> System:
    """The system, whose copies answer in the workers of the context's cluster.

    A worker makes its copy with ``factory`` (``package.module:function``), the arguments, and the
    context of the worker.
    """
    assert context.cluster is not None
    mirrored: dict[str, Any] = {
        name: _mirror(name)
        for name in _MIRRORED
        if name not in ClusterSystem.__dict__ and hasattr(system, name)
    }
    kind = type("ClusterSystem", (ClusterSystem,), mirrored)
    if context.link is None:
        context.link = Link(context.cluster)
    context.link.systems += 1
    recipe = make_recipe(context, factory, arguments)
    made: System = kind(system, recipe, context.link, context)
    return made


def _mirror(name: str) -> property:
    return property(lambda self: getattr(self._local, name))


def _count(meter: Meter) -> None:
    if meter.calls or meter.retries:
        with metering_part() as part:
            part.take(meter)


def _ignore(_: int) -> None:
    """There are no calls to make for the question."""


def _tell(line: str) -> None:
    sys.stderr.write(f"{say('note')}: {line}\n")
