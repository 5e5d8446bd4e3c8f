"""Whether a phrase is found that is only a part of a longer number, ordinal, date or version."""

import pytest

from assay.scorers.mention import answer_span
from assay.scorers.quality.phrase import required_span
from assay.text.number import is_part_of_value

PARTS = [
    ("пятого мая", "Собрание прошло двадцать пятого мая."),
    ("двадцать", "участников двадцать пять"),
    ("2%", "ставка выросла на 2 п.п."),
    ("пять", "всего двадцать пять домов"),
    ("тридцать", "прошло тридцать один день"),
    ("сто", "сто двадцать рублей"),
    ("первого июня", "тридцать первого июня"),
    ("второй", "двадцать второй этаж"),
    ("двести", "двести сорок тонн"),
    ("5%", "рост на 5 процентных пунктов"),
    ("v2.0", "версия v2.0.1"),
    ("1.2", "версия 1.2.3 выпущена"),
    ("третье марта", "двадцать третье марта"),
    ("пятый", "сорок пятый размер"),
    ("тысяча", "тысяча сто рублей"),
    ("двадцати", "в течение двадцати пяти дней"),
    ("thirty", "thirty-one days"),
    ("twenty", "twenty five people"),
    ("v1.2", "released v1.2.3 today"),
    ("five", "twenty-five people"),
    ("first of May", "the twenty-first of May"),
    ("fifth", "the twenty-fifth floor"),
    ("one hundred", "one hundred and twenty days"),
    ("2%", "rose by 2 percentage points"),
    ("May fifth", "on May fifty"),
    ("forty", "forty-two"),
    ("2%", "up 2 pp"),
    ("1.2.3", "version 1.2.3.4"),
    ("third of June", "twenty third of June"),
    ("two hundred", "two hundred fifty euros"),
    ("May 2", "on May 21"),
    ("2 percent", "2 percentage points"),
    ("one", "one hundred"),
    ("one", "twenty one"),
    ("one", "twenty-one men"),
    ("三十", "共三十一天"),
    ("五日", "三月十五日"),
    ("十五日", "三月二十五日"),
    ("二十", "二十五人"),
    ("一百", "一百二十元"),
    ("2%", "上升2个百分点"),
    ("五月", "十五月饼"),
    ("第二", "第二十条"),
    ("第五条", "第十五条"),
    ("百分之五", "百分之五十"),
    ("v1.2", "版本v1.2.3"),
    ("三月五日", "三月五十日"),
    ("十月一日", "十月十一日"),
    ("五", "十五人"),
]  # fmt: skip
WHOLE = [
    ("пятого мая", "Собрание прошло пятого мая."),
    ("двадцать пятого мая", "прошло двадцать пятого мая"),
    ("двадцать пять", "участников двадцать пять"),
    ("25", "участников двадцать пять"),
    ("мая 2024", "5 мая 2024 года"),
    ("млн руб", "235 млн руб."),
    ("2%", "выросла на 2 %"),
    ("2 п.п.", "выросла на 2 п.п."),
    ("двадцать", "участников было двадцать"),
    ("тысяч", "двадцать тысяч рублей"),
    ("v1.2", "версия v1.2, выпущена"),
    ("v1.2", "версия v1.2."),
    ("пятый", "пятый этаж"),
    ("пять", "пять домов, двадцать квартир"),
    ("37,4", "37,4 тыс. руб."),
    ("двадцать", "двадцать дней и пять часов"),
    ("мая", "двадцать пятого мая"),
    ("2", "ставка выросла на 2 п.п."),
    ("пять", "на пять процентов"),
    ("сорок", "сорок, пять и шесть"),
    ("thirty", "thirty days"),
    ("thirty-one", "thirty-one days"),
    ("31", "thirty-one days"),
    ("v1.2", "v1.2 is out"),
    ("v1.2", "use v1.2."),
    ("2%", "2 percent"),
    ("May", "on the twenty-first of May"),
    ("first of May", "the first of May"),
    ("five", "five people"),
    ("twenty", "twenty, five of them new"),
    ("million", "25 million people"),
    ("fifth", "the fifth floor"),
    ("2 percentage points", "rose by 2 percentage points"),
    ("2", "rose by 2 percentage points"),
    ("May 2021", "on 5 May 2021"),
    ("hundred", "one hundred euros"),
    ("thirty", "thirty people, one of them ill"),
    ("version 1.2", "version 1.2, which"),
    ("ten", "ten of twenty"),
    ("one", "one of two hundred"),
    ("三十", "三十天"),
    ("三十一", "共三十一天"),
    ("31", "共三十一天"),
    ("五日", "三月五日"),
    ("三月", "三月十五日"),
    ("2%", "上升2%"),
    ("2个百分点", "上升2个百分点"),
    ("第二", "第二条"),
    ("第五条", "合同第五条规定"),
    ("百分之五", "百分之五的利息"),
    ("v1.2", "版本v1.2，"),
    ("十月一日", "十月一日放假"),
    ("万元", "五万元"),
    ("2", "上升2个百分点"),
    ("2024年", "2024年5月"),
    ("二十", "二十人"),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "text"), PARTS)
def test_a_part_of_another_value_is_not_found(phrase: str, text: str):
    """Neither a required phrase nor an answer is found inside of another value."""
    assert required_span(phrase, text) is None
    assert answer_span(phrase, text) is None


@pytest.mark.parametrize(("phrase", "text"), WHOLE)
def test_a_whole_value_is_found(phrase: str, text: str):
    """A value, its scale word, its month and its bare number are found."""
    assert required_span(phrase, text) is not None


@pytest.mark.parametrize(
    ("phrase", "text"),
    [("second-hand", "twenty second-hand cars"), ("one-way", "thirty one-way tickets")],
)
def test_what_only_looks_like_a_part_is_found(phrase: str, text: str):
    """A compound after a number is no part of it."""
    assert required_span(phrase, text) is not None


def test_an_empty_stretch_is_no_part():
    """A stretch without text is no part of anything."""
    assert not is_part_of_value("25", 1, 1)
