from collections import Counter

import pytest

from assay.jobs.depth.chronicle.story import LANGUAGES as CHRONICLE_LANGUAGES
from assay.jobs.depth.chronicle.story import chronicle
from assay.jobs.depth.chronicle.story_words import gendered
from assay.jobs.depth.novel import Mentions
from assay.text.language import Language, language
from assay.text.sentence import sentences
from assay.text.tokenizer import load_tokenizer

LANGUAGES: tuple[Language, ...] = ("zh", "ru", "en")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_same_arguments_give_the_same_chronicle(code: Language):
    """The same arguments give the same chronicle; another seed gives another one."""
    assert chronicle(code, tokens=3000, seed=1) == chronicle(code, tokens=3000, seed=1)
    assert chronicle(code, tokens=3000, seed=1) != chronicle(code, tokens=3000, seed=2)


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_as_long_as_asked(code: Language):
    """The text has at least the requested tokens and at most one chapter more."""
    text = chronicle(code, tokens=20_000).text
    assert 20_000 <= load_tokenizer("o200k").count(text) <= 23_000
    assert language(text) == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_answers_are_in_their_evidence_and_nowhere_else(code: Language):
    """The evidence of each question is the only sentence that mentions the answer."""
    story = chronicle(code, tokens=12_000, questions=40)
    spans = sentences(story.text)
    mentions = Mentions([span.of(story.text) for span in spans])
    assert len(story.questions) == 40
    for question in story.questions:
        assert question.evidence in spans
        answers = [question.choices.get(answer, answer) for answer in question.answers]
        for answer in answers:
            assert list(mentions.of(answer)) == [spans.index(question.evidence)]


@pytest.mark.parametrize("code", LANGUAGES)
def test_questions_are_of_all_kinds_distinct_and_spread(code: Language):
    """All three kinds occur, questions are distinct, and evidence is in all parts of the text."""
    story = chronicle(code, tokens=30_000, questions=50)
    kinds = Counter(question.question_type for question in story.questions)
    assert min(kinds[kind] for kind in ("single_choice", "multiple_choice", "open")) >= 5
    assert len({question.text for question in story.questions}) == 50
    assert len({question.id for question in story.questions}) == 50
    starts = [question.evidence.start for question in story.questions if question.evidence]
    quarters = Counter(4 * start // len(story.text) for start in starts)
    assert min(quarters[quarter] for quarter in range(4)) >= 8


@pytest.mark.parametrize("code", LANGUAGES)
def test_choices_are_four_and_the_wrong_ones_are_wrong(code: Language):
    """A correct choice occurs in the evidence, a wrong choice does not."""
    story = chronicle(code, tokens=8000, questions=20)
    for question in story.questions:
        assert question.evidence is not None
        evidence = question.evidence.of(story.text)
        if question.question_type == "open":
            continue
        assert len(set(question.choices.values())) == 4
        for letter, text in question.choices.items():
            assert (text in evidence) == (letter in question.answers)


@pytest.mark.parametrize("code", LANGUAGES)
def test_many_questions_make_the_text_grow(code: Language):
    """All requested questions exist, even if the requested length is too short for them."""
    assert len(chronicle(code, tokens=1, questions=30).questions) == 30


def test_russian_has_every_case_and_gender_it_needs():
    """Names of people and places are declined, and verbs agree with the gender."""
    text = chronicle("ru", tokens=60_000).text
    for form in (
        "кузнеца Ратмира", "кузнецу Ратмиру", "кузнецом Ратмиром", "писарем Устином",
        "травницей Яриной", "повариху Ольгу", "поварихи Ольги", "паромщика Ермолая",
        "на остров Ильмень", "с острова Ильмень", "из слободы Кремна",
        "ткачиха Злата нашла", "мельник Тихон нашёл",
    ):  # fmt: skip
        assert form in text or form.capitalize()[0] + form[1:] in text


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_slot_is_left_open(code: Language):
    """No template syntax remains in the text."""
    text = chronicle(code, tokens=20_000).text
    assert not set("{}[]/_") & set(text)
    assert all(len(gendered(template)) == 2 for template in CHRONICLE_LANGUAGES[code].filler)
