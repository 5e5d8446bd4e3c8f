"""Documents cut into chunks: at headings first, then between sentences, by tokens.

Each section (an article of a statute, a clause of a contract, a part under a Markdown
heading) is a chunk of its own. One that is longer than the limit, and text without headings,
is cut between sentences, and a chunk then repeats the last sentences of the one before it,
as far as the overlap allows. Only a sentence that is itself longer than the limit is cut
inside.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from assay.data.corpus.chunk import Chunk
from assay.data.corpus.section import SEPARATOR, Section, sections
from assay.data.document import Document
from assay.errors import UseError
from assay.text import HAN, Span
from assay.text import sentences as sentence_spans

TOKENS: Final = 300
"""Tokens of a chunk at most, unless told otherwise."""

OVERLAP: Final = 40
"""Tokens that two chunks of one section share at most, unless told otherwise."""

_ID_BYTES: Final = 8
_WORD_LENGTH: Final = 16
_EASTERN: Final = f"{HAN}\u3040-\u30ff\uac00-\ud7af"  # with kana and hangul
_EAST: Final = re.compile(f"[{_EASTERN}]")
_WORD: Final = re.compile(f"[^\\W{_EASTERN}]{{1,{_WORD_LENGTH}}}")
_UNIT: Final = re.compile(f"{_EAST.pattern}|{_WORD.pattern}")


def estimated_tokens(text: str) -> int:
    """How many tokens a model would count in ``text``, roughly, without a tokenizer.

    A Chinese, Japanese or Korean character counts 1. Any other word or number counts 1.3,
    and again 1.3 for every further 16 characters, so that a long string without spaces
    weighs what it is. Punctuation and white space count nothing. Rounded up.

    >>> estimated_tokens("第三条 违约金"), estimated_tokens("the notice period"), estimated_tokens("")
    (6, 4, 0)
    """
    return math.ceil(_tenths(text) / 10)


def chunk_document(
    document: Document, *, tokens: int = TOKENS, overlap: int = OVERLAP
) -> list[Chunk]:
    """The document's chunks in order, the same for the same document.

    An id is a hash of the source's name and the chunk's text; where a source repeats a text,
    the second of them has ``-2`` after it, the third ``-3``.
    """
    if tokens < 1:
        raise UseError(f"a chunk needs at least 1 token, not {tokens}")
    if not 0 <= overlap < tokens:
        raise UseError(f"the overlap must be less than the {tokens} tokens of a chunk: {overlap}")
    pieces = [
        (section, piece)
        for section in sections(document)
        for piece in _pieces(section.text, tokens, overlap)
    ]
    ids = _ids(document.name, [piece.of(section.text) for section, piece in pieces])
    return [
        Chunk(
            id=name,
            text=piece.of(section.text),
            source=document.name,
            page=section.page_at(piece.start),
            prev=ids[index - 1] if index else None,
            next=ids[index + 1] if index + 1 < len(ids) else None,
            heading=_heading(section),
        )
        for index, (name, (section, piece)) in enumerate(zip(ids, pieces, strict=True))
    ]


def _heading(section: Section) -> str | None:
    return SEPARATOR.join(section.path) or None


def _ids(source: str, texts: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        content = f"{source}\0{text}".encode("utf-8", "surrogatepass")
        name = hashlib.blake2b(content, digest_size=_ID_BYTES).hexdigest()
        seen[name] += 1
        ids.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return ids


def _pieces(text: str, tokens: int, overlap: int) -> Iterator[Span]:
    spans = [part for span in sentence_spans(text) for part in _fitting(text, span, tokens)]
    if not spans:
        return
    if estimated_tokens(text) <= tokens:
        yield Span(start=spans[0].start, end=spans[-1].end)
        return
    sizes = [estimated_tokens(span.of(text)) for span in spans]
    first = 0
    while True:
        last, total = first, sizes[first]
        while last + 1 < len(spans) and total + sizes[last + 1] <= tokens:
            last += 1
            total += sizes[last]
        yield Span(start=spans[first].start, end=spans[last].end)
        if last + 1 == len(spans):
            return
        first = _overlapping(sizes, first, last, min(overlap, tokens - sizes[last + 1]))


def _overlapping(sizes: list[int], first: int, last: int, overlap: int) -> int:
    """Where the next chunk begins: with as many of the last sentences as the overlap holds."""
    begin, shared = last + 1, 0
    while begin - 1 > first and shared + sizes[begin - 1] <= overlap:
        begin -= 1
        shared += sizes[begin]
    return begin


def _fitting(text: str, span: Span, tokens: int) -> Iterator[Span]:
    """The sentence whole, or cut between words where it alone is longer than the limit."""
    if estimated_tokens(span.of(text)) <= tokens:
        yield span
        return
    start, total = span.start, 0
    for unit in _UNIT.finditer(text, span.start, span.end):
        weight = _tenths(unit.group())
        if total + weight > tokens * 10 and unit.start() > start:
            yield _stripped(text, start, unit.start())
            start, total = unit.start(), 0
        total += weight
    yield _stripped(text, start, span.end)


def _stripped(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return Span(start=start + len(piece) - len(piece.lstrip()), end=start + len(piece.rstrip()))


def _tenths(text: str) -> int:
    """Tokens in tenths: whole numbers, so that the parts of a text add up to it."""
    return 10 * len(_EAST.findall(text)) + 13 * len(_WORD.findall(text))
