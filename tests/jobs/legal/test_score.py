"""Parts of the legal scores that the tables judged by hand do not cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.jobs.legal.conflict_gap import conflict_gap_score
from assay.jobs.legal.evidence import (
    check_citation,
    evidence_set_score,
    restricted_text,
    stands_in,
)
from assay.jobs.legal.expectation import BenchAnswer, CitedPassage
from assay.jobs.legal.fact import fact_score
from assay.jobs.legal.field import (
    amount_verdict,
    boolean_verdict,
    breakdown_verdict,
    count_verdict,
    date_verdict,
    text_verdict,
)
from assay.jobs.legal.question import (
    EvidenceQuestion,
    ExpectedEvidence,
    ExpectedFact,
    FactQuestion,
    GapQuestion,
    RequiredEvidence,
)

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


def test_a_denied_value_is_unsure() -> None:
    """A value behind a negation is there, and the verdict says that it may be denied."""
    verdict = amount_verdict("not 42,000", 42000)
    assert (verdict.holds, verdict.unsure) == (False, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4. 借款5000元\n5）还款13000元\n合计：18000元", 18000),
        ("张三共归还18000元，尚欠24000元（第3页）。", 18000),
        ("他说：“我借了42000元”，所以一共是42000元，其中现金2000元。", 42000),
    ],
)
def test_a_total_with_its_parts_and_further_amounts_is_right(text: str, expected: int) -> None:
    """What is beside the value is true too: parts, further amounts, a quotation."""
    verdict = amount_verdict(text, expected, currency="CNY")
    assert verdict.holds
    assert not verdict.unsure


@pytest.mark.parametrize(
    "text", ["否（第2页）", "没有（见第2页）", "不是（第2页）", "没有，他没有去。"]
)
def test_a_no_with_its_page_is_no(text: str) -> None:
    """The page beside a short answer changes nothing."""
    assert boolean_verdict(text, False).holds
    assert not boolean_verdict(text, True).holds


def test_a_page_and_the_mark_of_a_list_are_no_counts() -> None:
    """（第2页） and 4、 are no values."""
    assert count_verdict("两次（第5页）", 2).holds
    assert not count_verdict("两次（第5页）", 5).holds
    assert not count_verdict("4、借款五次", 4).holds


def test_a_stated_entity_is_looked_for_in_the_answer_too() -> None:
    """A structured reply whose field has another form is right if its text gives the name."""
    question = FactQuestion(id="q", question="谁借了钱？", expected=ExpectedFact(entity="成龙飞"))
    answer = BenchAnswer(text="借款人是成龙飞。", values={"entity": "被询问人"})
    assert fact_score(question, answer, PAGES).fields["entity"].holds


def test_unsure_fields_leave_a_band_in_the_score() -> None:
    """The score counts an unsure field as it leans, and says what it could be."""
    question = FactQuestion(
        id="q", question="Where is it?", expected=ExpectedFact(text_answer="beneath the liver")
    )
    found = fact_score(question, BenchAnswer(text="It is under the liver."), PAGES)
    assert text_verdict("It is under the liver.", "beneath the liver").unsure
    assert (found.at_least["exact_match"], found.at_most["exact_match"]) == (0.0, 1.0)
    assert found.at_least["score"] < found.at_most["score"]


def test_a_day_without_its_year() -> None:
    """A day without a year is accepted if the document has that day in one year only."""
    assert date_verdict("17 June", "2031-06-17", context=PAGES).holds
    assert not date_verdict("17 June", "2031-06-17", context=[*PAGES, "17 June 2030"]).holds


def test_a_citation_counts_only_on_its_page() -> None:
    """A literal quotation with a wrong page, and a page that does not exist, are problems."""
    assert check_citation(CitedPassage(page=1, text="in all"), PAGES).problem is None
    assert check_citation(CitedPassage(page=2, text="in all"), PAGES).problem is not None
    assert check_citation(CitedPassage(page=9), PAGES).problem == "there is no page 9"


RECOGNISED = r"""$ \underline{\text{问：}} $ 一共多少？有人说50000元。
$ \underline{\text{答：一共}} $ 归还 $ \underline{\text{18000}} $ 元。"""


def test_marks_of_text_recognition_are_no_words_of_a_document() -> None:
    """Words stand there and speakers speak as if the marks around them were not there."""
    assert stands_in("一共归还18000元", RECOGNISED)
    assert not stands_in("text", RECOGNISED)
    citation = CitedPassage(text="归还18000元")
    assert check_citation(citation, [RECOGNISED]).source
    said = restricted_text(RECOGNISED, section=None, speaker="answer")
    assert said is not None
    assert stands_in("一共归还18000元", said)
    assert not stands_in("50000元", said)


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


def test_a_bare_page_is_no_evidence() -> None:
    """Precision and recall count what is said or quoted, not the number of a page."""
    question = EvidenceQuestion(
        id="e",
        question="?",
        expected=ExpectedEvidence(),
        required_evidence=(RequiredEvidence(page=1, must_include="The first was £1,500 in cash"),),
    )
    said = evidence_set_score(
        question, BenchAnswer(text="The first was £1,500 in cash (p. 1)."), PAGES
    )
    assert (said.recall, said.precision) == (1.0, 1.0)
    invented = "A promissory note of 3 May shows it (p. 1)."
    found = evidence_set_score(question, BenchAnswer(text=invented), PAGES)
    assert (found.recall, found.precision) == (0.0, 0.0)


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
