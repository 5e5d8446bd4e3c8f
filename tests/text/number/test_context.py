"""What stands beside a number and changes its value: a scale, a sign, a measure, another number."""

import pytest

from assay.text import numbers

VALUES = [
    # Separators of groups.
    ("The limit is 4_194_304 rows.", ["4194304"]),
    ("Собрали 30.000 подписей.", ["30000"]),
    ("Долг вырос до 7.250 руб.", ["7250"]),
    ("Деталь весит 7.125 кг.", ["7.125"]),
    # A number of banknotes is not the value of one.
    ("Отдал два стольника.", []),
    ("Занял три полтинника.", []),
    ("Стоит стольник.", ["100"]),
    # Scales that are abbreviated, inflected or hyphenated.
    ("We packed 3 doz. plates.", ["36"]),
    ("a $9-million bridge", ["9000000"]),
    ("Премия — 9 т.р.", ["9000"]),
    ("Премия — 9 т. руб.", ["9000"]),
    ("около 3-х миллионов", ["3000000"]),
    ("привезли 9 т зерна", ["9"]),
    ("It earns £3-4m a year.", ["3000000", "4000000"]),
    ("between $3 and $4 million", ["3000000", "4000000"]),
    ("ten- to twelve-thousand seats", ["10000", "12000"]),
    ("4.5m viewers", ["4500000"]),
    ("4.5m tall", ["4.5"]),
    ("花了三个亿", ["300000000"]),
    ("билет за 7 р. 20 к.", ["7.2"]),
    # A half after what is measured.
    ("They walked four miles and a half.", ["4.5"]),
    ("Осталось три литра с половиной.", ["3.5"]),
    # Fractions with larger denominators, and mixed ones.
    ("three sixteenths", ["0.1875"]),
    ("3/4ths of the land", ["0.75"]),
    ("пять двенадцатых", ["0.416666666666666666666666666667"]),
    ("3又1/4杯", ["3.25"]),
    # Half of a measure.
    ("锅里还剩下半升汤", ["0.5"]),
    ("加入半瓶醋", ["0.5"]),
    ("a quarter of an inch", ["0.25"]),
    # Signs before a range and after a number.
    ("мороз минус пять-семь градусов", ["-5", "-7"]),
    ("零下3到5度", ["-3", "-5"]),
    ("ночью было 12 ниже нуля", ["-12"]),
    ("двенадцать градусов ниже нуля", ["-12"]),
    # A minus sign after a Chinese word, but not the hyphen of a name, a label or a range.
    ("库房的温度不得低于-30℃", ["-30"]),
    ("白天气温-6℃，夜里-11℃", ["-6", "-11"]),
    ("夜间气温-6~-11℃", ["-6", "-11"]),
    ("从-4℃升到2℃", ["-4", "2"]),
    ("周二-7℃", ["-7"]),
    ("本季净利润-80万元", ["-800000"]),
    ("湖面海拔-90米", ["-90"]),
    ("营收同比-1.4%", ["-1.4"]),
    ("米格-31升空", ["31"]),
    ("门票-60元", ["60"]),
    ("室温18度-26度", ["18", "26"]),
    ("室温18摄氏度-26摄氏度", ["18", "26"]),
    ("误差正负四度", ["4"]),
    # Kilo units after digits and after larger numerals.
    ("一袋9千克", ["9"]),
    ("装机40万千瓦", ["400000"]),
    ("发电六万千瓦时", ["60000"]),
    ("修了7千米路", ["7"]),
    ("亏了两个多亿", ["200000000"]),
    ("赚了两个半亿", ["250000000"]),
    ("投了半个亿", ["50000000"]),
    # Both ends of a range in Chinese.
    ("需要三到五天", ["3", "5"]),
    ("来了两到三百人", ["200", "300"]),
    # A unit of weight that is written as a digit.
    ("赏银五百两", ["500"]),
    ("三万两白银", ["30000"]),
]


@pytest.mark.parametrize(("text", "values"), VALUES)
def test_what_stands_beside_a_number_is_part_of_its_value(text: str, values: list[str]):
    """A scale, a sign, a half and a shared unit are read with the number."""
    assert [number.canonical for number in numbers(text)] == values


NONE = [
    # Degrees below zero, and prices that are spoken.
    "It was 15°C below zero.", "It fell to ten degrees below freezing.", "ten degrees of frost", "It cost eleven-fifty.",
    # Scales that are not understood or mean two values.
    "They sold 3M units.", "9兆元", "300 к рублей", "9 Mio",
    # More than the number, by an amount that is not told.
    "他四十好几了", "二十啷当岁", "来了3、4百人", "来了两、三百人", "花了3万5、6千", "тысяча-полторы рублей",
    # Ordinals, names and idioms.
    "two hundred and fifth place", "他住在三台县", "这封信十万火急", "一年半载", "不过是九牛一毛。",
    # A range whose scale is not understood.
    "全场4-6折", "涨了4~6成",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_an_expression_that_is_not_understood_gives_no_number(text: str):
    """Of an expression with another value than its digits, no part is returned."""
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("text", "is_approximate"),
    [
        ("人口约为三百万", True),
        ("价格大概在800元", True),
        ("租约为3年", False),
        ("来了八十人不到", True),
        ("Отдал рублей пятьсот.", True),
        ("占三成多", True),
        ("占四分之一强", True),
        ("进了8强", False),
        ("亏了两个多亿", True),
        ("水温6~9℃", False),
        ("票价~90元", True),
        ("She looks fortyish.", True),
        ("We met three hundredish people.", True),
        ("There were 80ish chairs.", True),
    ],
)
def test_a_verb_may_stand_between_a_mark_and_its_number(text: str, is_approximate: bool):
    """约为 and 大概在 mark a number; the end of another word (租约为) does not."""
    assert numbers(text)[-1].approximate is is_approximate
