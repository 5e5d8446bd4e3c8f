"""Divide a document at its headings and keep the page of each paragraph."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from assay.data.corpus.heading import Heading, headings
from assay.data.document import Document

SEPARATOR = " › "
"""Separates the parts of a chunk's heading path."""


class Section(Struct, frozen=True, kw_only=True):
    """The text from a heading to the next one, and the path of headings that leads to it.

    The text includes the heading. ``starts`` are the offsets in ``text`` at which a line
    begins, ``pages`` the pages of these lines, and ``offsets`` where these lines begin in the
    text of the document. ``body`` is where the text below the heading begins.
    """

    path: tuple[str, ...]
    text: str
    starts: tuple[int, ...]
    pages: tuple[int | None, ...]
    offsets: tuple[int, ...] = (0,)
    body: int = 0

    def page_at(self, offset: int) -> int | None:
        """The page that contains the character at ``offset``; None if there are no pages."""
        return self.pages[max(0, bisect_right(self.starts, offset) - 1)]

    def document_offset(self, offset: int) -> int:
        """The offset in the document's text of the character at ``offset``."""
        line = max(0, bisect_right(self.starts, offset) - 1)
        return self.offsets[line] + offset - self.starts[line]


class _Line(NamedTuple):
    """A line of a document, its page, and where it begins in the document's text."""

    text: str
    page: int | None
    offset: int


def sections(document: Document, *, at_headings: bool = True) -> list[Section]:
    """The sections of a document in order. Each paragraph is in exactly one section.

    If ``at_headings`` is false, the whole document is one section without headings.

    A heading followed only by its subheadings gets no section. It is still part of their
    paths.
    """
    places = _lines(document)
    lines = [line.text for line in places]
    # Pages are numbered only if the text comes from a PDF, where # does not mark a heading.
    markdown = all(page.number is None for page in document.pages)
    by_line = headings(lines, markdown=markdown, source=document.headings) if at_headings else {}
    root = (document.title,) if at_headings and document.title else ()
    cuts = sorted({0, *by_line, len(lines)}) if lines else []
    result = []
    above: list[Heading] = []
    for start, end in pairwise(cuts):
        heading = by_line.get(start)
        if heading is not None:
            while above and not above[-1].can_contain(heading):
                above.pop()
            above.append(heading)
            following = by_line.get(end)
            empty = not heading.rest and not any(map(str.strip, lines[start + 1 : end]))
            if empty and following is not None and heading.can_contain(following):
                continue
        path = (*root, *(heading.label for heading in above))
        section = _section(path, heading, places[start:end])
        if section.text.strip():
            result.append(section)
    return result


def _lines(document: Document) -> list[_Line]:
    """All lines. A blank line is put between two pages, unless a sentence continues on the second."""
    lines: list[_Line] = []
    offset = 0
    for page in document.pages:
        begin, offset = offset, offset + len(page.text) + 1
        if not page.text.strip():
            continue
        if lines and not _continues(lines[-1].text, page.text):
            lines.append(_Line("", page.number, begin))
        begin += len(page.text) - len(page.text.lstrip("\n"))
        for line in page.text.strip("\n").split("\n"):
            lines.append(_Line(line.rstrip(), page.number, begin))
            begin += len(line) + 1
    return lines


def _continues(before: str, after: str) -> bool:
    first = after.lstrip()[0]
    return (
        bool(before)
        and before[-1] not in ".!?:。！？；：…"
        and (first.islower() or (first.isalpha() and not first.isupper()))
    )


def _section(path: tuple[str, ...], heading: Heading | None, lines: list[_Line]) -> Section:
    starts: list[int] = []
    parts: list[_Line] = []
    offset = 0
    for line in _paragraphs(heading, lines):
        starts.append(offset)
        parts.append(line)
        offset += len(line.text)
    return Section(
        path=path,
        text="".join(line.text for line in parts),
        starts=tuple(starts) or (0,),
        pages=tuple(line.page for line in parts) or (None,),
        offsets=tuple(line.offset for line in parts) or (0,),
        body=_body(heading, parts),
    )


def _body(heading: Heading | None, parts: list[_Line]) -> int:
    """Where the text below the heading begins; 0 if it begins on the line of the heading."""
    if heading is None or heading.rest or not any(line.text.strip() for line in parts[1:]):
        return 0
    return len(parts[0].text)


def _paragraphs(heading: Heading | None, lines: list[_Line]) -> Iterator[_Line]:
    r"""The lines with ``\n`` at the end.

    Several blank lines become one, and one blank line is put after a heading.
    """
    blank = True
    for index, line in enumerate(lines):
        if not line.text.strip():
            if not blank:
                yield line._replace(text="\n")
            blank = True
        elif index == 0 and heading is not None and not heading.rest:
            yield line._replace(text=f"{heading.label}\n\n")
            blank = True
        else:
            yield line._replace(text=f"{line.text}\n")
            blank = False
