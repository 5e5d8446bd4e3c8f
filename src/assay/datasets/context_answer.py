"""Which phrases no filler sentence of a question's context may mention.

An open question forbids every accepted answer. Of a choice only the texts of the right
choices can give it away, and only where they are telling: long enough to be more than a word
that stands anywhere (four Chinese characters, two words, a word of six letters or a number of
two digits), and mentioned in no more than one sentence in a hundred. The hero's name as a
choice is in half of the novel; a sentence with it answers nothing.
"""

import re
from typing import Final

from assay.datasets.novel_question import NovelQuestion
from assay.datasets.tokenized_novel import TokenizedNovel
from assay.text.character import HAN

COMMON_SHARE: Final = 0.01
"""A choice mentioned in more than this share of the sentences gives nothing away."""

_TELLING: Final = re.compile(
    rf"(?:[{HAN}]\W*){{4}}|[^\W{HAN}]+\W+[^\W{HAN}]|[^\W\d{HAN}]{{6}}|\d\d"
)


def forbidden_phrases(question: NovelQuestion, novel: TokenizedNovel) -> tuple[str, ...]:
    """The phrases that ``build_context`` keeps out of the filler for this question."""
    if question.question_type == "open":
        return question.answers
    texts = [question.choices[letter] for letter in question.answers]
    most = COMMON_SHARE * novel.units
    return tuple(
        text for text in texts if _TELLING.search(text) and len(novel.mentions.of(text)) <= most
    )
