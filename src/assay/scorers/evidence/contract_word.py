"""Words of contracts that determine the meaning of a sentence, in three languages.

These are denials (negations), bounds, units of time and measure, and names of parties. The words
are in the lexicon (``assay.text.lexicon``); this module makes patterns of them. All patterns
expect normalised text with folded case.
"""

import re
from functools import cache
from typing import Final

from assay.text import HAN
from assay.text.lexicon import alternatives, entry, expressions, lazy_pattern, word_list

_WEST: Final = ("en", "ru")


@cache
def most() -> str:
    """Words before an upper bound: what follows is the maximum or the latest date."""
    return in_all_languages("comparator.most")


@cache
def least() -> str:
    """Words before a lower bound: what follows is the minimum or the earliest date."""
    return in_all_languages("comparator.least")


@cache
def denial() -> str:
    """Words which say that something is not true, is forbidden, or is excluded."""
    return in_all_languages("negation.denial")


@cache
def no_denial() -> str:
    """Words that look like a denial but do not deny anything."""
    return "|".join(
        (*expressions("negation.no_denial", "zh"), *expressions("negation.no_denial", *_WEST))
    )


def in_all_languages(key: str) -> str:
    """English and Russian words match only as a whole; Chinese has no word boundaries."""
    western = (rf"\b(?:{alternatives(key, language)})\b" for language in _WEST)
    return "|".join((*western, alternatives(key, "zh")))


AFTER_MOST: Final = lazy_pattern(
    lambda: (
        rf"\s?(?:{alternatives('comparator.unit_between')})?(?:{alternatives('comparator.after_most')})"
    ),
    re.NOFLAG,
)
"""Text after a number that makes it an upper bound."""
AFTER_LEAST: Final = lazy_pattern(
    lambda: (
        rf"\s?(?:{alternatives('comparator.unit_between')})?(?:{alternatives('comparator.after_least')})"
    ),
    re.NOFLAG,
)
"""Text after a number that makes it a lower bound."""
DENIED_BOUND: Final = lazy_pattern(
    lambda: f"^(?:{alternatives('negation.bound_start')})", re.NOFLAG
)
"""The beginning of a bound that is expressed by a denial: not more than, не ниже, 不超过."""

_TIME: Final = (
    ("workday", "workday", 1),
    ("hour", "hour", 1),
    ("day", "hour", 24),
    ("week", "hour", 168),
    ("month", "month", 1),
    ("quarter", "month", 3),
    ("year", "month", 12),
)
"""Units of time in the order in which they are tried: name, base unit, factor."""
_MEASURE: Final = (
    "kilogram", "pound", "tonne", "gram", "square metre", "square foot", "kilometre", "mile", "foot",
    "metre", "litre", "gallon", "hectare", "acre", "mu", "microgram", "milligram", "micrometre", "millimetre",
    "centimetre", "millilitre", "microsecond", "millisecond",
)  # fmt: skip
"""Units of measure in the order in which they are tried."""


def _unit_expression() -> str:
    groups = [
        *((f"t{index}", f"unit.time.{name}") for index, (name, _, _) in enumerate(_TIME)),
        *(
            (f"m{index}", f"unit.measure.{name.replace(' ', '_')}")
            for index, name in enumerate(_MEASURE)
        ),
    ]
    return "|".join(f"(?P<{group}>{_unit_words(key)})" for group, key in groups)


def _unit_words(key: str) -> str:
    # One unit is Chinese only.
    western = [] if key.endswith(".mu") else [rf"\b(?:{alternatives(key, *_WEST)})\b"]
    return "|".join((*western, alternatives(key, "zh")))


UNIT: Final = lazy_pattern(_unit_expression, re.NOFLAG)
"""A unit of time or measure after a number."""
BARE_UNIT: Final = lazy_pattern(
    lambda: rf"(?:\b(?=[^\W{HAN}])|(?<=每))(?:{UNIT.pattern})", re.NOFLAG
)
"""A unit without a number: a day, за час, 每吨."""


@cache
def prepositions() -> frozenset[str]:
    """Prepositions that express a bound only if a number follows directly."""
    return frozenset(expressions("comparator.preposition"))


def unit_of(match: re.Match[str]) -> tuple[str, int]:
    """The base unit of what ``UNIT`` matched, and the factor that converts to it.

    Days and weeks are converted to hours, quarters and years to months, so that fourteen days
    equal two weeks. Working days are not converted.

    >>> unit_of(UNIT.match("weeks")), unit_of(UNIT.match("рабочих дней")), unit_of(UNIT.match("米"))
    (('hour', 168), ('workday', 1), ('metre', 1))
    """
    group = str(match.lastgroup)
    if group[0] == "t":
        _, base, factor = _TIME[int(group[1:])]
        return base, factor
    return _MEASURE[int(group[1:])], 1


@cache
def _russian_counts() -> dict[str, int]:
    """First parts of Russian compound adjectives like трёхдневный, and their numbers."""
    words = word_list("contract.counts", "ru")
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


@cache
def _russian_periods() -> dict[str, tuple[str, int]]:
    """Second parts of such adjectives, each with its unit and factor."""
    words = word_list("contract.periods", "ru")
    return {
        word: (unit, int(factor))
        for word, unit, factor in zip(words[::3], words[1::3], words[2::3], strict=True)
    }


def _compound_expression() -> str:
    counts = "|".join(sorted(_russian_counts(), key=len, reverse=True))
    named = ("half_year", "fortnight", "half", *(name for name in _SHARES if name != "half"))
    return "|".join((
        rf"\b(?P<count>{counts})?(?P<period>{'|'.join(_russian_periods())})\w*",
        f"(?P<day>{alternatives('contract.one_day')})",
        "(?P<tenths>[一二两三四五六七八九])成",
        *(f"(?P<{name}>{alternatives(f'contract.{name}')})" for name in named),
    ))  # fmt: skip


_SHARES: Final = {"half": 50, "third": 33, "quarter": 25, "fifth": 20, "tenth": 10}
COMPOUND: Final = lazy_pattern(_compound_expression, re.NOFLAG)
"""Periods and shares that are written as one word or phrase."""


def compound_value(match: re.Match[str]) -> tuple[int, str] | None:
    """The value and unit of what ``COMPOUND`` matched; ``None`` if it contains no number.

    >>> compound_value(COMPOUND.match("трехдневный")), compound_value(COMPOUND.match("半年"))
    ((72, 'hour'), (6, 'month'))
    """
    if match["half_year"]:
        return 6, "month"
    if match["fortnight"]:
        return 336, "hour"
    if match["day"]:
        return 24, "hour"
    for name, percent in _SHARES.items():
        if match[name]:
            return percent, "percent"
    if match["tenths"]:
        return 10 * ("一二三四五六七八九".find(match["tenths"]) + 1 or 2), "percent"
    unit, factor = _russian_periods()[match["period"]]
    if match["count"] is None:
        return (factor, unit) if match["period"] == entry("ru", "contract.period_of_one") else None
    return _russian_counts()[match["count"]] * factor, unit


ROLE_ZH: Final = lazy_pattern(
    lambda: (
        f"(?P<both>{alternatives('contract.all_parties', 'zh')})|{alternatives('contract.role', 'zh')}"
    ),
    re.NOFLAG,
)
"""A party in Chinese text. The group ``both`` matches words for all parties together."""
BOTH_WEST: Final = lazy_pattern(
    lambda: rf"\b(?:{alternatives('contract.all_parties', *_WEST)})\b", re.NOFLAG
)
"""English and Russian words for all parties together."""


@cache
def western_roles() -> tuple[str, ...]:
    """Words for parties in English and Russian."""
    return word_list("contract.roles")


@cache
def sides() -> dict[str, str]:
    """Words for "before" and "after" an event, with the key they are compared by."""
    return {
        word: side
        for side in ("before", "after")
        for word in expressions(f"comparator.{side}")
    }  # fmt: skip


@cache
def opposites() -> tuple[tuple[str, str], ...]:
    """Pairs of words with opposite meanings: replacing one by the other reverses a sentence."""
    pairs = (pair.partition("/") for pair in word_list("contract.opposites"))
    return tuple((first, second) for first, _, second in pairs)
