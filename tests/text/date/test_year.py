"""A year alone, in digits or in words: it is a date where only a year can stand."""

import pytest

from assay.text import dates

READ = [
    ("Revolutions swept through much of Europe in 1848.", ["1848"]),
    ("The city aims to be carbon neutral by 2030.", ["2030"]),
    ("In 1899, the ferry was replaced by a bridge.", ["1899"]),
    ("in 1848", ["1848"]),
    ("We have lived here since 2003.", ["2003"]),
    ("The lease runs until 2040.", ["2040"]),
    ("He moved to Leeds in 2010 after the war.", ["2010"]),
    ("In 2010 the company moved.", ["2010"]),
    ("by the end of 2025", ["2025"]),
    ("in early 2020", ["2020"]),
    ("late 1943", ["1943"]),
    ("mid-2015", ["2015"]),
    ("in the first half of 2023", ["2023"]),
    ("the great fire of 1666", ["1666"]),
    ("She joined the firm in two thousand and six as a clerk.", ["2006"]),
    ("The census was taken in two thousand and eleven.", ["2011"]),
    ("By nineteen eighty-four he had stopped writing.", ["1984"]),
    ("It opened in nineteen hundred and one.", ["1901"]),
    ("It was built in about 1905.", ["1905"]),
    ("К 1913-му завод выпускал паровозы.", ["1913"]),
    ("Осенью 1987-го клуб остался без тренера.", ["1987"]),
    ("с начала 2020-го", ["2020"]),
    ("Год постройки — 1904.", ["1904"]),
    ("Год издания: 1913", ["1913"]),
    ("Год выпуска 2017-й", ["2017"]),
    ("22 июня, 1941", ["1941-06-22"]),
    ("归档年份：1999", ["1999"]),
    ("出版年份: 2008", ["2008"]),
]
NOTHING = [
    "Turn left in 1500 feet.", "It rose by 2030.", "Sales grew in May by 1900.", "The error resulted in 1200.", "one in 1500",
    "Only 1 in 2000, they said.", "The raid brought in 1800.", "in 1500 villages", "by 2030 units", "in 2020 dollars", "in 1990s",
    "in 1046 BC.", "in 1,500.", "in 1848.5", "in 1500 to 2000 homes", "in 1998/99", "in 1500 of the cases", "in two thousand homes",
    "in two thousand and six homes", "by two thousand", "until 2030 hours", "в 1500 домах", "к 2000 рублей", "Год: 12345",
    "since 1400 hours", "It was cut by 1850, to 300.", "the army of 1666 men", "in rooms 1848.", "in version 2010.",
    "年份: 20081", "the price of 1999", "early 2020s", "He exceeded it by 1999.", "divided by 2000.", "5.–7. June 2020", "5 мая 2020 человек пришли", "open until 2030.", "Overpaid by 1500.", "Doors open Friday until 1930.", "the rest of 1999", "Multiply by 1500.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "isos"), READ)
def test_a_year_after_a_word_of_time_is_a_date(text: str, isos: list[str]):
    """The words around it leave nothing but a year."""
    assert [date.iso for date in dates(text)] == isos


@pytest.mark.parametrize("text", NOTHING)
def test_a_number_that_may_count_something_is_no_year(text: str):
    """An amount, a decade, a time of the day and another era are no years."""
    assert dates(text) == []


@pytest.mark.parametrize("year", range(1400, 2100, 37))
@pytest.mark.parametrize("frame", ["In {}, it rained.", "It closed in {}.", "open since {};"])
def test_every_year_in_a_frame_is_read_whole(year: int, frame: str):
    """The year is read, and no part of it."""
    assert [date.iso for date in dates(frame.format(year))] == [str(year)]
    assert dates(frame.format(f"{year}0")) == []
    assert dates(frame.format(f"{year}.5")) == []
