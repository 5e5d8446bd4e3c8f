"""``NAME.verdicts.jsonl``: what judges that call something said about recorded answers.

A verdict is kept by the key of its case, the hash of the answer, and the identity of the judge
(its model, and its rubric and prompt by hash). It is appended as soon as it exists, so that an
answer is never judged twice by the same judge, whatever ends the run. The file only grows; the
last verdict with the same three counts.
"""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.journal.path import verdicts_path
from assay.journal.read import read_rows
from assay.journal.write import Journal, encode_row, incomplete_line
from assay.records import SCHEMA_VERSION, Answer, Usage


class Verdict(Struct, frozen=True, kw_only=True):
    """One verdict: on which answer to which case, by which judge, and what it cost."""

    key: str = ""
    answer_sha256: str = ""
    judge: str = ""
    verdict: Any = None
    usage: Usage | None = None
    elapsed_s: float = 0.0
    ts: float = 0.0
    schema_version: int = SCHEMA_VERSION


def answer_hash(answer: Answer) -> str:
    """The hash of what a judge reads: the text of the answer and its passages.

    >>> answer_hash(Answer(text="yes")) == answer_hash(Answer(text="yes", finish_reason="stop"))
    True
    """
    passages = [(passage.id, passage.text) for passage in answer.passages or ()]
    return hashlib.sha256(msgspec.json.encode((answer.text, passages))).hexdigest()[:16]


class VerdictStore:
    """The verdicts of a run, opened for reading and appending; it is a context manager.

    The file is created with the first verdict.
    """

    def __init__(self, journal: Path) -> None:
        self._path = verdicts_path(journal)
        self._file: Journal | None = None
        self._verdicts: dict[tuple[str, str, str], Verdict] = {}
        if self._path.exists():
            for verdicts in read_rows(self._path, Verdict):
                self._verdicts.update((_identity(verdict), verdict) for verdict in verdicts)
            self._add_last_line()

    def _add_last_line(self) -> None:
        """Add the last verdict if only its newline was not written."""
        with self._path.open("rb") as file:
            _, line = incomplete_line(file.fileno(), self._path.stat().st_size)
        with suppress(*UNREADABLE):
            verdict = msgspec.json.decode(line, type=Verdict)
            self._verdicts[_identity(verdict)] = verdict

    def find(self, key: str, answer: Answer, judge: str) -> Verdict | None:
        """The verdict of this judge on this answer, if there is one."""
        return self._verdicts.get((key, answer_hash(answer), judge))

    def add(self, verdict: Verdict) -> None:
        """Append a verdict."""
        if self._file is None:
            self._file = Journal.open(self._path)
        self._file.write([encode_row(verdict)])
        self._verdicts[_identity(verdict)] = verdict

    def close(self) -> None:
        """Sync and close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _identity(verdict: Verdict) -> tuple[str, str, str]:
    return verdict.key, verdict.answer_sha256, verdict.judge
