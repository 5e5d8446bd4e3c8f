"""A document divided at its headings, with the page of every part known."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from assay.data.corpus.heading import Heading, headings
from assay.data.document import Document

SEPARATOR = " › "
"""What stands between the parts of a chunk's heading."""


class Section(Struct, frozen=True, kw_only=True):
    """The text from one heading to the next, the heading included, and the path to it."""

    path: tuple[str, ...]
    text: str
    starts: tuple[int, ...]
    pages: tuple[int | None, ...]

    def page_at(self, offset: int) -> int | None:
        """The page on which the character at ``offset`` stands."""
        return self.pages[max(0, bisect_right(self.starts, offset) - 1)]


def sections(document: Document) -> list[Section]:
    """The document's sections in order; no word is lost and none stands in two.

    A heading with nothing under it but further headings makes no section of its own: it
    stands in the path of those below it.
    """
    lines, pages = _lines(document)
    # a page number says that the text comes from a PDF, where # is a sign like any other
    markdown = all(page.number is None for page in document.pages)
    found = headings(lines, markdown=markdown)
    cuts = sorted({0, *found, len(lines)}) if lines else []
    result = []
    above: list[Heading] = []
    for start, end in pairwise(cuts):
        heading = found.get(start)
        if heading is not None:
            while above and not above[-1].holds(heading):
                above.pop()
            above.append(heading)
            below = found.get(end)
            empty = not heading.rest and not any(map(str.strip, lines[start + 1 : end]))
            if empty and below is not None and heading.holds(below):
                continue
        section = _section(
            tuple(h.label for h in above), heading, lines[start:end], pages[start:end]
        )
        if section.text.strip():
            result.append(section)
    return result


def _lines(document: Document) -> tuple[list[str], list[int | None]]:
    """All lines with their pages; a blank line parts two pages unless a sentence goes on."""
    lines: list[str] = []
    pages: list[int | None] = []
    for page in document.pages:
        if not page.text.strip():
            continue
        if lines and not _goes_on(lines[-1], page.text):
            lines.append("")
            pages.append(page.number)
        own = [line.rstrip() for line in page.text.strip("\n").split("\n")]
        lines.extend(own)
        pages.extend([page.number] * len(own))
    return lines, pages


def _goes_on(before: str, after: str) -> bool:
    first = after.lstrip()[0]
    return (
        bool(before)
        and before[-1] not in ".!?:。！？；：…"
        and (first.islower() or (first.isalpha() and not first.isupper()))
    )


def _section(
    path: tuple[str, ...], heading: Heading | None, lines: list[str], pages: list[int | None]
) -> Section:
    starts: list[int] = []
    own_pages: list[int | None] = []
    parts: list[str] = []
    offset = 0
    for text, page in _paragraphs(heading, lines, pages):
        starts.append(offset)
        own_pages.append(page)
        parts.append(text)
        offset += len(text)
    return Section(
        path=path,
        text="".join(parts),
        starts=tuple(starts) or (0,),
        pages=tuple(own_pages) or (None,),
    )


def _paragraphs(
    heading: Heading | None, lines: list[str], pages: list[int | None]
) -> Iterator[tuple[str, int | None]]:
    """The lines with their ends: one blank line at most, and one after a heading."""
    blank = True
    for index, (line, page) in enumerate(zip(lines, pages, strict=True)):
        if not line.strip():
            if not blank:
                yield "\n", page
            blank = True
        elif index == 0 and heading is not None and not heading.rest:
            yield f"{heading.label}\n\n", page
            blank = True
        else:
            yield f"{line}\n", page
            blank = False
