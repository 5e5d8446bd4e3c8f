"""Days and years in words: the fifteenth, двадцать первого, две тысячи двадцать четвёртого."""

import re
from functools import cache

from assay.text.lexicon import alternatives, entry, expressions, word_list
from assay.text.number import words_value


@cache
def _day_values() -> dict[str, int]:
    """The values of the ordinal words for 1 to 31 by their expressions; longer words first."""
    values: dict[str, int] = {}
    for language in ("en", "ru"):
        units = word_list("date.ordinals", language)
        ending = "" if language == "en" else str(entry("ru", "date.ordinal_ending"))
        twenty, thirty = expressions("date.ordinal_tens", language)
        for unit in range(1, 10):
            values[f"{twenty}{units[unit - 1]}{ending}"] = 20 + unit
        values[f"{thirty}{units[0]}{ending}"] = 31
        values[f"{entry(language, 'date.ordinal_thirty')}{ending}"] = 30
        values.update({f"{word}{ending}": value for value, word in enumerate(units, 1)})
    return {_with_yo(expression): value for expression, value in values.items()}


def _with_yo(expression: str) -> str:
    """The expression with «е» also for «ё»: четвёртого."""
    return expression.replace("е", "[её]")


@cache
def _days() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple(
        (re.compile(expression, re.IGNORECASE), value)
        for expression, value in _day_values().items()
    )


def ordinal_day() -> str:
    """The expression for the day of a month in words."""
    return "|".join(_day_values())


def ordinal_day_value(words: str) -> int:
    """The number of a day that ``ordinal_day`` matches."""
    return next(value for ordinal, value in _days() if ordinal.fullmatch(words))


def year_in_words(*, ending: str = "") -> str:
    """The expression for a Russian year in words, without the word for year.

    With ``ending``, the name of the case of its last word, the word for year need not follow.
    """
    if ending:
        bare = alternatives(f"date.year_case.{ending}", "ru")
        return rf"(?:{alternatives('date.year_start', 'ru')})(?:\s[а-яё]+){{0,3}}?\s?[а-яё]*(?:{bare})\b"
    return rf"(?:{alternatives('date.year_start', 'ru')})(?:\s[а-яё]+){{0,3}}?\s?[а-яё]+(?=\s{alternatives('date.year_word', 'ru')})"


def year_value(words: str) -> int | None:
    """The year that ``year_in_words`` matches, or ``None`` if it is not one.

    >>> year_value("две тысячи двадцать четвертого"), year_value("две тысячи новых")
    (2024, None)
    """
    if words.isascii():
        return _english_year_value(words.lower().replace("-", " "))
    before, _, last = words.lower().replace("ё", "е").rpartition(" ")
    ordinal = _year_ordinal(last)
    if ordinal is None:
        return None
    if not before:
        return ordinal if ordinal >= 1000 else None
    base = words_value(before)
    # The ordinal must fit behind the number before it: двадцать четвертый, not двадцать сороковой.
    if base is None or base % 10 ** len(str(ordinal)):
        return None
    return int(base) + ordinal


def english_year_in_words() -> str:
    """The expression for an English year in words: nineteen eighty-four, two thousand and five."""
    return str(entry("en", "date.year_words"))


def _english_year_value(words: str) -> int | None:
    """The year that ``english_year_in_words`` matches: two numbers, or one above a thousand."""
    first, _, rest = words.partition(" ")
    if rest.startswith("thousand"):
        value = words_value(words)
        return None if value is None else int(value)
    if rest.startswith("hundred"):
        rest = rest.removeprefix("hundred").removeprefix(" and").strip() or "zero"
    rest = rest.removeprefix("oh ")
    century, year = words_value(first), 1 if rest == "one" else words_value(rest)
    return None if century is None or year is None else int(century) * 100 + int(year)


def _year_ordinal(word: str) -> int | None:
    ending = re.search(f"(?:{alternatives('date.year_ending', 'ru')})$", word)
    if ending is None:
        return None
    return _year_stems().get(word[: ending.start()])


@cache
def _year_stems() -> dict[str, int]:
    stems = dict(zip(word_list("date.ordinals", "ru"), range(1, 21), strict=True))
    for line in str(entry("ru", "date.year_ordinals")).strip().splitlines():
        value, stem = line.split()
        stems[stem] = int(value)
    return stems
