"""The answers of a log as a system: each question carries the answer that was recorded for it.

What was recorded is a part of what is asked, and so of the fingerprint of a case: a row that has changed
is noticed, and rows that are added to the log change nothing for the others.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assay.checks.scorer import LOGGED_COST, RATING
from assay.data.memory_file import MemoryFile
from assay.data.question import QuestionWithRow
from assay.errors import SystemFailed
from assay.records import Answer, Question
from assay.systems.protocol import Setting

LOG: Final = "log:"
"""How the identity of a log begins."""


class LoggedAnswers:
    """Returns what the rows of the log ``path`` have; a row without an answer is a failure."""

    settings: Mapping[str, Setting] | None = None
    max_concurrency: int | None = None
    costs_nothing = True

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def identity(self) -> str:
        """The name of the log. Its content is in what is asked."""
        return f"{LOG}python" if isinstance(self._path, MemoryFile) else f"{LOG}{self._path.name}"

    @property
    def replayed_files(self) -> Sequence[tuple[Path, str]]:
        """The log."""
        return ((self._path, ""),)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """What was recorded; raise ``SystemFailed`` if it is an error, or nothing."""
        row = question.row if isinstance(question, QuestionWithRow) else {}
        if error := row.get("error"):
            raise SystemFailed(f"the log says: {error}")
        if row.get("answer") is None:
            raise SystemFailed("the answer is empty in the log")
        passages, latency = row.get("passages"), row.get("latency_s")
        return Answer(
            text=row["answer"],
            passages=None if passages is None else tuple(passages),
            latency_s=latency,
            is_timed=latency is not None,
            facts={name: row[name] for name in (RATING, LOGGED_COST) if name in row},
        )

    async def close(self) -> None:
        """Nothing to release."""
