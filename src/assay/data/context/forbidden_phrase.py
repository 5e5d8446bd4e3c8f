"""Which phrases no filler sentence of a question's context may mention.

An open question forbids every accepted answer. Of a choice only the texts of the right
choices can give it away, and only where they are rare: mentioned in no more than one sentence
in a hundred (in a short text, in no more than five). The hero's name as a choice is in half of
the novel; a sentence with it answers nothing.
"""

from typing import Final

from assay.data.novel import NovelQuestion, TokenizedNovel

COMMON_SHARE: Final = 0.01
"""A choice mentioned in more than this share of the sentences gives nothing away."""

FEWEST: Final = 5
"""So many mentions, the evidence's own among them, are rare in a text of any length."""


def forbidden_phrases(question: NovelQuestion, novel: TokenizedNovel) -> tuple[str, ...]:
    """The phrases that ``build_context`` keeps out of the filler for this question."""
    if question.question_type == "open":
        return question.answers
    texts = [question.choices[letter] for letter in question.answers]
    most = max(FEWEST, COMMON_SHARE * novel.units)
    return tuple(text for text in texts if len(novel.mentions.of(text)) <= most)
