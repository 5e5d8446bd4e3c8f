r"""Make characters visible that a terminal would obey instead of showing.

Data may contain escape sequences that move the cursor, newlines that begin a line which looks like
one of ours, and marks that reverse the direction of the text after them. They are shown as escapes:
``\x1b``, ``\n``, ``\u202e``. A lone surrogate, which stands for a byte of a file name that is not
UTF-8, is shown in the same way: no terminal can encode it.
"""

import re
from typing import Final

from assay.text.lexicon import lazy_pattern

_OBEYED: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
)
_IN_TEXT: Final = lazy_pattern(f"[{_OBEYED}]", re.NOFLAG)
_IN_LINE: Final = lazy_pattern(f"[{_OBEYED}\t\n]", re.NOFLAG)
_IN_PRINT: Final = lazy_pattern(f"[{_OBEYED}]".replace("\x0b-\x1f", "\x0b\x0c\x0e-\x1f"), re.NOFLAG)
_SHORT: Final = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


def visible(text: str) -> str:
    r"""A text of several lines; its newlines and tabs stay as they are.

    >>> print(visible("two\nlines, \x1b[2J and \u202eback"))
    two
    lines, \x1b[2J and \u202eback
    """
    return _IN_TEXT.sub(_escape, text)


def visible_print(text: str) -> str:
    r"""What other code prints to the terminal; a progress bar may also return to the line's start.

    >>> print(visible_print("\x1b]0;title\x07done"))
    \x1b]0;title\x07done
    """
    return _IN_PRINT.sub(_escape, text)


def visible_line(text: str) -> str:
    r"""One line: newlines and tabs become escapes too.

    >>> print(visible_line("an id\nassay: all is well"))
    an id\nassay: all is well
    """
    return _IN_LINE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    letter = match.group()
    # the long form is also right inside a JSON string, where the short one cannot occur
    form = f"\\x{ord(letter):02x}" if letter < " " else f"\\u{ord(letter):04x}"
    return _SHORT.get(letter, form)
