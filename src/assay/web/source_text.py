"""What the files of a run's workspace say about a question: the expected answer, gold passages.

Rows have the ids of gold passages, and the texts only of those that were cited. The file of
questions is read only if it is the one that the run was made with, by its hash.
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from assay.config import Workspace
from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError
from assay.journal import Summary

LARGEST_FILE: Final = 64_000_000
"""Larger files of questions or passages are not read for the page, in bytes."""


T = TypeVar("T")


class _Question(Struct, frozen=True, gc=False):
    id: str = ""
    answer: str | None = None


class _Chunk(Struct, frozen=True, gc=False):
    id: str = ""
    text: str = ""


class SourceTexts:
    """The texts behind the ids of a run; empty where a file cannot be read."""

    def __init__(self, journal: Path, summary: Summary | None) -> None:
        self._journal = journal
        self._summary = summary

    def answer(self, question: str) -> str | None:
        """The answer that the file of questions expects."""
        return self._answers.get(question)

    def passage(self, name: str) -> str | None:
        """The text of a passage of the corpus."""
        return self._passages.get(name)

    @cached_property
    def _root(self) -> Path | None:
        try:
            return Workspace.find(start=self._journal.parent).root
        except (AssayError, OSError):
            return None

    @cached_property
    def _answers(self) -> dict[str, str]:
        summary = self._summary
        if summary is None or not summary.questions_path or not summary.questions_sha256:
            return {}
        path = (self._root or self._journal.parent) / summary.questions_path
        data = _content(path)
        if hashlib.sha256(data).hexdigest() != summary.questions_sha256:
            return {}
        rows = _lines(data, _Question)
        return {row.id: row.answer for row in rows if row.id and row.answer}

    @cached_property
    def _passages(self) -> dict[str, str]:
        if self._root is None:
            return {}
        found: dict[str, str] = {}
        size = 0
        for path in sorted((self._root / "chunks").glob("*.jsonl")):
            data = _content(path)
            size += len(data)
            if size > LARGEST_FILE:
                return {}
            found.update({row.id: row.text for row in _lines(data, _Chunk) if row.id and row.text})
        return found


def _content(path: Path) -> bytes:
    """The bytes of a file of a sensible size; empty if there is none."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            return b""
        return path.read_bytes()
    except (OSError, ValueError):  # a path with a null byte
        return b""


def _lines(data: bytes, as_type: type[T]) -> Iterator[T]:
    decoder = msgspec.json.Decoder(as_type)
    for line in data.split(b"\n"):
        if line.strip():
            try:
                yield decoder.decode(line)
            except UNREADABLE:
                return
