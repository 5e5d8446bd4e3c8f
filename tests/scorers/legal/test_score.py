"""Terms of the benchmark's scores that the judged tables do not reach."""

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
    """An amount counts by its value, where the answer stands by it."""
    assert amount_verdict(text, 42000).holds is holds


def test_another_currency_is_wrong() -> None:
    """A named currency must be the document's; a bare number fits any."""
    assert not amount_verdict("$4,200", 4200, currency="GBP").holds
    assert amount_verdict("4,200", 4200, currency="GBP").holds


def test_tolerance_is_one_percent() -> None:
    """numeric_exact false allows exactly 1 %."""
    assert amount_verdict("10,100", 10000, exact=False).holds
    assert not amount_verdict("10,101", 10000, exact=False).holds
    assert not amount_verdict("10,100", 10000).holds


@given(st.permutations([1500, 1500, 1200]))
def test_a_breakdown_has_no_order(parts: list[int]) -> None:
    """The same parts hold in any order, and fail with one left out."""
    said = [f"£{part:,}" for part in parts]
    assert breakdown_verdict(", ".join(said), [1500, 1500, 1200]).holds
    assert not breakdown_verdict(", ".join(said[1:]), [1500, 1500, 1200]).holds


def test_the_count_that_was_asked_for() -> None:
    """Of two counts, the one that the question names is compared."""
    asked = "How many fans are there?"
    assert count_verdict("12 pumps and 18 fans", 18, asked).holds
    assert not count_verdict("12 pumps and 18 fans", 12, asked).holds


def test_a_day_without_its_year() -> None:
    """It holds where the document has that day of one year only."""
    assert date_verdict("17 June", "2031-06-17", context=PAGES).holds
    assert not date_verdict("17 June", "2031-06-17", context=[*PAGES, "17 June 2030"]).holds
    assert not date_verdict("16 or 17 June 2031", "2031-06-17").holds


@pytest.mark.parametrize(
    ("text", "question", "said"),
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
def test_yes_and_no_without_the_word(text: str, question: str, said: bool | None) -> None:
    """Denials are counted against the question's own; what has nothing to do with it is neither."""
    assert stated_boolean(text, question) is said


def test_a_surname_that_two_people_have_is_not_enough() -> None:
    """Initials are needed where the document knows a namesake."""
    pages = ["Карпенко Ю. С. и Карпенко И. С."]
    assert not entity_verdict("Карпенко", "Карпенко Юлия Сергеевна", pages).holds
    assert entity_verdict("Карпенко Ю. С.", "Карпенко Юлия Сергеевна", pages).holds


def test_a_citation_counts_only_on_its_page() -> None:
    """A true quotation with the wrong page, or of no page, carries nothing."""
    assert check_citation(CitedPassage(page=1, text="in all"), PAGES).problem is None
    assert check_citation(CitedPassage(page=2, text="in all"), PAGES).problem is not None
    assert check_citation(CitedPassage(page=9), PAGES).problem == "there is no page 9"


def test_critical_evidence_decides_the_citation() -> None:
    """An item that is not critical may go uncited where another is; every reason is told."""
    question = FactQuestion(
        id="q",
        question="How much in all?",
        expected=ExpectedFact(amount_total=4200),
        required_evidence=(
            RequiredEvidence(page=1, must_include="The total is £4,200", is_critical=True),
            RequiredEvidence(page=2, must_include="Paid on 17 June"),
        ),
    )
    cited = (CitedPassage(page=1, text="The total is £4,200 in all."),)
    scored = fact_score(question, BenchAnswer(text="£4,200", citations=cited), PAGES)
    assert scored.score == 1.0
    assert any("no citation carries it" in reason for reason in scored.why)


def test_partial_credit_is_shown_and_not_scored() -> None:
    """One field of two gives half, and nothing to the score."""
    expected = ExpectedFact(amount_total=4200, date="2031-06-17")
    question = FactQuestion(id="q", question="How much, and when?", expected=expected)
    scored = fact_score(question, BenchAnswer(text="£4,200 on 18 June 2031"), PAGES)
    assert (scored.partial, scored.exact_match, scored.score) == (0.5, False, 0.0)


def test_nothing_retrieved_has_no_precision() -> None:
    """Precision is undefined, not zero, and meets no threshold."""
    question = EvidenceQuestion(
        id="e",
        question="?",
        expected=ExpectedEvidence(),
        required_evidence=(RequiredEvidence(page=2, must_include="Paid on 17 June"),),
    )
    scored = evidence_set_score(question, BenchAnswer(text="The record does not say."), PAGES)
    assert (scored.precision, scored.precision_met, scored.score) == (None, False, 0.0)


@pytest.mark.parametrize(
    ("answer", "pieces"),
    [
        ("Write to jan@groot.example.", ["jan@groot.example"]),
        ("He lives at 9 Cooper Lane.", ["9 Cooper Lane"]),
        ("Call 0417 555 0161.", ["0417 555 0161"]),
        ("Its plate was KX31 TLB.", ["KX31 TLB"]),
        ("On 18 June 2031 at 23:10.", ["18 June 2031", "23:10"]),
        ("Paid £1,500 on 17.06.2031 (page 2).", []),
    ],
)
def test_invented_pieces_are_reported_with_their_place(answer: str, pieces: list[str]) -> None:
    """Each piece stands in the answer where its span says."""
    found = inventions(answer, PAGES)
    assert [one.text for one in found] == pieces
    assert all(one.span.of(answer) == one.text for one in found)


def test_what_the_question_holds_is_not_invented() -> None:
    """The last source, read apart from the others, counts as they do; another one's does not."""
    said = "Marcus Hale paid £1,500."
    assert inventions(said, (*PAGES, "Did Marcus Hale pay?")) == []
    assert [one.text for one in inventions(said, (*PAGES, "Who paid?"))] == ["Marcus Hale"]
    assert len(inventions(said, ())) == 2


def test_a_document_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many questions are put, the pages are searched for numbers one time."""
    read: list[str] = []
    plain = detail.quantities

    def counted(text: str) -> list[Number]:
        read.append(text)
        return plain(text)

    monkeypatch.setattr(detail, "quantities", counted)
    pages = ("A page that no other test has: £1,234.", "And 5 June 2031.")
    for number in range(3):
        inventions("It was so.", (*pages, f"Question {number}?"))
    assert sum(pages[0] in text for text in read) == 1


def test_severity_weighs_by_the_penalty() -> None:
    """Two inventions weigh two, one and a half by high, medium and low."""
    found = inventions("Marcus Hale paid £77 then.", PAGES)
    assert len(found) == 2
    assert [severity(found, one) for one in ("high", "medium", "low")] == [2.0, 1.0, 0.5]


@given(st.sampled_from(PAGES))
def test_the_document_invents_nothing(page: str) -> None:
    """An answer that is a page of the document has no invention."""
    assert inventions(page, PAGES) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The document does not say.", ()),
        ("I could not find an answer.", ()),
        ("The times were never recorded.", (0,)),
        ('The document does not say: "the times were never recorded".', (0,)),
    ],
)
def test_an_abstention_is_no_evidence(text: str, found: tuple[int, ...]) -> None:
    """That the document does not tell carries nothing; what is quoted or told beside it does."""
    question = EvidenceQuestion(
        id="e",
        question="What is known of the gate?",
        expected=ExpectedEvidence(),
        required_evidence=(RequiredEvidence(page=1, must_include="the times were never recorded"),),
    )
    page = "The gate was opened, but the times were never recorded."
    assert evidence_set_score(question, BenchAnswer(text=text), [page]).found == found


def test_a_guess_after_a_disclaimer_is_an_answer() -> None:
    """Not knowing, but probably 5,000, is no abstention."""
    question = GapQuestion(id="g", question="How much?", should_abstain=True)
    scored = conflict_gap_score(
        question, BenchAnswer(text="I don't know, but probably £5,000."), PAGES
    )
    assert (scored.abstained, [one.text for one in scored.invented]) == (False, ["£5,000"])


@given(st.text(alphabet="abc де中文 .,!", min_size=1, max_size=30))
def test_a_text_stands_in_itself(text: str) -> None:
    """Whatever has letters stands in itself, in capitals too."""
    if any(map(str.isalnum, text)) and "..." not in text:
        assert stands_in(text, text.upper())
