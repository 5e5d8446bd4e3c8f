"""The calls of searching the corpus and of the gold of a question."""

from pathlib import Path
from typing import Any, Final

from aiohttp import web

from assay.config import Workspace
from assay.data.question import read_questions
from assay.errors import AssayError, UseError
from assay.jobs.questions import GoldPassage, QuestionGold, change_gold, read_gold
from assay.web.body import read_body
from assay.web.corpus.api import AskedQuestion, CorpusView, GoldChange, SearchRequest
from assay.web.corpus.search import Searches
from assay.web.library import Library
from assay.web.reply import in_thread, json_reply

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
