import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import date_ranges, dates

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=200)
ANY = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(st.sampled_from("0123489./- 年月日号至一二十〇Augмая№г,«»\u200b"), max_size=16)

DATES = [
    ("2020年8月30日", "2020-08-30"),
    ("２０２０年８月３０日", "2020-08-30"),
    ("二〇二〇年八月三十日", "2020-08-30"),
    ("二零二零年十二月一日", "2020-12-01"),
    ("2020 年 8 月 30 号", "2020-08-30"),
    ("2020年8月", "2020-08"),
    ("2020年", "2020"),
    ("8月30日", "--08-30"),
    ("30 августа 2020 г.", "2020-08-30"),
    ("30\u00a0августа 2020 года", "2020-08-30"),
    ("«30» августа 2020 г.", "2020-08-30"),
    ("30-го августа", "--08-30"),
    ("в августе 2020 г.", "2020-08"),
    ("май 2021", "2021-05"),
    ("1 марта 2021", "2021-03-01"),
    ("2020 г.", "2020"),
    ("в 2020 году", "2020"),
    ("Aug 30, 2020", "2020-08-30"),
    ("August 30th, 2020", "2020-08-30"),
    ("30 Aug 2020", "2020-08-30"),
    ("30-Aug-2020", "2020-08-30"),
    ("5th of May 2020", "2020-05-05"),
    ("Sept. 5, 2021", "2021-09-05"),
    ("March 2020", "2020-03"),
    ("May 5", "--05-05"),
    ("2020-08-30", "2020-08-30"),
    ("2020-08-30T10:00:00", "2020-08-30"),
    ("2020/8/30", "2020-08-30"),
    ("2020.08.30", "2020-08-30"),
    ("30.08.2020", "2020-08-30"),
    ("до 30.08.2020.", "2020-08-30"),
    ("30-08-2020", "2020-08-30"),
    ("08/30/2020", "2020-08-30"),
    ("30/08/2020", "2020-08-30"),
    ("03/04/2020", "2020-03-04"),
    ("29.02.2020", "2020-02-29"),
    ("18.X.1912", "1912-10-18"),
    ("5.VIII.1999", "1999-08-05"),
    ("民國113年1月1日", "2024-01-01"),
    ("民國六十二年", "1973"),
    ("2020年2月29日", "2020-02-29"),
]


@pytest.mark.parametrize(("text", "iso"), DATES)
def test_a_date_is_read(text: str, iso: str):
    """Each notation of a date gives one date with exactly the parts that are written."""
    assert [date.iso for date in dates(text)] == [iso]


NO_DATES = [
    "31.02.2020", "29.02.2021", "2020-13-01", "31 апреля 2020", "2020年13月1日", "13/13/2020", "3年", "三个月",
    "1.2.3", "192.168.10.2020", "12023", "2020-08", "30.08.20", "may 5 people", "маяк 2020", "",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_DATES)
def test_impossible_dates_are_no_full_dates(text: str):
    """Impossible days, durations, version numbers and two-digit years give no date with a day."""
    assert [date.iso for date in dates(text) if date.day is not None] == []


def test_spans_are_of_the_original():
    """The span of a date is in the original text, including its invisible characters."""
    text = "подписан\u00ad 30\u200b августа 2020 г. в Москве"
    (date,) = dates(text)
    assert text[date.start : date.end] == "30\u200b августа 2020 г."


RANGES = [
    ("2020年8月1日至30日", "2020-08-01/2020-08-30"),
    ("2020年8月1日至9月3日", "2020-08-01/2020-09-03"),
    ("自2020年1月1日起至2020年12月31日止", "2020-01-01/2020-12-31"),
    ("2020年8月至10月", "2020-08/2020-10"),
    ("2019年至2021年", "2019/2021"),
    ("с 1 по 30 августа 2020 г.", "2020-08-01/2020-08-30"),
    ("1–30 августа 2020", "2020-08-01/2020-08-30"),
    ("1 августа – 3 сентября 2020 г.", "2020-08-01/2020-09-03"),
    ("с 01.01.2020 по 31.12.2020", "2020-01-01/2020-12-31"),
    ("август — октябрь 2020", "2020-08/2020-10"),
    ("2019–2021 гг.", "2019/2021"),
    ("Aug 1–30, 2020", "2020-08-01/2020-08-30"),
    ("August to October 2020", "2020-08/2020-10"),
    ("from 2020-01-01 to 2020-02-01", "2020-01-01/2020-02-01"),
    ("between 1 May 2020 and 3 May 2020", "2020-05-01/2020-05-03"),
    ("между 1 мая 2020 и 3 мая 2020", "2020-05-01/2020-05-03"),
]


@pytest.mark.parametrize(("text", "iso"), RANGES)
def test_a_range_is_read(text: str, iso: str):
    """A part that is written once applies to both ends of a range."""
    assert [date_range.iso for date_range in date_ranges(text)] == [iso]


@pytest.mark.parametrize(
    "text",
    [
        "1 May 2020 and 3 May 2020",
        "с 5 мая 2021 по 3 мая 2020",
        "30.08.2020",
        "1–31 февраля 2020",
        "",
    ],
)
def test_no_range(text: str):
    """Two dates with *and*, a range that runs backwards and a single date are not ranges."""
    assert date_ranges(text) == []


def test_a_range_has_its_span():
    """The spans of a range and of its ends are in the original text."""
    text = "срок\u200b с 1 по 30 августа 2020 г. включительно"
    (date_range,) = date_ranges(text)
    assert text[date_range.start : date_range.end] == "1 по 30 августа 2020 г."
    assert text[date_range.first.start : date_range.first.end] == "1"


@PROPERTY
@given(st.dates())
def test_iso_dates_round_trip(day: dt.date):
    """An ISO date of the years 1000 to 2999 is read as itself; other years are not read."""
    iso_dates = [date.iso for date in dates(day.isoformat())]
    assert iso_dates == ([day.isoformat()] if 1000 <= day.year < 3000 else [])


@PROPERTY
@given(st.one_of(ANY, TRICKY))
def test_dates_never_raise_and_never_overlap(text: str):
    """Any string is read without an error; the spans are in order and do not overlap."""
    for results in (dates(text), date_ranges(text)):
        end = 0
        for result in results:
            assert end <= result.start < result.end <= len(text)
            end = result.end
