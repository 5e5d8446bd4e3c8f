"""What ``assay questions check`` can find, how serious it is, and what a question is worth."""

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal[
    "file_problem",
    "duplicate",
    "near_duplicate",
    "gold_missing",
    "answer_not_in_evidence",
    "answer_in_question",
    "two_right_choices",
    "answer_elsewhere",
    "answered_by_corpus",
    "unanswerable_answer",
    "language_mix",
    "closed_book",
    "copied_words",
    "unbalanced_sources",
    "unbalanced_positions",
]
Level: TypeAlias = Literal["error", "warning", "note"]

LEVELS: Final[dict[Kind, Level]] = {
    "file_problem": "error",
    "duplicate": "error",
    "near_duplicate": "error",
    "gold_missing": "error",
    "answer_not_in_evidence": "error",
    "answer_in_question": "error",
    "two_right_choices": "error",
    "answer_elsewhere": "warning",
    "answered_by_corpus": "warning",
    "unanswerable_answer": "warning",
    "language_mix": "warning",
    "closed_book": "warning",
    "unbalanced_sources": "warning",
    "unbalanced_positions": "warning",
    "copied_words": "note",
}
"""``--fix`` takes out questions with an error; a note alone does not change the exit code."""

COST: Final[dict[Level, float]] = {"error": 0.5, "warning": 0.2, "note": 0.05}


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault. ``id`` is empty if it is one of the whole set; ``line`` is 0 then.

    ``other`` is the id of the other question or the passage that is meant; ``proposal`` is a gold
    span or chunk that the question could have besides.
    """

    kind: Kind
    what: str
    id: str = ""
    line: int = 0
    other: str = ""
    proposal: dict[str, Any] | None = None

    @property
    def level(self) -> Level:
        """How serious it is."""
        return LEVELS[self.kind]


def question_score(findings: Iterable[Finding]) -> float:
    """1 less 0.5 for each error, 0.2 for each warning and 0.05 for each note; never below 0.

    Several findings of one kind count once.

    >>> found = [Finding(kind="duplicate", what=""), Finding(kind="copied_words", what="")]
    >>> question_score(found), question_score([])
    (0.45, 1.0)
    """
    kinds = {finding.kind for finding in findings}
    return round(max(0.0, 1.0 - sum(COST[LEVELS[kind]] for kind in kinds)), 2)
