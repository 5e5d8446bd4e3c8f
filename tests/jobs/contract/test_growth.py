"""The time to read or score a text grows with its length, not with the square of it."""

import gc
import time
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from assay.checks.abstention import assess_abstention
from assay.checks.answer import check_answer
from assay.checks.invention import inventions
from assay.checks.overlap import token_f1
from assay.checks.quotation import verify_quotation
from assay.jobs.contract.law_citation import law_citations
from assay.jobs.contract.reply import parse_review
from assay.jobs.legal.evidence import restricted_text
from assay.jobs.legal.field import amount_verdict
from assay.jobs.quality.expectation import Expectation
from assay.jobs.quality.score import score_answer
from assay.text.citation import citation_spans, without_citations
from assay.text.date import read_dates as dates
from assay.text.number import numbers
from assay.text.sentence import sentences
from assay.text.thought import scored_text

LENGTH = 16_000
LARGEST_RATIO = 9.0
"""Of the times for four times the length; it is 4 for linear growth and 16 for quadratic."""
ATTEMPTS = 5
PAGES = ["The rent is 5,000 dollars on 5 May 2023.", "В 2023 году рост 7,6%."]
EXPECTED = Expectation(must_include=("2023", "7,6%"), must_not_include=("Moscow",))
ACCEPTED = ["Paris", "42", "5,000 dollars", "2020-08-30"]
QUESTION = "What is the rent?"
TENANT = "The tenant shall pay 1,000 dollars"
ANYTHING = "[1]|ст. 1 ГК РФ, |未提及。|《民法》第一条、|1,|- a\n|(|not stated, |1 мая |5点"
FUNCTIONS: dict[str, tuple[Callable[[str], object], str]] = {
    "numbers": (
        numbers,
        "1|1,|1 |1.|1-|½|一|十万|twenty |hundred and |5 млн |XIV |2024-|A1-|$5 | |三分之|1%",
    ),
    "dates": (dates, "1 |2024-|May |1 мая |2024年3月|in 1848 |5, |пятого |and |год |2 May 2020 "),
    "said text": (scored_text, "~~a |<del>|<s>~~a|`a``|<!-- |\u200ba|<p hidden>a</p>"),
    "answer": (
        lambda text: check_answer(ACCEPTED, text, QUESTION),
        "word |城|слово |1,|2024-|not |twenty |(| |\udcff|é|5点",
    ),
    "abstention": (
        lambda text: assess_abstention(text, text),
        "无|not |我不|if not |“a|[|; |. |not mention |\ud800|\0 ",
    ),
    "quotation": (
        lambda text: verify_quotation(text, TENANT),
        "word |违|不得|5 000 |… a |&amp;|ab-\n|$5 |½",
    ),
    "source": (
        lambda text: verify_quotation(TENANT, text),
        "word |违|不得|5 000 |&amp;|ab-\n|$5 |1,",
    ),
    "both": (lambda text: verify_quotation(f"{text} zebra", text), "word |违|5 000 |… a |$5 |1%"),
    "inventions": (
        lambda text: inventions(text, PAGES),
        "word |李|(1)|[1]|1. |A1 |Ab |12:30 | |$\\a|5点|2 May 2020 ",
    ),
    "invented from": (
        lambda text: inventions("He paid 5,000 on 5 May 2031.", [text, "?"]),
        "word |李|(1)|A1 |Ab |12:30 |$\\a|5点",
    ),
    "overlap": (lambda text: token_f1("5 May", text * 6), "5 May |1 |[1]|1 May, "),
    "quality": (lambda text: score_answer(EXPECTED, QUESTION, text, PAGES), ANYTHING),
    "law": (law_citations, ANYTHING),
    "review": (parse_review, ANYTHING),
    "record": (
        lambda text: restricted_text(f"{text[3:]}\n# {text}", section="Rent", speaker="Ann"),
        "… |.|  |\\|问：|? Q1 |a  |: |#",
    ),
    "amount": (lambda text: amount_verdict(text, 42000), "\n|1.\n|5 |1 May 2020 "),
    "sentences": (sentences, ANYTHING),
    "citations": (
        lambda text: (citation_spans(text), without_citations(text, pages=True)),
        ANYTHING,
    ),
}


@pytest.fixture(autouse=True)
def _without_collections() -> Iterator[None]:
    """A collection costs what the other tests have left, and long texts cause more of them."""
    gc.disable()
    yield
    gc.enable()


def seconds(function: Callable[[str], object], piece: str, length: int, attempt: int) -> float:
    """The time for a text that the function has not seen: it may remember the texts it has seen."""
    text = f"x{attempt} {piece * (length // len(piece))}y"
    begun = time.thread_time()  # that of the process has the threads of other tests in it
    function(text)
    return time.thread_time() - begun


def grows_linearly(function: Callable[[str], object], piece: str) -> bool:
    """Whether four times as much of a repeated piece takes at most nine times as long.

    The best of several attempts counts on either side: what else the machine does only adds.
    """
    long = short = float("inf")
    for attempt in range(ATTEMPTS):
        long = min(long, seconds(function, piece, LENGTH, attempt))
        short = min(short, seconds(function, piece, LENGTH // 4, attempt))
        if long <= LARGEST_RATIO * short:
            return True
    return False


@pytest.mark.parametrize("name", FUNCTIONS)
def test_time_grows_with_the_length(name: str):
    """Repeats of a short piece, four times as long, do not take nine times as long."""
    function, pieces = FUNCTIONS[name]
    for warm in ("x 1 мая 2020. 中文", "a"):
        function(warm)
    assert [piece for piece in pieces.split("|") if not grows_linearly(function, piece)] == []


def test_growth_with_the_square_of_the_length_is_found():
    """A function that compares all characters with each other is slow, even if it remembers."""

    @cache
    def pairs(text: str) -> int:
        return sum(first == second for first in text[::8] for second in text[::8])

    assert not grows_linearly(pairs, "1, ")
    assert grows_linearly(lambda text: sum(map(pairs, text * 20)), "1, ")
