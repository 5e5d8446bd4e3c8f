"""Find the answer to a question in a file of another tool, by the question's id or its text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.data.answered_set import AnsweredQuestion
from assay.errors import SystemFailed
from assay.records import Question


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
