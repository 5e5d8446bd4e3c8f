"""The passages of the corpus for some words: the work of ``assay search``."""

import asyncio
from fnmatch import fnmatch
from typing import Final

from msgspec import Struct

from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.records import Passage, Question
from assay.systems.load import load_configuration, load_system, make_system_context
from assay.systems.protocol import KnowsSources

_REACH: Final = 50
"""With a source, so many times more passages are looked at as are wanted."""
_SHOWN: Final = 5


class Found(Struct, frozen=True, kw_only=True):
    """A passage of the corpus: what identifies it, where it is, and what it says."""

    id: str
    source: str
    text: str
    score: float
    page: int | None = None
    start: int | None = None
    end: int | None = None


class CorpusSearch:
    """The corpus of a workspace, loaded once for any number of searches; ``close`` releases it.

    Passages are found as the reference pipeline in fast mode finds them.

    Raises:
        DatasetError: there is no corpus.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._context = make_system_context(workspace, load_configuration(workspace))
        try:
            self._system = load_system("reference", self._context)
        except BaseException:
            self._context.close()
            raise

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the documents."""
        system = self._system
        return tuple(system.sources) if isinstance(system, KnowsSources) else ()

    async def find(self, words: str, *, source: str | None = None, limit: int = 5) -> list[Found]:
        """The best passages for ``words``, the best first; ``source`` is a name or a pattern.

        Raises:
            UseError: no document of the corpus has this name, or there are no words.
        """
        if not words.strip():
            raise UseError("write the words to search for")
        if source is not None and not any(_matches(name, source) for name in self.sources):
            known = ", ".join(sorted(self.sources)[:_SHOWN])
            rest = len(self.sources) - _SHOWN
            more = f" and {rest} more" if rest > 0 else ""
            raise UseError(f"--source {source}: no document of this name; there are: {known}{more}")
        wanted = limit if source is None else limit * _REACH
        question = Question(id="search", text=words)
        answer = await self._system.ask(question, {"fast_mode": True}, wanted)
        found = [
            _found(passage)
            for passage in answer.passages or ()
            if source is None or _matches(passage.source or "", source)
        ]
        return found[:limit]

    async def close(self) -> None:
        """Close the connections and the call cache."""
        try:
            await self._system.close()
        finally:
            self._context.close()


def search_corpus(
    workspace: Workspace, words: str, *, source: str | None = None, limit: int = 5
) -> list[Found]:
    """One search; see ``CorpusSearch``."""
    if not words.strip():
        raise UseError("write the words to search for")
    return asyncio.run(_search(workspace, words, source, limit))


async def _search(workspace: Workspace, words: str, source: str | None, limit: int) -> list[Found]:
    search = CorpusSearch(workspace)
    try:
        return await search.find(words, source=source, limit=limit)
    finally:
        await search.close()


def _found(passage: Passage) -> Found:
    return Found(
        id=passage.id,
        source=passage.source or "",
        text=passage.text,
        score=passage.score or 0.0,
        page=passage.page,
        start=passage.start,
        end=passage.end,
    )


def _matches(name: str, wanted: str) -> bool:
    return name == wanted or wanted in name or fnmatch(name, wanted)
