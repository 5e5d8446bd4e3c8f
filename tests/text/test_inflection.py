"""Forms of one Russian word are the same word; other words with the same root are not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import same_word

FORMS = [
    # surnames whose first form looks like a genitive plural to a stemmer
    "Иванов Иванова Иванову Ивановым Иванове Ивановы Ивановых Ивановыми Ивановой",
    "Петров Петрова Петрову Петровым Петрове",
    "Котов Котова Котовым",
    "Степанов Степановым Степанову",
    "Королёв Королева Королеву Королевым",
    "Соловьёв Соловьева Соловьёвым",
    "Лопухин Лопухина Лопухиным",
    "Солженицын Солженицына Солженицыным",
    "Достоевский Достоевского Достоевским",
    "Толстой Толстого Толстым",
    # first names
    "Роман Романа Роману Романом Романе",
    "Степан Степана Степану Степаном",
    "Иван Ивана Ивану Иваном Иване",
    "Богдан Богданом",
    "Сергей Сергея Сергею Сергеем Сергее",
    "Андрей Андреем",
    "Николай Николая Николаем",
    "Павел Павла Павлу Павлом Павле",
    "Лев Льва Львом",
    "Пётр Петра Петром",
    "Михаил Михаила Михаилом",
    "Игорь Игоря Игорем",
    "Илья Ильи Илье Илью Ильёй",
    "Светлана Светланы Светлане Светлану Светланой",
    "Елена Елены Елене Еленой",
    "Мария Марии Марию Марией",
    # places
    "Магадан Магадана Магадану Магаданом Магадане",
    "Байкал Байкала Байкалом Байкале",
    "Казань Казани Казанью",
    "Орёл Орла Орлом Орле",
    "Елец Ельца Ельце",
    "Череповец Череповца Череповце",
    "Ростов Ростова Ростове",
    "Украина Украиной Украине",
    # common words with the same endings
    "остров острова островом острове островов",
    "канал канала каналом каналы",
    "страна страны стране страной стран",
    "музей музея музеем музеи",
    "договор договора договором договоров",
    "рынок рынка рынком рынке",
    "время времени временем",
    "студент студентов студентам",
]
DIFFERENT = [
    ("Иванов", "Иван"),
    ("Иванов", "Ивана"),
    ("Иванов", "Иваном"),
    ("Ивановым", "Иваном"),
    ("Иванов", "Иванович"),
    ("Иванов", "Ивановна"),
    ("Иванов", "Иваненко"),
    ("Иванов", "Иванцов"),
    ("Орлов", "Орлик"),
    ("Орлов", "Орёл"),
    ("Орлов", "Орловский"),
    ("Петров", "Пётр"),
    ("Петров", "Петром"),
    ("Петров", "Петренко"),
    ("Романов", "Роман"),
    ("Романов", "Романом"),
    ("Степанов", "Степан"),
    ("Степанов", "Степанян"),
    ("Павлов", "Павел"),
    ("Павлов", "Павлом"),
    ("Сергеев", "Сергей"),
    ("Сергеев", "Сергеем"),
    ("Сергей", "Сергиев"),
    ("Львов", "Лев"),
    ("Котов", "кот"),
    ("Лопухин", "лопух"),
    ("Пушкин", "пушка"),
    ("Магадан", "Магас"),
    ("Марина", "Мария"),
    ("Роман", "Рома"),
    ("Казань", "казак"),
    ("договор", "договорённость"),
    ("можно", "нельзя"),
]


@pytest.mark.parametrize("forms", FORMS)
def test_the_forms_of_a_word_are_the_same(forms: str):
    """Every form is the same as the first one, whichever of the two was expected."""
    first, *others = forms.split()
    assert [other for other in others if not same_word(first, other)] == []
    assert [other for other in others if not same_word(other, first)] == []


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_other_words_with_the_same_root_differ(a: str, b: str):
    """A surname is not the first name that it comes from."""
    assert not same_word(a, b)
    assert not same_word(b, a)


@settings(derandomize=True, deadline=None, database=None, max_examples=100)
@given(st.text("абвеилноркуымйья", max_size=8), st.text("абвеилноркуымйья", max_size=8))
def test_the_order_makes_no_difference(a: str, b: str):
    """The relation is symmetric, and a word is always the same as itself."""
    assert same_word(a, b) is same_word(b, a)
    assert same_word(a, a)
