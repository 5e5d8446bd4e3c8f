"""The language of a text, determined by its script."""

import re
from typing import Final, Literal, TypeAlias

from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.lexicon import lazy_pattern

Language: TypeAlias = Literal["zh", "ru", "en"]

_RUNS: Final[tuple[tuple[Language, int, re.Pattern[str]], ...]] = (
    # Chinese and Russian texts often contain names and terms in Latin letters, but English texts
    # rarely contain other scripts. Also, one Chinese character means as much as several letters.
    ("zh", 4, lazy_pattern(f"[{HAN}]+", re.NOFLAG)),
    ("ru", 2, lazy_pattern(f"[{CYRILLIC}]+", re.NOFLAG)),
    ("en", 1, lazy_pattern(f"[{LATIN}]+", re.NOFLAG)),
)


def language(text: str) -> Language:
    """The language whose script dominates ``text``.

    Each Chinese character counts as 4, each Cyrillic letter as 2 and each Latin letter as 1. The
    language with the largest sum is returned; if sums are equal, the first of zh, ru, en. For a
    text without any of these letters (digits, punctuation, empty), it is ``"en"``.

    >>> language("第三条 违约金"), language("Статья 3 RAG"), language("Article 3"), language("42")
    ('zh', 'ru', 'en', 'en')
    """
    sizes = {name: weight * sum(map(len, run.findall(text))) for name, weight, run in _RUNS}
    return max(sizes, key=sizes.__getitem__) if any(sizes.values()) else "en"
