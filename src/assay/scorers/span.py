"""Gold that is a stretch of a document: how much of it the retrieved passages cover.

A span is hit if the union of the passages covers at least a share of its characters. Where a
passage says at which offsets of the document it lies, offsets are compared; otherwise texts are,
without white space. A passage whose text only begins or ends inside the span must share at least
``LEAST_SHARED`` characters with it, so that a common word is not taken for a part of it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from assay.records import GoldSpan, Passage
from assay.text import find_phrase

SPAN_SHARE: Final = 0.5
"""The share of a span's characters that must be covered, unless the user says otherwise."""
LEAST_SHARED: Final = 20


class SpanMatch(Struct, frozen=True, kw_only=True):
    """The covered share of a span, and the ids of the passages that cover some of it."""

    share: float
    passages: tuple[str, ...]


def span_match(span: GoldSpan, passages: Sequence[Passage]) -> SpanMatch | None:
    """What ``passages`` cover of a span; ``None`` if this cannot be known.

    It cannot be known if the span has only offsets and a passage has none.

    >>> gold = GoldSpan(source="a.txt", start=0, end=100)
    >>> halves = [
    ...     Passage(id="1", source="a.txt", start=50, end=200),
    ...     Passage(id="2", source="a.txt", start=0, end=10),
    ... ]
    >>> span_match(gold, halves)
    SpanMatch(share=0.6, passages=('1', '2'))
    """
    if span.end is not None and all(passage.end is not None for passage in passages):
        length = span.end - (span.start or 0)
        parts = [(passage.id, _by_offset(span, passage)) for passage in passages]
    elif span.text:
        length = len(_squeezed(span.text))
        parts = [(passage.id, _by_text(span, passage)) for passage in passages]
    else:
        return None
    covering = [(name, part) for name, part in parts if part is not None]
    return SpanMatch(
        share=min(1.0, _union(part for _, part in covering) / length) if length > 0 else 0.0,
        passages=tuple(dict.fromkeys(name for name, _ in covering)),
    )


def _by_offset(span: GoldSpan, passage: Passage) -> tuple[int, int] | None:
    """The part of the span that a passage covers, as offsets in the document."""
    if passage.source != span.source or span.end is None or passage.end is None:
        return None
    start, end = max(span.start or 0, passage.start or 0), min(span.end, passage.end)
    return (start, end) if start < end else None


def _by_text(span: GoldSpan, passage: Passage) -> tuple[int, int] | None:
    """The part of the span whose text a passage has, as offsets in the text without spaces."""
    if span.source and passage.source is not None and passage.source != span.source:
        return None
    wanted, has = _squeezed(span.text), _squeezed(passage.text)
    if not wanted or not has:
        return None
    if len(wanted) < LEAST_SHARED:  # a word or a number: found as a whole only
        return (0, len(wanted)) if find_phrase(span.text, passage.text) else None
    if wanted in has:
        return 0, len(wanted)
    if len(has) >= LEAST_SHARED and (place := wanted.find(has)) >= 0:
        return place, place + len(has)
    first, last = _shared_edge(has, wanted), _shared_edge(wanted, has)
    if max(first, last) < LEAST_SHARED:
        return None
    return (0, first) if first >= last else (len(wanted) - last, len(wanted))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _shared_edge(left: str, right: str) -> int:
    """The length of the longest end of ``left`` with which ``right`` begins.

    >>> _shared_edge("abcab", "abd")
    2
    """
    left = left[-len(right) :]
    start = 0
    probe = right[:LEAST_SHARED]
    while (start := left.find(probe, start)) >= 0:
        if right.startswith(left[start:]):
            return len(left) - start
        start += 1
    return next(
        (
            size
            for size in range(min(len(left), len(probe)), 0, -1)
            if probe.startswith(left[-size:])
        ),
        0,
    )


def _union(parts: Iterable[tuple[int, int]]) -> int:
    """The number of characters in at least one of the parts."""
    total, reached = 0, -1
    for start, end in sorted(parts):
        if end > reached:
            total += end - max(start, reached)
            reached = end
    return total
