"""What the reviewer uses if rules are switched off: a few words that often indicate a risk."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from assay.data.contract import Rule, folded_text
from assay.text import Language
from assay.text.lexicon import expressions

_LANGUAGES: Final[tuple[Language, ...]] = ("zh", "ru", "en")
NAME: Final[Mapping[Language, str]] = {
    "zh": "可疑表述",
    "ru": "Подозрительная формулировка",
    "en": "Suspicious wording",
}
SUGGESTION: Final[Mapping[Language, str]] = {
    "zh": "请人工复核该表述，必要时与对方协商修改。",
    "ru": "Проверить формулировку и при необходимости согласовать правку.",
    "en": "Have the wording checked and negotiate a change where needed.",
}


@cache
def lexicon() -> tuple[Rule, ...]:
    """The words as two rules, one for high and one for medium risk."""
    return tuple(
        Rule(
            risk_id=f"words-{level}",
            level=level,
            name=NAME,
            patterns={
                language: tuple(
                    re.compile(folded_text(word), re.IGNORECASE)
                    for word in expressions(f"review.suspicious.{level}", language)
                )
                for language in _LANGUAGES
            },
            laws=dict.fromkeys(_LANGUAGES, ()),
            suggestion=SUGGESTION,
        )
        for level in ("high", "medium")
    )
