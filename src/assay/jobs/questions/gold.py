"""The gold of one question in its file: read, and changed in place.

Only the line of the question changes; all other bytes of the file stay as they are. The gold is
written in the field that the line has (``bundle``, ``gold_chunk_ids`` or ``gold``); a line whose
gold are spans gets a span.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.data.json_line_set import is_json_lines
from assay.data.jsonl import UNREADABLE
from assay.data.question import CorpusQuestion, read_questions
from assay.data.question_set import has_own_ids
from assay.data.replace_file import locked_folder, replace_file
from assay.errors import DatasetError, UseError


class GoldPassage(Struct, frozen=True, kw_only=True):
    """A passage of the corpus that is gold, or no longer is."""

    id: str
    source: str = ""
    text: str = ""
    start: int | None = None
    end: int | None = None


class QuestionGold(Struct, frozen=True, kw_only=True):
    """A question with its gold; ``version`` is a hash of the file that it was read from."""

    question: CorpusQuestion
    version: str

    def has(self, passage: GoldPassage) -> bool:
        """Whether the passage is gold: by its id, or by a span with its text."""
        spans = self.question.spans
        return passage.id in self.question.gold or any(
            span.source == passage.source and span.text == passage.text for span in spans
        )


def read_gold(path: Path, question: str) -> QuestionGold:
    """The gold of a question; raises ``UseError`` if the file does not have it."""
    data = _content(path)
    for each in read_questions(path):
        if each.id == question:
            return QuestionGold(question=each, version=hashlib.sha256(data).hexdigest())
    raise UseError(f"{path.name}: there is no question {question!r}")


def change_gold(
    path: Path, question: str, passage: GoldPassage, *, is_gold: bool, version: str
) -> QuestionGold:
    """Add a passage to the gold of a question, or take it away.

    Raises:
        UseError: the file has changed since it was read, is not JSON lines, or says that the
            question has no answer.
    """
    if not is_json_lines(path) or not has_own_ids(path):
        raise UseError(f"{path.name}: gold can be written only into JSON lines (*.jsonl) with ids")
    with locked_folder(path.parent):
        data = _content(path)
        now = read_gold(path, question)
        if now.version != version:
            raise UseError(
                f"{path.name} has changed since it was read, and is not overwritten; try again"
            )
        if is_gold and now.question.answerable is False:
            raise UseError(
                f"{path.name}: {question} is marked as a question without an answer; "
                "change that in the file first"
            )
        if now.has(passage) != is_gold:
            replace_file(path, _changed(data, question, passage, is_gold=is_gold))
        return read_gold(path, question)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read: {error.strerror or error}") from None


def _changed(data: bytes, question: str, passage: GoldPassage, *, is_gold: bool) -> bytes:
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        try:
            fields = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"), type=dict[str, Any])
        except UNREADABLE:
            continue
        if str(fields.get("id")) == question:
            _change(fields, passage, is_gold=is_gold)
            lines[number] = msgspec.json.encode(fields) + (b"\r" if line.endswith(b"\r") else b"")
            break
    return b"\n".join(lines)


def _change(fields: dict[str, Any], passage: GoldPassage, *, is_gold: bool) -> None:
    names = ("bundle", "gold_chunk_ids", "gold")
    held = [name for name in names if isinstance(fields.get(name), list)]
    if not is_gold:
        for name in held:
            fields[name] = [each for each in fields[name] if not _is(each, passage)]
        return
    name = next((name for name in held if fields[name]), held[0] if held else "gold_chunk_ids")
    fields[name] = [*(fields.get(name) or ()), _entry(name, fields.get(name) or [], passage)]


def _entry(name: str, others: list[Any], passage: GoldPassage) -> Any:
    """A passage in the form that the other entries of a field have."""
    if any(isinstance(each, dict) and "chunk_id" not in each for each in others):
        places = {"start": passage.start, "end": passage.end}
        known = {key: value for key, value in places.items() if value is not None}
        return {"source": passage.source, "text": passage.text, **known}
    return {"chunk_id": passage.id} if name == "bundle" else passage.id


def _is(entry: Any, passage: GoldPassage) -> bool:
    if not isinstance(entry, dict):
        return str(entry) == passage.id
    if entry.get("chunk_id") is not None:
        return str(entry["chunk_id"]) == passage.id
    return entry.get("source") == passage.source and entry.get("text") == passage.text
