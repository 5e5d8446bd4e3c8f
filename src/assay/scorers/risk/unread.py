"""Which notes about unread text of a reply say that a part of it was not read.

A reader of the rates must know about such parts: a quotation in them is not checked. A greeting or
a title without a text is none, nor is a reply without a verdict, which is counted as unparsed.
"""

import re
from typing import Final

OUTSIDE: Final = "outside every part: "
"""How a note on a line begins that belongs to no part."""
KEY: Final = "the key "
"""How a note on an unknown key of a JSON reply begins."""

_LABELLED: Final = re.compile(r"[*_#>\s-]*[^:：]{1,40}[:：][\s*_]*[^\s*_]")
_QUOTED: Final = re.compile(r"[«“„「『][^«“„「『]{4,}")
_KEY_WITH_TEXT: Final = re.compile(rf"{KEY}.+ is no part: ")
_LONGEST: Final = 80


def excerpt(text: str) -> str:
    """The beginning of a text on one line, in quotation marks."""
    line = " ".join(text.split())
    return repr(line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…")


def unread_part(note: str) -> str | None:
    """The text of a part that was not read; ``None`` if the note is about something else.

    >>> unread_part("outside every part: '原文依据：「甲方应当赔偿」'")
    '原文依据：「甲方应当赔偿」'
    >>> unread_part("outside every part: 'Review'"), unread_part("no level is stated")
    (None, None)
    """
    if _KEY_WITH_TEXT.match(note):
        return note.removeprefix(KEY).replace(" is no part", "", 1)
    text = note.removeprefix(OUTSIDE)[1:-1]
    if not note.startswith(OUTSIDE) or not (_LABELLED.match(text) or _QUOTED.search(text)):
        return None
    return text
