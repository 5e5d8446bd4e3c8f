"""Sentences that another part wrote in English, in another language.

The gate of ``assay compare`` gives its reasons as English text, for files and for programs. The words
of the page have the same sentences with ``{name}`` fields (keys that begin with ``said``). A
sentence that fits one of them is filled into the other language; any other stays as it is.
"""

import re
from functools import cache
from typing import Final

from assay.report.words.label import page_word, page_words
from assay.report.words.retold import retold, sentence_pattern
from assay.words import Lang

PREFIX: Final = "said "


def said(text: str, lang: Lang) -> str:
    """The English sentence in a language; sentences may be joined by semicolons.

    >>> said("base and candidate are the same file", "ru")
    'основа и кандидат — один и тот же файл'
    """
    if lang == "en":
        return text
    whole = _translated(text, lang)
    if whole is not None:
        return whole
    return "; ".join(
        _translated(part, lang) or retold("note", part, lang) for part in text.split("; ")
    )


def _translated(text: str, lang: Lang) -> str | None:
    for name, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            return page_word(f"said {name}", lang).format(**match.groupdict())
    return None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The names of the sentences with patterns for the English ones, the longest first."""
    names = [key.removeprefix(PREFIX) for key in page_words() if key.startswith(PREFIX)]
    english = {name: page_word(f"said {name}", "en") for name in names}
    longest_first = sorted(names, key=lambda name: -len(english[name]))
    return tuple((name, sentence_pattern(english[name])) for name in longest_first)
