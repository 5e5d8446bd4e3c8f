"""The notations of dates in three languages, as regular expressions with named parts."""

import re
from functools import cache
from typing import Final, NamedTuple

from assay.text.date.era import era_pattern
from assay.text.date.ordinal import english_year_in_words, ordinal_day, year_in_words
from assay.text.lexicon import alternatives, entry, expressions
from assay.text.number import NUMERAL

REACH: Final = 64
"""How many characters before and after the name of its month a date may begin and end."""

_NEAR: Final = 24
"""The same for notations without such a name."""

_YEAR: Final = "(?P<year>[12][0-9]{3})(?![0-9])"
_DAY: Final = "(?P<day>0?[1-9]|[12][0-9]|3[01])(?![0-9])"
# In contracts a day is written into a blank: «_05_» мая, “05” May.
_QUOTED_DAY: Final = rf"(?:(?:[«\"“„”<]|'(?=[\s_]{{0,4}}[0-9]{{1,2}}[\s_]{{0,4}}'))[\s_]{{0,4}})?{_DAY}(?:[\s_]{{0,4}}[»\"”“'>])?"
_MONTH: Final = "(?P<month>0?[1-9]|1[0-2])(?![0-9])"
_HAN_PART: Final = rf"[0-9]{{1,2}}|[{NUMERAL}]{{1,3}}"
_HAN_MONTH: Final = rf"(?P<month>{_HAN_PART}|元) ?月"
# Without 日, a number after the month may count something: 3月15家.
_HAN_DAY: Final = rf" ?(?:(?P<day>{_HAN_PART}) ?[日号號]|(?P<bare_day>{_HAN_PART})(?=\Z|[\s,，.。;；、)）至到~-]))"
_HAN_YEAR: Final = "(?P<year>[12][0-9]{3}|[〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖]{4})"
_ORDINAL: Final = "(?:st|nd|rd|th)?"
_END: Final = r"(?![-/]|\.[0-9])"
_HAN_PATTERNS: Final = (
    rf"(?<![0-9{NUMERAL}]){_HAN_YEAR} ?年(?: ?{_HAN_MONTH}(?:{_HAN_DAY}|(?P<last_day>底?的?最后一[天日]))?)?",
    rf"(?<![0-9{NUMERAL}])(?<![0-9{NUMERAL}]年){_HAN_MONTH} ?(?P<day>{_HAN_PART}) ?[日号號]",
)
_EDGE_OF_YEAR: Final = rf"(?<![0-9{NUMERAL}]){_HAN_YEAR} ?年的?(?:(?P<last_of_year>最后一[天日])|(?P<first_of_year>第一天))"
# Two digits in a row are no number of years: 九八年, but 九十八年.
_SHORT_HAN: Final = rf"(?<![0-9{NUMERAL}第每近约过])(?P<short_han>[〇零一二三四五六七八九]{{2}}) ?年(?: ?{_HAN_MONTH}(?:{_HAN_DAY})?)?"
_REPUBLIC: Final = rf"民[国國] ?(?P<republic>[0-9]{{1,3}}|[{NUMERAL}]{{1,6}}|元) ?年(?: ?{_HAN_MONTH}(?:{_HAN_DAY})?)?"
_DIGIT_PATTERNS: Final = (
    rf"(?<![0-9./-]){_YEAR}(?P<mark>[-./]){_MONTH}(?P=mark){_DAY}{_END}",
    rf"(?<![0-9./-]){_DAY}(?P<mark>[.-]){_MONTH}(?P=mark){_YEAR}{_END}",
    rf"(?<![0-9./-])(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_YEAR}{_END}",
    r"(?<![0-9./,-])(?:(?P<month>0[1-9]|1[0-2])/|(?P<month_point>0[1-9])\.)(?P<year>(?:19|20)[0-9]{2})(?![0-9]|[./-][0-9])",
)
_ROMAN_MONTHS: Final = (
    rf"(?<![0-9./-]){_DAY}[./-]\s?(?P<roman>I{{1,3}}|I?V|VI{{1,3}}|I?X|XI{{1,2}})(?:[./-]\s?|\s){_YEAR}{_END}",
    # With spaces, a single letter may be a unit or a sign: 10 X 1500, 5 V 2000.
    rf"(?<![0-9./-]){_DAY}\s(?P<roman>I{{2,3}}|IV|VI{{1,3}}|IX|XI{{1,2}})\s{_YEAR}{_END}",
)
# A word or a mark is before the year.
_YEAR_AFTER_WORD: Final = r"(?:[A-Za-z.)©]\s|©|d-)[12][0-9]{3}(?![0-9])"
_MONTH_AND_YEAR: Final = (
    r"[0-9][./](?:19|20)[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}[-/.][01]?[0-9](?![0-9])"
)
_COMPACT: Final = (
    r"(?<![0-9A-Za-z.,/#№_-])(?<!№ )(?<![号码])(?<![号码][:：])(?<![Nn]o\. )(?<![Nn]o\.: )(?P<year>(?:19|20)[0-9]{2})"
    r"(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])(?![0-9A-Za-z_]|[.,-][0-9])"
)


_FILE_STAMP: Final = (
    r"(?<=[^\W\d_][_-])(?P<year>(?:19|20)[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
    r"(?=(?:[_-][0-9A-Za-z_-]{1,24})?\.[A-Za-z])"
)


def _roman_year() -> str:
    """The expression for a year in Roman numerals; a short one needs a mark before it: © MMIX."""
    mark = alternatives("date.copyright", "en")
    return (
        rf"(?<![\w.-])(?:(?P<label>(?i:{mark}|anno(?: domini)?)\s{{1,2}})(?P<roman_year>M[DCMLXVI]{{3,}})"
        r"|(?P<roman_alone>M[DCMLXVI]{4,}))(?![\w-]|\.[A-Z])"
    )


def _labelled_month() -> str:
    """The expression for a month in digits after a label that says so: Period: 11.2022."""
    label = alternatives("date.month_label")
    month, year = "(?:0?[1-9]|1[0-2])", "(?:19|20)[0-9]{2}"
    return (
        rf"(?P<label>(?i:{label})\s?[:：]?\s?)"
        rf"(?:(?P<year>{year})[-/.](?P<month>{month})|(?P<month_first>{month})[./](?P<year_last>{year}))"
        r"(?![0-9A-Za-z]|[-/.][0-9]|\s?[-—~至到])"
    )


def _labelled_year() -> str:
    """The expression for a year after a label that says so: Год издания: 1913, 年份：1999."""
    return (
        rf"(?P<label>(?i:{alternatives('date.year_label')})\s?[:：—-]?\s?){_YEAR}(?:-й)?"
        r"(?![\w%]|[./,-][0-9]|\s?[-—~/]\s?[0-9])"
    )


def _short_year() -> str:
    """The expression for a Russian date with a year of two digits: от 30.06.22."""
    return (
        rf"(?P<label>\b(?i:{alternatives('date.short_label', 'ru')}):?\s)(?P<day>0[1-9]|[12][0-9]|3[01])"
        rf"\.(?P<month>0[1-9]|1[0-2])\.(?P<short>[0-9]{{2}})(?![0-9]|[.:-][0-9])(?:\s?(?:{alternatives('date.year', 'ru')}))?"
    )


@cache
def en_month(group: str = "name") -> str:
    """The expression for an English month, with a capital letter or in capitals, as a group."""
    names = alternatives("date.months", "en")
    return f"(?P<{group}>{names}|{names.upper()})"


def _joined() -> str:
    """The expression for a date without spaces, as in passports: 05MAY2011."""
    return rf"(?<![0-9A-Za-z./_-]){_DAY}(?i:{en_month()}){_YEAR}(?![A-Za-z_-])"


@cache
def ru_month(group: str = "name") -> str:
    """The expression for a Russian month as a group, without its abbreviations."""
    return f"(?P<{group}>{alternatives('date.months', 'ru')})(?![а-яё])"


def _doubled() -> str:
    """The expression for a day that is written again in brackets: 5 (пятого) мая."""
    return rf"(?i:\s?\(\s?(?P<doubled>[0-9]{{1,2}}|{ordinal_day()})\s?\))?"


def _holiday_pattern() -> str:
    names = "|".join(
        sorted((*holidays(), alternatives("date.moving_holidays", "zh")), reverse=True)
    )
    beside, other = (
        alternatives(f"date.{name}", "zh") for name in ("beside_holiday", "not_holiday")
    )
    return rf"(?<![0-9{NUMERAL}]){_HAN_YEAR} ?年的? ?(?P<holiday>(?>{names}))(?!{other})(?P<beside>{beside})?"


def _ru_patterns() -> tuple[str, ...]:
    # An abbreviation needs its point or a year after it.
    short = alternatives("date.months_short", "ru")
    month = (
        rf"(?i:(?P<name>(?:{alternatives('date.months', 'ru')})(?![а-яё])"
        rf"|(?:{short})(?=\.|\s[12][0-9]{{3}}(?![0-9]))))\.?"
    )
    year = (
        rf"(?:{_YEAR}(?:-го)?(?:\s?(?:{alternatives('date.year', 'ru')}))?"
        rf"|(?P<year_words>{year_in_words()})\s{alternatives('date.year_word', 'ru')}"
        rf"|(?P<bare_words>{year_in_words(ending='genitive')}))"
    )
    ending = rf"-?(?:{alternatives('date.day_suffix', 'ru')})"
    day_word = alternatives("date.day_word", "ru")
    day = rf"(?:{_QUOTED_DAY}(?:{ending})?|(?i:\b(?P<day_words>{ordinal_day()}))){_doubled()}(?:{day_word})?"
    month += rf"(?:{alternatives('date.month_word', 'ru')})?"
    suffix, into = (alternatives(f"date.{name}", "ru") for name in ("year_suffix", "in"))
    apart = "(?<![а-яё0-9])"
    genitive = "(?<=[ая.])"
    adjective = f"(?P<adjective>{alternatives('date.months_adjective', 'ru')})"
    return (
        rf"(?<![0-9]){day}\s{{1,2}}{month}(?:(?:\s{{1,2}}|{alternatives('date.comma_year', 'ru')}){year})?",
        rf"{apart}{month}\s{{1,2}}(?:(?:{into})\s)?{_DAY}(?:{ending})?(?:{day_word})?,?\s{{1,2}}{year}",
        rf"{apart}{month}\s{{1,2}}(?:(?:{into})\s)?{_DAY}(?:{ending})?{day_word}",
        # «Сентября 5-го» is a day, «в сентябре 20-го» a year.
        rf"{apart}{month}{genitive}\s{{1,2}}(?:(?:{into})\s)?{_DAY}{ending}",
        rf"{apart}(?i:{adjective})[а-яё]{{2,3}}\s(?!{alternatives('date.part_of_month', 'ru')})(?:[а-яё]+\s){{1,3}}{year}",
        rf"{apart}(?:(?P<last_day>{alternatives('date.last_day', 'ru')})\s)?{month},?\s{{1,2}}{year}",
        rf"(?<![0-9]){_YEAR}(?:{suffix})?\s?(?:{alternatives('date.year_alone', 'ru')})",
        rf"(?i:\b(?P<year_words>{year_in_words()})\s{alternatives('date.year_word', 'ru')})",
        rf"(?i:\b(?:{alternatives('date.in', 'ru')})\s(?P<bare_words>{year_in_words(ending='prepositional')}))",
        rf"(?i:\b(?:{alternatives('date.in', 'ru')})\s){_YEAR}-м\b",
        rf"(?i:\b(?:{alternatives('date.year_before', 'ru')})\s){_YEAR}",
        rf"(?P<label>(?i:\b(?:{alternatives('date.bare_year_before', 'ru')})\s)){_YEAR}(?:{alternatives('date.bare_year_after', 'ru')})",
    )


def _en_patterns() -> tuple[str, ...]:
    month = en_month()
    any_case = f"(?i:{month})"
    day = rf"(?:{_QUOTED_DAY}{_ORDINAL}|(?i:(?P<day_words>{ordinal_day()})\b)){_doubled()}"
    of = r"(?:\s{1,2}day)?(?:\s{1,2}of(?:\sthe\smonth\sof)?)?"
    words = english_year_in_words()
    year = rf"(?:(?:(?:of|in)\s)?the\syear\s)?(?:{_YEAR}|(?i:(?P<year_words>{words})\b))"
    holidays = "|".join(name for _, name in english_holidays())
    # In May 1,200 workers left, and 5 million people.
    quantity = rf"(?![.,][0-9]{{3}}(?![0-9])|\.[0-9]|\s?%|\s(?:{alternatives('date.after_quantity', 'en')})\b)"
    return (
        rf"\b{month}\b\.?\s{{1,2}}(?:the\s)?{day}{quantity}(?:,?\s{{1,2}}{year})?",
        rf"\b{any_case}\b\.?\s{{1,2}}(?:the\s)?{day},?\s{{1,2}}{_YEAR}",
        rf"(?<![0-9]){day}{of}[\s-]{{1,2}}{month}\b\.?(?:,?[\s-]{{1,2}}{year})?",
        rf"(?<![0-9]){day}{of}[\s-]{{1,2}}{any_case}\b\.?,?[\s-]{{1,2}}{_YEAR}",
        rf"\b{month}\b\.?,?(?:\s{{1,2}}(?:of|in)(?:\sthe\syear)?)?\s{{1,2}}{_YEAR}",
        rf"\b{month}\b\.?\s{{1,2}}{_YEAR},\s{_DAY}(?:st|nd|rd|th)(?=\s*(?:\Z|[.,;!?)]))",
        rf"\b{month}\s(?:[a-z]+\s){{1,2}}of\s{_YEAR}",
        rf"\b{any_case}-{_DAY}-{_YEAR}",
        rf"(?i:\b(?P<last_day>last day of)\s){month}\b\.?,?\s{{1,2}}{_YEAR}",
        rf"(?<![0-9]){_YEAR}[\s-]{{1,2}}{month}\b\.?[\s-]{{1,2}}{day}",
        rf"(?i:\b(?P<holiday_en>{holidays})),?\s(?:of\s)?{_YEAR}",
        rf"(?i:(?:\b(?:{alternatives('date.year_before', 'en')})\s|(?:{alternatives('date.copyright', 'en')})\s?)){_YEAR}(?!\s?-\s?[0-9])",
        rf"(?P<label>(?i:\b(?P<after_word>{alternatives('date.bare_year_before', 'en')})\s)){_YEAR}(?=(?i:{alternatives('date.bare_year_after', 'en')}))",
        rf"(?P<label>(?i:\b(?:{alternatives('date.part_of_year', 'en')}))){_YEAR}(?![\w/-]|[.,][0-9])",
        rf"(?i:\b(?:{alternatives('date.year_words_before', 'en')})\s(?P<year_words>{words})\b)(?!-)",
        rf"(?i:\b(?P<year_words>{words})\s{alternatives('date.year_words_then', 'en')})",
    )


class Notation(NamedTuple):
    """Patterns of dates, and what a text must contain for any of them to match.

    ``reach`` is how far from that place a date may begin or end, or ``None`` if the patterns are
    searched for in the whole text.
    """

    needed: re.Pattern[str]
    patterns: tuple[re.Pattern[str], ...]
    reach: int | None
    is_russian: bool


@cache
def notations() -> tuple[Notation, ...]:
    """All notations, each with what a text must contain for it."""
    ru, en = _ru_patterns(), _en_patterns()
    ru_month, en_month = alternatives("date.months", "ru"), alternatives("date.months", "en")
    short = alternatives("date.months_short", "ru")
    # First letters come first, because these are tried at every word of a text.
    ru_months = rf"(?<![а-яё])(?=[ЯГФМАИСОНДягфмаисонд])(?i:{ru_month}|{short})"
    en_months = (
        rf"\b(?=[JFMASOND])(?i:{en_month})\b"
        rf"|\b(?=[jfmasond])(?i:{en_month})\b(?=[^\n]{{0,20}}[12][0-9]{{3}})"
    )
    ru_years = (
        rf"[0-9]\s?(?:-[а-я]+\s)?[гГ]|[0-9]-(?:м|го|му)\b|(?=[Гг]о)(?i:{alternatives('date.year_word', 'ru')})"
        rf"|(?=[вВ])(?i:{alternatives('date.in', 'ru')})\s(?={alternatives('date.year_start', 'ru')})"
        rf"|(?=[Лл])(?i:{alternatives('date.year_before', 'ru')})"
    )
    ru_parts = (ru[:6], ru[6:])
    table = (
        (
            "[年月]",
            (
                *_HAN_PATTERNS,
                _EDGE_OF_YEAR,
                _SHORT_HAN,
                _REPUBLIC,
                era_pattern(),
                _holiday_pattern(),
            ),
            None,
        ),
        (ru_months, ru_parts[0], REACH),
        (ru_years, ru_parts[1], REACH),
        (en_months, en[:-6], REACH),
        (rf"\b(?=[A-Z])(?i:{alternatives('date.holiday_word', 'en')})", en[-6:-5], REACH),
        (_YEAR_AFTER_WORD, en[-5:-2], REACH),
        ("(?i:teen|twenty|thousand)(?:[ -]|$)", en[-2:], REACH),
        (rf"[0-9](?=[JFMASONDjfmasond])(?i:{en_month})(?=[12][0-9]{{3}})", (_joined(),), REACH),
        ("[0-9][./-][0-9]", _DIGIT_PATTERNS, None),
        (r"[0-9](?:[./-]\s?|\s)[IVX]", _ROMAN_MONTHS, _NEAR),
        (_MONTH_AND_YEAR, (_labelled_month(),), _NEAR),
        (rf"(?i:{alternatives('date.year_label')})", (_labelled_year(),), _NEAR),
        (r"\.[01][0-9]\.[0-9]{2}(?![0-9])", (_short_year(),), _NEAR),
        ("M[DCMLXVI]{3}", (_roman_year(),), None),
        ("(?:19|20)[0-9]{6}", (_COMPACT, _FILE_STAMP), None),
    )
    return tuple(
        Notation(re.compile(needed), tuple(map(re.compile, patterns)), reach, patterns in ru_parts)
        for needed, patterns, reach in table
    )


@cache
def holidays() -> dict[str, tuple[int, int]]:
    """The month and the day of Chinese holidays, by name; those without a fixed day are left out."""
    table: dict[str, tuple[int, int]] = {}
    for month, day, *names in map(str.split, entry("zh", "date.holidays").strip().splitlines()):
        table.update(dict.fromkeys(names, (int(month), int(day))))
    return table


@cache
def english_holidays() -> tuple[tuple[tuple[int, int], str], ...]:
    """The month and the day of English holidays, with the expression of each."""
    lines = (line.split(" ", 2) for line in expressions("date.holidays", "en"))
    return tuple(((int(month), int(day)), name) for month, day, name in lines)
