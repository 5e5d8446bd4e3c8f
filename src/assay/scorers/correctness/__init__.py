"""Whether an answer is the expected one, without a model: exact match, token F1, contained."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.correctness.recorded import EXPECTED, SAYS_RIGHT, correctness_of
    from assay.scorers.correctness.score import (
        Correctness,
        correctness,
        expects_abstention,
        is_exact,
        is_wrong_abstention,
        token_f1,
        word_f1,
    )
    from assay.scorers.correctness.token import answer_tokens
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "EXPECTED": "recorded",
            "SAYS_RIGHT": "recorded",
            "Correctness": "score",
            "answer_tokens": "token",
            "correctness": "score",
            "correctness_of": "recorded",
            "expects_abstention": "score",
            "is_exact": "score",
            "is_wrong_abstention": "score",
            "token_f1": "score",
            "word_f1": "score",
        },
    )

__all__ = [
    "EXPECTED",
    "SAYS_RIGHT",
    "Correctness",
    "answer_tokens",
    "correctness",
    "correctness_of",
    "expects_abstention",
    "is_exact",
    "is_wrong_abstention",
    "token_f1",
    "word_f1",
]
