"""``NAME.verdicts.jsonl``: what judges that call something said about recorded answers.

A verdict is kept by the key of its case, the hash of the answer, and the identity of the judge
(its model, and its rubric and prompt by hash). It is appended as soon as it exists, so that an
answer is never judged twice by the same judge, whatever ends the run. The file only grows; the
last verdict with the same three counts.

Judging that failed may have cost something too: then there is a line without a verdict, whose
judge is ``failed IDENTITY``.
"""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.records import SCHEMA_VERSION, Answer, Usage
from assay.runs.read import read_rows
from assay.runs.write import Journal, encode_row, incomplete_line, verdicts_path

FAILED: Final = "failed "
"""How the judge of a line begins that only says what judging cost."""


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
        self._paid: dict[str, float] = {}
        if self._path.exists():
            for verdicts in read_rows(self._path, Verdict):
                for verdict in verdicts:
                    self._take(verdict)
            self._add_last_line()

    def _add_last_line(self) -> None:
        """Add the last verdict if only its newline was not written."""
        with self._path.open("rb") as file:
            _, line = incomplete_line(file.fileno(), self._path.stat().st_size)
        with suppress(*UNREADABLE):
            self._take(msgspec.json.decode(line, type=Verdict))

    def _take(self, verdict: Verdict) -> None:
        self._verdicts[_identity(verdict)] = verdict
        paid = verdict.usage.paid if verdict.usage is not None else None
        if paid is not None:
            judge = verdict.judge.removeprefix(FAILED)
            self._paid[judge] = self._paid.get(judge, 0.0) + max(paid, 0.0)

    def find(self, key: str, answer: Answer, judge: str) -> Verdict | None:
        """The verdict of this judge on this answer, if there is one."""
        return self._verdicts.get((key, answer_hash(answer), judge))

    def add(self, verdict: Verdict) -> None:
        """Append a verdict."""
        if self._file is None:
            self._file = Journal.open(self._path)
        self._file.write([encode_row(verdict)])
        self._take(verdict)

    def forget(self, verdict: Verdict) -> None:
        """Let a damaged verdict be asked for again; its line stays, and a later one replaces it."""
        self._verdicts.pop(_identity(verdict), None)

    def paid(self, judge: str) -> float | None:
        """What all lines of this judge have cost, those of failed judging too."""
        return self._paid.get(judge)

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
