"""Ordinals in words and Roman numerals: beside what they number they have a value, elsewhere none."""

import pytest

from assay.text import numbers

READ = [
    ("her forty-second marathon", "42"),
    ("He sealed the hundredth letter.", "100"),
    ("the thirtieth customer", "30"),
    ("the two-hundredth episode", "200"),
    ("the two hundredth visitor", "200"),
    ("the one hundred and first visitor", "101"),
    ("on the hundred and fifth floor", "105"),
    ("the three hundred and sixty-fifth day", "365"),
    ("the five thousandth customer", "5000"),
    ("двухсотый номер", "200"),
    ("в пятидесятом выпуске", "50"),
    ("сто первый километр", "101"),
    ("на сто двадцать первом километре", "121"),
    ("сто пятый этаж", "105"),
    ("тысяча первый посетитель", "1001"),
    ("триста шестьдесят пятый день", "365"),
    ("сороковая школа", "40"),
    ("See Appendix XIV for the list.", "14"),
    ("Schedule II applies", "2"),
    ("Annex VII", "7"),
    ("World War II ended", "2"),
    ("Louis XVI was executed.", "16"),
    ("Louis XIV's bedchamber", "14"),
    ("Pope John XXIII", "23"),
    ("Карета короля Людовика XVI", "16"),
    ("при Екатерине II", "2"),
    ("Приложение XII", "12"),
    ("附录IV", "4"),
    ("第V章", "5"),
]
NOTHING = [
    "a hundredth part", "a forty-second delay", "the forty-second speech", "the hundredth of May", "one hundred and first",
    "one two-hundredth part", "the twentieth", "in the thirtieth", "двухсотый", "двухтысячный", "сотый", "тысячный митинг",
    "пятидесятые годы", "в сороковом году", "сто первая и сто вторая", "двадцать сороковой номер", "сто двухсотый номер",
    "Malcolm X spoke", "Henry I think", "George V. Smith", "Charles I am", "Louis CC", "Людовик С", "the appendix I wrote",
    "тысяча первая", "Exhibit V", "Schedule I", "Appendix X", "приложение V", "every twentieth customer",
    "каждый сороковой житель", "one twentieth share", "图X", "двадцать пятая доля",
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_an_ordinal_beside_its_noun_is_read_whole(text: str, value: str):
    """All of the ordinal is read, and nothing else."""
    assert [number.canonical for number in numbers(text)] == [value]


@pytest.mark.parametrize("text", NOTHING)
def test_an_ordinal_that_may_be_a_part_or_a_duration_is_not_read(text: str):
    """A fraction, a number of seconds, a decade and a letter are no ordinals."""
    assert numbers(text) == []


UNITS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
HUNDREDS = ["", "one hundred and ", "two hundred and ", "nine hundred and "]
RU_UNITS = ["", "первый", "второй", "третий", "четвёртый", "пятый", "шестой", "седьмой", "восьмой", "девятый"]  # fmt: skip
RU_TENS = ["", "", "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"]  # fmt: skip
RU_HUNDREDS = ["", "сто ", "двести ", "девятьсот "]


@pytest.mark.parametrize("tens", range(2, 10))
@pytest.mark.parametrize("hundreds", range(4))
def test_every_ordinal_is_read_whole_in_both_languages(hundreds: int, tens: int):
    """Hundreds, tens and units are all in the value."""
    base = [0, 100, 200, 900][hundreds] + 10 * tens
    for unit in range(1, 10):
        for text in (
            f"the {HUNDREDS[hundreds]}{TENS[tens]}-{UNITS[unit]} amendment",
            f"{RU_HUNDREDS[hundreds]}{RU_TENS[tens]} {RU_UNITS[unit]} километр",
        ):
            assert [number.canonical for number in numbers(text)] == [str(base + unit)], text
