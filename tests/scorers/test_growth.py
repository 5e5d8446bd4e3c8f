"""The time to score an answer grows with its length, not with the square of it."""

import time
from collections.abc import Callable
from functools import cache

import pytest

from assay import assess_abstention, read_dates, read_numbers
from assay.checks import abstains, check_answer, inventions, verify_quotation
from assay.scorers.law_citation import law_citations
from assay.scorers.quality import Expectation, score_answer
from assay.scorers.risk.reply import parse_review
from assay.text import citation_spans, numbers, sentences, without_citations

PAGES = ["The rent is 5,000 dollars on 5 May 2023.", "В 2023 году рост 7,6%."]
EXPECTED = Expectation(must_include=("2023", "7,6%"), must_not_include=("Moscow",))
QUESTION = "What is the rent?"
SCORERS: dict[str, Callable[[str], object]] = {
    "abstention": lambda text: abstains(text, QUESTION),
    "answer": lambda text: check_answer(["Paris", "5,000 dollars"], text, QUESTION),
    "quality": lambda text: score_answer(EXPECTED, QUESTION, text, PAGES),
    "inventions": lambda text: inventions(text, PAGES),
    "quotation": lambda text: verify_quotation("The tenant shall pay 1,000 dollars", text),
    "law": law_citations,
    "review": parse_review,
    "sentences": sentences,
    "citations": lambda text: (citation_spans(text), without_citations(text, pages=True)),
}
PIECES = (
    "[1]",
    "ст. 1 ГК РФ, ",
    "未提及。",
    "《民法》第一条、",
    "1,",
    "- a\n",
    "(",
    "not stated, ",
    "1 мая ",
)
SHORT, LONG = 500, 2000
LARGEST_RATIO = 9.0
"""Of the times for four times the length; it is 4 for linear growth and 16 for quadratic."""
TOO_FAST = 0.05
"""Seconds below which a ratio is noise, and growth does no harm: 4 s for 18,000 characters."""
ATTEMPTS = 3
LOOP = 16000
"""How often a number is repeated in an answer of 48 KB that loops."""


def _seconds(scorer: Callable[[str], object], piece: str, length: int, attempt: int) -> float:
    """The time for a text that is new to the scorer, which may remember the texts it has seen."""
    text = f"x{attempt} {piece * (length // len(piece))}y"
    before = time.process_time()
    scorer(text)
    return time.process_time() - before


def _is_slow(scorer: Callable[[str], object], piece: str, lengths: int = 1) -> bool:
    """Whether the time grows too fast in each attempt: other programs disturb a measurement."""
    for attempt in range(ATTEMPTS):
        long = _seconds(scorer, piece, LONG * lengths, attempt)
        short = SHORT * lengths
        if long <= TOO_FAST or long <= LARGEST_RATIO * _seconds(scorer, piece, short, attempt):
            return False
    return True


@pytest.mark.parametrize("name", SCORERS)
def test_time_grows_with_the_length(name: str):
    """Repeats of a short piece, four times as long, do not take nine times as long."""
    scorer = SCORERS[name]
    for warm in ("x 1 мая 2020. 中文", "a"):
        scorer(warm)
    assert [piece for piece in PIECES if _is_slow(scorer, piece)] == []


def test_growth_with_the_square_of_the_length_is_found():
    """A function that compares all characters with each other is slow, even if it remembers."""

    @cache
    def pairs(text: str) -> int:
        return sum(first == second for first in text for second in text)

    assert _is_slow(pairs, "1, ")
    assert not _is_slow(lambda text: sum(map(pairs, text * 20)), "1, ")


def test_an_answer_that_loops_takes_time_in_proportion():
    """An answer of 48 KB that repeats one number is read number by number, and each once."""

    def scored(answer: str) -> None:
        assert not check_answer("500", answer, QUESTION).leans_right

    assert len(numbers("The rent is " + "1, " * LOOP)) == LOOP
    long = min(_seconds(scored, "1, ", 3 * LOOP, attempt) for attempt in range(2))
    short = min(_seconds(scored, "1, ", 3 * LOOP // 4, attempt) for attempt in range(2))
    assert long <= LARGEST_RATIO * short


TENANT = "The tenant shall pay 1,000 dollars"
PUBLIC: dict[str, Callable[[str], object]] = {
    "numbers": read_numbers,
    "dates": read_dates,
    "abstention": lambda text: abstains(text, QUESTION),
    "assessment": lambda text: assess_abstention(text, QUESTION),
    "source": lambda text: verify_quotation(TENANT, text),
    "quotation": lambda text: verify_quotation(text, TENANT),
    "both": lambda text: verify_quotation(text, f"{text}9"),
}
DIGITS = ("1", "1,000,", "½", "一二三", "hundred ", "1%")


@pytest.mark.parametrize("name", PUBLIC)
def test_a_long_run_of_digits_is_read_once(name: str):
    """Runs of digits, separators and numerals of 16,000 characters take time in proportion."""
    function = PUBLIC[name]
    for warm in ("x 1 мая 2020. 中文", "a"):
        function(warm)
    assert [piece for piece in DIGITS if _is_slow(function, piece, 8)] == []
