"""Levels of risk, and how they are written in three languages."""

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from assay.text import HAN, normalised, simplified
from assay.text.lexicon import alternatives, lazy_pattern

Level: TypeAlias = Literal["high", "medium", "low"]
LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")
"""From high to low: the order of rows and columns in every confusion matrix."""

TITLES: Final[dict[Level, str]] = {"high": "High", "medium": "Medium", "low": "Low"}
"""The names of the levels in summaries."""

_MARK: Final = r"*_`\"'.,;:!。、()\[\]{}<>【】《》/|~→-"
_NOISE: Final = re.compile(r"\W*")


def _levels() -> str:
    return "|".join(f"(?P<{level}>{alternatives(f'review.level.{level}')})" for level in LEVELS)


def _stated() -> str:
    after = (
        rf"{alternatives('review.after_level_character')}"
        rf"|(?:{alternatives('review.after_level')})(?!\w)"
    )
    return (
        rf"(?:(?:{alternatives('review.risk_word')})\s*(?:[:=-]|is\b)?\s*)?(?:{_levels()})"
        rf"(?:\s*-?\s*(?:{after}))*"
        # The verdict must end here, or a mark or the affected party ("for the tenant") must
        # follow. If a sentence goes on instead, it only mentions the level.
        rf"(?=\s*(?:\Z|[{_MARK}]|(?:{alternatives('review.for')})\s))"
    )


_STATED: Final = lazy_pattern(_stated, re.NOFLAG)
_BETWEEN: Final = lazy_pattern(
    lambda: rf"[\s{_MARK}]*(?:(?:{alternatives('review.level_link')})\s*)?", re.NOFLAG
)
_CHANGED: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('review.level_change')})\W*(?:{_levels()})(?![^\W{HAN}])", re.NOFLAG
)
_BARE: Final = lazy_pattern(
    lambda: rf"(?:{_levels()})(?:\s*(?:{alternatives('review.risk_word')}))?(?!\w)", re.NOFLAG
)


def stated_level(written: str) -> Level | None:
    """The level that a value states, for example the text after ``Level:``.

    The value must begin with a word for the level, and no sentence may continue after it.
    Returns ``None`` for prose that only mentions a level, and if two levels are offered, or one is
    changed to another.

    >>> stated_level("**高**（违约金过高）"), stated_level("High risk"), stated_level("Низкий.")
    ('high', 'high', 'low')
    >>> stated_level("低风险时可不修改"), stated_level("not a high risk"), stated_level("中/高")
    (None, None, None)
    >>> stated_level("High → reduced to Low after review") is None
    True
    """
    text = normalised(simplified(written), fold_case=True)
    # Many replies put markup or symbols before the level, for example a coloured circle.
    noise = _NOISE.match(text)
    match = _STATED.match(text, noise.end() if noise else 0)
    if match is None:
        return None
    between = _BETWEEN.match(text, match.end())
    second = _BARE.match(text, between.end()) if between and between.group() else None
    second = second or _CHANGED.search(text, match.end())
    return _level(match) if second is None or _level(second) == _level(match) else None


def level_of_word(written: str) -> Level | None:
    """The level that a label of a data file names; ``None`` for any other text.

    A label is a single word for the level; only the word for "risk" may follow it.

    >>> level_of_word("高"), level_of_word("Medium"), level_of_word("низкий"), level_of_word("High!?")
    ('high', 'medium', 'low', None)
    """
    match = _BARE.fullmatch(normalised(simplified(written), fold_case=True).strip())
    return _level(match) if match else None


def says_several(written: str) -> bool:
    """Whether a value names more than one level.

    >>> says_several("high, low"), says_several("very high")
    (True, False)
    """
    text = normalised(simplified(written), fold_case=True)
    return len({_level(match) for match in _BARE.finditer(text)}) > 1


def highest_level(levels: Sequence[Level]) -> Level | None:
    """The highest of several levels; ``None`` if there are none.

    >>> highest_level(["low", "high"])
    'high'
    """
    return min(levels, key=LEVELS.index, default=None)


def _level(match: re.Match[str]) -> Level:
    return next(level for level in LEVELS if match[level])
