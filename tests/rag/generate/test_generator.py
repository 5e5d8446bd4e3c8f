import asyncio
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rag.generate.extractive import MOST_SENTENCES, ExtractiveGenerator
from assay.rag.generate.protocol import Generator
from assay.rag.pipeline import enforce_strict_answer
from assay.records import Passage
from assay.text.citation import NO_MENTION, extract_citation_numbers, is_no_mention
from assay.text.language import language
from assay.text.search_term import words

EN = (
    Passage(id="a", text="The ferry leaves at 07:10. Dogs travel on the open deck.", page=3),
    Passage(id="b", text="The deposit is 480 crowns. It is returned within thirty days.", page=5),
    Passage(id="c", text="Minutes of the council are published within eight days.", page=None),
)
RU = (
    Passage(id="a", text="Паром отходит в семь утра. Собаки едут на палубе.", page=3),
    Passage(id="b", text="Залог составляет 480 рублей. Залог возвращают за тридцать дней.", page=5),
)
ZH = (
    Passage(id="a", text="渡船早上七点开出。狗应当留在甲板上。", page=3),
    Passage(id="b", text="押金为四百八十元。押金在三十日内退还。", page=5),
)
CASES = {
    "en": ("How much is the deposit?", EN, "The deposit is 480 crowns.", "(p. 5)"),
    "ru": ("Сколько рублей составляет залог?", RU, "Залог составляет 480 рублей.", "(стр. 5)"),
    "zh": ("押金是多少元？", ZH, "押金为四百八十元。", "(第5页)"),
}
UNKNOWN = {
    "en": "Which vaccine does the dentist prescribe?",
    "ru": "Какую вакцину назначает стоматолог?",
    "zh": "牙医开什么疫苗？",
}
generator = ExtractiveGenerator()


def expand(question: str, count: int) -> list[str]:
    """Return the generator's other wordings of a question."""
    return asyncio.run(generator.expand(question, count))


def hypothesise(question: str, max_words: int) -> str:
    """Return the generator's hypothetical passage."""
    return asyncio.run(generator.hypothesise(question, max_words))


def answer(question: str, passages: tuple[Passage, ...], style: str = "index") -> str:
    """Return the generator's answer."""
    return asyncio.run(generator.answer(question, passages, style))


@pytest.mark.parametrize("lang", CASES)
def test_the_answer_quotes_word_for_word_and_cites(lang: str):
    """The answer is the supporting sentence, unchanged, with the number of its passage."""
    question, passages, sentence, _ = CASES[lang]
    reply = answer(question, passages)
    assert reply.startswith(sentence)
    assert extract_citation_numbers(reply) == [2]


@pytest.mark.parametrize("lang", CASES)
def test_pages_are_cited_in_the_questions_language(lang: str):
    """With the style ``page`` the answer cites the page in the form of the language."""
    question, passages, sentence, mark = CASES[lang]
    reply = answer(question, passages, "page")
    assert sentence in reply
    assert mark in reply
    assert extract_citation_numbers(reply) == []


def test_a_passage_without_a_page_is_cited_by_number():
    """With the style ``page`` a passage without a page is cited as ``[n]``."""
    reply = answer("When are the minutes of the council published?", EN, "page")
    assert reply == "Minutes of the council are published within eight days. [3]"


@pytest.mark.parametrize("lang", UNKNOWN)
def test_thin_support_abstains_in_the_questions_language(lang: str):
    """If no passage supports an answer, the no-mention answer of the language is returned."""
    passages = CASES[lang][1]
    assert answer(UNKNOWN[lang], passages) == NO_MENTION[language(UNKNOWN[lang])]


@pytest.mark.parametrize("question", ["", "???", "what is it?"])
def test_a_question_without_content_abstains(question: str):
    """A question without content words gets the no-mention answer, no wordings and grades of 0."""
    assert is_no_mention(answer(question, EN))
    assert expand(question, 3) == []
    assert asyncio.run(generator.grade(question, EN)) == [0.0, 0.0, 0.0]


def test_no_passages_abstain():
    """Without passages the no-mention answer is returned."""
    assert is_no_mention(answer("How much is the deposit?", ()))


def test_parts_are_answered_from_several_passages():
    """Each part of a question is answered from the passage that supports it."""
    reply = answer("When does the ferry leave, and how much is the deposit?", EN)
    assert "The ferry leaves at 07:10. [1]" in reply
    assert "The deposit is 480 crowns. [2]" in reply


def test_a_part_that_nothing_supports_adds_no_quotation():
    """A part without support adds nothing to the answer of the other part."""
    reply = answer("How much is the deposit? Which vaccine does the dentist prescribe?", EN)
    assert extract_citation_numbers(reply) == [2]


def test_of_passages_alike_the_better_ranked_one_is_quoted():
    """Of equal passages the one with the better rank is quoted, whatever their order is."""
    text = "The deposit is 480 crowns."
    last_is_best = tuple(Passage(id=str(n), text=text, rank=3 - n) for n in range(3))
    unranked = tuple(Passage(id=str(n), text=text) for n in range(3))
    assert extract_citation_numbers(answer("How much is the deposit?", last_is_best)) == [3]
    assert extract_citation_numbers(answer("How much is the deposit?", unranked)) == [1]


def test_much_better_support_beats_a_better_rank():
    """A passage with much better support is quoted even if its rank is lower."""
    passages = tuple(
        Passage(id=passage.id, text=passage.text, rank=rank) for rank, passage in enumerate(EN, 1)
    )
    assert extract_citation_numbers(answer("How much is the deposit?", passages)) == [2]


def test_footnote_marks_of_the_source_do_not_pass_for_citations():
    """A mark like ``[12]`` in a quoted sentence is removed, because it would be out of range."""
    source = (Passage(id="a", text="The deposit is 480 crowns [12]."),)
    reply = answer("How much is the deposit?", source)
    assert reply == "The deposit is 480 crowns. [1]"
    assert enforce_strict_answer(reply, 1, "en") == (reply, True)


@given(
    st.text(alphabet="the deposit ferry залог паром 押金渡船 ?.,1", max_size=40),
    st.lists(
        st.text(alphabet="the deposit ferry залог паром 押金 。.[1]", max_size=60), max_size=4
    ),
)
def test_every_answer_passes_the_guardrail(question: str, texts: list[str]):
    """Every answer passes the guardrail and has at most ``MOST_SENTENCES`` citations."""
    passages = tuple(Passage(id=str(n), text=text) for n, text in enumerate(texts))
    reply = answer(question, passages)
    assert enforce_strict_answer(reply, len(passages), language(question)) == (reply, True)
    assert len(extract_citation_numbers(reply)) <= MOST_SENTENCES


def test_the_passage_that_answers_is_graded_highest():
    """Grades are from 0 to 1, and the passage with the answer has the highest."""
    for question, passages, _, _ in CASES.values():
        grades = asyncio.run(generator.grade(question, passages))
        assert len(grades) == len(passages)
        assert grades[1] == max(grades) > grades[0]
        assert all(0.0 <= grade <= 1.0 for grade in grades)


@pytest.mark.parametrize(
    ("question", "wordings"),
    [
        ("How much does the ferry to Ossel cost?", ["ferry Ossel cost"]),
        (
            "Кто подписал договор на 4,2 млн руб. от 30 августа 2020 г.?",
            [
                "подписал договор 4,2 млн руб 30 августа 2020 г",
                "Кто подписал договор на 4200000 руб. от 2020-08-30?",
            ],
        ),
        (
            "四万二千元的押金什么时候退还？",
            ["42000 元 押金 退还", "42000元的押金什么时候退还？"],
        ),
    ],
)
def test_expansion_gives_keywords_and_canonical_forms(question: str, wordings: list[str]):
    """Wordings drop question words, and give numbers and dates in canonical form."""
    assert expand(question, 5) == wordings


def test_parts_of_a_question_are_wordings_too():
    """The parts of a question are among its wordings."""
    wordings = expand("Who signs the form, and when is the fee due?", 9)
    assert {"Who signs the form", "when is the fee due"} <= set(wordings)


@given(
    st.text(alphabet="How many дней когда 押金多少？, and 四万 2020 fee", max_size=60),
    st.integers(0, 4),
)
def test_expansions_are_few_distinct_and_new(question: str, count: int):
    """There are at most ``count`` wordings, all different, and none is the question itself."""
    wordings = expand(question, count)
    assert len(wordings) <= count
    assert len(set(wordings)) == len(wordings)
    assert question not in wordings


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("How much is the deposit?", "An amount is the deposit."),
        ("Кто подписал договор?", "Лицо подписал договор."),
        ("押金什么时候退还？", "押金某年某月某日退还。"),
    ],
)
def test_a_hypothesis_states_what_the_question_asks(question: str, statement: str):
    """In the hypothesis a word of the expected kind replaces the question word."""
    assert hypothesise(question, 80) == statement


@given(st.sampled_from([q for q, *_ in CASES.values()]), st.integers(0, 6))
def test_a_hypothesis_keeps_within_its_words(question: str, max_words: int):
    """The hypothesis has at most ``max_words`` words."""
    assert len(words(hypothesise(question, max_words))) <= max_words


def test_it_is_a_generator_that_calls_nothing():
    """It implements the protocol and makes no calls in any role."""
    assert isinstance(generator, Generator)
    assert not generator.makes_calls
    assert generator.calls() == {"expand": 0, "hypothesise": 0, "grade": 0, "answer": 0}
    asyncio.run(generator.close())


def test_the_threshold_is_part_of_the_identity():
    """Generators with different thresholds have different identities."""
    assert ExtractiveGenerator(threshold=0.5).identity != generator.identity
    assert ExtractiveGenerator().identity == generator.identity


def test_the_same_words_come_out_under_any_hash_seed():
    """Answers, wordings and grades do not depend on ``PYTHONHASHSEED``."""
    program = (
        "import asyncio; from tests.rag.generate.test_generator import *\n"
        "for q, p, *_ in CASES.values():\n"
        "    print(answer(q, p), expand(q, 5), asyncio.run(generator.grade(q, p)))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count(b"480") >= 2
