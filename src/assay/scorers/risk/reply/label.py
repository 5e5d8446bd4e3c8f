"""Names of the parts of a review in three languages, and words for "none"."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from assay.scorers.risk.level import Level, any_word
from assay.text import Language, normalised, simplified
from assay.text.lists import word_set

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
    # A Russian name stands in the genitive here.
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
