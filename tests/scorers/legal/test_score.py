"""Parts of the legal scores that the tables judged by hand do not cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.legal.question import (
    EvidenceQuestion,
    ExpectedEvidence,
    ExpectedFact,
    FactQuestion,
    GapQuestion,
    RequiredEvidence,
)
from assay.scorers.invention import detail, inventions, severity
from assay.scorers.legal.answer import BenchAnswer, CitedPassage
from assay.scorers.legal.boolean_answer import stated_boolean
from assay.scorers.legal.conflict_gap import conflict_gap_score
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.evidence import check_citation, stands_in
from assay.scorers.legal.evidence_set import evidence_set_score
from assay.scorers.legal.fact import fact_score
from assay.scorers.legal.field.date import date_verdict
from assay.scorers.legal.field.verdict import amount_verdict, breakdown_verdict, count_verdict
from assay.text import Number

PAGES = ("The first was £1,500 in cash.\nThe total is £4,200 in all.", "Paid on 17 June 2031.")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("42000元", True),
        ("4.2万", True),
        ("四万二千元", True),
        ("42 000 руб.", True),
        ("forty-two thousand", True),
        ("142000元", False),
        ("not 42,000 but 41,000", False),
        ("42,000 or 43,000", False),
    ],
)
def test_amounts_in_every_writing(text: str, holds: bool) -> None:
    """An amount is compared by its value and counts only if the answer asserts it."""
    assert amount_verdict(text, 42000).holds is holds


def test_another_currency_is_wrong() -> None:
    """A named currency must be the expected one; a number without currency fits any."""
    assert not amount_verdict("$4,200", 4200, currency="GBP").holds
    assert amount_verdict("4,200", 4200, currency="GBP").holds


def test_tolerance_is_one_percent() -> None:
    """An inexact comparison accepts an error of up to 1 %, including 1 % itself."""
    assert amount_verdict("10,100", 10000, exact=False).holds
    assert not amount_verdict("10,101", 10000, exact=False).holds
    assert not amount_verdict("10,100", 10000).holds


@given(st.permutations([1500, 1500, 1200]))
def test_a_breakdown_has_no_order(parts: list[int]) -> None:
    """The parts are accepted in any order, and rejected if one is missing."""
    amounts = [f"£{part:,}" for part in parts]
    assert breakdown_verdict(", ".join(amounts), [1500, 1500, 1200]).holds
    assert not breakdown_verdict(", ".join(amounts[1:]), [1500, 1500, 1200]).holds


def test_the_count_that_was_asked_for() -> None:
    """Of two counts, the one of the thing that the question names is compared."""
    question = "How many fans are there?"
    assert count_verdict("12 pumps and 18 fans", 18, question).holds
    assert not count_verdict("12 pumps and 18 fans", 12, question).holds


def test_a_day_without_its_year() -> None:
    """A day without a year is accepted if the document has that day in one year only."""
    assert date_verdict("17 June", "2031-06-17", context=PAGES).holds
    assert not date_verdict("17 June", "2031-06-17", context=[*PAGES, "17 June 2030"]).holds
    assert not date_verdict("16 or 17 June 2031", "2031-06-17").holds


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("没有拒绝", "他拒绝了吗？", False),
        ("He refused.", "Did he agree?", False),
        ("Обязался.", "Обязался ли он?", True),
        ("Только с согласия.", "Можно ли без согласия?", False),
        ("", "Did he agree?", None),
        ("The boat is green.", "Did he tell his wife?", None),
        ("Аристарх Вельяминов заплатил 918 273 рубля.", "Обязался ли он сдать отчёт?", None),
        ("Он никогда не был в Париже.", "Обязался ли Горелов сдать отчёт?", None),
        ("今天下雨。", "他同意了吗？", None),
        ("He did not.", "Did he tell his wife?", False),
        ("Он дал такое обещание.", "Обязался ли Горелов сдать отчёт?", True),
        ("他没有。", "他付款了吗？", False),
        ("No. The boat is green.", "Did he tell his wife?", False),
    ],
)
def test_yes_and_no_without_the_word(text: str, question: str, expected: bool | None) -> None:
    """Denials of answer and question are compared; an unrelated answer is neither yes nor no."""
    assert stated_boolean(text, question) is expected


def test_a_surname_that_two_people_have_is_not_enough() -> None:
    """Initials are needed if the document names two people with the same surname."""
    pages = ["Карпенко Ю. С. и Карпенко И. С."]
    assert not entity_verdict("Карпенко", "Карпенко Юлия Сергеевна", pages).holds
    assert entity_verdict("Карпенко Ю. С.", "Карпенко Юлия Сергеевна", pages).holds


def test_a_citation_counts_only_on_its_page() -> None:
    """A literal quotation with a wrong page, and a page that does not exist, are problems."""
    assert check_citation(CitedPassage(page=1, text="in all"), PAGES).problem is None
    assert check_citation(CitedPassage(page=2, text="in all"), PAGES).problem is not None
    assert check_citation(CitedPassage(page=9), PAGES).problem == "there is no page 9"


def test_critical_evidence_decides_the_citation() -> None:
    """If one item is critical, the others need no citation, but the reasons mention them."""
    question = FactQuestion(
        id="q",
        question="How much in all?",
        expected=ExpectedFact(amount_total=4200),
        required_evidence=(
            RequiredEvidence(page=1, must_include="The total is £4,200", is_critical=True),
            RequiredEvidence(page=2, must_include="Paid on 17 June"),
        ),
    )
    citations = (CitedPassage(page=1, text="The total is £4,200 in all."),)
    result = fact_score(question, BenchAnswer(text="£4,200", citations=citations), PAGES)
    assert result.score == 1.0
    assert any("no citation carries it" in reason for reason in result.why)


def test_partial_credit_is_shown_and_not_scored() -> None:
    """One correct field of two gives a partial result of 0.5 and a score of 0."""
    expected = ExpectedFact(amount_total=4200, date="2031-06-17")
    question = FactQuestion(id="q", question="How much, and when?", expected=expected)
    result = fact_score(question, BenchAnswer(text="£4,200 on 18 June 2031"), PAGES)
    assert (result.partial, result.exact_match, result.score) == (0.5, False, 0.0)


def test_nothing_retrieved_has_no_precision() -> None:
    """Without retrieved pieces, precision is undefined, not zero, and reaches no minimum."""
    question = EvidenceQuestion(
        id="e",
        question="?",
        expected=ExpectedEvidence(),
        required_evidence=(RequiredEvidence(page=2, must_include="Paid on 17 June"),),
    )
    result = evidence_set_score(question, BenchAnswer(text="The record does not say."), PAGES)
    assert (result.precision, result.precision_met, result.score) == (None, False, 0.0)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Write to jan@groot.example.", ["jan@groot.example"]),
        ("He lives at 9 Cooper Lane.", ["9 Cooper Lane"]),
        ("Call 0417 555 0161.", ["0417 555 0161"]),
        ("Its plate was KX31 TLB.", ["KX31 TLB"]),
        ("On 18 June 2031 at 23:10.", ["18 June 2031", "23:10"]),
        ("Paid £1,500 on 17.06.2031 (page 2).", []),
    ],
)
def test_invented_details_are_reported_with_their_position(
    answer: str, expected: list[str]
) -> None:
    """Every detail that no source contains is reported with its span in the answer."""
    details = inventions(answer, PAGES)
    assert [invention.text for invention in details] == expected
    assert all(invention.span.of(answer) == invention.text for invention in details)


def test_what_the_question_holds_is_not_invented() -> None:
    """A name in the question, which is the last source, is not invented; any other name is."""
    answer = "Marcus Hale paid £1,500."
    assert inventions(answer, (*PAGES, "Did Marcus Hale pay?")) == []
    details = inventions(answer, (*PAGES, "Who paid?"))
    assert [invention.text for invention in details] == ["Marcus Hale"]
    assert len(inventions(answer, ())) == 2


def test_a_document_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For any number of questions, the pages are searched for numbers only once."""
    searched: list[str] = []
    original = detail.quantities

    def recorded(text: str) -> list[Number]:
        searched.append(text)
        return original(text)

    monkeypatch.setattr(detail, "quantities", recorded)
    pages = ("A page that no other test has: £1,234.", "And 5 June 2031.")
    for number in range(3):
        inventions("It was so.", (*pages, f"Question {number}?"))
    assert sum(pages[0] in text for text in searched) == 1


def test_severity_weighs_by_the_penalty() -> None:
    """Two inventions have a severity of 2, 1 and 0.5 with a high, medium and low penalty."""
    details = inventions("Marcus Hale paid £77 then.", PAGES)
    assert len(details) == 2
    assert severity(details, "high") == 2.0
    assert severity(details, "medium") == 1.0
    assert severity(details, "low") == 0.5


@given(st.sampled_from(PAGES))
def test_the_document_invents_nothing(page: str) -> None:
    """An answer that repeats a page of the document invents nothing."""
    assert inventions(page, PAGES) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The document does not say.", ()),
        ("I could not find an answer.", ()),
        ("The times were never recorded.", (0,)),
        ('The document does not say: "the times were never recorded".', (0,)),
    ],
)
def test_an_abstention_is_no_evidence(text: str, expected: tuple[int, ...]) -> None:
    """An abstention supports no item; a quotation or a statement beside it does."""
    question = EvidenceQuestion(
        id="e",
        question="What is known of the gate?",
        expected=ExpectedEvidence(),
        required_evidence=(RequiredEvidence(page=1, must_include="the times were never recorded"),),
    )
    page = "The gate was opened, but the times were never recorded."
    assert evidence_set_score(question, BenchAnswer(text=text), [page]).found == expected


def test_a_guess_after_a_disclaimer_is_an_answer() -> None:
    """An answer that says it does not know and then guesses an amount does not abstain."""
    question = GapQuestion(id="g", question="How much?", should_abstain=True)
    answer = BenchAnswer(text="I don't know, but probably £5,000.")
    result = conflict_gap_score(question, answer, PAGES)
    assert not result.abstained
    assert [invention.text for invention in result.invented] == ["£5,000"]


@given(st.text(alphabet="abc де中文 .,!", min_size=1, max_size=30))
def test_a_text_contains_itself(text: str) -> None:
    """Every text with letters or digits contains itself, even in capitals."""
    if any(map(str.isalnum, text)) and "..." not in text:
        assert stands_in(text, text.upper())
