"""Which of the three languages a text is in, judged by its script."""

import re
from typing import Final, Literal, TypeAlias

from assay.text.character import CYRILLIC, HAN, LATIN

Language: TypeAlias = Literal["zh", "ru", "en"]

_RUNS: Final[tuple[tuple[Language, int, re.Pattern[str]], ...]] = (
    # Names and terms in Latin letters stand in Chinese and Russian text far more often than
    # the other way round, and one Chinese character says as much as several letters.
    ("zh", 4, re.compile(f"[{HAN}]+")),
    ("ru", 2, re.compile(f"[{CYRILLIC}]+")),
    ("en", 1, re.compile(f"[{LATIN}]+")),
)


def language(text: str) -> Language:
    """The language whose script dominates ``text``.

    Each Chinese character counts 4, each Cyrillic letter 2, each Latin letter 1; the largest
    sum wins, a tie goes to the earlier of zh, ru, en. Text without any of these letters
    (digits, punctuation, nothing) is ``"en"``.

    >>> language("第三条 违约金"), language("Статья 3 RAG"), language("Article 3"), language("42")
    ('zh', 'ru', 'en', 'en')
    """
    best: Language = "en"
    most = 0
    for name, weight, run in _RUNS:
        size = weight * sum(map(len, run.findall(text)))
        if size > most:
            best, most = name, size
    return best
