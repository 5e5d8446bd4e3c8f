"""One spelling for text that looks the same, with offsets back to what was written.

NFKC (width, ligatures, compatibility forms), quotes, dashes, white space, characters that
leave no mark on paper, a soft hyphen with the line break after it, ё as е; case folding and
traditional to simplified Chinese on request. Every step is a function of a small cluster of
characters (a base and what composes with it), so the text is cut into clusters, each cluster
is brought to its fixed point, and the map of offsets falls out of the cutting.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.text.character import DASH, DOUBLE_QUOTE, IGNORABLE, SINGLE_QUOTE
from assay.text.simplified import simplification
from assay.text.span import Span

_ONE_TO_ONE: Final[Mapping[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{ord(char): "-" for char in DASH},
    **{ord(char): '"' for char in DOUBLE_QUOTE},
    **{ord(char): "'" for char in SINGLE_QUOTE},
    ord("\u2044"): "/",
    ord("ё"): "е",
    ord("Ё"): "Е",
}
# Characters whose normal form is one character and that compose with nothing before them.
_PLAIN: Final = "!-~А-яЁё\u4e00-\u9fff、。〈-】\uff01-\uff5e" + DASH + DOUBLE_QUOTE + SINGLE_QUOTE
_PLAIN_RUN: Final = re.compile(rf"[{_PLAIN} ]+(?=[{_PLAIN}\s]|\Z)")
_INVISIBLE: Final = re.compile(rf"(?:\u00ad[ \t]*\r?\n[ \t]*|[{IGNORABLE}])+")
_WHITE: Final = re.compile(rf"\s(?:\s|{_INVISIBLE.pattern})*")
_ENCLOSED: Final = re.compile(
    "[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf\U0001f100-\U0001f10c]"
)


class Normalised(Struct, frozen=True, kw_only=True):
    """Normalised ``text`` and where each piece of it came from.

    ``starts[i]`` is where part i begins in ``text``. Its source is ``sources[i]``; a part that
    is a plain copy maps character by character, any other only as a whole.
    """

    text: str
    starts: tuple[int, ...]
    sources: tuple[tuple[int, int, bool], ...]

    def original_span(self, start: int, end: int) -> Span:
        """The span of the original that ``text[start:end]`` came from.

        Offsets are clipped to the text, as in slicing. The normal form of that span contains
        ``text[start:end]``; it may hold more where several characters came from one.

        >>> normalise("10 ﬁles").original_span(3, 5)
        Span(start=3, end=4)
        """
        start = min(max(start, 0), len(self.text))
        end = min(max(end, start), len(self.text))
        if not self.text:
            return Span(start=0, end=0)
        if start == end:
            at = self._first(start) if start < len(self.text) else self._last(start)
            return Span(start=at, end=at)
        return Span(start=self._first(start), end=self._last(end))

    def _first(self, offset: int) -> int:
        part = bisect_right(self.starts, offset) - 1
        begin, _, copied = self.sources[part]
        return begin + offset - self.starts[part] if copied else begin

    def _last(self, offset: int) -> int:
        part = bisect_right(self.starts, offset - 1) - 1
        begin, end, copied = self.sources[part]
        return begin + offset - self.starts[part] if copied else end


def normalise(text: str, *, fold_case: bool = False, simplify: bool = False) -> Normalised:
    """The normal form of ``text`` with its map of offsets; a second pass changes nothing.

    Digits keep their value: where NFKC would glue a superscript, a circled digit or a vulgar
    fraction to its neighbour (``2023¹`` to ``20231``), it is set off (``2023^1``, ``(1)``,
    ``5 1/2``).

    Args:
        text: any string.
        fold_case: also fold case, as ``str.casefold`` does.
        simplify: also replace traditional by simplified characters (see ``simplified``).

    >>> normalise("第３条  «Ёлка» — 5½").text
    '第3条 "Елка" - 5 1/2'
    """
    builder = _Builder(tracking=True)
    _build(text, builder, fold_case, simplify)
    return Normalised(
        text="".join(builder.pieces),
        starts=tuple(part[0] for part in builder.parts),
        sources=tuple((part[1], part[2], part[3]) for part in builder.parts),
    )


def normalised(text: str, *, fold_case: bool = False, simplify: bool = False) -> str:
    """The text of ``normalise`` alone, which is faster.

    >>> normalised("ＡＢＣ", fold_case=True)
    'abc'
    """
    builder = _Builder(tracking=False)
    _build(text, builder, fold_case, simplify)
    return "".join(builder.pieces)


class _Builder:
    """Collects normalised pieces and, where asked, the parts of the map."""

    def __init__(self, *, tracking: bool) -> None:
        self.pieces: list[str] = []
        self.parts: list[tuple[int, int, int, bool]] = []
        self.size = 0
        self.last = ""
        self.tracking = tracking

    def add(self, piece: str, begin: int, end: int, *, copied: bool) -> None:
        if not piece:
            return
        if self.tracking:
            self.parts.append((self.size, begin, end, copied))
            self.size += len(piece)
        self.pieces.append(piece)
        self.last = piece[-1]

    def join(self, piece: str, end: int) -> None:
        """Add a piece that is what it is because of the character before it.

        Both become one part, so that the source of either normalises to both.
        """
        if self.tracking:
            start, begin, stop, copied = self.parts.pop()
            if copied and self.size - start > 1:
                self.parts.append((start, begin, stop - 1, True))
                start, begin = self.size - 1, stop - 1
            self.parts.append((start, begin, end, False))
            self.size += len(piece)
        self.pieces.append(piece)
        self.last = piece[-1]


def _build(text: str, builder: _Builder, fold_case: bool, simplify: bool) -> None:
    table = _table(simplify)
    position = 0
    bridge = ""  # what must stand between a compatibility digit just added and a digit
    while position < len(text):
        white = _WHITE.match(text, position)
        if white:
            if builder.last != " ":
                builder.add(" ", position, white.end(), copied=False)
            position, bridge = white.end(), ""
            continue
        run = _PLAIN_RUN.match(text, position)
        if run:
            piece = run.group()
            double = piece.find("  ")
            if double >= 0:
                piece = piece[:double]
            end = position + len(piece)
            piece = piece.translate(table)
            if fold_case:
                piece = piece.lower()
            if bridge and piece[0].isdecimal():
                builder.join(bridge + piece[0], position + 1)
                piece, position = piece[1:], position + 1
            builder.add(piece, position, end, copied=True)
            position, bridge = end, ""
            continue
        end, cluster = _cluster(text, position)
        piece, bridge = _add_cluster(builder, cluster, position, end, fold_case, simplify, bridge)
        position = end


def _add_cluster(
    builder: _Builder,
    cluster: str,
    position: int,
    end: int,
    fold_case: bool,
    simplify: bool,
    bridge: str,
) -> tuple[str, str]:
    piece, setting = _settled(cluster, fold_case, simplify)
    if not piece:
        return piece, bridge
    if builder.last == " " and piece[0] == " ":
        piece = piece[1:]
    elif bridge and piece[0].isdecimal():
        builder.join(bridge + piece, end)
        return piece, setting if piece[-1].isdecimal() else ""
    elif setting and builder.last.isdecimal():
        builder.join(setting + piece, end)
        return piece, setting if piece[-1].isdecimal() else ""
    builder.add(piece, position, end, copied=False)
    return piece, setting if piece[-1:].isdecimal() else ""


def _cluster(text: str, position: int) -> tuple[int, str]:
    """The end of the cluster at ``position`` and its characters, the invisible ones left out."""
    invisible = _INVISIBLE.match(text, position)
    if invisible:
        kept = ""
        position = invisible.end()
    else:
        kept = text[position]
        position += 1
    while position < len(text):
        invisible = _INVISIBLE.match(text, position)
        if invisible:
            position = invisible.end()
        elif _joins(text[position]):
            kept += text[position]
            position += 1
        else:
            break
    return position, kept


@lru_cache(maxsize=8192)
def _joins(character: str) -> bool:
    """Whether the character may compose or change places with the one before it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"


@lru_cache(maxsize=8192)
def _settled(cluster: str, fold_case: bool, simplify: bool) -> tuple[str, str]:
    """The fixed point of a cluster, and what sets it off from a digit beside it."""
    setting = ""
    if cluster and _ENCLOSED.match(cluster):
        digits = unicodedata.numeric(cluster[0])
        cluster = f"({digits:.0f})" + cluster[1:]
    elif cluster and unicodedata.category(cluster[0]) != "Nd":
        kind = unicodedata.decomposition(cluster[0]).partition(">")[0]
        if kind:
            setting = " " if kind == "<fraction" else "^"
    table = _table(simplify)
    before = None
    while before != cluster:
        before = cluster
        cluster = unicodedata.normalize("NFKC", cluster.translate(table))
        if fold_case:
            cluster = cluster.casefold()
    cluster = re.sub(r"\s+", " ", cluster)
    # A superscript sign (10⁻³) is set off as well, or it would read as a range.
    if not setting or not (cluster[:1].isdecimal() or cluster[-1:].isdecimal() or cluster in "+-"):
        setting = ""
    return cluster, setting


def _table(simplify: bool) -> Mapping[int, str | int]:
    return _simplifying() if simplify else _ONE_TO_ONE


@lru_cache(maxsize=1)
def _simplifying() -> Mapping[int, str | int]:
    return {**simplification(), **_ONE_TO_ONE}
