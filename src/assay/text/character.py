"""Classes of characters that several modules of this package use in regular expressions.

Each constant is the content of a character class: put it between square brackets.
"""

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, including the iteration mark ``々`` and the zero ``〇``."""

CYRILLIC = "\u0400-\u052f\u1c80-\u1c8a\u2de0-\u2dff\ua640-\ua69f"
"""Cyrillic letters of all alphabets."""

LATIN = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
"""Latin letters, including letters with accents and full-width letters."""

IGNORABLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters except white space (bad PDFs)
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors, tags
)
"""Invisible characters: zero-width characters, soft hyphen, text direction, controls."""

MINUS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
"""Hyphens and short dashes that can be a minus sign, in addition to the ASCII hyphen."""

DASH = MINUS + "\u2014\u2015\ufe58\u2e3a\u2e3b"
"""All dashes that are replaced by an ASCII hyphen when text is compared."""

DOUBLE_QUOTE = (
    "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f\uff02\u2e42"
)
"""Quotation marks that are replaced by ``"``; the title marks 《》 are not included."""

SINGLE_QUOTE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u2039\u203a\uff07"
"""Marks that are replaced by an ASCII apostrophe."""
