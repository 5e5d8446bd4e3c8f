"""Where in a novel a passage stands that was copied from it, perhaps not quite faithfully.

Tried in turn: the passage as it is written; then its normal form without white space (width,
quotes, dashes, ё, line breaks make no difference); then a passage that is nearly the same.
For the last, short pieces of the passage are looked up and vote for a place, and only the
places with most votes are compared letter by letter, so that a novel of millions of characters
takes milliseconds.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Opcode

from assay.text import Span, normalise, normalised

How: TypeAlias = Literal["exact", "normalised", "fuzzy"]

LEAST_SCORE: Final = 85.0
"""A passage counts as found where its best alignment is at least this like it, of 100."""

# Nearer in score than this, two places are equally good.
_TIE: Final = 1.0
_PIECES: Final = 48
_PLACES_A_PIECE: Final = 250
_COMPARED: Final = 4
_SHORT: Final = 64
_SOLID: Final = 4


class Location(Struct, frozen=True, kw_only=True):
    """A place of a passage, how it was found, and how many places were as good."""

    span: Span
    how: How
    score: float = 100.0
    places: int = 1

    @property
    def note(self) -> str:
        """What a user should know; empty where the passage was found as written and once."""
        parts = []
        if self.how == "fuzzy":
            parts.append(f"evidence found only roughly ({self.score:.0f} of 100 alike)")
        if self.places > 1:
            parts.append(f"evidence stands at {self.places} places; the one taken is the first")
        return "; ".join(parts)


class EvidenceLocator:
    """Looks for passages in one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def location(self, passage: str, *, near: int | None = None) -> Location | None:
        """The place of ``passage``, the first or the one nearest to ``near``; else ``None``.

        >>> found = EvidenceLocator("Он сказал: «Ещё нет».").location('"Еще  нет"')
        >>> found.how, found.span
        ('normalised', Span(start=11, end=20))
        """
        wanted = passage.strip()
        if not wanted:
            return None
        spans = [Span(start=at, end=at + len(wanted)) for at in _places(self._text, wanted)]
        how: How = "exact"
        if not spans:
            how = "normalised"
            spans = self._normalised_places(wanted)
        if not spans:
            return self._nearest_alike(wanted)
        best = spans[0] if near is None else min(spans, key=lambda span: abs(span.start - near))
        return Location(span=best, how=how, places=1 if near is not None else len(spans))

    @cached_property
    def _plain(self) -> "_Plain":
        return _Plain(self._text)

    def _normalised_places(self, wanted: str) -> list[Span]:
        form = _squeezed(wanted)
        plain = self._plain
        return [plain.span(at, at + len(form)) for at in _places(plain.text, form)] if form else []

    def _nearest_alike(self, wanted: str) -> Location | None:
        form, plain = _squeezed(wanted), self._plain
        found: list[tuple[float, Span]] = []
        for at in _candidates(form, plain.text):
            begin = max(0, at - len(form) // 4 - 16)
            window = plain.text[begin : at + len(form) + len(form) // 4 + 16]
            score, start, end = _aligned(form, window)
            if score >= LEAST_SCORE:
                found.append((score, plain.span(begin + start, begin + end)))
        if not found:
            return None
        best = max(score for score, _ in found)
        good = sorted(span for score, span in found if score > best - _TIE)
        apart = 1 + sum(after.start >= before.end for before, after in pairwise(good))
        return Location(span=good[0], how="fuzzy", score=best, places=apart)


class _Plain:
    """The normal form of a text without white space, with the way back."""

    def __init__(self, text: str) -> None:
        self._form = normalise(text)
        spaces = (at for at, character in enumerate(self._form.text) if character == " ")
        # Where the k-th space would stand once those before it are gone.
        self._gaps = array("I", (at - before for before, at in enumerate(spaces)))
        self.text = self._form.text.replace(" ", "")

    def span(self, start: int, end: int) -> Span:
        """Where ``text[start:end]`` (not empty) stands in the original."""
        return self._form.original_span(
            start + bisect_right(self._gaps, start), end + bisect_right(self._gaps, end - 1)
        )


def _squeezed(text: str) -> str:
    return normalised(text).replace(" ", "")


def _places(text: str, piece: str) -> Iterator[int]:
    """Where ``piece`` stands, overlaps left out."""
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + len(piece))


def _candidates(form: str, text: str) -> list[int]:
    """Where ``form`` may begin in ``text``, by the votes of its pieces, the likeliest first."""
    size = 4 if any("\u4e00" <= character <= "\u9fff" for character in form) else 6
    size = min(size, max(2, len(form) // 4))
    grid = max(8, len(form) // 8)
    votes: Counter[int] = Counter()
    last = max(len(form) - size, 0)
    for number in range(min(_PIECES, last + 1)):
        offset = number * last // max(min(_PIECES, last + 1) - 1, 1)
        for count, at in enumerate(_places(text, form[offset : offset + size])):
            if count == _PLACES_A_PIECE:
                break
            slot = max(at - offset, 0) // grid
            votes[slot] += 2
            votes[slot + 1] += 1
            votes[max(slot - 1, 0)] += 1
    chosen: list[int] = []
    for slot, _ in votes.most_common(_COMPARED * 6):
        # A slot beside one already taken is the same place.
        if all(abs(slot - other) > 2 for other in chosen):
            chosen.append(slot)
        if len(chosen) == _COMPARED:
            break
    return [slot * grid for slot in chosen]


def _aligned(form: str, window: str) -> tuple[float, int, int]:
    """How alike the most alike stretch of ``window`` is, and where it lies."""
    if len(form) <= _SHORT:
        alignment = fuzz.partial_ratio_alignment(form, window)
        if alignment is None or alignment.dest_start == alignment.dest_end:
            return 0.0, 0, 0
        return alignment.score, alignment.dest_start, alignment.dest_end
    # The slide above takes seconds for a page. The longest common subsequence is quick; its
    # solid blocks say where the passage begins and ends, stray letters beside it do not.
    operations = LCSseq.opcodes(form, window)
    solid = [op for op in operations if op.tag == "equal" and op.src_end - op.src_start >= _SOLID]
    if not solid:
        return 0.0, 0, 0
    middle = max(range(len(solid)), key=lambda place: solid[place].src_end - solid[place].src_start)
    first = _in_line(solid[middle::-1])
    last = _in_line(solid[middle:])
    start = max(first.dest_start - first.src_start, 0)
    end = min(last.dest_end + len(form) - last.src_end, len(window))
    return fuzz.ratio(form, window[start:end]), start, end


def _in_line(blocks: Sequence[Opcode]) -> Opcode:
    """The last of ``blocks`` that is in line with the first, going from one to the next.

    A phrase of the passage may stand beside it as well; between it and the passage the text
    goes on and the passage does not.
    """
    end = blocks[0]
    for block in blocks[1:]:
        drift = abs((block.dest_start - block.src_start) - (end.dest_start - end.src_start))
        gap = max(block.src_start - end.src_end, end.src_start - block.src_end)
        if drift > 2 * _SOLID + gap // 2:
            break
        end = block
    return end
