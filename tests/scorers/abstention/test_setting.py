"""What a sentence of an answer is beside its words."""

import pytest
from msgspec.structs import astuple

from assay.scorers.abstention.opinion import marked_sentences
from assay.scorers.abstention.setting import Setting


def settings_of(answer: str, question: str | None) -> list[Setting]:
    """The setting of each sentence of an answer."""
    return [sentence.setting for sentence in marked_sentences(answer, question)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much is the rent?", "It comes to 5,000 euros. Nobody signed it."),
        ("Сколько стоит аренда?", "Она составляет 5000 рублей. Никто её не подписал."),
        ("租金是多少？", "每月5000元。没有人签字。"),
    ],
)
def test_a_sentence_has_or_lacks_the_figure_that_is_asked_for(question: str, answer: str):
    """A question for an amount is answered by a sentence with a figure, if by any."""
    first, second = settings_of(answer, question)
    assert (first.figure_asked, first.figure_lacking) == (1, 0)
    assert (second.figure_asked, second.figure_lacking) == (0, 1)


def test_a_figure_of_the_question_is_no_news():
    """A year that the question names is not what it asks for."""
    (setting,) = settings_of("In 2019 it was sold.", "How much was paid in 2019?")
    assert (setting.figure, setting.figure_lacking) == (0, 1)


@pytest.mark.parametrize(
    ("question", "answer", "name"),
    [
        ("Who wrote it?", "It was written by Ellen Marsh.", 1),
        ("Who wrote it?", "Nobody put a name to it.", 0),
        ("Who met Ellen Marsh?", "It was Ellen Marsh who waited.", 0),
        ("Кто это написал?", "Это написал Пётр Орлов.", 1),
        ("Кто это написал?", "Подписи на ней нет.", 0),
    ],
)
def test_a_sentence_has_or_lacks_a_name(question: str, answer: str, name: int):
    """A name is a word with a capital inside a sentence that the question does not have."""
    (setting,) = settings_of(answer, question)
    assert (setting.name_asked, setting.name_lacking) == (name, 1 - name)


def test_the_sentence_that_repeats_most_of_the_question_is_told_from_the_others():
    """The rent is given and the deposit is not: the question decides which one counts."""
    answer = "The rent is 5,000. The deposit is not listed."
    rent, deposit = settings_of(answer, "How large is the deposit?")
    assert (rent.most_repeated, deposit.most_repeated) == (0, 1)
    assert rent.nothing_repeated == 1
    assert 0 < deposit.repeated <= 1


def test_without_a_question_nothing_is_known_about_it():
    """All fields about a question are zero."""
    (setting,) = settings_of("The rent is 5,000.", None)
    about = Setting.__struct_fields__.index("is_asked")
    assert not any(astuple(setting)[about:])
    assert setting.figure == setting.only == setting.first == setting.last == 1


def test_fields_are_multiplied_by_their_weights():
    """A setting times its weights is the sum over the fields."""
    assert Setting(any=1, repeated=0.5).times(Setting(any=2.0, repeated=4.0, first=9.0)) == 4.0
