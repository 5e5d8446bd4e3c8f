"""Names of the parts of a review in three languages, and words for "none"."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from assay.scorers.risk.level import Level
from assay.text import Language, normalised, simplified
from assay.text.lexicon import alternatives, entry, lazy_pattern

Part: TypeAlias = Literal["risk", "level", "risk_ids", "evidence", "analysis", "laws", "suggestion"]


@cache
def parts() -> Mapping[str, Part]:
    """The part for each of its names. The names are folded as by ``fold_label``."""
    return {
        name: part
        for part in get_args(Part)
        for name in alternatives(f"review.part.{part}").split("|")
    }


@cache
def risk_lists() -> frozenset[str]:
    """Keys of a JSON reply whose value is the list of risks."""
    return frozenset(alternatives("review.risk_list").split("|"))


def heading(part: Part, language: Language) -> str:
    """The heading of a part in a review that assay writes."""
    return str(entry(language, f"review.heading.{part}"))


def level_word(level: Level, language: Language) -> str:
    """The word for a level in a review that assay writes."""
    return str(entry(language, f"review.level_word.{level}"))


_MAX_NONE_LENGTH: Final = 200
_CAMEL: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_NONE: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('review.none')})?\W*", re.NOFLAG)


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
    """Whether a value is empty, has no letters or digits, or is a word for "none".

    >>> says_nothing("无。"), says_nothing(" — "), says_nothing("N/A"), says_nothing("无需修改")
    (True, True, True, False)
    """
    if len(value) > _MAX_NONE_LENGTH:
        return not any(map(str.isalnum, value))
    return _NONE.fullmatch(normalised(simplified(value), fold_case=True)) is not None
