"""The time to score an answer grows with its length, not with the square of it."""

import time
from collections.abc import Callable

import pytest

from assay.judges.verifier import verify_quotation
from assay.scorers.abstention import abstains
from assay.scorers.correctness import correctness
from assay.scorers.invention import inventions
from assay.scorers.law_citation import law_citations
from assay.scorers.mention import answer_span
from assay.scorers.quality import Expectation, score_answer
from assay.scorers.risk.reply import parse_review
from assay.scorers.value import answer_dates, quantities
from assay.text import citation_spans, numbers, sentences, without_citations

PAGES = ["The rent is 5,000 dollars on 5 May 2023.", "В 2023 году рост 7,6%."]
EXPECTED = Expectation(must_include=("2023", "7,6%"), must_not_include=("Moscow",))
QUESTION = "What is the rent?"
SCORERS: dict[str, Callable[[str], object]] = {
    "abstention": lambda text: abstains(text, QUESTION),
    "correctness": lambda text: correctness(["Paris", "5,000 dollars"], text, QUESTION),
    "quality": lambda text: score_answer(EXPECTED, QUESTION, text, PAGES),
    "inventions": lambda text: inventions(text, PAGES),
    "mention": lambda text: answer_span("5,000 dollars", text, QUESTION),
    "quotation": lambda text: verify_quotation("The tenant shall pay 1,000 dollars", text),
    "law": law_citations,
    "review": parse_review,
    "quantities": quantities,
    "dates": answer_dates,
    "sentences": sentences,
    "citations": lambda text: (citation_spans(text), without_citations(text, pages=True)),
}
PIECES = (
    "[1]", "ст. 1 ", "未提及，", "未提及。", "第1页", "p. 1-", "1/", "½", "《民法》第一条、", "ст. 1 ГК РФ, ", "1 ",
    "1.", "1,", "! ", "...", "- a\n", "_", " ", "(", "«", "not stated, ", "не указано, ", "1 мая ",
)  # fmt: skip
SHORT, LONG = 2000, 8000
LARGEST_RATIO = 9.0
"""Of the times for four times the length; it is 4 for linear growth and 16 for quadratic."""
LOOP = 16000
LOOP_SECONDS = 6.0
"""CPU time for a loop of 48 KB; it takes two seconds, and took fifteen once."""
TOO_FAST = 0.2
"""Seconds below which a ratio is noise, and growth does no harm."""


def _seconds(scorer: Callable[[str], object], piece: str, length: int) -> float:
    text = f"x {piece * (length // len(piece))}y"
    before = time.process_time()
    scorer(text)
    return time.process_time() - before


@pytest.mark.parametrize("name", SCORERS)
def test_time_grows_with_the_length(name: str):
    """Repeats of a short piece, four times as long, do not take nine times as long."""
    scorer = SCORERS[name]
    for warm in ("x 1 мая 2020. 中文", "a"):
        scorer(warm)
    slow = []
    for piece in PIECES:
        for _ in range(3):  # other programs disturb a measurement
            long = _seconds(scorer, piece, LONG)
            short = _seconds(scorer, piece, SHORT) if long > TOO_FAST else long
            if long <= TOO_FAST or long <= LARGEST_RATIO * short:
                break
        else:
            slow.append((piece, round(short, 3), round(long, 3)))
    assert slow == []


def test_an_answer_that_loops_is_scored_in_seconds():
    """An answer of 48 KB that repeats one number holds a run for seconds, not for a quarter minute."""
    answer = "The rent is " + "1, " * LOOP
    before = time.process_time()
    assert not correctness(["500"], answer, QUESTION).contained
    assert len(numbers(answer)) == LOOP
    assert time.process_time() - before < LOOP_SECONDS


def test_megabytes_of_words_are_scored_in_seconds():
    """Only the beginning and the end of an absurdly long answer are scored."""
    answer = "word " * 1_000_000
    before = time.process_time()
    score_answer(EXPECTED, QUESTION, answer, PAGES)
    assert time.process_time() - before < LOOP_SECONDS
