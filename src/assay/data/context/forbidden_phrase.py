"""The phrases that the filler sentences of a question's context must not mention.

For an open question, these are all accepted answers. For a choice question, only the texts of
the correct choices can reveal the answer, and only if they are rare: mentioned in at most one
sentence in a hundred, or in a short text in at most five sentences. If the hero's name is a
choice, for example, it occurs everywhere in the novel, and a sentence with it reveals nothing.
"""

from typing import Final

from assay.data.novel import NovelQuestion, TokenizedNovel

COMMON_SHARE: Final = 0.01
"""A choice that is mentioned in a larger share of the sentences does not reveal the answer."""

FEWEST: Final = 5
"""Up to this many mentions, including the evidence, are rare in a text of any length."""


def forbidden_phrases(question: NovelQuestion, novel: TokenizedNovel) -> tuple[str, ...]:
    """The phrases to pass to ``build_context`` as ``forbidden`` for this question."""
    if question.question_type == "open":
        return question.answers
    texts = [question.choices[letter] for letter in question.answers]
    most = max(FEWEST, COMMON_SHARE * novel.units)
    return tuple(text for text in texts if len(novel.mentions.of(text)) <= most)
