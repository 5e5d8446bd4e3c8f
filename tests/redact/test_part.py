"""What the stages of a pipeline make of a question shows no part of its values."""

import asyncio
import re

import pytest

from assay.rag.generate.extractive import ExtractiveGenerator
from assay.redact.find import own_finder
from assay.redact.mask import Masker
from assay.redact.pseudonym import Forgotten

QUESTIONS = {
    "Whose card is 4111 1111 1111 1111?": ("4111", "1111"),
    "Whose card is 4276 3801 4276 5515?": ("4276", "3801", "5515"),
    "Чья почта ivan.petrov@leak.example, и какой срок?": ("ivan", "petrov", "leak"),
    "谁的出生日期是1975年4月3日，为什么？": ("1975",),
    "Пароль от ящика: Zx1234!abcd, чей он?": ("Zx1234", "abcd"),
    "Who pays to IBAN DE89 3704 0044 0532 0130 00, and when?": ("3704", "0532", "532"),
    "Who lives at 12 Baker Street, London, and since when?": ("Baker",),
    "Чей тел. +7 903 555-77-88, а чей +1 212 456 7890 и +86 139 1234 5678?": (
        *("903", "555", "212", "456", "7890", "139", "5678"),
    ),
    "电话138 1234 5678属于谁？": ("138", "1234", "5678"),
    "+86 138 1234 5678 / 138.1234.5678 / 13812345678，谁？": ("86 ", "1234", "5678"),
    "Whose passport is E12345678? 护照号码E12345678": ("E12345678", "12345678"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_part_of_a_value_stays_in_what_a_stage_made(question: str):
    """The queries of the reference pipeline, in one record with the question."""
    generator = ExtractiveGenerator()
    queries = asyncio.run(generator.expand(question, 9))
    passage = asyncio.run(generator.hypothesise(question, 60))
    row = {
        "question": question,
        "evaluation": {"expand": {"queries": queries}, "hyde": {"passage": passage}},
    }
    masked = Masker(Forgotten()).mask_all(row)
    assert masked["question"] != question
    without_tags = re.sub(r"\[[A-Z_]+_[0-9a-f]{4}_\d+\]", "", str(masked))
    assert [part for part in QUESTIONS[question] if part in without_tags] == [], masked


def test_other_texts_keep_what_is_only_a_part():
    """An answer may name the last digits of a card; only derived fields are searched for parts."""
    row = {"question": "card 4111 1111 1111 1111", "answer": "It ends with 1111 1111."}
    assert Masker(Forgotten()).mask_all(row)["answer"] == row["answer"]


def test_other_words_of_a_stage_stay():
    """Words and numbers that are in no value are not masked."""
    row = {
        "question": "Whose phone is +7 903 555-77-88 of 2024?",
        "evaluation": {"expand": {"queries": ["phone 2024 article 12", "7 days 903"]}},
    }
    assert Masker(Forgotten()).mask_all(row)["evaluation"] == row["evaluation"]


def test_a_part_is_not_learnt():
    """The same digits in another record may be something else."""
    masker = Masker(Forgotten())
    masker.mask_all({"q": "card 4111 1111 1111 1111", "evaluation": {"queries": ["4111 1111"]}})
    assert masker.mask("lot 4111 1111") == "lot 4111 1111"


def test_the_words_of_an_own_word_are_masked():
    """The segmenter divides a Chinese word, and nothing divides it again."""
    masker = Masker(Forgotten(), [own_finder(["青鸟计划"], [])])
    row = {"question": "青鸟计划何时开始？", "evaluation": {"queries": ["青鸟 计划 开始"]}}
    (query,) = masker.mask_all(row)["evaluation"]["queries"]
    assert query.endswith("] 开始")
    assert "青鸟" not in query
