"""Recorded answers as a system: ``replay:experiments/NAME.jsonl``, or the file of another tool.

The system returns the answers of a journal, selected by question and settings. A job can thus be
run on a recording without the system that gave the answers. A file of another tool, such as an export of
Ragas, has an answer beside each question; it is found by the question's id and text. In
``replay:answers.csv#gpt4`` the answers are those in the column ``gpt4``, or those of the system of that
name if the file has a row for each system, as promptfoo has for each provider.The latency is that of the recording; without one it is not known.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.answered_set import AnsweredQuestion, read_answered
from assay.data.column_role import named_columns
from assay.data.foreign_set import FORMATS, NESTED, is_json_lines, refuse_other_format
from assay.data.jsonl import UNREADABLE, decoded_lines, read_blocks
from assay.errors import DatasetError, SystemFailed, SystemLoadError, UseError
from assay.mask import sealed
from assay.records import Answer, Passage, Question, Stage, Usage, digest
from assay.systems.protocol import Setting

# Find the answer to a question in a file of another tool, by the question's id or its text.


class RecordedSet:
    """The answered questions of the file ``path``."""

    def __init__(self, path: Path, rows: Iterable[AnsweredQuestion]) -> None:
        self._path = path
        self._by_id: dict[str, AnsweredQuestion] = {}
        self._by_text: dict[str, list[AnsweredQuestion]] = {}
        self._by_letters: dict[str, list[AnsweredQuestion]] = {}
        for row in rows:
            self._by_id[row.id] = row
            self._by_text.setdefault(_plain(row.question), []).append(row)
            self._by_letters.setdefault(_letters(row.question), []).append(row)

    def find(self, question: Question) -> AnsweredQuestion:
        """The row with the answer to a question; its answer is not empty.

        The text decides, in the same case if possible. If rows have the same text, the id and the
        document of the question decide.

        Raises:
            SystemFailed: there is no such row, there are several, or its answer is empty.
        """
        found = self._same_text(question)
        own = [row for row in found if row.has_own_id and row.id == question.id]
        there = [row for row in found if question.source and row.source == question.source]
        chosen = own or there or found
        if len(chosen) > 1:
            raise SystemFailed(
                f"{self._path}: {len(chosen)} answers to the question of {question.id!r}; give ids "
                "to both files"
            )
        if not chosen and question.id in self._by_id:
            raise SystemFailed(f"{self._path}: {question.id!r} is another question there")
        if not chosen:
            raise SystemFailed(f"{self._path}: no answer recorded for {question.id!r} at all")
        if chosen[0].answer is None:
            raise SystemFailed(f"{self._path}: line {chosen[0].line}: the answer is empty")
        return chosen[0]

    def _same_text(self, question: Question) -> Sequence[AnsweredQuestion]:
        same = self._by_text.get(_plain(question.text), [])
        return same or self._by_letters.get(_letters(question.text), [])


def _plain(text: str) -> str:
    return " ".join(text.split())


def _letters(text: str) -> str:
    """A text without its spaces and its case.

    >>> _letters(" How  LONG ?") == _letters("How long?")
    True
    """
    return "".join(text.casefold().split())


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
    elapsed_s: float | None = None
    ttft_s: float | None = None
    finish_reason: str | None = None
    extra: dict[str, Any] = {}
    evaluation: dict[str, Any] | None = None
    error: str | None = None


class ReplaySystem:
    """Returns recorded answers.

    A question that was recorded with only one combination of settings and ``top_k`` gets that
    answer for any settings. The answers in a file of another tool have no settings.
    """

    def __init__(self, path: Path, columns: Mapping[str, str] | None = None) -> None:
        """``columns`` names columns of a file of another tool, such as ``{"response": "gpt4"}``."""
        self._path = path
        self._column = (columns or {}).get("response", "")
        self._answers: dict[str, dict[tuple[str, int | None], Answer]] = {}
        self._set: RecordedSet | None = None
        has_answers = False
        if not self._column and is_journal(path):
            for row in _read_rows(path):
                if row.answer is not None and row.error is None and row.question_id:
                    by_settings = self._answers.setdefault(row.question_id, {})
                    by_settings[_settings_part(row.fingerprint), row.top_k] = _answer(row)
            has_answers = bool(self._answers)
        else:
            rows = _read_set(path, columns)
            self._set = RecordedSet(path, rows)
            has_answers = any(row.answer is not None for row in rows)
        if not has_answers:
            raise SystemLoadError(f"replay:{path}: the file contains no recorded answers")
        with path.open("rb") as file:
            self._digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]

    @property
    def identity(self) -> str:
        """The name of the recording's file, the column that was named, and a hash of its content."""
        column = f"#{self._column}" if self._column else ""
        return f"replay:{self._path.name}{column}@{self._digest}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """None: any settings are accepted, because they only select the recorded answer."""
        return None

    @property
    def costs_nothing(self) -> bool:
        """True: the recorded usage was paid for when it was recorded."""
        return True

    @property
    def replayed_files(self) -> Sequence[tuple[Path, str]]:
        """The file with the answers, and the column that was named for them."""
        return ((self._path, self._column),)

    @property
    def max_concurrency(self) -> int | None:
        """None: there is no limit."""
        return None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Return the recorded answer; raise ``SystemFailed`` if there is none."""
        if self._set is not None:
            row = self._set.find(question)
            return Answer(
                text=row.answer or "",
                passages=row.passages,
                latency_s=row.latency_s,
                is_timed=row.latency_s is not None,
            )
        recorded = self._answers.get(question.id, {})
        settings_digest = digest(settings)
        marks = (settings_digest, sealed(settings_digest))  # as rows without and with redaction
        places = [(mark, each) for mark in marks for each in (top_k, None)]
        answer = next((recorded[place] for place in places if place in recorded), None)
        if answer is None and len(recorded) == 1:
            answer = next(iter(recorded.values()))
        if answer is None:
            scope = "with these settings" if recorded else "at all"
            raise SystemFailed(f"{self._path}: no answer recorded for {question.id!r} {scope}")
        return answer

    async def close(self) -> None:
        """Nothing to release."""


def is_journal(path: Path, *, if_unreadable: bool = True) -> bool:
    """Whether the file has rows of a run; the first one with a question decides.

    ``if_unreadable`` is the answer for a line that is not JSON.
    """
    if not is_json_lines(path):
        return False
    try:
        refuse_other_format(path, FORMATS)
    except DatasetError as error:
        raise SystemLoadError(f"replay:{error}") from None
    try:
        for _, line in decoded_lines(path):
            names = list(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
            columns = named_columns(names, {}, path)
            has_others = bool(columns.response) or columns.passages not in {"", "passages"}
            if "question_id" in names:
                is_plain = "question" not in columns.roles or not has_others
                return is_plain or not _MARKS.isdisjoint(names)
            if "question" in columns.roles or not NESTED.isdisjoint(names):
                return False
    except (*UNREADABLE, DatasetError):
        return if_unreadable  # the reader of rows, or that of logs, says what is wrong
    return True


def _read_set(path: Path, columns: Mapping[str, str] | None) -> list[AnsweredQuestion]:
    try:
        return read_answered(path, columns)
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
    return parts[1].partition(".")[0] if len(parts) == 3 else ""


def _answer(row: _Row) -> Answer:
    passages = row.passages
    if not passages and row.retrieved_chunk_ids is not None:
        passages = tuple(Passage(id=chunk_id) for chunk_id in row.retrieved_chunk_ids)
    return Answer(
        text=row.answer or "",
        passages=passages,
        usage=row.usage,
        stages=row.stages,
        latency_s=row.elapsed_s,
        ttft_s=row.ttft_s,
        is_timed=row.elapsed_s is not None,
        finish_reason=row.finish_reason,
        extra={**({"evaluation": row.evaluation} if row.evaluation else {}), **row.extra},
    )
