"""Dates in many notations: each is read whole or not at all."""

import datetime as dt
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import dates

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)
EN_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
RU_MONTHS = [
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
]
RU_ADJECTIVES = [
    "январский",
    "февральский",
    "мартовский",
    "апрельский",
    "майский",
    "июньский",
    "июльский",
    "августовский",
    "сентябрьский",
    "октябрьский",
    "ноябрьский",
    "декабрьский",
]
ZH_DIGITS = "〇一二三四五六七八九"


class Written(NamedTuple):
    """A date as it is written, and its ISO form."""

    text: str
    iso: str


def _han(value: int) -> str:
    tens, unit = divmod(value, 10)
    digits = ZH_DIGITS[unit] if unit else ""
    return f"{ZH_DIGITS[tens] if tens > 1 else ''}十{digits}" if tens else digits


@st.composite
def written_dates(draw: st.DrawFn) -> Written:
    """A day or a month in one of many notations of three languages."""
    date = draw(st.dates(dt.date(1500, 1, 1), dt.date(2099, 12, 31)))
    year, month, day = date.year, date.month, date.day
    en, ru = EN_MONTHS[month - 1], RU_MONTHS[month - 1]
    han_year = "".join(ZH_DIGITS[int(digit)] for digit in str(year))
    whole = date.isoformat()
    part = whole[:7]
    forms = [
        (f"the {day} of {en}, {year}", whole),
        (f"{en} the {day}, {year}", whole),
        (f"on {day} {en} of the year {year}", whole),
        (f"the {day} day of the month of {en}, {year}", whole),
        (f"in the year {year}, on {en} {day}", whole),
        (f"the {en} issue of {year}", part),
        (f"{en}, in the year {year}", part),
        (f"early {en} {year}", part),
        (f"{day} ({day % 28 + 1}) {en} {year}", "two calendars"),
        (f"{day} {en} {year} BC", "another era"),
        (f"{ru} {day} дня {year} года", whole),
        (f"{ru} {day}-го {year} года", whole),
        (f"{ru} {day}, {year} года", whole),
        (f"{day} числа {ru} {year} года", whole),
        (f"{day} {ru} месяца {year} года", whole),
        (f"{year} года, {ru} {day} дня", whole),
        (f"{day} {ru} (среда) {year} года", whole),
        (f"{RU_ADJECTIVES[month - 1]} номер {year} года", part),
        (f"{day} ({day % 28 + 1}) {ru} {year} года", "two calendars"),
        (f"{day} {ru} {year} года до н. э.", "another era"),
        (f"{year}年{month}月{day}日", whole),
        (f"{han_year}年{_han(month)}月{_han(day)}日", whole),
        (f"{year}年的{month}月{day}号", whole),
        (f"{year}年{month}月份", part),
        (f"{year}年{month}、{month % 12 + 1}月", "two months"),
        (f"公元前{year}年{month}月", "another era"),
        (f"{year}年农历{_han(month)}月{_han(day)}日", "another calendar"),
    ]
    return Written(*draw(st.sampled_from(forms)))


@PROPERTY
@given(written_dates(), st.sampled_from(["{}", "Signed: {}.", "Подписано: {}.", "日期：{}。"]))
def test_a_date_is_read_whole_or_not_at_all(written: Written, frame: str):
    """Of a date in any notation either all parts are read, or nothing."""
    read = [date.iso for date in dates(frame.format(written.text))]
    assert read in ([], [written.iso]), (written, read)
