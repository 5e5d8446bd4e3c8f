"""The passages of the corpus for some words: the work of ``assay search``."""

import asyncio
from collections.abc import Sequence
from fnmatch import fnmatch
from typing import Final

from msgspec import Struct

from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.setup import load_configuration, make_system_context
from assay.records import Passage, Question
from assay.systems import KnowsSources, System, load_system

_REACH: Final = 50
"""With a source, so many times more passages are looked at as are wanted."""


class Found(Struct, frozen=True, kw_only=True):
    """A passage of the corpus: what identifies it, where it is, and what it says."""

    id: str
    source: str
    text: str
    score: float
    page: int | None = None
    start: int | None = None
    end: int | None = None


def search_corpus(
    workspace: Workspace, words: str, *, source: str | None = None, limit: int = 5
) -> list[Found]:
    """The best passages for ``words``, the best first; ``source`` is a name or a pattern.

    They are found as the reference pipeline in fast mode finds them.

    Raises:
        UseError: no document of the corpus has this name.
        DatasetError: there is no corpus.
    """
    if not words.strip():
        raise UseError("write the words to search for")
    context = make_system_context(workspace, load_configuration(workspace))
    try:
        system = load_system("reference", context)
        sources = system.sources if isinstance(system, KnowsSources) else ()
        if source is not None and not any(_matches(name, source) for name in sources):
            known = ", ".join(sorted(sources)[:5])
            raise UseError(f"--source {source}: no document of this name; there are: {known}")
        answer = asyncio.run(_ask(system, words, limit if source is None else limit * _REACH))
    finally:
        context.close()
    found = [
        Found(
            id=passage.id,
            source=passage.source or "",
            text=passage.text,
            score=passage.score or 0.0,
            page=passage.page,
            start=passage.start,
            end=passage.end,
        )
        for passage in answer
        if source is None or _matches(passage.source or "", source)
    ]
    return found[:limit]


async def _ask(system: System, words: str, limit: int) -> Sequence[Passage]:
    try:
        answer = await system.ask(Question(id="search", text=words), {"fast_mode": True}, limit)
    finally:
        await system.close()
    return answer.passages or ()


def _matches(name: str, wanted: str) -> bool:
    return name == wanted or wanted in name or fnmatch(name, wanted)
