"""The desk of a file of drafts: what is shown, what is next, and what is written.

The file and its decisions are read again for each request: other people write to them too. What the
check says, and the corpus, are kept as long as their files stay the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk
from assay.data.question_set import accepted_answers
from assay.errors import AssayError, UseError
from assay.judge.label import DraftDecision
from assay.questions.check.check import check_questions, load_passages
from assay.questions.check.item import QuestionFault
from assay.questions.review import (
    ReviewedDraft,
    decide,
    draft_files,
    publish,
    question_text,
    read_drafts,
    versions_of,
)
from assay.text.language import language
from assay.web.api import Missing, in_thread, json_reply, read_body, whole
from assay.web.library import Library
from assay.words.message import Said, message

# The structs of reviewing drafts, beside those of ``api``.
#
#     GET  /api/v1/drafts                            DraftBoard
#     GET  /api/v1/drafts/{name}/next?after=…        DraftPlace
#     GET  /api/v1/drafts/{name}/items/{item}        DraftTask
#     POST /api/v1/drafts/{name}/decisions   NewDecision   DraftPlace
#     POST /api/v1/drafts/{name}/version     NewVersion    DraftVersion
#
# ``name`` is the name of a file of drafts without ``.jsonl``; an item is the number of a draft in it.
# A draft is named by the hash of its line: a decision about a line that has changed is refused.

DraftState = Literal["accepted", "rejected", "open"]


class DraftCount(Struct, frozen=True, kw_only=True):
    """A file of drafts, and how far its review has come.

    ``last`` is the newest version of the set; empty if there is none.
    """

    name: str
    total: int
    accepted: int
    rejected: int
    last: str


class DraftBoard(Struct, frozen=True, kw_only=True):
    """The files of drafts of the workspace."""

    files: tuple[DraftCount, ...]


class DraftPlace(Struct, frozen=True, kw_only=True):
    """The next draft without a decision; ``None`` if there is none. And how far the review is."""

    item: int | None
    total: int
    accepted: int
    rejected: int
    last: str


class DraftEvidence(Struct, frozen=True, kw_only=True):
    """A stretch of a document with what stands before and after it."""

    source: str
    before: str
    text: str
    after: str
    is_found: bool


class DraftFinding(Struct, frozen=True, kw_only=True):
    """What ``assay questions check`` says about a draft."""

    kind: str
    level: str
    what: Said


class DraftTask(Struct, frozen=True, kw_only=True):
    """One draft. ``question`` and ``answer`` are the drafted texts, the others the edited ones.

    ``choices`` are letters with texts. ``place`` counts from 1.
    """

    item: int
    place: int
    id: str
    hash: str
    kind: str
    by: str
    language: str
    question: str
    answer: str
    is_answerable: bool
    choices: tuple[tuple[str, str], ...]
    evidence: tuple[DraftEvidence, ...]
    findings: tuple[DraftFinding, ...]
    verdict: DraftState
    reviewer: str
    edited_question: str | None
    edited_answer: str | None


class NewDecision(Struct, frozen=True, kw_only=True):
    """A decision as the page sends it; the texts only if they were edited."""

    item: int
    hash: str
    reviewer: str
    verdict: DraftState
    question: str | None = None
    answer: str | None = None


class NewVersion(Struct, frozen=True, kw_only=True):
    """The request to write the next version; it has no options."""


class DraftVersion(Struct, frozen=True, kw_only=True):
    """The version that was written."""

    file: str
    questions: int
    added: int
    changed: int
    removed: int


# The evidence of a draft in its context.

CONTEXT: Final = 400
"""How many characters before and after the evidence are shown at most."""
LONGEST: Final = 4_000


class Documents:
    """The chunks of the corpus by id and by document."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._by_id = {chunk.id: chunk for chunk in chunks}
        self._by_source: dict[str, list[Chunk]] = {}
        for chunk in chunks:
            self._by_source.setdefault(chunk.source, []).append(chunk)

    def evidence(self, fields: Mapping[str, Any]) -> Iterator[DraftEvidence]:
        """What the gold of a row says, each with its context."""
        for gold in _gold(fields):
            chunk = self._by_id.get(gold.get("chunk_id", ""))
            source = str(gold.get("source") or fields.get("source") or "")
            text = str(gold.get("text") or "")
            if chunk is not None:
                yield self._shown(chunk, chunk.text)
                continue
            near = self._near(source, gold)
            found = next((each for each in near if text and text in each.text), None)
            if found is not None:
                yield self._shown(found, text)
            elif near and not text:
                joined = "\n".join(each.text for each in near)
                yield _stretch(near[0].source, "", joined, "", is_found=True)
            else:
                context = near[0] if near else None
                yield _stretch(source, "", text, "", is_found=context is not None)

    def _near(self, source: str, gold: Mapping[str, Any]) -> list[Chunk]:
        """The chunks that a span touches; without offsets, those that have its text."""
        chunks = self._by_source.get(source, [])
        start, end = gold.get("start"), gold.get("end")
        if isinstance(start, int) and isinstance(end, int):
            placed = [each for each in chunks if each.end is not None]
            return [each for each in placed if (each.start or 0) < end and (each.end or 0) > start]
        text = str(gold.get("text") or "")
        return [each for each in chunks if text and text in each.text]

    def _shown(self, chunk: Chunk, text: str) -> DraftEvidence:
        """A text of a chunk, with the rest of the chunk and its neighbours around it."""
        at = chunk.text.find(text)
        before, after = chunk.text[:at], chunk.text[at + len(text) :]
        if len(before) < CONTEXT and chunk.prev in self._by_id:
            before = f"{self._by_id[chunk.prev].text}\n{before}"
        if len(after) < CONTEXT and chunk.next in self._by_id:
            after = f"{after}\n{self._by_id[chunk.next].text}"
        return _stretch(chunk.source, before, text, after, is_found=True)


def _stretch(source: str, before: str, text: str, after: str, *, is_found: bool) -> DraftEvidence:
    return DraftEvidence(
        source=source,
        before=f"…{before[-CONTEXT:]}" if len(before) > CONTEXT else before,
        text=text[:LONGEST],
        after=f"{after[:CONTEXT]}…" if len(after) > CONTEXT else after,
        is_found=is_found,
    )


def _gold(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The gold of a row in one form, whatever field it stands in."""
    for name in ("gold", "bundle", "gold_chunk_ids"):
        listed = fields.get(name)
        for gold in listed if isinstance(listed, list) else ():
            if isinstance(gold, dict):
                yield gold
            elif isinstance(gold, str | int):
                yield {"chunk_id": str(gold)}
    quoted = fields.get("evidence")
    for text in quoted if isinstance(quoted, list) else [quoted]:
        if isinstance(text, str) and text.strip():
            yield {"text": text}


T = TypeVar("T")
MOST_CHECKED: Final = 3_000
"""A larger file is not checked while somebody waits."""


class Desk:
    """The drafts of a workspace."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._workspace = Workspace(root=root)
        self._kept: dict[str, tuple[Any, Any]] = {}

    def board(self) -> DraftBoard:
        """All files of drafts, and how far each review has come."""
        return DraftBoard(files=tuple(self._count(path) for path in draft_files(self._root)))

    def place(self, name: str, after: int) -> DraftPlace:
        """The next draft without a decision after an item; then from the start."""
        path = self._path(name)
        return self._place(path, read_drafts(path, self._root), after)

    def task(self, name: str, item: int) -> DraftTask:
        """One draft with its evidence."""
        path = self._path(name)
        draft = self._draft(path, item)
        findings = self._findings(path).get(draft.id, [])
        return _task(item, draft, findings, self._documents())

    def save(self, name: str, new: NewDecision) -> DraftPlace:
        """Write a decision, and say what is next."""
        path = self._path(name)
        draft = self._draft(path, new.item)
        if draft.row_hash != new.hash:
            raise UseError("the draft has changed since it was shown; load it again")
        fields = {
            "drafts": name,
            "question_id": draft.id,
            "row_hash": new.hash,
            "reviewer": new.reviewer.strip(),
            "time": "",
            "verdict": new.verdict,
            "question": _edited(new.question, question_text(draft.fields)),
            "answer": _edited(new.answer, _answer(draft.fields)),
        }
        try:
            decision = msgspec.convert(fields, DraftDecision)
        except msgspec.ValidationError as error:
            if "reviewer" in str(error):
                raise UseError("say who decides: a name of at most 80 characters") from None
            raise UseError(f"not a decision: {error}") from None
        decide(path, self._root, decision)
        return self.place(name, new.item)

    def publish(self, name: str) -> DraftVersion:
        """Write the next version of the set."""
        written = publish(self._path(name), self._root)
        return DraftVersion(
            file=written.path.relative_to(self._root).as_posix(),
            questions=written.questions,
            added=written.added,
            changed=written.changed,
            removed=written.removed,
        )

    def _path(self, name: str) -> Path:
        for path in draft_files(self._root):
            if path.stem == name:
                return path
        raise Missing(message("there is no file of drafts {file}", file=f"questions/{name}.jsonl"))

    def _draft(self, path: Path, item: int) -> ReviewedDraft:
        drafts = read_drafts(path, self._root)
        if not 0 <= item < len(drafts):
            raise Missing(message("{file} has {n} drafts", file=path.name, n=len(drafts)))
        return drafts[item]

    def _place(self, path: Path, drafts: list[ReviewedDraft], after: int) -> DraftPlace:
        waiting = [number for number, draft in enumerate(drafts) if draft.verdict == "open"]
        later = [number for number in waiting if number > after]
        count = self._counted(path, drafts)
        return DraftPlace(
            item=next(iter(later or waiting), None),
            total=count.total,
            accepted=count.accepted,
            rejected=count.rejected,
            last=count.last,
        )

    def _count(self, path: Path) -> DraftCount:
        return self._counted(path, read_drafts(path, self._root))

    def _counted(self, path: Path, drafts: list[ReviewedDraft]) -> DraftCount:
        last = list(versions_of(path).values())[-1:]
        return DraftCount(
            name=path.stem,
            total=len(drafts),
            accepted=sum(draft.verdict == "accepted" for draft in drafts),
            rejected=sum(draft.verdict == "rejected" for draft in drafts),
            last=last[0].relative_to(self._root).as_posix() if last else "",
        )

    def _chunks(self) -> Any:
        """The corpus; ``None`` if there is none, or it cannot be read."""
        try:
            return load_passages(None, self._workspace)[0]
        except AssayError:
            return None

    def _documents(self) -> Documents:
        stamp = _stamp(self._root / "chunks" / "manifest.json")
        return self._keep("documents", stamp, lambda: Documents(self._chunks() or ()))

    def _findings(self, path: Path) -> Mapping[str, list[QuestionFault]]:
        """What the check says, by the id of the draft; nothing for a file that is too large."""
        stamp = (_stamp(path), _stamp(self._root / "chunks" / "manifest.json"))
        return self._keep(path.name, stamp, lambda: self._check(path))

    def _check(self, path: Path) -> dict[str, list[QuestionFault]]:
        with path.open("rb") as file:
            if sum(1 for _ in file) > MOST_CHECKED:
                return {}
        found: dict[str, list[QuestionFault]] = {}
        for finding in check_questions(path, self._chunks()).findings:
            if finding.line:
                found.setdefault(finding.id, []).append(finding)
        return found

    def _keep(self, name: str, stamp: Any, make: Callable[[], T]) -> T:
        known = self._kept.get(name)
        if known is None or known[0] != stamp:
            known = self._kept[name] = (stamp, make())
        kept: T = known[1]
        return kept


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _edited(new: str | None, old: str) -> str | None:
    """A text if it is another one than before."""
    return None if new is None or new.strip() == old.strip() else new.strip()


def _answer(fields: Mapping[str, Any]) -> str:
    """The expected answer; several accepted ones stand on lines of their own."""
    answers = accepted_answers(fields.get("answer")) or accepted_answers(fields.get("answers"))
    return "\n".join(answers)


def _task(
    item: int, draft: ReviewedDraft, findings: list[QuestionFault], documents: Documents
) -> DraftTask:
    fields, decision = draft.fields, draft.decision
    origin = fields.get("draft")
    drafted: Mapping[str, Any] = origin if isinstance(origin, dict) else {}
    text = question_text(fields)
    return DraftTask(
        item=item,
        place=item + 1,
        id=draft.id,
        hash=draft.row_hash,
        kind=str(drafted.get("kind") or fields.get("kind") or ""),
        by=str(drafted.get("by") or ""),
        language=language(text),
        question=text,
        answer=_answer(fields),
        is_answerable=fields.get("answerable") is not False
        and fields.get("kind") != "unanswerable"
        and drafted.get("kind") != "unanswerable",
        choices=_choices(fields),
        evidence=tuple(documents.evidence(fields)),
        findings=tuple(
            DraftFinding(kind=each.kind, level=each.level, what=each.what) for each in findings
        ),
        verdict=decision.verdict if decision is not None else "open",
        reviewer=decision.reviewer if decision is not None else "",
        edited_question=decision.question if decision is not None else None,
        edited_answer=decision.answer if decision is not None else None,
    )


def _choices(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    listed = fields.get("choice") or fields.get("choices")
    if isinstance(listed, dict):
        return tuple((str(letter), str(text)) for letter, text in listed.items())
    if isinstance(listed, list):
        return tuple((chr(ord("a") + n), str(text)) for n, text in enumerate(listed[:26]))
    return ()


# The calls of reviewing drafts.


def add_draft_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls of reviewing drafts to the server."""
    calls = DraftCalls(library)
    app.router.add_get(f"{api}/drafts", calls.board)
    app.router.add_get(f"{api}/drafts/{{name}}/next", calls.next)
    app.router.add_get(f"{api}/drafts/{{name}}/items/{{item}}", calls.task)
    app.router.add_post(f"{api}/drafts/{{name}}/decisions", calls.decide)
    app.router.add_post(f"{api}/drafts/{{name}}/version", calls.publish)


class DraftCalls:
    """The calls; the guard has checked that a request may change something."""

    def __init__(self, library: Library) -> None:
        self._desk = Desk(library.root)

    async def board(self, _: web.Request) -> web.Response:
        """The files of drafts."""
        return await _reply(self._desk.board)

    async def next(self, request: web.Request) -> web.Response:
        """The next draft without a decision."""
        name, after = request.match_info["name"], request.query.get("after", "")
        return await _reply(lambda: self._desk.place(name, whole(after) if after else -1))

    async def task(self, request: web.Request) -> web.Response:
        """One draft."""
        name, item = request.match_info["name"], whole(request.match_info["item"])
        return await _reply(lambda: self._desk.task(name, item))

    async def decide(self, request: web.Request) -> web.Response:
        """Write a decision."""
        name, new = request.match_info["name"], await read_body(request, NewDecision)
        return await _reply(lambda: self._desk.save(name, new))

    async def publish(self, request: web.Request) -> web.Response:
        """Write the next version of the set."""
        name = request.match_info["name"]
        await read_body(request, NewVersion)
        return await _reply(lambda: self._desk.publish(name))


async def _reply(work: Callable[[], Any]) -> web.Response:
    return json_reply(await in_thread(lambda _: work()))
