"""One spelling for what may be written in several ways."""

import pytest

from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("What is the highest peak?", "Mount Arran", "Mt. Arran, 702 m"),
        ("Who commands the fort?", "Captain Vale", "Capt. Vale"),
        ("When is the pass closed?", "October to May", "closed Oct–May"),
        ("From which century is the bell?", "14th century", "It goes back to the fourteenth century."),
        ("К какому времени относится колокол?", "начало XIV века", "Он отлит в начале четырнадцатого столетия."),
        ("Какое наказание?", "штраф 30 тысяч рублей", "Суд назначил штраф в размере 30 000 ₽."),
        ("How long is the lease?", "nine years", "for a term of nine (9) years"),
        ("Какой срок аренды?", "девять лет", "9 (девять) лет"),
        ("Какой газ выделился?", "углекислый газ", "Выделился CO₂."),
        ("Кто вывозит мусор?", "управляющая компания", "УК, по договору"),
        ("Кто подписал?", "Ирина Олеговна Сомова", "Со стороны заказчика документ в присутствии двух свидетелей и нотариуса подписала И. О. Сомова."),
        ("手稿是哪个世纪的？", "8世纪", "第八世纪"),
        ("村里限速多少？", "40公里/小时", "时速40公里"),
        ("液体变成了什么颜色？", "红色", "加热后变红了。"),
        ("What broke?", "a fallen branch", "A branch fell on the roof."),
        ("How was it found?", "by radar", "They found it using radar."),
        ("Where did they stay?", "on the island of Hven", "They stayed on Hven."),
        ("Где они жили?", "на острове Вен", "На Вене."),
    ],
)  # fmt: skip
def test_another_spelling_is_right(question: str, gold: str, answer: str):
    """Abbreviations, centuries, money and repeated numbers are read alike."""
    assert text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("From which century is the bell?", "14th century", "It goes back to the thirteenth century."),
        ("When is the pass closed?", "October to May", "closed Oct–Apr"),
        ("Какое наказание?", "штраф 30 тысяч рублей", "Суд назначил штраф в размере 3 000 ₽."),
        ("村里限速多少？", "40公里/小时", "40英里/小时"),
        ("How many seats are there?", "50 seats", "50 rooms"),
    ],
)  # fmt: skip
def test_another_value_is_wrong(question: str, gold: str, answer: str):
    """One spelling makes no two values equal."""
    assert not text_verdict(answer, gold, question=question).holds
