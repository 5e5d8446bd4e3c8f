"""Cut documents into chunks: first at headings, then between sentences up to a token limit.

Each section (an article of a statute, a clause of a contract, the text under a Markdown
heading) becomes one chunk. A section that is longer than the limit is cut between sentences,
and so is text without headings. A section is also cut where another page begins. Each chunk then repeats the last sentences of the previous
one, as far as the overlap allows. A sentence is only cut if it is longer than the limit.
"""

import hashlib
import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from assay.data.corpus.chunk import Chunk
from assay.data.corpus.heading import Heading, headings
from assay.data.document.document import Document
from assay.errors import UseError
from assay.text.character import HAN
from assay.text.normalise import Span
from assay.text.sentence import sentences as sentence_spans

# Divide a document at its headings and keep the page of each paragraph.

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


TOKENS: Final = 300
"""The default limit of tokens per chunk."""

OVERLAP: Final = 40
"""The default limit of tokens that two neighbouring chunks of a section share."""

Chunker: TypeAlias = Literal["headings", "plain"]
"""How a document is cut: at headings and then between sentences, or between sentences only."""

_ID_BYTES: Final = 8
_LONGEST_REST: Final = 60
"""The most tokens of a sentence on the next page; more of them are a table or a list."""
_WORD_LENGTH: Final = 16
_CJK_RANGES: Final = f"{HAN}\u3040-\u30ff\uac00-\ud7af"  # with kana and hangul
_CJK: Final = re.compile(f"[{_CJK_RANGES}]")
_WORD: Final = re.compile(f"[^\\W{_CJK_RANGES}]{{1,{_WORD_LENGTH}}}")
_UNIT: Final = re.compile(f"{_CJK.pattern}|{_WORD.pattern}")


def estimated_tokens(text: str) -> int:
    """Roughly how many tokens a model would count in ``text``, without using a tokenizer.

    A Chinese, Japanese or Korean character counts as 1. Any other word or number counts as
    1.3 for each 16 characters or part of them, so that a long string without spaces is not
    underestimated. Punctuation and white space count as 0. The sum is rounded up.

    >>> estimated_tokens("第三条 违约金"), estimated_tokens("the notice period"), estimated_tokens("")
    (6, 4, 0)
    """
    return math.ceil(_tenths(text) / 10)


def chunk_document(
    document: Document,
    *,
    tokens: int = TOKENS,
    overlap: int = OVERLAP,
    chunker: Chunker = "headings",
) -> list[Chunk]:
    """The chunks of a document in order. The same document always gives the same chunks.

    An id is a hash of the document's name and the chunk's text. If a document contains the
    same chunk text again, ``-2`` is appended to the second id, ``-3`` to the third.

    The chunker ``plain`` cuts between sentences only, and knows no headings.

    Raises:
        UseError: ``tokens`` is less than 1, or ``overlap`` is not from 0 to ``tokens - 1``.
    """
    if tokens < 1:
        raise UseError(f"a chunk needs at least 1 token, not {tokens}")
    if not 0 <= overlap < tokens:
        raise UseError(f"the overlap must be less than the {tokens} tokens of a chunk: {overlap}")
    pieces = [
        (section, piece)
        for section in sections(document, at_headings=chunker == "headings")
        for part in _page_parts(section)
        for piece in _pieces(section.text[part.start : part.end], tokens, overlap, part.start)
    ]
    ids = _ids(document.name, [piece.of(section.text) for section, piece in pieces])
    return [
        Chunk(
            id=chunk_id,
            text=piece.of(section.text),
            source=document.name,
            page=section.page_at(_cited_start(section, piece)),
            prev=ids[index - 1] if index else None,
            next=ids[index + 1] if index + 1 < len(ids) else None,
            heading=_heading(section),
            start=section.document_offset(piece.start),
            end=section.document_offset(piece.end - 1) + 1,
        )
        for index, (chunk_id, (section, piece)) in enumerate(zip(ids, pieces, strict=True))
    ]


def _cited_start(section: Section, piece: Span) -> int:
    """Where the text of a piece begins; a heading at the end of a page has it on the next one."""
    return section.body if piece.start < section.body < piece.end else piece.start


def _heading(section: Section) -> str | None:
    return SEPARATOR.join(section.path) or None


def has_id_of_text(chunk: Chunk) -> bool:
    """Whether the id follows from the text, so that no other text had this id."""
    return chunk.id.partition("-")[0] == _id(chunk.source, chunk.text)


def _id(source: str, text: str) -> str:
    content = f"{source}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_ID_BYTES).hexdigest()


def _ids(source: str, texts: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        digest = _id(source, text)
        seen[digest] += 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return ids


def _page_parts(section: Section) -> list[Span]:
    """The section as a whole, or the parts that begin on its pages.

    A chunk is cited by one page, so it must not go on with what is on the next one. Only a
    sentence that ends soon after the page break is kept whole; it belongs to the page on which it
    begins. A heading stays with the text below it, which is what is cited.
    """
    text, breaks = section.text, _page_breaks(section)
    spans = sentence_spans(text) if breaks else []
    starts = [span.start for span in spans]
    edges = set()
    for place in breaks:
        after = bisect_left(starts, place)
        if after <= bisect_left(starts, section.body):
            continue  # nothing but the heading is before it
        rest = text[place : spans[after - 1].end]
        if estimated_tokens(rest) > _LONGEST_REST:
            edges.add(place)
        elif after < len(starts):
            edges.add(starts[after])
    return [Span(start=a, end=b) for a, b in pairwise([0, *sorted(edges), len(text)])]


def _page_breaks(section: Section) -> list[int]:
    """Where another page begins in the text of the section."""
    return [
        start
        for before, page, start in zip(
            section.pages, section.pages[1:], section.starts[1:], strict=False
        )
        if page != before
    ]


def _pieces(text: str, tokens: int, overlap: int, offset: int = 0) -> Iterator[Span]:
    """The pieces of ``text``, which begins at ``offset`` of its section."""
    for span in _spans(text, tokens, overlap):
        yield Span(start=span.start + offset, end=span.end + offset)


def _spans(text: str, tokens: int, overlap: int) -> Iterator[Span]:
    parts = [part for span in sentence_spans(text) for part in _sentence_parts(text, span, tokens)]
    if not parts:
        return
    spans = [span for span, _ in parts]
    if sum(tenths for _, tenths in parts) <= tokens * 10:
        yield Span(start=spans[0].start, end=spans[-1].end)
        return
    sizes = [math.ceil(tenths / 10) for _, tenths in parts]
    first = 0
    while True:
        last, total = first, sizes[first]
        while last + 1 < len(spans) and total + sizes[last + 1] <= tokens:
            last += 1
            total += sizes[last]
        yield Span(start=spans[first].start, end=spans[last].end)
        if last + 1 == len(spans):
            return
        first = _next_start(sizes, first, last, min(overlap, tokens - sizes[last + 1]))


def _next_start(sizes: list[int], first: int, last: int, overlap: int) -> int:
    """The first sentence of the next chunk, which repeats as many sentences as fit the overlap."""
    begin, shared = last + 1, 0
    while begin - 1 > first and shared + sizes[begin - 1] <= overlap:
        begin -= 1
        shared += sizes[begin]
    return begin


def _sentence_parts(text: str, span: Span, tokens: int) -> Iterator[tuple[Span, int]]:
    """The whole sentence, or parts cut between words if it exceeds the limit; with their tenths."""
    size = _tenths(span.of(text))
    if size <= tokens * 10:
        yield span, size
        return
    start, total = span.start, 0
    for unit in _UNIT.finditer(text, span.start, span.end):
        weight = _tenths(unit.group())
        if total + weight > tokens * 10 and unit.start() > start:
            yield _strip_span(text, start, unit.start()), total
            start, total = unit.start(), 0
        total += weight
    yield _strip_span(text, start, span.end), total


def _strip_span(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return Span(start=start + len(piece) - len(piece.lstrip()), end=start + len(piece.rstrip()))


def _tenths(text: str) -> int:
    """Estimated tokens times ten: as integers, the sizes of the parts add up exactly."""
    return 10 * len(_CJK.findall(text)) + 13 * len(_WORD.findall(text))
