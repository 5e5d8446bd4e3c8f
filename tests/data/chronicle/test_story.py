from collections import Counter

import pytest

from assay.data.chronicle.language import gendered
from assay.data.chronicle.story import TONGUES, chronicle
from assay.data.novel.mention import Mentions
from assay.text import Language, language, sentences
from assay.text.tokenizer import load_tokenizer

LANGUAGES: tuple[Language, ...] = ("zh", "ru", "en")


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_the_same_arguments_give_the_same_chronicle(tongue: Language):
    """A chronicle is a function of its arguments; another seed tells another story."""
    assert chronicle(tongue, tokens=3000, seed=1) == chronicle(tongue, tokens=3000, seed=1)
    assert chronicle(tongue, tokens=3000, seed=1) != chronicle(tongue, tokens=3000, seed=2)


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_it_is_as_long_as_asked(tongue: Language):
    """It reaches the tokens asked for and ends within a chapter of them."""
    text = chronicle(tongue, tokens=20_000).text
    assert 20_000 <= load_tokenizer("o200k").count(text) <= 23_000
    assert language(text) == tongue


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_answers_stand_in_their_evidence_and_nowhere_else(tongue: Language):
    """Each evidence is one sentence of the text, the only one that mentions the answer."""
    made = chronicle(tongue, tokens=12_000, questions=40)
    spans = sentences(made.text)
    mentions = Mentions([span.of(made.text) for span in spans])
    assert len(made.questions) == 40
    for question in made.questions:
        assert question.evidence in spans
        answers = [question.choices.get(answer, answer) for answer in question.answers]
        for answer in answers:
            assert list(mentions.of(answer)) == [spans.index(question.evidence)]


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_questions_are_of_all_kinds_distinct_and_spread(tongue: Language):
    """All three kinds appear, no question is asked twice, and evidence is all over the text."""
    made = chronicle(tongue, tokens=30_000, questions=50)
    kinds = Counter(question.question_type for question in made.questions)
    assert min(kinds[kind] for kind in ("single_choice", "multiple_choice", "open")) >= 5
    assert len({question.text for question in made.questions}) == 50
    assert len({question.id for question in made.questions}) == 50
    starts = [question.evidence.start for question in made.questions if question.evidence]
    quarters = Counter(4 * start // len(made.text) for start in starts)
    assert min(quarters[quarter] for quarter in range(4)) >= 8


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_choices_are_four_and_the_wrong_ones_are_wrong(tongue: Language):
    """A right choice is in the evidence, a wrong one is not."""
    made = chronicle(tongue, tokens=8000, questions=20)
    for question in made.questions:
        assert question.evidence is not None
        evidence = question.evidence.of(made.text)
        if question.question_type == "open":
            continue
        assert len(set(question.choices.values())) == 4
        for letter, text in question.choices.items():
            assert (text in evidence) == (letter in question.answers)


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_many_questions_make_the_text_grow(tongue: Language):
    """All questions asked for are there, even where the length alone would not hold them."""
    assert len(chronicle(tongue, tokens=1, questions=30).questions) == 30


def test_russian_has_every_case_and_gender_it_needs():
    """Sentences decline people and places and agree with their gender."""
    text = chronicle("ru", tokens=60_000).text
    for form in (
        "кузнеца Ратмира", "кузнецу Ратмиру", "кузнецом Ратмиром", "писарем Устином",
        "травницей Яриной", "повариху Ольгу", "поварихи Ольги", "паромщика Ермолая",
        "на остров Ильмень", "с острова Ильмень", "из слободы Кремна",
        "ткачиха Злата нашла", "мельник Тихон нашёл",
    ):  # fmt: skip
        assert form in text or form.capitalize()[0] + form[1:] in text


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_no_slot_is_left_open(tongue: Language):
    """Nothing of a template's own writing reaches the text."""
    text = chronicle(tongue, tokens=20_000).text
    assert not set("{}[]/_") & set(text)
    assert all(len(gendered(template)) == 2 for template in TONGUES[tongue].filler)
