"""The corpus of the workspace, kept open between searches in a thread with a loop of its own.

Connections to an embedding model belong to the loop that opened them, and loading a corpus takes
seconds; neither may hold up the server.
"""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from assay.config import Workspace
from assay.jobs.corpus import CorpusSearch, chunks_folder
from assay.web.corpus.api import FoundPassage, FoundPassages, SearchRequest

MOST_PASSAGES: Final = 50
MOST_SOURCES: Final = 1_000
LONGEST_PASSAGE: Final = 8_000
T = TypeVar("T")


class Searches:
    """The searches of a server, one after the other."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._loop: asyncio.AbstractEventLoop | None = None
        self._corpus: CorpusSearch | None = None
        self._stamp: object = None

    async def find(self, wanted: SearchRequest) -> FoundPassages:
        """The best passages."""
        return await self._in_loop(self._find(wanted))

    async def close(self) -> None:
        """Release the corpus and end the thread."""
        loop = self._loop
        if loop is not None:
            self._loop = None
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._release(), loop))
            loop.call_soon_threadsafe(loop.stop)

    async def _in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_run, args=(self._loop,), name="search", daemon=True)
            thread.start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _find(self, wanted: SearchRequest) -> FoundPassages:
        corpus = await self._opened()
        limit = max(1, min(wanted.limit, MOST_PASSAGES))
        found = await corpus.find(wanted.text, source=wanted.source or None, limit=limit)
        return FoundPassages(
            passages=tuple(
                FoundPassage(
                    id=each.id,
                    source=each.source,
                    text=each.text[:LONGEST_PASSAGE],
                    score=each.score,
                    page=each.page,
                    start=each.start,
                    end=each.end,
                )
                for each in found
            ),
            sources=tuple(sorted(corpus.sources))[:MOST_SOURCES],
        )

    async def _opened(self) -> CorpusSearch:
        """The corpus, loaded again if it or the configuration has changed."""
        stamp = self._present_stamp()
        if self._corpus is None or stamp != self._stamp:
            await self._release()
            self._corpus, self._stamp = CorpusSearch(self._workspace), stamp
        return self._corpus

    async def _release(self) -> None:
        corpus, self._corpus = self._corpus, None
        if corpus is not None:
            await corpus.close()

    def _present_stamp(self) -> object:
        paths = [self._workspace.experiments_file]
        folder = chunks_folder(self._workspace)
        paths += sorted(folder.glob("*.json*"))
        stamps = []
        for path in paths:
            with suppress(OSError):
                status = path.stat()
                stamps.append((path, status.st_size, status.st_mtime_ns))
        return stamps


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()
