"""Recorded answers as a system: ``replay:experiments/NAME.jsonl``, or the file of another tool.

The system returns the answers of a journal, selected by question and settings. A job can thus be
run on a recording without the system that gave the answers. A file of another tool, such as an export of
Ragas, has an answer beside each question; it is found by the question's id and text.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.answered_set import AnsweredQuestion, read_answered
from assay.data.column_role import named_columns
from assay.data.decoded_line import decoded_lines
from assay.data.json_line_set import is_json_lines
from assay.data.jsonl import UNREADABLE, read_blocks
from assay.errors import DatasetError, SystemFailed, SystemLoadError, UseError
from assay.records import Answer, Passage, Question, Stage, Usage, digest
from assay.systems.protocol import Setting

_MARKS: Final = frozenset({"fingerprint", "config", "status", "error"})
"""Fields of a row of a run."""


class _Row(msgspec.Struct, frozen=True):
    """The fields of a row that an answer needs. The fingerprint identifies the settings."""

    question_id: str = ""
    config: str = ""
    top_k: int | None = None
    answer: str | None = None
    fingerprint: str = ""
    passages: tuple[Passage, ...] | None = None
    retrieved_chunk_ids: tuple[str, ...] | None = None
    stages: tuple[Stage, ...] = ()
    usage: Usage | None = None
    finish_reason: str | None = None
    extra: dict[str, Any] = {}
    error: str | None = None


class ReplaySystem:
    """Returns recorded answers.

    A question that was recorded with only one combination of settings and ``top_k`` gets that
    answer for any settings. The answers in a file of another tool have no settings.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers: dict[str, dict[tuple[str, int | None], Answer]] = {}
        self._asked: dict[str, str] = {}
        self._ids: dict[str, list[str]] = {}
        if _is_journal(path):
            for row in _read_rows(path):
                if row.answer is not None and row.error is None and row.question_id:
                    by_settings = self._answers.setdefault(row.question_id, {})
                    by_settings[_settings_part(row.fingerprint), row.top_k] = _answer(row)
        else:
            for each in _read_set(path):
                answer = Answer(text=each.answer, passages=each.passages)
                self._answers[each.id] = {("", None): answer}
                self._asked[each.id] = _plain(each.question)
                self._ids.setdefault(_plain(each.question), []).append(each.id)
        if not self._answers:
            raise SystemLoadError(f"replay:{path}: the file contains no recorded answers")
        with path.open("rb") as file:
            self._digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]

    @property
    def identity(self) -> str:
        """The name of the recording's file and a hash of its content."""
        return f"replay:{self._path.name}@{self._digest}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """None: any settings are accepted, because they only select the recorded answer."""
        return None

    @property
    def costs_nothing(self) -> bool:
        """True: the recorded usage was paid for when it was recorded."""
        return True

    @property
    def replayed_files(self) -> Sequence[Path]:
        """The file with the answers."""
        return (self._path,)

    @property
    def max_concurrency(self) -> int | None:
        """None: there is no limit."""
        return None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Return the recorded answer; raise ``SystemFailed`` if there is none."""
        recorded = self._answers.get(self._recorded_id(question), {})
        settings_digest = digest(settings)
        answer = recorded.get((settings_digest, top_k)) or recorded.get((settings_digest, None))
        if answer is None and len(recorded) == 1:
            answer = next(iter(recorded.values()))
        if answer is None:
            scope = "with these settings" if recorded else "at all"
            raise SystemFailed(f"{self._path}: no answer recorded for {question.id!r} {scope}")
        return answer

    def _recorded_id(self, question: Question) -> str:
        """The id under which the file has the question: its own, or that of the same text."""
        text = _plain(question.text)
        if not self._asked or self._asked.get(question.id) == text:
            return question.id
        ids = self._ids.get(text, [])
        if len(ids) > 1:
            raise SystemFailed(
                f"{self._path}: {len(ids)} answers to the question of {question.id!r}; give ids "
                "to both files"
            )
        if not ids and question.id in self._asked:
            raise SystemFailed(f"{self._path}: {question.id!r} is another question there")
        return ids[0] if ids else question.id

    async def close(self) -> None:
        """Nothing to release."""


def _plain(text: str) -> str:
    return " ".join(text.split())


def _is_journal(path: Path) -> bool:
    """Whether the file has rows of a run; the first one with a question decides."""
    if not is_json_lines(path):
        return False
    try:
        for _, line in decoded_lines(path):
            names = list(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
            columns = named_columns(names, {}, path)
            has_others = bool(columns.response) or columns.passages not in {"", "passages"}
            if "question_id" in names:
                is_plain = "question" not in columns.roles or not has_others
                return is_plain or not _MARKS.isdisjoint(names)
            if "question" in columns.roles:
                return False
    except (*UNREADABLE, DatasetError):
        return True  # the reader of rows says what is wrong
    return True


def _read_set(path: Path) -> list[AnsweredQuestion]:
    try:
        return read_answered(path)
    except (DatasetError, UseError) as error:
        raise SystemLoadError(f"replay:{error}") from None


def _read_rows(path: Path) -> Iterator[_Row]:
    try:
        for rows in read_blocks(path, _Row, torn_end=True):
            yield from rows
    except OSError as error:
        raise SystemLoadError(f"replay:{path}: cannot be read: {error.strerror}") from None


def _settings_part(fingerprint: str) -> str:
    """The middle part of ``system-settings-question``; empty for rows of other programs."""
    parts = fingerprint.split("-")
    return parts[1] if len(parts) == 3 else ""


def _answer(row: _Row) -> Answer:
    passages = row.passages
    if not passages and row.retrieved_chunk_ids is not None:
        passages = tuple(Passage(id=chunk_id) for chunk_id in row.retrieved_chunk_ids)
    return Answer(
        text=row.answer or "",
        passages=passages,
        usage=row.usage,
        stages=row.stages,
        finish_reason=row.finish_reason,
        extra=row.extra,
    )
