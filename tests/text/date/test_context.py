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
    "2011年母亲节",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_a_part_of_a_date_or_an_amount_is_no_date(text: str):
    """Of a date that is not read whole, and of an amount that looks like a year, nothing is read."""
    assert dates(text) == []
