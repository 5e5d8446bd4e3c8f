"""The desk of a file of drafts: what is shown, what is next, and what is written.

The file and its decisions are read again for each request: other people write to them too. What the
check says, and the corpus, are kept as long as their files stay the same.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from assay.config import Workspace
from assay.data.expected_answer import accepted_answers
from assay.errors import AssayError, UseError
from assay.jobs.questions import (
    Draft,
    decide,
    draft_files,
    publish,
    question_text,
    read_drafts,
    versions_of,
)
from assay.jobs.questions.check import Finding, check_questions, load_passages
from assay.labels import DraftDecision
from assay.text import language
from assay.web.draft.api import (
    DraftBoard,
    DraftCount,
    DraftFinding,
    DraftPlace,
    DraftTask,
    DraftVersion,
    NewDecision,
)
from assay.web.draft.evidence import Documents
from assay.web.missing import Missing

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
        raise Missing(f"there is no file of drafts questions/{name}.jsonl")

    def _draft(self, path: Path, item: int) -> Draft:
        drafts = read_drafts(path, self._root)
        if not 0 <= item < len(drafts):
            raise Missing(f"{path.name} has {len(drafts)} drafts")
        return drafts[item]

    def _place(self, path: Path, drafts: list[Draft], after: int) -> DraftPlace:
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

    def _counted(self, path: Path, drafts: list[Draft]) -> DraftCount:
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

    def _findings(self, path: Path) -> Mapping[str, list[Finding]]:
        """What the check says, by the id of the draft; nothing for a file that is too large."""
        stamp = (_stamp(path), _stamp(self._root / "chunks" / "manifest.json"))
        return self._keep(path.name, stamp, lambda: self._check(path))

    def _check(self, path: Path) -> dict[str, list[Finding]]:
        with path.open("rb") as file:
            if sum(1 for _ in file) > MOST_CHECKED:
                return {}
        found: dict[str, list[Finding]] = {}
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


def _task(item: int, draft: Draft, findings: list[Finding], documents: Documents) -> DraftTask:
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
