"""The gold of one question in its file: read, and changed in place.

Only the line of the question changes; all other bytes of the file stay as they are. The gold is
written in the field that the line has (``bundle``, ``gold_chunk_ids`` or ``gold``); a line whose
gold are spans gets a span.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from assay.data.corpus.chunk import Chunk, load_corpus
from assay.data.foreign_set import is_json_lines
from assay.data.jsonl import UNREADABLE, decoded_lines, locked_folder, replace_file
from assay.data.question import CorpusQuestion, is_metadata, read_questions, set_version
from assay.data.question_set import foreign_questions, has_own_ids, is_own_format
from assay.errors import DatasetError, UseError
from assay.records import GoldSpan
from assay.text.width import counted, shortened


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


# Writing files of questions.


def write_lines(path: Path, lines: Iterable[Any]) -> None:
    """Write one JSON object a line into a new file; raises ``UseError`` if it exists.

    The file appears in one step: if the program is killed, there is none.
    """
    if path.exists():
        raise UseError(f"{path} exists; choose another --out, or delete it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{path}: cannot be written: {error.strerror or error}") from None
    replace_file(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


# Turning gold chunks into spans of documents, which survive another chunk size.

_CHUNK_FIELDS: Final = ("bundle", "gold_chunk_ids", "gold")
_MOST_NAMED: Final = 3


class Respanned(Struct, frozen=True, kw_only=True):
    """A set of questions with spans: its file, and how many questions and spans it has."""

    path: Path
    questions: int
    spans: int


def respan(questions: Path, manifest: Path, out: Path, bounds: Path | None = None) -> Respanned:
    """Write the questions with a span of its document in place of each gold chunk.

    All other fields of a line stay as they are. Raises ``UseError`` if a gold chunk is not in the
    corpus.
    """
    chunks = {chunk.id: chunk for chunk in load_corpus(manifest, bounds).chunks}
    read = {question.id: question for question in read_questions(questions)}
    missing = [name for question in read.values() for name in question.gold if name not in chunks]
    if missing:
        raise UseError(
            f"{questions}: {counted(len(missing), 'gold chunk')} not in {manifest} "
            f"({', '.join(missing[:_MOST_NAMED])}{' …' if len(missing) > _MOST_NAMED else ''}); "
            "use the corpus that the questions were written for"
        )
    lines, spans = [], 0
    for fields in _rows(questions):
        if is_metadata(fields):
            lines.append(fields)
            continue
        question = read[str(fields["id"])]
        gold = list(dict.fromkeys([*question.spans, *_spans(question.gold, chunks)]))
        spans += len(gold)
        kept = {name: value for name, value in fields.items() if name not in _CHUNK_FIELDS}
        lines.append({**kept, "gold": gold} if gold else kept)
        if (
            not gold
            and question.answerable is None
            and any(name in fields for name in _CHUNK_FIELDS)
        ):
            lines[-1] = {**kept, "gold": []}
    write_lines(out, lines)
    return Respanned(path=out, questions=len(lines), spans=spans)


def _rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; those of another tool with the names of our fields."""
    if not is_own_format(path):
        return [row.fields for row in foreign_questions(path)]
    return [msgspec.json.decode(line) for _, line in decoded_lines(path)]


def _spans(gold: tuple[str, ...], chunks: Mapping[str, Chunk]) -> list[GoldSpan]:
    return [
        GoldSpan(source=chunk.source, text=chunk.text, start=chunk.start, end=chunk.end)
        for chunk in (chunks[name] for name in gold)
    ]


# What changed between two versions of a question set.

_WHAT = {
    "text": "question",
    "source": "source",
    "gold": "gold",
    "spans": "gold",
    "answers": "answer",
    "answerable": "answerable",
}


class ChangedQuestion(Struct, frozen=True, kw_only=True):
    """A question of both sets, and what differs in it; the text and answers of the later set."""

    id: str
    fields: tuple[str, ...]
    question: str = ""
    old_question: str = ""
    answers: tuple[str, ...] = ()
    old_answers: tuple[str, ...] = ()


class SetDiff(Struct, frozen=True, kw_only=True):
    """The ids that were added and removed, and the questions that changed.

    ``questions`` has the texts of those that were added and removed, by id: the id of a question
    that has none of its own says nothing to a reader.
    """

    old_version: str
    new_version: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedQuestion, ...]
    same: int
    questions: dict[str, str] = {}

    @property
    def is_same(self) -> bool:
        """Whether the sets have the same questions."""
        return not (self.added or self.removed or self.changed)


def diff_questions(old: Path, new: Path) -> SetDiff:
    """Compare two question sets by the ids of their questions."""
    before = {question.id: question for question in read_questions(old)}
    after = {question.id: question for question in read_questions(new)}
    shared = [name for name in before if name in after]
    changed = [
        ChangedQuestion(
            id=name,
            fields=fields,
            question=after[name].text,
            old_question=before[name].text,
            answers=after[name].answers,
            old_answers=before[name].answers,
        )
        for name in shared
        if (fields := _changed_fields(before[name], after[name]))
    ]
    return SetDiff(
        old_version=set_version(old),
        new_version=set_version(new),
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple(changed),
        same=len(shared) - len(changed),
        questions={
            name: question.text
            for name, question in (before | after).items()
            if not (name in before and name in after)
        },
    )


def diff_lines(found: SetDiff) -> Iterator[str]:
    """A line for each question that was added or removed; of a changed one, what it was and is."""
    for sign, names in (("+", found.added), ("-", found.removed)):
        for name in names:
            yield f"{sign} {name}: {shortened(found.questions[name])}"
    for item in found.changed:
        yield f"~ {item.id}: {shortened(item.question)} ({', '.join(item.fields)})"
        old, new = " | ".join(item.old_answers), " | ".join(item.answers)
        for before, after in ((item.old_question, item.question), (old, new)):
            if before != after:
                yield f"    {shortened(before) or '–'} → {shortened(after) or '–'}"


def _changed_fields(before: CorpusQuestion, after: CorpusQuestion) -> tuple[str, ...]:
    old, new = asdict(before), asdict(after)
    return tuple(dict.fromkeys(what for name, what in _WHAT.items() if old[name] != new[name]))


# Names of the versions of a set: ``NAME.jsonl``, ``NAME.v2.jsonl``, ``NAME.v3.jsonl``.

_VERSION: Final = re.compile(r"(?P<name>.+)\.v(?P<number>[1-9]\d{0,5})")


def set_name(path: Path) -> str:
    """The name of a set without its version.

    >>> set_name(Path("questions/law.v2.jsonl")), set_name(Path("law.jsonl"))
    ('law', 'law')
    """
    match = _VERSION.fullmatch(path.stem)
    return match["name"] if match else path.stem


def versions(folder: Path, name: str) -> dict[int, Path]:
    """The versions of a set that exist, by number; a file without a number is version 1."""
    found: dict[int, Path] = {}
    first = folder / f"{name}.jsonl"
    if first.exists():
        found[1] = first
    for path in folder.glob(f"{glob_name(name)}.v*.jsonl"):
        match = _VERSION.fullmatch(path.stem)
        if match and match["name"] == name:
            found[int(match["number"])] = path
    return dict(sorted(found.items()))


def glob_name(name: str) -> str:
    """A name whose signs stand for themselves in a pattern."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def next_version(folder: Path, name: str, *, at_least: int = 1) -> Path:
    """The file of the version after the last one; ``NAME.v1.jsonl`` if there is none."""
    last = max(versions(folder, name), default=0)
    return folder / f"{name}.v{max(last + 1, at_least)}.jsonl"


def renamed_metadata(line: bytes, path: Path) -> bytes:
    """A line of metadata for a new version: a version that it states is that of its file.

    >>> renamed_metadata(b'{"metadata":{"version":"7","by":"T."}}', Path("law.v2.jsonl"))
    b'{"metadata":{"version":"law.v2","by":"T."}}'
    """
    fields = msgspec.json.decode(line)
    if not isinstance(fields["metadata"], dict) or "version" not in fields["metadata"]:
        return line.rstrip(b"\r\n")
    return msgspec.json.encode({**fields, "metadata": {**fields["metadata"], "version": path.stem}})
