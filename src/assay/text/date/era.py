"""Years of Chinese and Japanese eras: 光绪二十四年 is 1898.

The calendar of the Chinese eras is another one, so a month of such a year is not read.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from assay.text.lexicon import alternatives, entry
from assay.text.number import NUMERAL, numeral_value

UNKNOWN: Final = -1


@cache
def _eras() -> dict[str, tuple[int, int]]:
    """The first year and the number of years of each era."""
    lines = map(str.split, entry("zh", "date.eras").strip().splitlines())
    return {name: (int(first), int(count)) for first, count, *names in lines for name in names}


def era_pattern() -> str:
    """The expression for a year of an era, with the usual year in brackets if it is given."""
    return (
        rf"(?P<era>{'|'.join(_eras())}) ?(?P<era_year>元|[0-9]{{1,2}}|[{NUMERAL}]{{1,4}}) ?年"
        rf"(?P<era_month> ?(?:[0-9]{{1,2}}|[{NUMERAL}正腊臘闰閏冬]{{1,3}}) ?月)?"
        rf"(?:[(（](?:{alternatives('date.usual_era', 'zh')})? ?(?P<usual_year>[12][0-9]{{3}}) ?年?[)）])?"
    )


def era_year(parts: Mapping[str, str]) -> int:
    """The year that ``era_pattern`` matches; -1 if the era has no such year, or a month follows."""
    first, count = _eras()[parts["era"]]
    written = parts["era_year"]
    number = 1 if written == "元" else int(written) if written.isdigit() else numeral_value(written)
    if number is None or not 1 <= number <= count or "era_month" in parts:
        return UNKNOWN
    year = first + int(number) - 1
    return year if parts.get("usual_year") in {None, str(year)} else UNKNOWN
