"""Noticing that a cluster is gone: Ray itself would wait for ever, or abort the process."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

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
