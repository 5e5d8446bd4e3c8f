"""The calls of searching the corpus and of the gold of a question."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from aiohttp import web
from msgspec import Struct

from assay.config.workspace import Workspace
from assay.data.question import read_questions
from assay.errors import AssayError, UseError
from assay.jobs.corpus.ingest import chunks_folder
from assay.jobs.corpus.passage_search import CorpusSearch
from assay.questions.gold import GoldPassage, QuestionGold, change_gold, read_gold
from assay.web.api import in_thread, json_reply, read_body
from assay.web.library import Library

# The structs of searching the corpus and of the gold of a question.
#
#     GET  /api/v1/corpus?path=…&question=…    CorpusView
#     POST /api/v1/corpus/search   SearchRequest   FoundPassages
#     POST /api/v1/corpus/gold     GoldChange      AskedQuestion
#
# A search is a ``POST`` because it may call an embedding model, which costs something. ``path`` names
# a file of questions of the workspace.


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file with its gold; ``version`` is a hash of the file."""

    path: str
    id: str
    text: str
    gold: tuple[str, ...]
    version: str


class CorpusView(Struct, frozen=True, kw_only=True):
    """What can be searched and changed: the files of questions, and the question of the address.

    ``ids`` are the questions of the file, the first ones. ``problem`` says why the question cannot
    be shown.
    """

    files: tuple[str, ...]
    ids: tuple[str, ...] = ()
    question: AskedQuestion | None = None
    problem: str = ""


class SearchRequest(Struct, frozen=True, kw_only=True):
    """Words to search for; ``source`` is a document, or a part of its name ("" is any)."""

    text: str
    source: str = ""
    limit: int = 10


class FoundPassage(Struct, frozen=True, kw_only=True):
    """A passage of the corpus; ``start`` and ``end`` are its place in the document."""

    id: str
    source: str
    text: str
    score: float
    page: int | None = None
    start: int | None = None
    end: int | None = None


class FoundPassages(Struct, frozen=True, kw_only=True):
    """The best passages, the best first, and the documents of the corpus."""

    passages: tuple[FoundPassage, ...]
    sources: tuple[str, ...]


class GoldChange(Struct, frozen=True, kw_only=True):
    """A passage becomes gold of a question, or no longer is."""

    path: str
    question: str
    version: str
    passage: FoundPassage
    is_gold: bool


# The corpus of the workspace, kept open between searches in a thread with a loop of its own.
#
# Connections to an embedding model belong to the loop that opened them, and loading a corpus takes
# seconds; neither may hold up the server.

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


FOLDER: Final = "questions"
OWN_FOLDERS: Final = frozenset({"experiments", "labels", "chunks", "embeddings"})
"""Their files are no questions."""
MOST_FILES: Final = 200
MOST_IDS: Final = 2_000
LONGEST_QUESTION: Final = 8_000


def add_corpus_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls to a server that may change something."""
    calls = CorpusCalls(library)
    app.on_shutdown.append(calls.close)
    app.router.add_get(f"{api}/corpus", calls.view)
    app.router.add_post(f"{api}/corpus/search", calls.search)
    app.router.add_post(f"{api}/corpus/gold", calls.gold)


class CorpusCalls:
    """The calls; the guard has checked that a request may change something."""

    def __init__(self, library: Library) -> None:
        self._workspace = Workspace(root=library.root)
        self._searches = Searches(self._workspace)

    async def close(self, _: web.Application) -> None:
        """Release the corpus."""
        await self._searches.close()

    async def view(self, request: web.Request) -> web.Response:
        """The files of questions, and the question of the address."""
        path, question = request.query.get("path", ""), request.query.get("question", "")
        return json_reply(await in_thread(lambda _: self._view(path, question)))

    async def search(self, request: web.Request) -> web.Response:
        """Search the corpus."""
        return json_reply(await self._searches.find(await read_body(request, SearchRequest)))

    async def gold(self, request: web.Request) -> web.Response:
        """Change the gold of a question."""
        change = await read_body(request, GoldChange)
        return json_reply(await in_thread(lambda _: self._change(change)))

    def _view(self, path: str, question: str) -> CorpusView:
        files = self._files()
        shown = path or (files[0] if files else "")
        if not shown:
            return CorpusView(files=files)
        try:
            file = self._file(shown)
            ids = tuple(each.id for each in read_questions(file)[:MOST_IDS])
            found = _asked(shown, read_gold(file, question)) if question else None
        except AssayError as error:
            return CorpusView(files=files, problem=str(error))
        return CorpusView(files=files, ids=ids, question=found)

    def _files(self) -> tuple[str, ...]:
        folder = self._workspace.root / FOLDER
        inside = [path for path in sorted(folder.rglob("*.jsonl")) if self._is_inside(path)]
        return tuple(
            path.relative_to(self._workspace.root).as_posix() for path in inside[:MOST_FILES]
        )

    def _is_inside(self, path: Path) -> bool:
        return path.is_file() and path.resolve().is_relative_to(self._workspace.root.resolve())

    def _file(self, path: str) -> Path:
        """A file of questions in the workspace; no other file can be read or changed."""
        try:
            file = (self._workspace.root / path).resolve()
            if file.suffix != ".jsonl" or not self._is_inside(file) or self._is_ours(file):
                raise UseError(f"{path}: not a file of questions (*.jsonl) of this workspace")
        except (OSError, ValueError):  # a path with a null byte
            raise UseError("this is not the path of a file") from None
        return file

    def _is_ours(self, file: Path) -> bool:
        """Whether a file is in a folder whose files assay itself writes."""
        folder = file.relative_to(self._workspace.root.resolve()).parts[0]
        return folder.startswith(".") or folder in OWN_FOLDERS

    def _change(self, change: GoldChange) -> Any:
        passage = GoldPassage(
            id=change.passage.id,
            source=change.passage.source,
            text=change.passage.text,
            start=change.passage.start,
            end=change.passage.end,
        )
        now = change_gold(
            self._file(change.path),
            change.question,
            passage,
            is_gold=change.is_gold,
            version=change.version,
        )
        return _asked(change.path, now)


def _asked(path: str, found: QuestionGold) -> AskedQuestion:
    question = found.question
    spans = [f"{span.source}: {(span.text or '')[:200]}" for span in question.spans]
    return AskedQuestion(
        path=path,
        id=question.id,
        text=question.text[:LONGEST_QUESTION],
        gold=(*question.gold, *spans),
        version=found.version,
    )
