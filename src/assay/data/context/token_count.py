"""Tokens of a text that is joined from stretches of an encoded novel, by encoding the joints.

Tokenizers work word by word: where a letter or digit is followed by white space or
punctuation, a new piece begins whatever stands further left or right. Between two such
*anchors* the tokens of the novel are those of the joined text, so only what lies between the
last anchor before a joint and the first one after it is encoded anew. That is exact for
byte-pair tokenizers with the usual word pattern, and off by a token now and then for others.
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
    novel: TokenizedNovel, pieces: Sequence[Span], marks: Sequence[int]
) -> tuple[list[int], int]:
    """Tokens of the joined text before each of ``marks`` (ascending), and in all.

    ``pieces`` are stretches of the novel in the order of the joined text; ``marks`` are
    offsets of the joined text.
    """
    counter = _Counter(novel, list(marks))
    for piece in pieces:
        counter.add(piece)
    counter.close()
    return counter.before, counter.total


class _Counter:
    """Goes over the pieces from left to right.

    ``window`` is the text since the last anchor, not yet counted; ``at`` is where it begins
    in the joined text.
    """

    def __init__(self, novel: TokenizedNovel, marks: list[int]) -> None:
        self._novel = novel
        self._marks = marks
        self._window = ""
        self._at = 0
        self.before: list[int] = []
        self.total = 0

    def add(self, piece: Span) -> None:
        """Count up to the last anchor of the next piece."""
        novel = self._novel
        first = _first_anchor(novel.text, piece)
        if first is None:
            self._window += piece.of(novel.text)
            return
        self._window += novel.text[piece.start : first]
        self.close()
        last = _last_anchor(novel.text, first, piece.end)
        begun = novel.tokens_before(first)
        end = self._at + last - first
        for mark in self._reached(end):
            self.before.append(self.total + novel.tokens_before(first + mark - self._at) - begun)
        self.total += novel.tokens_before(last) - begun
        self._at = end
        self._window = novel.text[last : piece.end]

    def close(self) -> None:
        """Count the window by encoding it."""
        end = self._at + len(self._window)
        marks = list(self._reached(end))
        if marks:
            starts = self._novel.tokenizer.starts(self._window)
            self.before += [self.total + bisect_left(starts, mark - self._at) for mark in marks]
            self.total += len(starts)
        else:
            self.total += self._novel.tokenizer.count(self._window)
        self._at = end
        self._window = ""

    def _reached(self, end: int) -> Iterator[int]:
        while self._marks and self._marks[0] <= end:
            yield self._marks.pop(0)


def _first_anchor(text: str, piece: Span) -> int | None:
    match = _ANCHOR.search(text, piece.start, piece.end)
    return match.end() if match else None


def _last_anchor(text: str, first: int, end: int) -> int:
    """The last anchor at or after ``first``, which is one."""
    reach = _REACH
    while end - reach > first:
        matches = list(_ANCHOR.finditer(text, end - reach, end))
        if matches:
            return matches[-1].end()
        reach *= 8
    return max((match.end() for match in _ANCHOR.finditer(text, first, end)), default=first)
