"""The correctness of a recorded answer.

The scorers of the catalogue import this module, and every command that shows metrics imports the
catalogue. What compares answers reads word lists of three languages, so it is imported when the
first row with an expected answer is scored.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from assay.scorers.scorer import Subject

if TYPE_CHECKING:
    from assay.scorers.correctness.score import Correctness

EXPECTED: Final = "expected_answer"
"""The field of a row with the accepted answers."""
SAYS_RIGHT: Final = frozenset({"answer_contained", "answer_exact", "answer_f1", "word_f1"})
"""The scores that say whether the answer is right, as a label of a person does."""


def correctness_of(subject: Subject) -> "Correctness | None":
    """The correctness of the answer of a row; ``None`` if its question has no expected answer."""
    accepted = subject.row.get(EXPECTED)
    if isinstance(accepted, str) or not accepted:
        accepted = [accepted] if accepted else []
    texts = tuple(str(text) for text in accepted if str(text).strip())
    return _cached(texts, subject.answer, subject.question) if texts else None


@lru_cache(maxsize=256)
def _cached(accepted: tuple[str, ...], answer: str, question: str) -> "Correctness":
    from assay.scorers.correctness.score import correctness  # noqa: PLC0415 - as above

    return correctness(accepted, answer, question)
