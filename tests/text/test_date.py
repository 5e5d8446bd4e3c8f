"""Dates: named notations, and dates that a generator writes."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.date import is_calendar_date
from assay.text.date import read_dates as dates

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)
EN_MONTH_NAMES = (
    "January February March April May June July August September October November December"
)
RU_MONTH_NAMES = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"
EN_MONTHS, RU_MONTHS = EN_MONTH_NAMES.split(), RU_MONTH_NAMES.split()
ZH_DIGITS = "〇一二三四五六七八九"

READ = [
    ("2020-08-30, 2020/8/30, 2020.08.30, 30.08.2020, 30-08-2020", ["2020-08-30"] * 5),
    ("08/30/2020, 30/08/2020, 05/05/2020", ["2020-08-30", "2020-08-30", "2020-05-05"]),
    ("Акт от 07/06/2011.", ["2011-06-07"]),
    ("08/2026", ["2026-08"]),
    ("2020-08-30T10:00:00 and ２０２０年８月３０日", ["2020-08-30"] * 2),
    (
        "二〇二〇年八月三十日, 二○二○年八月, 2020年元月3号, 8月30日",
        ["2020-08-30", "2020-08", "2020-01-03", "--08-30"],
    ),
    ("2024年5月5、6日, 2024年3月至5月", ["2024-05-05", "2024-05-06", "2024-03", "2024-05"]),
    (
        "30 августа 2020 г., «30» августа 2020 года, 30-го августа",
        ["2020-08-30", "2020-08-30", "--08-30"],
    ),
    (
        "15 сент. 2024 г., в мае 2021 года, в 2020 году, к 1913-му",
        ["2024-09-15", "2021-05", "2020", "1913"],
    ),
    ("двадцать пятого мая две тысячи пятого года", ["2005-05-25"]),
    ("August 30, 2020; Aug 30 2020; 30 Aug 2020; 30-Aug-2020", ["2020-08-30"] * 4),
    ("the 30th of August, 2020; 2020 August 30; the thirtieth of August 2020", ["2020-08-30"] * 3),
    ("on the second of June, nineteen fifty-three", ["1953-06-02"]),
    ("March 2020; May 5; in May 2020 people voted", ["2020-03", "--05-05", "2020-05"]),
    (
        "in 1848. By 2030, the war of 1812; from 1914 to 1918.",
        ["1848", "2030", "1812", "1914", "1918"],
    ),
    ("in 1984, on 12 May; 2010年，4月1日", ["1984-05-12", "2010-04-01"]),
    ("3–5 May 2024; May 5, 6 and 7, 2024", [f"2024-05-0{day}" for day in (3, 5, 5, 6, 7)]),
    ("с 1 по 30 августа 2020 г.", ["2020-08-01", "2020-08-30"]),
    ("1 августа – 3 сентября 2020 г.", ["2020-08-01", "2020-09-03"]),
    ("28 December – 3 January 2024", ["2023-12-28", "2024-01-03"]),
    ("March, April and May 2024", ["2024-03", "2024-04", "2024-05"]),
]
NOTHING = [
    "31.02.2020, 29.02.2021, 31 апреля 2020, 2020年13月1日, 13/13/2020", "03/04/2020, 30.08.20, 15-Mar-24, 7 April '19, 7 апреля 19 г.",
    "1.2.3, 192.168.10.2020, 2020-08, 12023", "公元前221年, 农历三月十五日, 24年3月15日, 民国二十四年三月十五日", "15 March 44 BC, 30 августа 480 г. до н. э.",
    "thirty-second of May, тридцать второго мая, двадцать девять июня 2011 года", "25 октября (7 ноября) 1917 года", "31 December/1 January 2024",
    "in 1500 feet, one in 1500 people, rose by 2030 units, in the 1990s, 1990-е годы", "历时1200年, 1200年之久, 1990年代, 2016年元旦",
    "the last day of February 2024", "may 5 people march 15 miles", "",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ)
def test_each_notation_is_read(text: str, expected: list[str]):
    """A date has exactly the parts that are written, or that its range or list shares."""
    assert [date.iso for date in dates(text)] == expected


@pytest.mark.parametrize("text", NOTHING)
def test_of_what_is_no_certain_date_no_part_is_read(text: str):
    """Impossible and ambiguous dates, short years, other eras, amounts and durations give nothing."""
    assert dates(text) == []


def test_places_are_of_the_original():
    """The places are offsets of the original text, including its invisible characters."""
    text = "срок\u200b с 1 по 30\u200b августа 2020 г. включительно"
    assert [text[date.start : date.end] for date in dates(text)] == [
        "1",
        "30\u200b августа 2020 г.",
    ]


def _han(value: int) -> str:
    tens, unit = divmod(value, 10)
    digits = ZH_DIGITS[unit] if unit else ""
    return f"{ZH_DIGITS[tens] if tens > 1 else ''}十{digits}" if tens else digits


FORMS = [
    "{d} {en} {y}", "{en} {d}, {y}", "the {d}th of {en}, {y}", "{en} the {d}th, {y}", "{d} {ru} {y} года", "«{d}» {ru} {y} г.",
    "{d}-го {ru} {y} г.", "{y}年{m}月{d}日", "{y}年的{m}月{d}号", "{hy}年{hm}月{hd}日", "{y}-{m:02d}-{d:02d}", "{d:02d}.{m:02d}.{y}",
]  # fmt: skip
DAYS = st.dates(dt.date(1500, 1, 1), dt.date(2099, 12, 31))


def _written(day: dt.date, form: str) -> str:
    return form.format(
        d=day.day, m=day.month, y=day.year, en=EN_MONTHS[day.month - 1], ru=RU_MONTHS[day.month - 1],
        hy="".join(ZH_DIGITS[int(digit)] for digit in str(day.year)), hm=_han(day.month), hd=_han(day.day),
    )  # fmt: skip


@PROPERTY
@given(
    DAYS,
    st.sampled_from(FORMS),
    st.sampled_from(["{}", "Signed: {}.", "Подписано: {}.", "日期：{}。"]),
)
def test_what_is_written_is_read_back_whole(day: dt.date, form: str, frame: str):
    """A date in any notation has all of its parts, and is where it was written."""
    written = _written(day, form)
    text = frame.format(written)
    (date,) = dates(text)
    assert date.iso == day.isoformat()
    assert written in text[max(0, date.start - 4) : date.end + 1]


@PROPERTY
@given(
    DAYS,
    st.sampled_from(
        [*(f"{form} BC" for form in FORMS[:4]), *(f"{form} до н. э." for form in FORMS[4:7])]
    ),
)
def test_before_our_era_nothing_is_read(day: dt.date, form: str):
    """A date of another era is none, and neither is its day or month alone."""
    assert dates(_written(day, form)) == []


@PROPERTY
@given(st.integers(0, 10000), st.integers(0, 14), st.integers(0, 40))
def test_the_calendar_is_that_of_the_standard_library(year: int, month: int, day: int):
    """A date exists if ``datetime`` can make it."""
    try:
        dt.date(year, month, day)
    except ValueError:
        assert not is_calendar_date(year, month, day)
    else:
        assert is_calendar_date(year, month, day)


ANY = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(st.sampled_from("0123489./- 年月日号至一二十〇Augмая№г,«»\u200b"), max_size=16)


@PROPERTY
@given(st.one_of(ANY, TRICKY))
def test_any_text_is_read_and_dates_do_not_overlap(text: str):
    """Any string is read without an error; the places are in order."""
    end = 0
    for date in dates(text):
        assert end <= date.start < date.end <= len(text)
        end = date.end
