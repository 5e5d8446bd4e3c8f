"""What of a text can stand as a quotation: its sentences and the rows of its tables."""

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
    r"""The sentences and table rows of ``text`` that can stand as a quotation.

    Headings are left out where there is anything else.

    >>> text = "Article 5. Leave\n\nNine days are paid.\n\n| Year | Days |\n|---|---|\n| 1 | 9 |"
    >>> [span.of(text) for span in quotable(text)]
    ['Nine days are paid.', '| Year | Days |', '| 1 | 9 |']
    """
    found = units(text)
    return [unit for unit in found if not _is_heading(unit.of(text))] or list(found)


@lru_cache(maxsize=2048)
def units(text: str) -> tuple[Span, ...]:
    """Every sentence, heading and table row of ``text`` in order."""
    return tuple(unit for sentence in sentences(text) for unit in _rows(text, sentence))


def _rows(text: str, sentence: Span) -> Iterator[Span]:
    """A sentence, or the rows of the table that it runs into."""
    position = sentence.start
    for row in _TABLE_ROW.finditer(text, sentence.start, sentence.end):
        yield from _stripped(text, position, row.start())
        if not _TABLE_RULE.fullmatch(row.group()):
            yield from _stripped(text, row.start(), row.end())
        position = row.end()
    yield from _stripped(text, position, sentence.end)


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        begin = start + len(piece) - len(piece.lstrip())
        yield Span(start=begin, end=begin + len(piece.strip()))


def _is_heading(piece: str) -> bool:
    return (
        len(piece) <= _LONGEST_HEADING and not piece.startswith("|") and not _FINISHED.search(piece)
    )
