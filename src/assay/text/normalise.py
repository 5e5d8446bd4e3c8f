"""One spelling for text that looks the same, with a map of offsets back to the original.

The normal form unifies NFKC compatibility forms (character width, ligatures), quotes, dashes and
white space, replaces ё by е, and removes invisible characters, including a soft hyphen with the
line break after it. On request it also folds case and converts traditional to simplified Chinese.

Every step depends only on a small cluster of characters: a base character and the characters that
combine with it. Therefore the text is cut into clusters, each cluster is normalised until it does
not change any more, and the positions of the clusters give the map of offsets.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate, chain
from typing import Final, NamedTuple

from msgspec import Struct

from assay.text.character import DASH, DOUBLE_QUOTE, IGNORABLE, MINUS, SINGLE_QUOTE
from assay.text.language import Simplification
from assay.text.lexicon import lazy_pattern

# The start and end offsets of a part of a text.


class Span(Struct, frozen=True, kw_only=True, order=True):
    """The offsets of a part of a string: ``start`` is included, ``end`` is not.

    >>> Span(start=0, end=3).of("sentence")
    'sen'
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """The part of ``text`` that the span covers."""
        return text[self.start : self.end]


class Ranges:
    """Many ranges of offsets, which may overlap, asked whether one of them covers a place.

    To go through all of them for each place would take the square of the length of a text.

    >>> taken = Ranges([(0, 3), (8, 9)])
    >>> 2 in taken, 3 in taken, taken.overlap(3, 8), taken.overlap(2, 4)
    (True, False, False, True)
    """

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(ranges)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def add(self, start: int, end: int) -> None:
        """Add a range that overlaps none of the others."""
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._furthest.insert(at, max(end, self._furthest[at - 1] if at else end))

    def __contains__(self, position: int) -> bool:
        """Whether a range has the position."""
        before = bisect_right(self._starts, position)
        return before > 0 and self._furthest[before - 1] > position

    def overlap(self, start: int, end: int) -> bool:
        """Whether a range has a position in common with the one from ``start`` to ``end``."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._furthest[before - 1] > start


class _Table(dict[int, int | str]):
    """A table for ``str.translate``, which is much slower for characters that it does not have."""

    def __missing__(self, code: int) -> int:
        self[code] = code
        return code


_ONE_TO_ONE: Final[Mapping[int, int | str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{ord(char): "-" for char in DASH},
    **{ord(char): '"' for char in DOUBLE_QUOTE},
    **{ord(char): "'" for char in SINGLE_QUOTE},
    ord("\u2044"): "/",
    ord("ё"): "е",
    ord("Ё"): "Е",
}
_SIMPLIFYING: Final = Simplification(_ONE_TO_ONE)
_UNIFYING: Final = _Table(_ONE_TO_ONE)
# Characters whose normal form is one character and that do not combine with the one before them.
_PLAIN: Final = "!-~А-яЁё\u4e00-\u9fff、。〈-】\uff01-\uff5e" + DASH + DOUBLE_QUOTE + SINGLE_QUOTE
_PLAIN_RUN: Final = lazy_pattern(rf"[{_PLAIN}]+(?: [{_PLAIN}]+)*(?=[{_PLAIN}\s]|\Z)", re.NOFLAG)
_INVISIBLES: Final = rf"(?:\u00ad[ \t]*\r?\n[ \t]*|[{IGNORABLE}])+"
_INVISIBLE: Final = lazy_pattern(_INVISIBLES, re.NOFLAG)
_WHITE: Final = lazy_pattern(rf"\s(?:\s|{_INVISIBLES})*", re.NOFLAG)
_ENCLOSED: Final = lazy_pattern(
    "[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf\U0001f100-\U0001f10c]",
    re.NOFLAG,
)


class Normalised(Struct, frozen=True, kw_only=True):
    """A normalised ``text`` and the origin of each of its parts.

    ``starts[i]`` is the start of part i in ``text``. ``sources[i]`` is its start and end in the
    original, and whether the part is a copy with the same number of characters. A copy is mapped
    character by character, any other part only as a whole.
    """

    text: str
    starts: tuple[int, ...]
    sources: tuple[tuple[int, int, bool], ...]

    def original_span(self, start: int, end: int) -> Span:
        """The span of the original text from which ``text[start:end]`` was made.

        Offsets are limited to the text, as in slicing. The normal form of that span contains
        ``text[start:end]``. It may contain more if one original character became several.

        >>> normalise("10 ﬁles").original_span(3, 5)
        Span(start=3, end=4)
        """
        start = min(max(start, 0), len(self.text))
        end = min(max(end, start), len(self.text))
        if not self.text:
            return Span(start=0, end=0)
        if start == end:
            offset = (
                self._original_start(start) if start < len(self.text) else self._original_end(start)
            )
            return Span(start=offset, end=offset)
        return Span(start=self._original_start(start), end=self._original_end(end))

    def _original_start(self, offset: int) -> int:
        part = bisect_right(self.starts, offset) - 1
        begin, _, copied = self.sources[part]
        return begin + offset - self.starts[part] if copied else begin

    def _original_end(self, offset: int) -> int:
        part = bisect_right(self.starts, offset - 1) - 1
        begin, end, copied = self.sources[part]
        return begin + offset - self.starts[part] if copied else end


def normalise(text: str, *, fold_case: bool = False, simplify: bool = False) -> Normalised:
    """The normal form of ``text`` with its map of offsets. Normalising it again changes nothing.

    Numbers keep their value. NFKC would join a superscript, a circled digit or a fraction
    character with the digit beside it (``2023¹`` would become ``20231``); here they are separated
    (``2023^1``, ``(1)``, ``5 1/2``).

    Args:
        text: any string.
        fold_case: also fold case, like ``str.casefold``.
        simplify: also replace traditional by simplified Chinese characters (see ``simplified``).

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
    """Only the text of ``normalise``, without the map of offsets; this is faster.

    >>> normalised("ＡＢＣ", fold_case=True)
    'abc'
    """
    builder = _Builder(tracking=False)
    _build(text, builder, fold_case, simplify)
    return "".join(builder.pieces)


class _Builder:
    """Collects normalised pieces of text and, if ``tracking``, the parts of the map."""

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
        """Add a piece whose form depends on the character before it.

        The piece and that character become one part of the map, because only their sources
        together normalise to both.
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
    table = _SIMPLIFYING if simplify else _UNIFYING
    position = 0
    bridge = ""  # the separator to insert if a digit follows the compatibility digit just added
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
    piece, separator = _normal_cluster(cluster, fold_case, simplify)
    if not piece:
        return piece, bridge
    if builder.last == " " and piece[0] == " ":
        piece = piece[1:]
    elif bridge and piece[0].isdecimal():
        builder.join(bridge + piece, end)
        return piece, separator if piece[-1].isdecimal() else ""
    elif separator and builder.last.isdecimal():
        builder.join(separator + piece, end)
        return piece, separator if piece[-1].isdecimal() else ""
    builder.add(piece, position, end, copied=False)
    return piece, separator if piece[-1:].isdecimal() else ""


def _cluster(text: str, position: int) -> tuple[int, str]:
    """The end of the cluster at ``position``, and its characters without the invisible ones."""
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
    """Whether the character may combine or change its order with the one before it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"


@lru_cache(maxsize=8192)
def _normal_cluster(cluster: str, fold_case: bool, simplify: bool) -> tuple[str, str]:
    """The normal form of a cluster, and the separator between it and a digit beside it."""
    separator = ""
    if cluster and _ENCLOSED.match(cluster):
        digits = unicodedata.numeric(cluster[0])
        cluster = f"({digits:.0f})" + cluster[1:]
    elif cluster and unicodedata.category(cluster[0]) != "Nd":
        kind = unicodedata.decomposition(cluster[0]).partition(">")[0]
        if kind:
            separator = " " if kind == "<fraction" else "^"
    table = _SIMPLIFYING if simplify else _UNIFYING
    before = None
    while before != cluster:
        before = cluster
        cluster = unicodedata.normalize("NFKC", cluster.translate(table))
        if fold_case:
            cluster = cluster.casefold()
    cluster = re.sub(r"\s+", " ", cluster)
    # A superscript sign (10⁻³) is separated as well; otherwise it would look like a range.
    if not separator or not (
        cluster[:1].isdecimal() or cluster[-1:].isdecimal() or cluster in "+-"
    ):
        separator = ""
    return cluster, separator


# Make characters visible that a terminal would obey instead of showing.
#
# Data may contain escape sequences that move the cursor, newlines that begin a line which looks like
# one of ours, and marks that reverse the direction of the text after them. They are shown as escapes:
# ``\x1b``, ``\n``, ``\u202e``. A lone surrogate, which stands for a byte of a file name that is not
# UTF-8, is shown in the same way: no terminal can encode it.

_OBEYED: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
)
_IN_TEXT: Final = lazy_pattern(f"[{_OBEYED}]", re.NOFLAG)
_IN_LINE: Final = lazy_pattern(f"[{_OBEYED}\t\n]", re.NOFLAG)
_IN_PRINT: Final = lazy_pattern(f"[{_OBEYED}]".replace("\x0b-\x1f", "\x0b\x0c\x0e-\x1f"), re.NOFLAG)
_SHORT: Final = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


def visible(text: str) -> str:
    r"""A text of several lines; its newlines and tabs stay as they are.

    >>> print(visible("two\nlines, \x1b[2J and \u202eback"))
    two
    lines, \x1b[2J and \u202eback
    """
    return _IN_TEXT.sub(_escape, text)


def visible_print(text: str) -> str:
    r"""What other code prints to the terminal; a progress bar may also return to the line's start.

    >>> print(visible_print("\x1b]0;title\x07done"))
    \x1b]0;title\x07done
    """
    return _IN_PRINT.sub(_escape, text)


def visible_line(text: str) -> str:
    r"""One line: newlines and tabs become escapes too.

    >>> print(visible_line("an id\nassay: all is well"))
    an id\nassay: all is well
    """
    return _IN_LINE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    letter = match.group()
    # the long form is also right inside a JSON string, where the short one cannot occur
    form = f"\\x{ord(letter):02x}" if letter < " " else f"\\u{ord(letter):04x}"
    return _SHORT.get(letter, form)


# A simplified copy of a text for regular expressions, with offsets back to the original.
#
# Every character is replaced by exactly one character: full-width forms by ASCII, all spaces by the
# ASCII space, short dashes by the hyphen. Only invisible characters are removed. Unlike
# ``normalise``, this keeps the characters that matter for reading numbers: superscripts, the
# full-width comma and the em dash.

_IGNORABLE: Final = re.compile(f"[{IGNORABLE}]")
_WIDE: Final = "，"
# Between full-width digits, a full-width comma separates thousands. Between ASCII digits it may
# be the comma of a sentence (共5，300人), but no amount begins with a zero and a sign of money
# is before one amount: 1，000元, ￥36，500.
_WIDE_COMMA: Final = re.compile("(?<=[０-９])，(?=[０-９]{3})")
_WIDE_GROUPS: Final = re.compile(
    "(?<![0-9.,，])(?:[¥￥$€£₽] ?[1-9][0-9]{0,2}(?:，[0-9]{3})+"
    "|[1-9][0-9]{0,2}(?:，[0-9]{3})*?，0[0-9]{2}(?:，[0-9]{3})*)(?![0-9])"
)
# Printers have several circles and the letter O for the zero in 二〇二四.
_HAN_ZERO: Final = re.compile("([〇零一二三四五六七八九])([○◯O0]+)(?=[〇零一二三四五六七八九年])")
_TABLE: Final = _Table(
    {
        **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0C},
        **{ord(character): "-" for character in MINUS},
        **dict.fromkeys(chain((160, 5760, 8239, 8287, 12288), range(8192, 8203)), " "),
        ord("\u2019"): "'",
        **dict.fromkeys((0x2044, 0x2215), "/"),
        ord("〜"): "~",
        ord("∼"): "~",
        ord("￥"): "¥",
        **dict(zip(map(ord, "萬億兩幾個號頁塊圓點"), "万亿两几个号页块圆点", strict=True)),
    }
)


class Surface(NamedTuple):
    """The simplified text and the original offset of each of its characters.

    ``origins`` is ``None`` if no character was removed: then all offsets are unchanged.
    """

    text: str
    origins: tuple[int, ...] | None

    def span(self, start: int, end: int) -> Span:
        """The span of ``text[start:end]``, which must not be empty, in the original text."""
        if self.origins is None:
            return Span(start=start, end=end)
        return Span(start=self.origins[start], end=self.origins[end - 1] + 1)


def surface(text: str) -> Surface:
    r"""The simplified copy of ``text``.

    >>> surface("４２，０００\u00a0руб").text
    '42,000 руб'
    """
    if text.isascii() and _IGNORABLE.search(text) is None:
        return Surface(text, None)
    if _WIDE in text:
        text = _WIDE_COMMA.sub(",", text)
        text = _WIDE_GROUPS.sub(lambda match: match.group().replace(_WIDE, ","), text)
    plain = text.translate(_TABLE)
    plain = _HAN_ZERO.sub(lambda match: match[1] + "〇" * len(match[2]), plain)
    if _IGNORABLE.search(plain) is None:
        return Surface(plain, None)
    kept = [(index, char) for index, char in enumerate(plain) if not _IGNORABLE.match(char)]
    return Surface("".join(char for _, char in kept), tuple(index for index, _ in kept))


def folded(text: str) -> str:
    """``text`` in lower case, with the same length and with е for ё.

    >>> folded("Ёлка İ")
    'елка İ'
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
    return lower.replace("ё", "е")


_RECOGNISED: Final = re.compile(r"\$?\s?\\[A-Za-z]+|[{}]\s?\$?")


def without_recognition_marks(text: str) -> str:
    r"""``text`` with spaces for the marks of text recognition, so that places stay the same.

    >>> without_recognition_marks(r"He paid $ \underline{\text{£5}} $ twice").split()
    ['He', 'paid', '£5', 'twice']
    """
    return _RECOGNISED.sub(lambda match: " " * len(match.group()), text)
