"""Levels of risk, and how they are written in three languages."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from assay.text.character import HAN
from assay.text.language import Language, simplified
from assay.text.lexicon import word_set
from assay.text.normalise import normalised
from assay.words.say import marked

Level: TypeAlias = Literal["high", "medium", "low"]
LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")
"""From high to low: the order of rows and columns in every confusion matrix."""

TITLES: Final[dict[Level, str]] = {
    "high": marked("High", "level"),
    "medium": marked("Medium", "level"),
    "low": marked("Low", "level"),
}
"""The names of the levels in summaries."""

_MARK: Final = r"*_`\"'.,;:!。、()\[\]{}<>【】《》/|~→-"
_MARKUP: Final = re.compile(r"[*_`~]+")


def any_word(name: str) -> str:
    """An expression for any word of a list, the longest first; a western word ends where it ends."""
    words = sorted(word_set(f"review_{name}"), key=lambda word: (-len(word), word))
    return "|".join(
        re.escape(word) if re.match(f"[{HAN}]", word) else rf"(?<!\w){re.escape(word)}(?!\w)"
        for word in words
    )


def _levels() -> str:
    return "|".join(f"(?P<{level}>{any_word(level)})" for level in LEVELS)


@cache
def _stated() -> re.Pattern[str]:
    # The verdict must end here, or a mark or the affected party ("for the tenant") must follow. If
    # a sentence goes on instead, it only mentions the level.
    end = rf"(?=\s*(?:\Z|[{_MARK}]|(?:{any_word('for')})\s))"
    lead = rf"(?:(?:{any_word('lead')})[\s:=-]*)*"
    return re.compile(rf"\W*{lead}(?:{_levels()})(?:\s*-?\s*(?:{any_word('after')}))*{end}")


@cache
def _second() -> re.Pattern[str]:
    return re.compile(rf"[\s{_MARK}]*(?:(?:{any_word('link')})\s*)?(?:{_levels()})(?!\w)")


@cache
def _changed() -> re.Pattern[str]:
    return re.compile(any_word("change"))


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(rf"(?:{_levels()})(?:\s*(?:{any_word('after')}))?(?!\w)")


def stated_level(written: str) -> Level | None:
    """The level that a value states, for example the text after ``Level:``.

    The value must begin with a word for the level, or say of the clause that it has one, and no
    sentence may continue after it. Returns ``None`` for prose that only mentions a level, and if two
    levels are offered, or one is changed to another.

    >>> stated_level("**高**风险（违约金过高）"), stated_level("High risk"), stated_level("Низкий.")
    ('high', 'high', 'low')
    >>> stated_level("该条款存在高风险"), stated_level("此条款风险等级：高。")
    ('high', 'high')
    >>> stated_level("低风险时可不修改"), stated_level("not a high risk"), stated_level("中/高")
    (None, None, None)
    >>> stated_level("High → reduced to Low after review") is None
    True
    """
    text = _folded(written)
    match = _stated().match(text)
    if match is None:
        return None
    others = [_second().match(text, match.end())]
    if (change := _changed().search(text, match.end())) is not None:
        others += _bare().finditer(text, change.end())
    is_sure = all(other is None or _level(other) == _level(match) for other in others)
    return _level(match) if is_sure else None


def level_of_word(written: str) -> Level | None:
    """The level that a label of a data file names; ``None`` for any other text.

    A label is a single word for the level; only the word for "risk" may follow it.

    >>> level_of_word("高"), level_of_word("Medium"), level_of_word("низкий"), level_of_word("High!?")
    ('high', 'medium', 'low', None)
    """
    match = _bare().fullmatch(normalised(simplified(written), fold_case=True).strip())
    return _level(match) if match else None


def says_several(written: str) -> bool:
    """Whether a value names more than one level.

    >>> says_several("high, low"), says_several("very high")
    (True, False)
    """
    return len({_level(match) for match in _bare().finditer(_folded(written))}) > 1


def highest_level(levels: Sequence[Level]) -> Level | None:
    """The highest of several levels; ``None`` if there are none.

    >>> highest_level(["low", "high"])
    'high'
    """
    return min(levels, key=LEVELS.index, default=None)


def _folded(written: str) -> str:
    """A value without case and markup: bold letters may be a part of a word."""
    return _MARKUP.sub("", normalised(simplified(written), fold_case=True))


def _level(match: re.Match[str]) -> Level:
    return next(level for level in LEVELS if match[level])


# Names of the parts of a review in three languages, and words for "none".

Part: TypeAlias = Literal["risk", "level", "risk_ids", "evidence", "analysis", "laws", "suggestion"]


@cache
def parts() -> Mapping[str, Part]:
    """The part for each of its names. The names are folded as by ``fold_label``."""
    return {name: part for part in get_args(Part) for name in word_set(f"review_part_{part}")}


def heading(part: Part, language: Language) -> str:
    """The heading of a part in a review that assay writes."""
    return _written(f"review_heading_{part}", language)


def level_word(level: Level, language: Language) -> str:
    """The word for a level in a review that assay writes."""
    return _written(f"review_word_{level}", language)


def _written(name: str, language: Language) -> str:
    (word,) = word_set(name, language)
    return word[0].upper() + word[1:]


_MAX_NONE_LENGTH: Final = 200
_CAMEL: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_NOT_MISSED: Final = ("analysis", "level")
"""Parts whose names a quotation may end with after "no": 无正当理由."""


@cache
def _none() -> re.Pattern[str]:
    named = sorted((name for name, part in parts().items() if part not in _NOT_MISSED), key=len)
    # A Russian name is in the genitive here.
    ends = [name if re.search("[^а-я ]", name) else rf"{name[:-1]}\w{{0,3}}" for name in named]
    no_part = rf"(?:{any_word('no')})\s?(?:[^\W\d_]{{1,12}}\s?){{0,2}}?(?:{'|'.join(ends[::-1])})"
    return re.compile(rf"\W*(?:(?:{any_word('none')}|{no_part})(?: found| given)?)?\W*")


def fold_label(name: str) -> str:
    """The form in which a name is looked up.

    It has lower case, е instead of ё, spaces instead of underscores and before a capital inside a
    word, and simplified characters.

    >>> fold_label("Risk_Level "), fold_label("riskLevel"), fold_label("riskID")
    ('risk level', 'risk level', 'risk id')
    """
    spaced = _CAMEL.sub(" ", name)
    return " ".join(normalised(simplified(spaced), fold_case=True).replace("_", " ").split())


def says_nothing(value: str) -> bool:
    """Whether a value is empty, has no letters or digits, or only says that there is none.

    >>> says_nothing("无。"), says_nothing(" — "), says_nothing("N/A"), says_nothing("无需修改")
    (True, True, True, False)
    >>> says_nothing("无明确证据"), says_nothing("No clear evidence."), says_nothing("No refunds")
    (True, True, False)
    """
    if len(value) > _MAX_NONE_LENGTH:
        return not any(map(str.isalnum, value))
    return _none().fullmatch(normalised(simplified(value), fold_case=True)) is not None
