"""How many characters of a page of a PDF cannot be read.

A font of a PDF says which letter each of its glyphs is. If it does not, or if it says that the glyph
is the letter 0, the page can be printed, but its text lacks the letter or has another one.
"""

import re
from typing import Any, Final

_CONTROL: Final = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\ufffd]")  # \x02 is a hyphen
_SUSPECT: Final = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\ufffd\ufffe]")
_BLANK: Final = " \t"
"""Some programs write tabs with fonts that do not know them."""


def unread_characters(page: Any) -> int:
    """The number of characters without a letter on a text page of pdfium.

    In the text pdfium leaves the letter 0 out, so that its page has more characters than its text,
    or writes it as it writes a hyphen at the end of a line.
    """
    # pdfium is a large library that is only needed for PDFs
    from pypdfium2 import raw  # type: ignore[import-untyped] # noqa: PLC0415

    count, handle = page.count_chars(), page.raw
    unread = {
        place
        for place in range(count)
        if raw.FPDFText_HasUnicodeMapError(handle, place) == 1
        and chr(raw.FPDFText_GetUnicode(handle, place)) not in _BLANK
    }
    text = page.get_text_range()
    if count != len(text) or _SUSPECT.search(text):
        unread |= {
            place
            for place in range(count)
            if _CONTROL.match(chr(raw.FPDFText_GetUnicode(handle, place)))
        }
    return len(unread)
