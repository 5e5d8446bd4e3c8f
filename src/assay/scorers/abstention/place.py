"""What stands in an answer directly before a statement: a reference, a label, a search."""

import re
from typing import Final

from assay.scorers.abstention import context
from assay.text import articles, normalised
from assay.text.lexicon import ScriptPattern, alternatives

_AFTER_PREPOSITION: Final = re.compile(
    rf"\W*(?:{alternatives('context.before_reference', 'en', 'ru')})\s{{5,}}(?=\S)"
)
"""A preposition, and the place of a reference that was replaced by spaces."""
_REFERENCE: Final = 24
"""How many characters a reference to a part of a text has."""
_NOTHING: Final = ScriptPattern("sign.nothing")
"""The whole statement: "Nothing"."""
_SENTENCE_START: Final = re.compile(r"[.!?。！？\n]")


def begins_with_reference(answer: str, start: int, form: str, *, opens: bool) -> bool:
    """Whether the subject of a statement is a part of the text: "Clause 7 deals with …".

    ``form`` is the statement without references, ``start`` its place in ``answer``, and ``opens``
    is true if it is the first of its sentence.
    """
    if _AFTER_PREPOSITION.match(form):
        return True
    before = answer[max(0, start - _REFERENCE) : start]
    if not opens or not before.strip():
        return False
    found = articles(before)
    return bool(found) and not before[found[-1].end :].strip(" ,:")


def has_reason_label(answer: str, start: int, text: str) -> bool:
    """Whether a statement has the label of a reason: "Reason: …"."""
    before = answer[max(0, start - _REFERENCE) : start]
    line = _SENTENCE_START.split(before)[-1]
    return context.REASON_LABEL.match(normalised(line + text).lower()) is not None


def is_vain_search(before: str, form: str) -> bool:
    """Whether the speaker tells of a search, and then only says that it brought nothing.

    Both statements must be in lower case.

    >>> is_vain_search("i went through all the letters twice", "nothing")
    True
    """
    return _NOTHING.match(form) is not None and context.SEARCH.match(before) is not None


def past_marks(text: str, position: int) -> int:
    """The position after the spaces and colons from ``position`` on."""
    while position < len(text) and text[position] in " :：,，\n":
        position += 1
    return position
