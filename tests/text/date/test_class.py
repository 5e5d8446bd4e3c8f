"""Classes of notation in three languages: labelled months, stamps, Roman numerals, eras, short years."""

import pytest

from assay.text import dates

READ = [
    ("March 2020, 12th", "2020-03-12"),
    ("2020年（鼠年）3月12日", "2020-03-12"),
    ("2020年三月廿八日", "2020-03-28"),
    # A label says that two numbers are a month.
    ("Billing period: 2023-09", "2023-09"),
    ("Valid until 04/2027", "2027-04"),
    ("Отчётный период: 10.2019", "2019-10"),
    ("Срок годности 11.2025", "2025-11"),
    ("账期：2022-05", "2022-05"),
    ("保质期至2027/03", "2027-03"),
    ("出版日期：2018.9", "2018-09"),
    # Years of two digits in Russian papers.
    ("счёт от 14.02.23 оплачен", "2023-02-14"),
    ("письмо от 03.11.87 г.", "1987-11-03"),
    # File names.
    ("dump-20220314.sql.gz", "2022-03-14"),
    ("IMG_20190704_101500.jpg", "2019-07-04"),
    # Roman months and years.
    ("7/IX-1921 г.", "1921-09-07"),
    ("12-III-1904", "1904-03-12"),
    ("21 VIII 1940", "1940-08-21"),
    ("MDCCCXLVIII", "1848"),
    ("© MMXI Northwind", "2011"),
    # Years beside words that need one.
    ("in the winter of 1942", "1942"),
    ("the census of 1901 was late", "1901"),
    ("© 2004 Harbour Books", "2004"),
    ("It was around 1850 when they left.", "1850"),
    ("back in two thousand and six", "2006"),
    ("Nineteen seventy-six was a dry year.", "1976"),
    # Old words.
    ("the Ides of May, 1700", "1700-05-15"),
    ("3 генваря 1799 года", "1799-01-03"),
    # Chinese.
    ("八三年冬天", "1983"),
    ("零五年六月一号", "2005-06-01"),
    ("乾隆四十七年", "1782"),
    ("宣统元年（1909年）", "1909"),
    ("2016年的最后一天", "2016-12-31"),
    ("2016年第一天", "2016-01-01"),
]
IGNORED = [
    "2020年三月廿八", "2020年八月廿三",
    "version 2023.9", "сборка 10.2019", "раздел 12.2021", "账期：2022-05至2022-08", "IP 14.02.23", "от 14.02.45", "п. 14.02.23",
    "order INV-20220314", "7/XIII-1921 г.", "10 X 1500 mm", "MCMC", "MMIX", "MDCDX", "a harvest of 1600 tons",
    "the Nones of May 1700", "мартовские иды 1700 года", "3 апрля 1799 года", "the last day of the year 2013", "последний день 2013 года",
    "干了七八年", "二四年三月十五日", "等了三五年", "乾隆四十七年八月", "宣统十年", "宣统元年（1910年）", "twenty twenty vision",
    "© 2010-2020 Harbour Books", "May '21", "the winter of 1812 and 1813", "订单号20200831", "20 февруария 1711 года",
    "двадцать пятого мая двадцатого года",
]  # fmt: skip


@pytest.mark.parametrize(("text", "iso"), READ)
def test_a_class_of_notation_is_a_date(text: str, iso: str):
    """Each notation gives its date where the words beside it make it certain."""
    assert [date.iso for date in dates(text)] == [iso]


@pytest.mark.parametrize("text", IGNORED)
def test_a_notation_that_may_mean_something_else_is_no_date(text: str):
    """Versions, codes, numbers of years, and days that are not understood give no date or part of one."""
    assert dates(text) == []


def test_a_label_is_no_part_of_the_date():
    """The date begins after its label."""
    text = "Период: 11.2022"
    (date,) = dates(text)
    assert text[date.start : date.end] == "11.2022"
