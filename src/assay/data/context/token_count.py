"""Count the tokens of a text joined from pieces of an encoded novel by encoding the joints only.

Tokenizers work word by word: after a letter or digit that is followed by white space or
punctuation, a new word begins, independent of the rest of the text. Between two such *anchors*
the joined text has the same tokens as the novel. Only the text between the last anchor before a
joint and the first anchor after it must be encoded again. The count is exact for byte-pair
tokenizers with the usual word pattern; for others it may be wrong by a token occasionally.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from assay.data.novel import TokenizedNovel
from assay.text import Span

_ANCHOR: Final = re.compile(r"[^\W_](?=[\s,.;:?!，。、；：？！…—–»”」』）)])")
_REACH: Final = 64


def joined_counts(
    novel: TokenizedNovel, pieces: Sequence[Span], offsets: Sequence[int]
) -> tuple[list[int], int]:
    """The number of tokens of the joined text before each of ``offsets``, and in total.

    ``pieces`` are spans of the novel in the order of the joined text; ``offsets`` are ascending
    offsets of the joined text.
    """
    counter = _Counter(novel, list(offsets))
    for piece in pieces:
        counter.add(piece)
    counter.close()
    return counter.before, counter.total


class _Counter:
    """Counts the tokens of the pieces from left to right.

    ``_window`` is the text since the last anchor, which is not yet counted, and
    ``_window_start`` is its offset in the joined text.
    """

    def __init__(self, novel: TokenizedNovel, offsets: list[int]) -> None:
        self._novel = novel
        self._offsets = offsets
        self._window = ""
        self._window_start = 0
        self.before: list[int] = []
        self.total = 0

    def add(self, piece: Span) -> None:
        """Add a piece and count the tokens up to its last anchor."""
        novel = self._novel
        first = _first_anchor(novel.text, piece)
        if first is None:
            self._window += piece.of(novel.text)
            return
        self._window += novel.text[piece.start : first]
        self.close()
        last = _last_anchor(novel.text, first, piece.end)
        at_first = novel.tokens_before(first)
        start, end = self._window_start, self._window_start + last - first
        for offset in self._take_offsets(end):
            at_offset = novel.tokens_before(first + offset - start)
            self.before.append(self.total + at_offset - at_first)
        self.total += novel.tokens_before(last) - at_first
        self._window_start = end
        self._window = novel.text[last : piece.end]

    def close(self) -> None:
        """Encode the window and add its tokens; call this after the last piece."""
        start, end = self._window_start, self._window_start + len(self._window)
        offsets = list(self._take_offsets(end))
        if offsets:
            token_starts = self._novel.tokenizer.starts(self._window)
            self.before += [
                self.total + bisect_left(token_starts, offset - start) for offset in offsets
            ]
            self.total += len(token_starts)
        else:
            self.total += self._novel.tokenizer.count(self._window)
        self._window_start = end
        self._window = ""

    def _take_offsets(self, end: int) -> Iterator[int]:
        """Remove and yield the offsets up to and including ``end``."""
        while self._offsets and self._offsets[0] <= end:
            yield self._offsets.pop(0)


def _first_anchor(text: str, piece: Span) -> int | None:
    match = _ANCHOR.search(text, piece.start, piece.end)
    return match.end() if match else None


def _last_anchor(text: str, first: int, end: int) -> int:
    """The last anchor between ``first``, which is an anchor itself, and ``end``."""
    reach = _REACH
    while end - reach > first:
        matches = list(_ANCHOR.finditer(text, end - reach, end))
        if matches:
            return matches[-1].end()
        reach *= 8
    return max((match.end() for match in _ANCHOR.finditer(text, first, end)), default=first)
