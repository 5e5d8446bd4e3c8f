"""Sentences that another part wrote in English, in all languages of the page.

The gate of ``assay compare`` gives its reasons as English text, for terminals and files. The words
of the page have the same sentences with ``{name}`` fields (keys that begin with ``said``). A
sentence that fits one of them is filled into the other languages; any other stays as it is.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from assay.report.words import page_word, page_words
from assay.web.language import in_all, same
from assay.web.text_api import Text

PREFIX: Final = "said "
_FIELD: Final = re.compile(r"\\\{(\w+)\\\}")


def translated(text: str) -> Text:
    """The sentence in all languages; sentences may be joined by semicolons.

    >>> translated("base and candidate are the same file").ru
    'основа и кандидат — один и тот же файл'
    """
    whole = _translated(text)
    if whole is not None:
        return whole
    parts = [_translated(part) or same(part) for part in text.split("; ")]
    return in_all(lambda lang: "; ".join(getattr(part, lang) for part in parts))


def _translated(text: str) -> Text | None:
    for name, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            return _filled(name, match.groupdict())
    return None


def _filled(name: str, fields: Mapping[str, str]) -> Text:
    return in_all(lambda lang: page_word(f"said {name}", lang).format(**fields))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The names of the sentences with patterns for the English ones, the longest first."""
    names = [key.removeprefix(PREFIX) for key in page_words() if key.startswith(PREFIX)]
    english = {name: page_word(f"said {name}", "en") for name in names}
    longest_first = sorted(names, key=lambda name: -len(english[name]))
    return tuple((name, _pattern(english[name])) for name in longest_first)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(_FIELD.sub(r"(?P<\1>.+)", re.escape(template)), re.DOTALL)
