"""Cut documents into chunks: first at headings, then between sentences up to a token limit.

Each section (an article of a statute, a clause of a contract, the text under a Markdown
heading) becomes one chunk. A section that is longer than the limit is cut between sentences,
and so is text without headings. A section is also cut where another page begins. Each chunk then repeats the last sentences of the previous
one, as far as the overlap allows. A sentence is only cut if it is longer than the limit.
"""

import hashlib
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from assay.data.corpus.chunk import Chunk
from assay.data.corpus.section import SEPARATOR, Section, sections
from assay.data.document import Document
from assay.errors import UseError
from assay.text import HAN, Span
from assay.text import sentences as sentence_spans

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

    A chunk is cited by one page, so it must not go on with what stands on the next one. Only a
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
            continue  # nothing but the heading stands before it
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
