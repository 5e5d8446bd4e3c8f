"""The correctness of a recorded answer: what the scorers of the catalogue share.

Every command that shows metrics imports the catalogue, so what compares answers is imported when
the first row with an expected answer is scored.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from assay.checks.scorer import Graded, Subject

if TYPE_CHECKING:
    from assay.checks.answer import Check
    from assay.checks.overlap import Cut

EXPECTED: Final = "expected_answer"
"""The field of a row with the accepted answers."""
CHECK: Final = "answer_contained"
"""The score that checks whether the answer is right; its rate is what labels of people correct."""
SAYS_RIGHT: Final = frozenset({"answer_contained", "answer_exact", "answer_f1", "word_f1"})
"""The scores that say whether the answer is right, as a label of a person does."""


def accepted_answers(subject: Subject) -> tuple[str, ...]:
    """The accepted answers of the question of a row; empty if there are none."""
    accepted = subject.row.get(EXPECTED)
    if isinstance(accepted, str) or not accepted:
        accepted = [accepted] if accepted else []
    return tuple(str(text) for text in accepted if str(text).strip())


def checked(subject: Subject) -> "Check | None":
    """Whether the answer of a row gives an accepted one; ``None`` if its question has none."""
    accepted = accepted_answers(subject)
    return _checked(accepted, subject.answer, subject.question) if accepted else None


@lru_cache(maxsize=256)
def _checked(accepted: tuple[str, ...], answer: str, question: str) -> "Check":
    from assay.checks.answer import check_answer  # noqa: PLC0415 - as above

    return check_answer(accepted, answer, question)


class Overlap(Struct, frozen=True, kw_only=True):
    """How an answer compares with the accepted ones by its tokens.

    ``word_f1`` is ``None`` if neither the accepted answers nor the question have Chinese characters:
    it is defined for the same questions with every system. ``abstention`` says whether the answer
    abstains although another one is expected; such an answer shares nothing.
    """

    exact: bool
    f1: float
    word_f1: float | None
    abstention: Graded


def overlap(subject: Subject) -> Overlap | None:
    """The best overlap with an accepted answer; ``None`` if the question has none."""
    accepted = accepted_answers(subject)
    return _overlap(accepted, subject.answer, subject.question) if accepted else None


@lru_cache(maxsize=256)
def _overlap(accepted: tuple[str, ...], answer: str, question: str) -> Overlap:
    from assay.checks.abstention import assess_abstention  # noqa: PLC0415 - as above
    from assay.checks.answer import expects_abstention  # noqa: PLC0415 - as above
    from assay.checks.overlap import is_exact, token_f1  # noqa: PLC0415 - as above

    found = assess_abstention(answer, question or None)
    silent = found.leans_abstaining
    expected = any(map(expects_abstention, accepted))
    exact = (silent and expected) or any(is_exact(text, answer) for text in accepted)
    wrongly = silent and not exact and not expected
    abstention = Graded.of_check(
        "decided" if exact or expected else found.outcome, wrongly, found.why if wrongly else ""
    )

    def best(cut: "Cut") -> float:
        if exact or wrongly:
            return float(exact)
        return max(token_f1(text, answer, chinese=cut) for text in accepted)

    has_chinese = any(map(_is_chinese, (*accepted, question)))
    return Overlap(
        exact=exact,
        f1=best("character"),
        word_f1=best("word") if has_chinese else None,
        abstention=abstention,
    )


def _is_chinese(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def expects_abstention(accepted: Sequence[str]) -> bool:
    """Whether an accepted answer itself says that there is no answer.

    >>> expects_abstention(["Not stated in the document"]), expects_abstention(["Thirty days"])
    (True, False)
    """
    from assay.checks.answer import expects_abstention as expects  # noqa: PLC0415 - as above

    return any(map(expects, accepted))
