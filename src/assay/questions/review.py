"""Drafted questions that people accept, edit or reject, and the version of the set that follows.

``questions/NAME.draft.jsonl`` has the drafts. Decisions are kept in a file that only grows
(``assay.judge.label_store``). What was accepted becomes the next version of the set,
``questions/NAME.vK.jsonl``: the version before it, with the accepted drafts added.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE, decoded_lines
from assay.data.question import is_metadata
from assay.errors import UseError
from assay.judge.label import DraftDecision, current, text_hash
from assay.judge.label_store import append, decisions_path, read_decisions
from assay.questions.gold import next_version, renamed_metadata, versions

FOLDER: Final = "questions"
_DRAFT_FILE: Final = re.compile(r"(?P<name>.+)\.draft(?:\.v[1-9]\d{0,5})?\.jsonl")
_encode = msgspec.json.Encoder().encode


class ReviewedDraft(Struct, frozen=True, kw_only=True):
    """A drafted question: its line, the fields of it, and the decision that counts."""

    id: str
    fields: Mapping[str, Any]
    row_hash: str
    decision: DraftDecision | None = None

    @property
    def verdict(self) -> str:
        """``accepted``, ``rejected`` or ``open``."""
        return self.decision.verdict if self.decision is not None else "open"


class Published(Struct, frozen=True, kw_only=True):
    """The new version, the number of its questions, and what changed since the one before."""

    path: Path
    questions: int
    added: int
    changed: int
    removed: int


def draft_files(root: Path) -> list[Path]:
    """The files of drafts of a workspace, sorted by name; links that lead outside are left out."""
    folder = root / FOLDER
    found = folder.glob("*.jsonl") if folder.is_dir() else ()
    return sorted(
        path
        for path in found
        if _DRAFT_FILE.fullmatch(path.name)
        and path.is_file()
        and path.resolve().is_relative_to(root.resolve())
    )


def read_drafts(path: Path, root: Path) -> list[ReviewedDraft]:
    """The drafts of a file in order with their decisions; lines that are no questions are left out.

    Raises:
        DatasetError: the file cannot be read, or the file of decisions is damaged.
    """
    decided = {
        (row.question_id, row.row_hash): row
        for row in current(read_decisions(decisions_path(root, path.stem)))
        if row.drafts == path.stem
    }
    drafts: dict[str, ReviewedDraft] = {}
    for line, fields in _rows(path):
        name = str((fields or {}).get("id", "")).strip()
        if fields is None or not name or name in drafts or not question_text(fields):
            continue
        known = text_hash(line.decode("utf-8", "surrogatepass"))
        decision = decided.get((name, known))
        drafts[name] = ReviewedDraft(id=name, fields=fields, row_hash=known, decision=decision)
    return list(drafts.values())


def decide(path: Path, root: Path, decision: DraftDecision) -> DraftDecision:
    """Write a decision; it is on the disk when this returns."""
    return append(decisions_path(root, path.stem), decision)[0]


def question_text(fields: Mapping[str, Any]) -> str:
    """The question of a line; empty if it has none."""
    written = fields.get("question") or fields.get("text")
    return written if isinstance(written, str) and written.strip() else ""


def versions_of(path: Path) -> dict[int, Path]:
    """The versions of the set that a file of drafts belongs to."""
    match = _DRAFT_FILE.fullmatch(path.name)
    return versions(path.parent, match["name"]) if match else {}


def publish(path: Path, root: Path) -> Published:
    """Write the next version of the set: the last one, and the drafts that were accepted since.

    A question of the last version stays as it is, unless it is one of these drafts and was edited
    or rejected since.

    Raises:
        UseError: nothing was decided since the last version, or a question of the set that was not
            drafted has the id of an accepted draft.
    """
    match = _DRAFT_FILE.fullmatch(path.name)
    assert match is not None
    name, folder = match["name"], path.parent
    target = next_version(folder, name)
    last = list(versions(folder, name).values())[-1:]
    drafts = {draft.id: draft for draft in read_drafts(path, root)}
    lines: list[bytes] = []
    kept: set[str] = set()
    changed = removed = questions = 0
    for line, fields in (each for old in last for each in _rows(old)):
        if fields is None:
            lines.append(line)
            continue
        if is_metadata(fields):
            lines.append(renamed_metadata(line, target))
            continue
        row_id = str(fields.get("id", "")).strip()
        draft = drafts.get(row_id)
        if draft is None or (draft.verdict == "open" and "draft" in fields):
            new: bytes | None = line
        elif "draft" not in fields:
            new = _own_line(draft, line, last[0])
        else:
            new = _encode(accepted_row(draft)) if draft.verdict == "accepted" else None
        kept.add(row_id)
        changed += new is not None and new != line
        removed += new is None
        questions += new is not None
        lines += [] if new is None else [new]
    added = [each for each in drafts.values() if each.verdict == "accepted" and each.id not in kept]
    lines += [_encode(accepted_row(draft)) for draft in added]
    if not added and not changed and not removed:
        where = f" since {last[0].name}" if last else ""
        raise UseError(f"{path.name}: no draft was accepted{where}; there is nothing to write")
    _write_new(target, b"".join(line + b"\n" for line in lines))
    return Published(
        path=target,
        questions=questions + len(added),
        added=len(added),
        changed=changed,
        removed=removed,
    )


def accepted_row(draft: ReviewedDraft) -> dict[str, Any]:
    """The row of an accepted draft: with the edits, and with who accepted it and when."""
    decision = draft.decision
    assert decision is not None
    fields = dict(draft.fields)
    if decision.question is not None:
        fields["question" if "question" in fields else "text"] = decision.question
    if decision.answer is not None:
        fields.pop("answers", None)
        lines = [line.strip() for line in decision.answer.splitlines() if line.strip()]
        fields["answer"] = lines if len(lines) > 1 else "".join(lines)
    origin = fields.get("draft")
    fields["draft"] = {
        **(origin if isinstance(origin, dict) else {}),
        "reviewed_by": decision.reviewer,
        "reviewed_at": decision.time,
        "edited": decision.question is not None or decision.answer is not None,
    }
    return fields


def _own_line(draft: ReviewedDraft, line: bytes, path: Path) -> bytes:
    """A question of the set that was not drafted but has the id of a draft."""
    if draft.verdict == "accepted":
        raise UseError(
            f"{path.name} has a question {draft.id!r} of its own; give the draft another id"
        )
    return line


def _rows(path: Path) -> Iterator[tuple[bytes, dict[str, Any] | None]]:
    """The lines of a file with their fields; ``None`` if a line is no object."""
    for _, line in decoded_lines(path):
        try:
            fields = msgspec.json.decode(line)
        except UNREADABLE:
            fields = None
        yield line.rstrip(b"\r\n"), fields if isinstance(fields, dict) else None


def _write_new(target: Path, content: bytes) -> None:
    """Write a file that does not exist yet: wholly or not at all, and never over another one."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, target)
    except FileExistsError:
        raise UseError(f"{target.name} was written by somebody else; try again") from None
    except OSError as error:
        raise UseError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
