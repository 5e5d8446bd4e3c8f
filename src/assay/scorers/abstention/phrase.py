"""Phrases that say that a text has no answer, in three languages.

The phrases themselves are in the lexicon (``assay.text.lexicon``), under ``abstention``.
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.text.lexicon import ScriptPattern

_PHRASES: Final = ScriptPattern("abstention.phrases")
_CARRIED: Final = ScriptPattern("abstention.carried")
_ACROSS_COMMAS: Final = ScriptPattern("abstention.phrases_across_commas")


def phrases(clause: str) -> list[re.Match[str]]:
    """The matches in ``clause`` that say that the text or the speaker has no answer, in order.

    >>> [match.group() for match in phrases("That is not stated")]
    ['is not stated']
    """
    return list(_PHRASES.finditer(clause))


def carried_phrases(clause: str) -> list[re.Match[str]]:
    """The match at the start of ``clause`` if its subject is a text that was named before it.

    >>> [match.group() for match in carried_phrases("but does not mention the capital")]
    ['but does not mention']
    """
    match = _CARRIED.match(clause)
    return [match] if match else []


def phrases_across_commas(sentence: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Such matches between ``start`` and ``end`` that may have commas inside.

    >>> sentence = "The lease names a fee, without giving its amount."
    >>> [match.group() for match in phrases_across_commas(sentence, 0, len(sentence))]
    ['lease names a fee, without giving']
    """
    return _ACROSS_COMMAS.finditer(sentence, start, end)
