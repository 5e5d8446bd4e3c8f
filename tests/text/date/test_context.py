"""What stands beside a date and shows that it is another date, or none."""

import pytest

from assay.text import dates


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("к 7-му июня 2011 года", "2011-06-07"),
        ("датировано 21-м июня 2011 года", "2011-06-21"),
        ("2011-ый год", "2011"),
        ("Июнь, 2011", "2011-06"),
        ("Акт от 07/06/2011 утерян.", "2011-06-07"),
        ("The deed of 07/06/2011 is lost.", "2011-07-06"),
        ("Valid until 09/2027.", "2027-09"),
        ("2011年三八妇女节", "2011-03-08"),
        ("2011年平安夜", "2011-12-24"),
        ("1900年前后", "1900"),
        ("2011年前", "2011"),
        ("In June 2011 people voted.", "2011-06"),
        ("Издание 2000 г.", "2000"),
        # A day that is named and then told, in either order.
        ("2011年教师节，也就是9月10日", "2011-09-10"),
        ("2011年植树节（即3月12日）", "2011-03-12"),
        ("2011年元旦那天，亦即一月一日", "2011-01-01"),
        ("9月10日，也就是2011年教师节", "2011-09-10"),
        ("2011年端午节（6月6日）", "2011-06-06"),
        ("2011年中秋节，也就是9月12日", "2011-09-12"),
        # A short name of a holiday, and a number or a name that begins like one.
        ("2011年五一开张", "2011-05-01"),
        ("2011年圣诞前夜", "2011-12-24"),
        ("2011年十一个县", "2011"),
        ("2011年五一广场扩建", "2011"),
        ("1919年五四运动", "1919"),
        # English holidays with a fixed day.
        ("on St. Patrick's Day 2011", "2011-03-17"),
        ("Valentine’s Day, 2011", "2011-02-14"),
        ("the Hallowe'en of 2011", "2011-10-31"),
        ("Bonfire Night 2011", "2011-11-05"),
        # Dates without spaces, and with hyphens.
        ("Issued 07JUN2011.", "2011-06-07"),
        ("Jun-07-2011", "2011-06-07"),
        # A year after a verb of making or opening, at the end of a clause.
        ("The chest was carved around 1760.", "1760"),
        ("The school opened in 1911, the library later.", "1911"),
        ("The hall dates from seventeen sixty-two.", "1762"),
    ],
)
def test_a_date_is_read_with_all_of_its_parts(text: str, iso: str):
    """Inflected days, Russian slashes, a month with its year, and fixed holidays are read."""
    assert [date.iso for date in dates(text)] == [iso]


NONE = [
    # A number of years, of people or of grams.
    "工程历时1100年", "这棵树已有1500年历史", "距今1500年", "1500年之久", "2000年前的陶罐",
    "circa 1200 soldiers", "On 5 June 1500 people came.", "5 июня 1500 человек пришли",
    "Добавьте 1500 г муки.", "Вес нетто 2000 г.",
    # Decades, and a month without its day.
    "born in 1970s Leeds", "twenty-one June 1900", "двадцать девять июня 2011 года", "до 5-ти июня 2011 года",
    # A year of two digits, two days, and the number of an order.
    "в июне 11-го было так", "June 3/4, 1999", "Order no. 20110607", "2011年5至6月",
    # A holiday without a fixed day.
    "2011年母亲节", "2011年万圣节",
    # More than one day, or the day beside a holiday.
    "2011年国庆长假", "2011年国庆节前一天", "2011年圣诞节期间",
    # An amount after a verb of opening, and a code.
    "The chain opened in 1900 towns.", "They were made around 1850 by hand.", "Lot X07JUN2011",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_a_part_of_a_date_or_an_amount_is_no_date(text: str):
    """Of a date that is not read whole, and of an amount that looks like a year, nothing is read."""
    assert dates(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "In May 1,200 workers were dismissed.",
        "In June 12,000 men came.",
        "In May 5 million people left.",
        "In May 3.5 million people left.",
        "In May 10% of the staff left.",
    ],
)
def test_a_quantity_after_a_month_is_no_day(text: str):
    """The first digits of a larger number are no day."""
    assert dates(text) == []
