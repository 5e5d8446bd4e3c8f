"""What the words around a phrase of abstention mean: whether it abstains, and what is a claim.

Most expressions come from the lexicon of each language (``assay.scorers.abstention.lexicon``);
those that consist of digits and punctuation are written here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from assay.scorers.abstention.lexicon import LETTERS, ContextSection, lexicon
from assay.scorers.abstention.pattern import Pattern, alternation
from assay.text import HAN

_Expressions = Callable[[ContextSection], Sequence[str]]


def _of_all_languages(expressions: _Expressions) -> Iterator[str]:
    for language in LETTERS:
        yield from expressions(lexicon(language).context)


def _any_language(expressions: _Expressions, *others: str) -> Pattern:
    """A pattern of ``others`` and of these expressions of every language."""
    return Pattern(lambda: alternation(*others, *_of_all_languages(expressions)))


CONDITION: Final = _any_language(lambda context: context.condition_before)
"""Before the phrase: it belongs to a rule for what is left open, so it does not abstain."""
CONDITION_START: Final = _any_language(lambda context: context.condition_at_start)
"""The same at the start of a clause that a main clause follows."""
RELATIVE: Final = _any_language(lambda context: context.relative_before)
"""Directly before the phrase: it describes a thing or a person."""
ATTRIBUTE: Final = _any_language(lambda context: context.attribute_after)
"""Directly after a Chinese phrase: "those that do not say so", the style of statutes."""
PARTY: Final = _any_language(lambda context: context.party_before)
"""Directly before a Chinese phrase: a person was silent, not the text."""
DOCUMENT: Final = Pattern(
    lambda: alternation(*(lexicon(language).words["document"] for language in LETTERS))
)
"""A word for the text that the answer is about."""

BREAK: Final = _any_language(
    lambda context: context.statement_break,
    # A point after a short word may belong to an abbreviation; assay.text.sentences knows those.
    rf"[;。!?]+|(?<=[^\W\d_]{{4}})\.(?=\s|$)|(?<!\d)\.(?=\s?[{HAN}])|(?<=[{HAN}])\.",
)
"""Where one statement ends and another begins within a sentence."""
PAUSE: Final = Pattern(r"(?<!\d)[,:]|[,:](?!\d)|\s-\s")
"""Where a part of a statement ends."""
CONCLUSION: Final = _any_language(lambda context: context.conclusion_at_end)
"""At the end of a break: the statement before it is the reason for the one after it."""

CONCESSION: Final = _any_language(lambda context: context.concession_at_start)
"""At the start of a part that the answer concedes; it is not the point of the sentence."""
CAUSE: Final = _any_language(lambda context: context.cause_at_start)
"""At the start of a reason; the claim is what the reason explains."""
LEAD: Final = _any_language(lambda context: context.lead_in_at_start)
"""At the start of a part that only leads up to a statement."""
QUESTION: Final = _any_language(lambda context: context.question)
"""Names what is asked rather than answering it."""
ASSERTION: Final = _any_language(lambda context: context.assertion)
"""A verb that states something."""
HEDGE: Final = _any_language(lambda context: context.guess)
"""Announces a guess."""


def _copula() -> str:
    verbs = "|".join(_of_all_languages(lambda context: context.value_verb))
    words = "|".join(_of_all_languages(lambda context: context.value_qualifier_word))
    characters = "|".join(_of_all_languages(lambda context: context.value_qualifier_character))
    return alternation(rf"(?:{verbs})(?:\W|\b(?:{words})\b|{characters})*$")


COPULA: Final = Pattern(_copula)
"""Directly before a number: the number is given as a value ("is about", 为)."""
FIGURE: Final = _any_language(lambda context: context.figure, "[0-9]")
"""A number that carries information."""

SUPPORT: Final = _any_language(lambda context: context.support)
"""Says nothing about the matter: regret, advice, what else the text covers, who has forgotten."""
SPEAKER: Final = _any_language(lambda context: context.speaker)
"""The whole statement only names who is quoted."""
QUOTATION: Final = re.compile(
    "“[^”]{1,600}”|«[^»]{1,600}»|「[^」]{1,600}」|『[^』]{1,600}』|„[^“”]{1,600}[“”]"
    '|"[^"]{1,600}"|＂[^＂]{1,600}＂'
)
"""A quotation: words of the text, not of the answer."""
BARE_VALUE: Final = re.compile(r"\W*\d[\d\s,.]*(?!年)(?:(?!的)[^\W\d]){0,12}\W*")
"""A number, with or without a word for its unit, and nothing else (no Chinese year, no 的)."""
AMOUNT: Final = _any_language(lambda context: context.amount_at_end)
"""At the end of a Chinese part that is not a noun phrase: what somebody pays, waits or counts."""
LIMIT: Final = _any_language(lambda context: context.limit)
"""Tells how little the text has."""


@cache
def to_simplified() -> dict[int, int]:
    """A table for ``str.translate`` with the traditional characters of the Chinese lexicon."""
    characters = lexicon("zh").traditional
    return str.maketrans(characters.traditional, characters.simplified)
