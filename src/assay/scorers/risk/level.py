"""Levels of risk, in the spellings of three languages."""

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from assay.scorers.evidence import simplified_han
from assay.text import normalised

Level: TypeAlias = Literal["high", "medium", "low"]
LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")
"""Highest first: the order of rows and columns in every confusion matrix."""

TITLES: Final[dict[Level, str]] = {"high": "High", "medium": "Medium", "low": "Low"}
"""What the levels are called in summaries."""

_WORDS: Final[dict[Level, str]] = {
    "high": r"高(?:等|级)?|high|высок(?:ий|ая|ое|ого|ой|им|ую)",
    "medium": r"中(?:等|级)?|medium|средн(?:ий|яя|ее|его|ей|им|юю)",
    "low": r"低(?:等|级)?|low|низк(?:ий|ая|ое|ого|ой|им|ую)",
}
_LEVEL: Final = "|".join(f"(?P<{level}>{words})" for level, words in _WORDS.items())
_MARK: Final = r"*_`\"'.,;:!。、()\[\]{}<>【】《》/|~→-"
_NOISE: Final = re.compile(r"\W*")
_STATED: Final = re.compile(
    rf"(?:(?:risk|риск|风险)\s*(?:[:=-]|is\b)?\s*)?(?:{_LEVEL})"
    r"(?:\s*-?\s*(?:风险|等级|级|(?:risk|level|риска?|уровень|степень)(?!\w)))*"
    # then the end, a mark, or for whom it is one; prose that runs on is no verdict
    rf"(?=\s*(?:\Z|[{_MARK}]|(?:for|to the|для)\s))"
)
_BETWEEN: Final = re.compile(rf"[\s{_MARK}]*(?:(?:or|to|and|или|до|и|或|至|到|和)\s*)?")
_BARE: Final = re.compile(rf"(?:{_LEVEL})(?:\s*(?:风险|risk|риск))?(?!\w)")


def stated_level(written: str) -> Level | None:
    """The level that a value states, such as what follows ``Level:``; ``None`` without one.

    The value must begin with the level's word, and what belongs to it, and nothing may run on
    from there: prose that only mentions a level states none, and neither does a choice of two.

    >>> stated_level("**高**（违约金过高）"), stated_level("High risk"), stated_level("Низкий.")
    ('high', 'high', 'low')
    >>> stated_level("低风险时可不修改"), stated_level("not a high risk"), stated_level("中/高")
    (None, None, None)
    """
    flat = normalised(simplified_han(written), fold_case=True)
    # markup and symbols, such as a coloured circle, stand before many a verdict
    begin = _NOISE.match(flat)
    found = _STATED.match(flat, begin.end() if begin else 0)
    if found is None:
        return None
    between = _BETWEEN.match(flat, found.end())
    other = _BARE.match(flat, between.end()) if between and between.group() else None
    return _level(found) if other is None or _level(other) == _level(found) else None


def level_of_word(written: str) -> Level | None:
    """The level that a value is, with nothing beside it: a label of a data file.

    >>> level_of_word("高"), level_of_word("Medium"), level_of_word("низкий"), level_of_word("High!?")
    ('high', 'medium', 'low', None)
    """
    found = _BARE.fullmatch(normalised(simplified_han(written), fold_case=True).strip())
    return _level(found) if found else None


def highest_level(levels: Sequence[Level]) -> Level | None:
    """The highest of some levels; ``None`` of none.

    >>> highest_level(["low", "high"])
    'high'
    """
    return min(levels, key=LEVELS.index, default=None)


def _level(found: re.Match[str]) -> Level:
    return next(level for level in LEVELS if found[level])
