"""The second opinion on an answer, and how it is weighed against the rules."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import abstains, assess_abstention
from assay.scorers.abstention.opinion import (
    Marked,
    Opinion,
    View,
    answer_scale,
    edge_terms,
    marked_sentences,
    opinion,
    sentence_scale,
    sentence_terms,
    weighed,
    weights,
)
from assay.scorers.abstention.setting import Setting
from assay.text import Span
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
    assert opinion(answer, question).log_odds > weights().balance.start
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
    without_words = opinion("").log_odds
    assert opinion("Hits: 0", "parking permits").log_odds >= without_words
    assert abstains("Hits: 0", "parking permits")
    assert opinion("", "Who?").log_odds == opinion("\n").log_odds == without_words


@pytest.mark.parametrize(("question", "answer"), REFUSED + ANSWERED)
def test_spelling_changes_no_opinion(question: str, answer: str):
    """Case, width, decomposed letters and markup are no words."""
    expected = opinion(answer, question).log_odds
    for other in (answer.upper(), unicodedata.normalize("NFD", answer), f"**{answer}**"):
        assert opinion(other, question).log_odds == pytest.approx(expected)


def test_a_word_of_the_question_is_no_news():
    """A word of the question is marked as one, whatever it is and however it is inflected."""
    (renamed,) = marked_sentences("Копии ковша нигде нет", "Где копия ковша?")
    (other,) = marked_sentences("Справки лекаря нигде нет", "Где справка лекаря?")
    assert renamed.marks == other.marks == ["Q", "нигд", "нет"]


def test_of_a_very_long_answer_both_ends_are_weighed():
    """What stands in the middle of thousands of words is left out, so time stays bounded."""
    ends = ("The report gives no figure. " * 400, "I could not find it anywhere. " * 400)
    views = opinion(("x y. " * 50_000).join(ends)).views
    assert len(views) < 3000
    assert (views[0].span.start, views[-1].span.end) == (0, len(ends[0] + ends[1]) + 250_000 - 1)


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


def test_an_answer_at_the_end_is_not_outvoted_by_a_long_search():
    """One sentence that answers is enough, however many say where nothing was."""
    search = "It was not in the folder. It was not in the drawer. I nearly gave up. "
    question = "What is the parking fee?"
    assert not abstains(search + "Found it in the end: 31 euros a year.", question)
    assert abstains(search + "So I cannot tell you what it is.", question)


def test_of_the_sentences_the_strongest_counts():
    """A further sentence that says nothing changes little, and the views name the one that refuses."""
    answer = "The lease covers two rooms. The deposit is not mentioned anywhere."
    views = opinion(answer, "How much is the deposit?").views
    assert [view.span.of(answer) for view in views] == answer.replace(". ", ".|").split("|")
    assert views[1].refusal - views[1].claim > views[0].refusal - views[0].claim
    named = Opinion(log_odds=0.0, views=views)
    assert named.refusal_in(views[1].span) > named.refusal_in(views[0].span)
    assert Opinion(log_odds=0.0).refusal_in(Span(start=0, end=3)) == 0


def test_without_words_nothing_is_weighed():
    """An answer without sentences has no views."""
    assert weighed([], weights()) == (0.0, ())
    unknown = [Marked(Span(start=0, end=3), ["zzqq"], Setting())]
    total, views = weighed(unknown, weights())
    assert views == (View(Span(start=0, end=3), views[0].refusal, views[0].claim),)
    assert abs(total) < 1


def test_terms_are_marks_and_pairs_near_each_other():
    """Pairs are at most four apart; the beginning and the end of an answer have terms of their own."""
    assert list(sentence_terms(["a", "b", "c"])) == ["a", "a b", "a _ c", "b", "b c", "c"]
    assert "未 提 及" in list(sentence_terms(["未", "提", "及"]))
    assert set(edge_terms(["a", "b"])) == {"^a", "^b", "^a b", "$a", "$b", "$a b"}


def test_few_marks_weigh_no_more_than_some():
    """The scale falls with the number of marks, from some number on."""
    assert answer_scale(1) == answer_scale(16) > answer_scale(17)
    assert sentence_scale(1) == sentence_scale(8) > sentence_scale(9)


def test_the_weights_are_readable():
    """One line has one term, terms are sorted, and none is without effect."""
    lines = WEIGHTS.read_text(encoding="utf-8").splitlines()
    written = json.loads("".join(lines))
    assert len(lines) == len(written["terms"]) + 6
    assert list(written["terms"]) == sorted(written["terms"])
    assert all(map(any, written["terms"].values()))
    assert written["balance"]["refusal"] > written["balance"]["no_refusal"]
