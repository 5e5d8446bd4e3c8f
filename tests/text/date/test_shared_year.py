"""Ranges and lists of dates whose year is written once, also across the New Year."""

import pytest

from assay.text import date_ranges, dates

ACROSS = [
    "28 December – 3 January 2024",
    "from 28 December to 3 January 2024",
    "between 28 December and 3 January 2024",
    "December 28 – January 3, 2024",
    "28 December 2023 – 3 January",
    "с 28 декабря по 3 января 2024 г.",
    "28 декабря 2023 г. – 3 января",
    "с 28.12 по 03.01.2024",
    "2023年12月28日至1月3日",
    "2023年12月28日起至1月3日止",
    "12月28日至2024年1月3日",
]


@pytest.mark.parametrize("text", ACROSS)
def test_a_range_across_the_new_year_has_two_years(text: str):
    """The end without a year is in the year before or after the other one."""
    assert [date.iso for date in dates(text)] == ["2023-12-28", "2024-01-03"]
    assert [one.iso for one in date_ranges(text)] == ["2023-12-28/2024-01-03"]


MONTHS = [
    ("March–May 2024", ["2024-03", "2024-05"]),
    ("from March to May 2024", ["2024-03", "2024-05"]),
    ("early March – late May 2024", ["2024-03", "2024-05"]),
    ("March, April and May 2024", ["2024-03", "2024-04", "2024-05"]),
    ("November–February 2024", ["2023-11", "2024-02"]),
    ("November 2023 – February", ["2023-11", "2024-02"]),
    ("с марта по май 2024 года", ["2024-03", "2024-05"]),
    ("с начала марта по конец мая 2024 года", ["2024-03", "2024-05"]),
    ("янв.–март 2024 г.", ["2024-01", "2024-03"]),
    ("с ноября по февраль 2024 года", ["2023-11", "2024-02"]),
    ("2024年3月至5月", ["2024-03", "2024-05"]),
    ("二〇二四年三月至五月", ["2024-03", "2024-05"]),
    ("2024年3月、5月和7月", ["2024-03", "2024-05", "2024-07"]),
    ("2023年11月至2月", ["2023-11", "2024-02"]),
    ("5 March – May 2024", ["2024-03-05", "2024-05"]),
    ("In May 2023 – March was cold", ["2023-05"]),
]


@pytest.mark.parametrize(("text", "expected"), MONTHS)
def test_each_month_of_a_range_or_list_has_its_year(text: str, expected: list[str]):
    """A month is read with the year that stands beside another one."""
    assert [date.iso for date in dates(text)] == expected


UNCLEAR = [
    ("5 May – 3 April 2024", ["2024-04-03"]),
    ("brought forward from 5 May 2024 to 3 April", ["2024-05-05"]),
    ("from June 2023 to May", ["2023-06"]),
    ("December and January 2024", ["2024-01"]),
    ("28 December and 3 January 2024", ["--12-28", "2024-01-03"]),
]


@pytest.mark.parametrize(("text", "expected"), UNCLEAR)
def test_no_year_is_guessed(text: str, expected: list[str]):
    """A long way back may be no range, and a list is in no order."""
    assert [date.iso for date in dates(text)] == expected
