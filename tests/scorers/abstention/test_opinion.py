"""The second opinion on an answer, and how it is weighed against the rules."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import abstains, assess_abstention
from assay.scorers.abstention.opinion import opinion, term_scale, terms
from tests.support.path import ROOT

WEIGHTS = ROOT / "src" / "assay" / "scorers" / "abstention" / "opinion.json"

REFUSED = [
    (
        "Who drew the map?",
        "I wish I could tell you, but the sheet I was handed is unsigned, sorry.",
    ),
    (
        "Кто нарисовал карту?",
        "Понятия не имею, подписи на ней нет, и в архиве только руками развели.",
    ),
    ("地图是谁画的？", "这个真说不上来，图上没有落款，档案室的人也都摇头。"),
]
ANSWERED = [
    (
        "Why was the claim rejected?",
        "No invoice was ever filed, so the insurer found nothing to pay.",
    ),
    ("Почему отклонили заявление?", "Потому что к нему не приложили ни одного документа."),
    ("为什么驳回了申请？", "因为申请人没有提交任何证明材料。"),
]


@pytest.mark.parametrize(("question", "answer"), REFUSED)
def test_wordings_that_no_rule_has_refuse(question: str, answer: str):
    """An answer abstains if its wording is that of answers that abstain."""
    assert opinion(answer, question).log_odds > 0
    assert abstains(answer, question)


@pytest.mark.parametrize(("question", "answer"), ANSWERED)
def test_a_denial_that_answers_has_the_wording_of_an_answer(question: str, answer: str):
    """What was not done may be the reason that is asked for."""
    assert opinion(answer, question).log_odds < 0
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Who owns it?", "Unknown.\n\nSource: lease.pdf, p. 3", True),
        ("Кто владелец?", "Без понятия.\n\nИсточник: договор.pdf, стр. 3", True),
        ("房东是谁？", "不清楚。\n\n来源：合同.pdf，第3页", True),
        (
            "Are pets allowed?",
            "<think>Is it in the text?</think>\nNo, pets are not allowed.",
            False,
        ),
        ("What is the deposit?", '{"answer": "2000 EUR", "error": null}', False),
        (
            "How many survivors were there?",
            "Based on the provided context, there were none.",
            False,
        ),
        ("How many defects were found?", "Having read it all, I can say: no defects.", False),
    ],
)
def test_what_stands_around_an_answer_says_nothing(question: str, answer: str, expected: bool):
    """Sources, thoughts, other fields of a record and lead-ins do not change the verdict."""
    assert abstains(answer, question) is expected


def test_on_a_few_words_no_refusal_is_overruled():
    """Too little speaks against it: a refusal that the rules know stays one."""
    assert opinion("Hits: 0", "parking permits").log_odds == 0
    assert abstains("Hits: 0", "parking permits")
    assert opinion("", "Who?").log_odds == opinion("\n").log_odds == 0


@pytest.mark.parametrize(("question", "answer"), REFUSED + ANSWERED)
def test_spelling_changes_no_opinion(question: str, answer: str):
    """Case, width, decomposed letters and markup are no words."""
    expected = opinion(answer, question).log_odds
    for other in (answer.upper(), unicodedata.normalize("NFD", answer), f"**{answer}**"):
        assert opinion(other, question).log_odds == pytest.approx(expected)


def test_a_word_of_the_question_is_no_news():
    """A word of the question is marked as one, whatever it is and however it is inflected."""
    renamed = terms("Копии ковша нигде нет", "Где копия ковша?")
    assert renamed == terms("Справки лекаря нигде нет", "Где справка лекаря?")


def test_of_a_very_long_answer_both_ends_are_weighed():
    """What stands in the middle of thousands of words is left out, so time stays bounded."""
    ends = ("The report gives no figure. " * 400, "I could not find it anywhere. " * 400)
    short, long = ("x y ".join(ends), ("x y " * 50_000).join(ends))
    assert len(terms(long, None)) <= len(terms(short, None)) + 20


def test_an_opinion_that_overrules_names_the_statement_that_decided():
    """The statement that speaks most for the verdict decides, and no statement is lost."""
    for question, answer in REFUSED + ANSWERED:
        result = assess_abstention(answer, question)
        assert result.abstains is abstains(answer, question)
        classed = (*result.refusals, *result.scaffolding, *result.claims)
        assert not result.abstains or result.decided_by in result.refusals
        assert not result.abstains or not result.claims
        assert "".join(span.of(answer) for span in classed)


@given(st.text(max_size=300), st.none() | st.text(max_size=60))
def test_every_text_has_an_opinion_and_both_functions_agree(answer: str, question: str | None):
    """Any text can be weighed, and the assessment says what the decision says."""
    result = assess_abstention(answer, question)
    assert result.abstains is abstains(answer, question)
    assert not (result.abstains and result.partial)


def test_the_weights_are_readable():
    """One line has one term, terms are sorted, and none is without effect."""
    lines = WEIGHTS.read_text(encoding="utf-8").splitlines()
    weights = json.loads("".join(lines))
    assert len(lines) == len(weights) + 2
    assert list(weights) == sorted(weights)
    assert all(weights.values())
    assert term_scale(1) == term_scale(80) > term_scale(81)
