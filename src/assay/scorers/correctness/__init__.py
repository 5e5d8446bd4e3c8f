"""Whether an answer is the expected one, without a model: exact match, token F1, contained."""

from assay.scorers.correctness.score import (
    EXPECTED,
    Correctness,
    correctness,
    correctness_of,
    is_exact,
    token_f1,
    word_f1,
)
from assay.scorers.correctness.token import answer_tokens

__all__ = [
    "EXPECTED",
    "Correctness",
    "answer_tokens",
    "correctness",
    "correctness_of",
    "is_exact",
    "token_f1",
    "word_f1",
]
