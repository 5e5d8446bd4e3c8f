"""Phrases that say that a text has no answer, in three languages.

The phrases themselves are in the lexicon (``assay.text.lexicon``), under ``abstention``.
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.abstention.context import DOCUMENT, SOURCE
from assay.text.lexicon import ScriptPattern

_PHRASES: Final = ScriptPattern("abstention.phrases")
_ABOUT_TEXT: Final = ScriptPattern("abstention.phrases_about_text")
_CARRIED: Final = ScriptPattern("abstention.carried")
_ACROSS_COMMAS: Final = ScriptPattern("abstention.phrases_across_commas")


def phrases(clause: str) -> list[re.Match[str]]:
    """The matches in ``clause`` that say that the text or the speaker has no answer, in order.

    ``clause`` must be in lower case.

    >>> [match.group() for match in phrases("that is not stated")]
    ['is not stated']
    """
    matches = list(_PHRASES.finditer(clause))
    if DOCUMENT.search(clause) or SOURCE.search(clause):
        matches += _ABOUT_TEXT.finditer(clause)
        matches.sort(key=lambda match: (match.start(), -match.end()))
    kept: list[re.Match[str]] = []
    for match in matches:
        if not kept or match.start() >= kept[-1].end():
            kept.append(match)
    return kept


def carried_phrases(clause: str) -> list[re.Match[str]]:
    """The match at the start of ``clause`` if its subject is a text that was named before it.

    >>> [match.group() for match in carried_phrases("but does not mention the capital")]
    ['but does not mention']
    """
    match = _CARRIED.match(clause)
    return [match] if match else []


def phrases_across_commas(sentence: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Such matches between ``start`` and ``end`` that may have commas inside.

    >>> sentence = "the lease names a fee, without giving its amount."
    >>> [match.group() for match in phrases_across_commas(sentence, 0, len(sentence))]
    ['lease names a fee, without giving']
    """
    return _ACROSS_COMMAS.finditer(sentence, start, end)
