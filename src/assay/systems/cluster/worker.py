"""A worker: one copy of the system in a process of the cluster. It becomes a Ray actor.

Requests and replies are bytes, because Ray passes these on as they are. Whatever goes wrong in the
system is part of the reply: Ray would write an exception to its logs with everything around it.
"""

import os
import pickle
import socket
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from assay.errors import AssayError, CaseSkipped, SystemFailed
from assay.models import Deadline, classify, current_deadline, describe, metering, stopwatch
from assay.records import Answer
from assay.systems.cluster.mailbox import Calls, RemoteModels, asking_for
from assay.systems.cluster.recipe import Recipe
from assay.systems.context import SystemContext
from assay.systems.protocol import Prepares, PreparesSources, System, WarmsUp


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
            except (CaseSkipped, AssayError) as error:
                return pickle.dumps({"error": error, "meter": meter})
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code may raise anything
                return pickle.dumps({"error": classify(error), "meter": meter})
            watch.stop()
        reply: dict[str, Any] = {"elapsed_s": watch.elapsed_s(), "meter": meter}
        if result is None:
            return pickle.dumps(reply)
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
