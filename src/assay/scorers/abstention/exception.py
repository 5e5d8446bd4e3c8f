"""Words that look like a refusal and are none: a rule, a description, a person, two negations."""

from typing import Final

from assay.scorers.abstention import context

_OVERLAP: Final = 12
"""How much of the second one of two negations may stand after a phrase."""


def is_said(before: str, prior: str) -> bool:
    """Whether what precedes a phrase depends on "it seems" in the part ``prior`` to it."""
    return context.REPORTED.search(before) is not None and context.SEEMING.match(prior) is not None


def is_no_abstention(before: str, phrase: str, after: str) -> bool:
    """Whether a phrase belongs to a rule, describes something, or is about a person."""
    if context.CONDITION.search(before + phrase) or context.RELATIVE.search(before):
        return True
    if context.RELATIVE_INSIDE.search(before + phrase):
        return True
    if context.ATTRIBUTE.match(after) or context.REPORTED.search(before):
        return True
    affirmed = context.AFFIRMED.search(phrase + after[:_OVERLAP])
    if affirmed is not None and affirmed.start() < len(phrase):
        return True  # "I cannot but note that …"
    party = context.PARTY.search(before)
    if party is None or context.SPEAKING.search(phrase):
        return False
    return not context.DOCUMENT.search(before[party.start() :] + phrase)
