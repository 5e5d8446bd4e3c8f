"""Recorded answers as a system: ``replay:experiments/NAME.jsonl``.

The system returns the answers of a journal, selected by question and settings. A job can thus be
run on a recording without the system that gave the answers.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.data.jsonl import read_blocks
from assay.errors import SystemFailed, SystemLoadError
from assay.records import Answer, Passage, Question, Stage, Usage, digest
from assay.systems.protocol import Setting


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
    answer for any settings.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers: dict[str, dict[tuple[str, int | None], Answer]] = {}
        for row in _read_rows(path):
            if row.answer is not None and row.error is None and row.question_id:
                by_settings = self._answers.setdefault(row.question_id, {})
                by_settings[_settings_part(row.fingerprint), row.top_k] = _answer(row)
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
    def max_concurrency(self) -> int | None:
        """None: there is no limit."""
        return None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Return the recorded answer; raise ``SystemFailed`` if there is none."""
        recorded = self._answers.get(question.id, {})
        settings_digest = digest(settings)
        answer = recorded.get((settings_digest, top_k)) or recorded.get((settings_digest, None))
        if answer is None and len(recorded) == 1:
            answer = next(iter(recorded.values()))
        if answer is None:
            scope = "with these settings" if recorded else "at all"
            raise SystemFailed(f"{self._path}: no answer recorded for {question.id!r} {scope}")
        return answer

    async def close(self) -> None:
        """Nothing to release."""


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
