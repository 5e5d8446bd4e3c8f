"""A novel encoded once: where every token and every sentence begins.

The novel is cut into *units*: a sentence with the white space after it. Units follow each
other without a gap, so any run of them is one slice of the text and its tokens are a
difference of two numbers. White space always goes with the sentence before it; wherever two
units are put side by side there is one stretch of white space between them, as there was.

A token belongs to the unit its first character stands in. The token of a sentence's first
word often holds the space before it and is then counted with the sentence before; since that
is so for every sentence, the count of joined runs comes out right wherever they are joined
(``context_count`` measures the rest).
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from assay.data.novel.filler import Filler
from assay.data.novel.mention import Mentions
from assay.data.novel.text import Novel
from assay.text import Span, sentences
from assay.text.tokenizer import Tokenizer


class TokenizedNovel:
    """A novel with its tokens and sentences; everything asked of it is a search in a table."""

    def __init__(self, novel: Novel, tokenizer: Tokenizer) -> None:
        self.novel = novel
        # Any two units may be put side by side, so the last one needs its white space too.
        self.text = novel.text if novel.text[-1:].isspace() else novel.text + "\n"
        self.tokenizer = tokenizer
        self._starts: Sequence[int] = tokenizer.starts(self.text)
        self._filler = lru_cache(maxsize=1024)(self._new_filler)

    @property
    def tokens(self) -> int:
        """Tokens of the whole novel."""
        return len(self._starts)

    @cached_property
    def bounds(self) -> Sequence[int]:
        """Where each unit begins, and the end of the text: unit i is ``bounds[i]:bounds[i+1]``.

        White space before the first sentence belongs to no unit.
        """
        return array("I", [*(span.start for span in sentences(self.text)), len(self.text)])

    @cached_property
    def marks(self) -> Sequence[int]:
        """How many tokens begin before each of ``bounds``."""
        return array("I", map(self.tokens_before, self.bounds))

    @cached_property
    def mentions(self) -> Mentions:
        """The search for units that mention a phrase."""
        return Mentions([self.unit_text(unit, unit + 1) for unit in range(self.units)])

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.bounds) - 1

    def tokens_before(self, offset: int) -> int:
        """How many tokens begin before a character."""
        return bisect_left(self._starts, offset)

    def offset(self, token: int) -> int:
        """Where a token begins; the end of the text for the token past the last."""
        return self._starts[token] if token < len(self._starts) else len(self.text)

    def head(self, tokens: int) -> str:
        """The first ``tokens`` tokens of the novel."""
        return self.text[: self.offset(tokens)]

    def unit_range(self, span: Span) -> tuple[int, int]:
        """The units that a span touches, as a half-open range; white space alone is none."""
        start, end = span.start, self.trimmed(span.start, span.end)
        if start == end:
            return 0, 0
        while self.text[start].isspace():
            start += 1
        return max(bisect_right(self.bounds, start) - 1, 0), bisect_left(self.bounds, end)

    def whole_sentences(self, span: Span, *, padding_tokens: int = 0) -> Span:
        """The span widened to whole sentences, after ``padding_tokens`` more on either side."""
        start, end = span.start, span.end
        if padding_tokens:
            start = self.offset(max(0, self.tokens_before(start) - padding_tokens))
            end = max(end, self.offset(self.tokens_before(end) + padding_tokens))
        first, last = self.unit_range(Span(start=start, end=end))
        if first == last:
            return span
        begin = self.bounds[first]
        return Span(start=begin, end=self.trimmed(begin, self.bounds[last]))

    def trimmed(self, start: int, end: int) -> int:
        """Where ``text[start:end]`` ends without the white space after it."""
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return end

    def unit_text(self, first: int, last: int) -> str:
        """The text of units ``first`` to ``last`` (not included)."""
        return self.text[self.bounds[first] : self.bounds[last]]

    def filler(self, evidence: Span, forbidden: Sequence[str] = ()) -> Filler:
        """Every unit but the evidence, its copies, and those that mention what is forbidden."""
        return self._filler(evidence, tuple(forbidden))

    def _new_filler(self, evidence: Span, forbidden: tuple[str, ...]) -> Filler:
        first, last = self.unit_range(evidence)
        barred = set(range(first, last))
        barred.update(self.mentions.same(first, last))
        written = evidence.of(self.text).strip()
        barred.update(self.mentions.saying(written))
        for start in _places(self.text, written):
            barred.update(range(*self.unit_range(Span(start=start, end=start + len(written)))))
        for phrase in forbidden:
            barred.update(self.mentions.of(phrase))
        return Filler(self.bounds, self.marks, barred)


def _places(text: str, piece: str) -> Iterator[int]:
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)
