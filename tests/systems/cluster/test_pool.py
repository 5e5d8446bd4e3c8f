"""The workers of a run on a cluster, with a stand-in for Ray: who pays for a loss."""

import asyncio
import pickle
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from assay.errors import ProviderUnavailable, SystemFailed
from assay.systems.cluster import pool as pool_module
from assay.systems.cluster.pool import Pool


class Lost(Exception):
    """The worker has ended."""


class Reference:
    """The result of a remote call, as Ray gives it."""

    def __init__(self, result: Any) -> None:
        self._future: Future[Any] = Future()
        if isinstance(result, Exception):
            self._future.set_exception(result)
        else:
            self._future.set_result(result)

    def future(self) -> "Future[Any]":
        """The same as a future of the standard library."""
        return self._future

    def __await__(self) -> Any:
        return asyncio.wrap_future(self._future).__await__()


class Cluster:
    """A stand-in for Ray whose workers end when they are asked one of ``deadly`` questions."""

    def __init__(self, deadly: Callable[[str], bool]) -> None:
        self.deadly = deadly
        self.log: list[tuple[int, str]] = []
        names = (
            "RayActorError", "NodeDiedError", "WorkerCrashedError", "ObjectLostError",
            "RaySystemError", "LocalRayletDiedError", "OutOfMemoryError",
        )  # fmt: skip
        self.exceptions = SimpleNamespace(**dict.fromkeys(names, Lost))

    def is_initialized(self) -> bool:
        """The connection is never lost."""
        return True

    def kill(self, _actor: Any) -> None:
        """End a worker."""

    def actor(self, number: int) -> Any:
        """A worker for this place."""

        def ask(request: bytes) -> Reference:
            text = request.decode()
            self.log.append((number, text))
            return Reference(Lost("it ended") if self.deadly(text) else pickle.dumps(text))

        facts = pickle.dumps({"host": "", "identity": "i"})
        return SimpleNamespace(
            load=SimpleNamespace(remote=lambda: Reference(facts)),
            ask=SimpleNamespace(remote=ask),
            close=SimpleNamespace(remote=lambda: Reference(None)),
        )


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause before a worker is started again."""
    monkeypatch.setattr(pool_module, "_PAUSE_S", 0.0)


async def _caught(work: Awaitable[Any]) -> Any:
    try:
        return await work
    except Exception as error:  # noqa: BLE001 - the tests look at it
        return error


def replies(
    cluster: Cluster, questions: Iterable[str], *, workers: int, at_once: int = 1, waiting: int = 0
) -> tuple[dict[str, Any], list[str]]:
    """The reply to each question or its error, and what the user was told.

    ``waiting`` questions wait for a worker beside those that have one.
    """
    told: list[str] = []

    async def go() -> dict[str, Any]:
        pool = Pool(cluster, workers, at_once, cluster.actor, "i", tell=told.append)
        await pool.start()
        limit = asyncio.Semaphore(workers * at_once + waiting)

        async def ask(text: str) -> Any:
            async with limit:
                return await _caught(pool.ask(lambda _: text.encode(), _ignore, _ignore))

        asked = list(questions)
        found = await asyncio.gather(*map(ask, asked))
        await pool.close()
        return dict(zip(asked, found, strict=True))

    return asyncio.run(asyncio.wait_for(go(), 60)), told


def _ignore(_token: int) -> None:
    """Nobody counts tokens here."""


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_bad_questions_fail_and_set_no_worker_aside(workers: int, at_once: int):
    """As many questions as workers end them; each fails after three, all others are answered."""
    questions = [f"bad{n}" for n in range(workers)] + [f"good{n}" for n in range(30)]
    cluster = Cluster(lambda text: text.startswith("bad"))
    found, told = replies(cluster, questions, workers=workers, at_once=at_once)
    for text, reply in found.items():
        if text.startswith("bad"):
            assert isinstance(reply, SystemFailed)
            assert "3 workers ended while they answered this question" in str(reply)
        else:
            assert reply == text
    assert not [line for line in told if "set aside" in line]


def test_a_question_that_ended_a_worker_is_asked_by_another_one():
    """Each of its three attempts is at a place of its own."""
    cluster = Cluster(lambda text: text == "bad")
    replies(cluster, ["bad", *(f"good{n}" for n in range(9))], workers=3)
    assert {number for number, text in cluster.log if text == "bad"} == {1, 2, 3}


def test_new_questions_go_before_one_that_ended_a_worker():
    """The only worker answers what waits before it is risked again."""
    cluster = Cluster(lambda text: text == "bad")
    questions = ["bad", "good0", "good1", "good2"]
    replies(cluster, questions, workers=1, waiting=3)
    assert [text for _, text in cluster.log] == ["bad", "good0", "good1", "good2", "bad", "bad"]


def test_a_worker_that_is_lost_with_every_question_is_set_aside():
    """If none is left, the run stops with the reason."""
    found, told = replies(Cluster(lambda _: True), [f"q{n}" for n in range(12)], workers=2)
    assert any("set aside" in line for line in told)
    assert any(
        isinstance(reply, ProviderUnavailable) and "no worker is left" in str(reply)
        for reply in found.values()
    )
