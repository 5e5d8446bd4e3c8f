"""English answers against the definitions that SQuAD published, derived a second time here."""

import re
import string
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assay.scorers.correctness import answer_tokens, is_exact, token_f1


def squad_tokens(text: str) -> list[str]:
    """Lower case; ASCII punctuation deleted; articles replaced by a space; cut at white space."""
    kept = "".join(letter for letter in text.lower() if letter not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", kept).split()


def squad_exact(expected: str, answer: str) -> bool:
    """Whether the normalised answers are equal."""
    return " ".join(squad_tokens(expected)) == " ".join(squad_tokens(answer))


def squad_f1(expected: str, answer: str) -> float:
    """The harmonic mean of precision and recall."""
    gold, said = squad_tokens(expected), squad_tokens(answer)
    same = sum(min(count, Counter(said)[token]) for token, count in Counter(gold).items())
    if not same:
        return 0.0
    precision, recall = same / len(said), same / len(gold)
    return 2 * precision * recall / (precision + recall)


WORDS = st.sampled_from(
    [
        "red",
        "gate",
        "the",
        "a",
        "An",
        "THE",
        "river's",
        "don't",
        "U.S.",
        "north-west",
        "Nile,",
        "delta;",
        "(old)",
        '"tomb"',
        "Ptolemy!",
        "is",
        "it",
        "well-known",
        "and/or",
        "AT&T",
        "Dr.",
        "St.",
        "reign;",
        "rock'n'roll",
        "x-ray",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join).filter(squad_tokens)


@given(TEXTS, TEXTS)
def test_english_answers_are_compared_as_squad_compares_them(expected: str, answer: str):
    """Exact match and F1 equal those of SQuAD for any two English answers without numbers."""
    assert answer_tokens(expected) == squad_tokens(expected)
    assert is_exact(expected, answer) is squad_exact(expected, answer)
    assert abs(token_f1(expected, answer) - squad_f1(expected, answer)) < 1e-12
