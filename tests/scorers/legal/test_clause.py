"""A value counts only in the clause that is about the question, and if it is not denied there."""

import pytest

from assay import verify_quotation
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import text_verdict

WRONG_TEXT = [
    ("What does the policy cover?", "storm and hail", "It does not cover storm or hail."),
    ("Who pays the duty?", "the seller", "The buyer pays the duty and informs the seller."),
    ("Что покрывает полис?", "бурю и град", "Он не покрывает ни бурю, ни град."),
    ("保单承保什么？", "风暴和冰雹", "不承保风暴和冰雹。"),
    ("保单承保什么？", "风暴和冰雹", "保单承保洪水，风暴和冰雹除外。"),
]
RIGHT_TEXT = [
    ("What does the policy cover?", "storm and hail", "It covers hail and storm."),
    ("What is needed?", "written consent", "Not without written consent."),
    ("Что покрывает полис?", "бурю и град", "Полис покрывает бурю и град."),
    ("保单承保什么？", "风暴和冰雹", "保单承保风暴和冰雹。"),
]
WRONG_NAME = [
    ("Where was it built?", "Bristol", "It was built in Leeds and repaired in Bristol."),
    ("To which port did it sail?", "Riga", "It sailed from Riga to Malmö."),
    ("Which bank paid?", "Harbour Bank", "River Bank paid."),
    ("Who is the owner?", "Alpine Coffee AG", "Valley Coffee AG."),
    ("Кто выдал гарантию?", "банк «Гавань»", "Гарантию выдал банк «Река» в пользу банка «Гавань»."),
    ("谁代表买方签字？", "施卫东", "裴一鸣代表买方签字，施卫东代表卖方签字。"),
]
RIGHT_NAME = [
    ("Where was it built?", "Bristol", "It was built in Bristol."),
    ("Which bank paid?", "Harbour Bank", "Harbour Bank paid."),
    ("Who is the owner?", "Alpine Coffee AG", "It belongs to Alpine Coffee."),
    ("Кому принадлежит знак?", "АО «Альпийский кофе»", "«Альпийский кофе»."),
    ("谁代表买方签字？", "施卫东", "代表买方签字的是施卫东。"),
]


@pytest.mark.parametrize(("question", "gold", "answer"), WRONG_TEXT)
def test_a_text_that_is_denied_or_said_of_something_else_is_wrong(
    question: str, gold: str, answer: str
):
    """The right words are not enough."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(("question", "gold", "answer"), RIGHT_TEXT)
def test_a_text_that_is_asserted_is_right(question: str, gold: str, answer: str):
    """The same words in an assertion about what was asked."""
    assert text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(("question", "gold", "answer"), WRONG_NAME)
def test_a_name_in_another_role_is_wrong(question: str, gold: str, answer: str):
    """The name of the other clause, of the origin or of another organisation is no answer."""
    assert not entity_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(("question", "gold", "answer"), RIGHT_NAME)
def test_a_name_in_its_role_is_right(question: str, gold: str, answer: str):
    """The legal form of a company may be left out."""
    assert entity_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("source", "quotation"),
    [
        ("Dr. Amara Osei examined the claimant.", "Dr. Nadia Osei examined the claimant."),
        ("She was treated at St. Luke's Hospital.", "She was treated at St. Mary's Hospital."),
        ("欧阳雪医生检查了原告的伤势。", "欧阳琴医生检查了原告的伤势。"),
    ],
)
def test_a_name_after_a_title_and_one_changed_character_are_changed_names(
    source: str, quotation: str
):
    """The point of a title ends no sentence, and one character makes another person."""
    assert verify_quotation(source, source).valid
    assert not verify_quotation(quotation, source).valid
