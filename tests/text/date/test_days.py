"""A date is read whole: several days of one month, days in blanks and in brackets, no other days."""

import pytest

from assay.text import date_ranges, dates

DATES = [
    ("« 5 » мая 2024 г.", ["2024-05-05"]),
    ("«_05_» мая 2024 г.", ["2024-05-05"]),
    ("“05” May 2024", ["2024-05-05"]),
    ("'5' мая 2024", ["2024-05-05"]),
    ("5 (пятого) мая 2024", ["2024-05-05"]),
    ("двадцать пятого (25) мая 2024", ["2024-05-25"]),
    ("31 (тридцать первого) декабря 2023 года", ["2023-12-31"]),
    ("5 (fifth) May 2024", ["2024-05-05"]),
    ("5 и 6 мая 2024", ["2024-05-05", "2024-05-06"]),
    ("5-7 мая 2024", ["2024-05-05", "2024-05-07"]),
    ("5, 6 и 7 мая 2024", ["2024-05-05", "2024-05-06", "2024-05-07"]),
    ("пятого и шестого мая 2024", ["2024-05-05", "2024-05-06"]),
    ("с 5-го по 7-е мая", ["--05-05", "--05-07"]),
    ("May 5 and 6, 2024", ["2024-05-05", "2024-05-06"]),
    ("May 5th and 6th, 2024", ["2024-05-05", "2024-05-06"]),
    ("May 5, 6 and 7, 2024", ["2024-05-05", "2024-05-06", "2024-05-07"]),
    ("May 5, 6, 2024", ["2024-05-05", "2024-05-06"]),
    ("May 5–7, 2024", ["2024-05-05", "2024-05-07"]),
    ("the fifth and sixth of May 2024", ["2024-05-05", "2024-05-06"]),
    ("2024年5月5日和6日", ["2024-05-05", "2024-05-06"]),
    ("2024年5月5、6日", ["2024-05-05", "2024-05-06"]),
    ("2024年五月五日至七日", ["2024-05-05", "2024-05-07"]),
    ("12.05—14.06.2024", ["2024-05-12", "2024-06-14"]),
    ("05.05 и 06.05.2024", ["2024-05-05", "2024-05-06"]),
    ("May 5 and 6 June 2024", ["2024-05-05", "2024-06-06"]),
    ("10 and 6 May 2024", ["2024-05-06"]),
    ("12:05 - 7 May 2024", ["2024-05-07"]),
    ("Paid $5 to 7 May 2024", ["2024-05-07"]),
]
NO_DATE = [
    "тридцать второго мая", "thirty-second of May", "сорок первого мая", "the forty first of May 2024",
    "5月2024年", "1 января 0001", "1 January 999", "5 May 02024", "31st December/1st January 2024",
    "31 декабря/1 января 2024", "5 (шестого) мая 2024", "5 (17) мая 1899", "5 (в пятницу) мая 2024",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_each_day_is_read_with_its_month_and_year(text: str, expected: list[str]):
    """Every day of a list or range is a date, and marks around a day belong to it."""
    assert [date.iso for date in dates(text)] == expected


@pytest.mark.parametrize("text", NO_DATE)
def test_a_part_of_a_date_is_not_a_date(text: str):
    """A day that does not exist, or a date with a part that is not understood, gives nothing."""
    assert dates(text) == []


@pytest.mark.parametrize(
    "text", ["5-7 мая 2024", "May 5-7, 2024", "2024年5月5日至7日", "с 5 по 7 мая 2024"]
)
def test_the_ends_of_a_range_are_one_range(text: str):
    """Days that are read one by one are still the ends of one range."""
    assert [date_range.iso for date_range in date_ranges(text)] == ["2024-05-05/2024-05-07"]


def test_spans_are_those_of_the_days():
    """Each date points to its own day; the last one also to the month and the year."""
    text = "on May 5 and 6, 2024."
    assert [text[date.start : date.end] for date in dates(text)] == ["May 5", "6, 2024"]


def test_a_night_has_both_of_its_days():
    """The night from one day to the next names both dates."""
    found = dates("в ночь с 12 на 13 марта 2020")
    assert [date.iso for date in found] == ["2020-03-12", "2020-03-13"]
