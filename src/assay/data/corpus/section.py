"""Divide a document at its headings and keep the page of each paragraph."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from assay.data.corpus.heading import Heading, headings
from assay.data.document import Document

SEPARATOR = " › "
"""Separates the parts of a chunk's heading path."""


class Section(Struct, frozen=True, kw_only=True):
    """The text from a heading to the next one, and the path of headings that leads to it.

    The text includes the heading. ``starts`` are the offsets in ``text`` at which a line
    begins, and ``pages`` the pages of these lines.
    """

    path: tuple[str, ...]
    text: str
    starts: tuple[int, ...]
    pages: tuple[int | None, ...]

    def page_at(self, offset: int) -> int | None:
        """The page that contains the character at ``offset``; None if there are no pages."""
        return self.pages[max(0, bisect_right(self.starts, offset) - 1)]


def sections(document: Document) -> list[Section]:
    """The sections of a document in order. Each paragraph is in exactly one section.

    A heading followed only by its subheadings gets no section. It is still part of their
    paths.
    """
    lines, pages = _lines(document)
    # Pages are numbered only if the text comes from a PDF, where # does not mark a heading.
    markdown = all(page.number is None for page in document.pages)
    by_line = headings(lines, markdown=markdown)
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
        path = tuple(heading.label for heading in above)
        section = _section(path, heading, lines[start:end], pages[start:end])
        if section.text.strip():
            result.append(section)
    return result


def _lines(document: Document) -> tuple[list[str], list[int | None]]:
    """All lines, and the page of each.

    A blank line is put between two pages, unless a sentence continues on the second page.
    """
    lines: list[str] = []
    pages: list[int | None] = []
    for page in document.pages:
        if not page.text.strip():
            continue
        if lines and not _continues(lines[-1], page.text):
            lines.append("")
            pages.append(page.number)
        page_lines = [line.rstrip() for line in page.text.strip("\n").split("\n")]
        lines.extend(page_lines)
        pages.extend([page.number] * len(page_lines))
    return lines, pages


def _continues(before: str, after: str) -> bool:
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
    section_pages: list[int | None] = []
    parts: list[str] = []
    offset = 0
    for text, page in _paragraphs(heading, lines, pages):
        starts.append(offset)
        section_pages.append(page)
        parts.append(text)
        offset += len(text)
    return Section(
        path=path,
        text="".join(parts),
        starts=tuple(starts) or (0,),
        pages=tuple(section_pages) or (None,),
    )


def _paragraphs(
    heading: Heading | None, lines: list[str], pages: list[int | None]
) -> Iterator[tuple[str, int | None]]:
    r"""The lines with ``\n`` at the end, and their pages.

    Several blank lines become one, and one blank line is put after a heading.
    """
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
