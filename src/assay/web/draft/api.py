"""The structs of reviewing drafts, beside those of ``api``.

    GET  /api/v1/drafts                            DraftBoard
    GET  /api/v1/drafts/{name}/next?after=…        DraftPlace
    GET  /api/v1/drafts/{name}/items/{item}        DraftTask
    POST /api/v1/drafts/{name}/decisions   NewDecision   DraftPlace
    POST /api/v1/drafts/{name}/version     NewVersion    DraftVersion

``name`` is the name of a file of drafts without ``.jsonl``; an item is the number of a draft in it.
A draft is named by the hash of its line: a decision about a line that has changed is refused.
"""

from typing import Literal

from msgspec import Struct

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
    what: str


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
