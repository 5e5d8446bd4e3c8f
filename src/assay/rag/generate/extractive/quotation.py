"""The parts of a text that can be quoted: its sentences and the rows of its tables."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from assay.text import Span, sentences

_TABLE_ROW: Final = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_TABLE_RULE: Final = re.compile(r"[\s|:+-]*")
_FINISHED: Final = re.compile(r"[.!?…。！？；;:：][\"'»”’」』）)\]】]*\Z")
_LONGEST_HEADING: Final = 120


def quotable(text: str) -> list[Span]:
    r"""The sentences and table rows of ``text`` that can be quoted.

    Headings are included only if the text contains nothing else.

    >>> text = "Article 5. Leave\n\nNine days are paid.\n\n| Year | Days |\n|---|---|\n| 1 | 9 |"
    >>> [span.of(text) for span in quotable(text)]
    ['Nine days are paid.', '| Year | Days |', '| 1 | 9 |']
    """
    all_units = units(text)
    return [unit for unit in all_units if not _is_heading(unit.of(text))] or list(all_units)


@lru_cache(maxsize=2048)
def units(text: str) -> tuple[Span, ...]:
    """All sentences, headings and table rows of ``text``, in order."""
    return tuple(unit for sentence in sentences(text) for unit in _rows(text, sentence))


def _rows(text: str, sentence: Span) -> Iterator[Span]:
    """The sentence, split at the table rows that it contains; lines like ``|---|`` are left out."""
    position = sentence.start
    for row in _TABLE_ROW.finditer(text, sentence.start, sentence.end):
        yield from _strip(text, position, row.start())
        if not _TABLE_RULE.fullmatch(row.group()):
            yield from _strip(text, row.start(), row.end())
        position = row.end()
    yield from _strip(text, position, sentence.end)


def _strip(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space at its ends; nothing if it is all white space."""
    piece = text[start:end]
    if piece.strip():
        begin = start + len(piece) - len(piece.lstrip())
        yield Span(start=begin, end=begin + len(piece.strip()))


def _is_heading(piece: str) -> bool:
    return (
        len(piece) <= _LONGEST_HEADING and not piece.startswith("|") and not _FINISHED.search(piece)
    )
