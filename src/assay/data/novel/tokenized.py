"""A novel with the offsets at which every token and every sentence begins.

The novel is cut into *units*. A unit is a sentence with the white space after it. Units follow
each other without gaps, so any run of units is one slice of the text, and its number of tokens
is the difference of two numbers. Because each unit ends with its white space, any two units
can be put side by side and are still separated.

A token belongs to the unit that contains its first character. The token of a sentence's first
word often includes the space before the word; it is then counted with the previous sentence.
Since this applies to every sentence, the token counts of joined runs are nearly exact.
``assay.data.context.token_count`` counts the few tokens that differ at the joints.
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
    """A novel with its tokens and sentences. Each query is a binary search in a table."""

    def __init__(self, novel: Novel, tokenizer: Tokenizer) -> None:
        self.novel = novel
        # Any two units may be put side by side, so the last one needs white space too.
        self.text = novel.text if novel.text[-1:].isspace() else novel.text + "\n"
        self.tokenizer = tokenizer
        self._starts: Sequence[int] = tokenizer.starts(self.text)
        self._filler = lru_cache(maxsize=1024)(self._new_filler)

    @property
    def tokens(self) -> int:
        """The number of tokens of the whole novel."""
        return len(self._starts)

    @cached_property
    def bounds(self) -> Sequence[int]:
        """The start of each unit, and the end of the text: unit i is ``bounds[i]:bounds[i+1]``.

        White space before the first sentence belongs to no unit.
        """
        return array("I", [*(span.start for span in sentences(self.text)), len(self.text)])

    @cached_property
    def tokens_at_bounds(self) -> Sequence[int]:
        """For each of ``bounds``, the number of tokens that begin before it."""
        return array("I", map(self.tokens_before, self.bounds))

    @cached_property
    def mentions(self) -> Mentions:
        """A search for the units that mention a phrase."""
        return Mentions([self.unit_text(unit, unit + 1) for unit in range(self.units)])

    @property
    def units(self) -> int:
        """The number of units."""
        return len(self.bounds) - 1

    def tokens_before(self, offset: int) -> int:
        """The number of tokens that begin before the character at ``offset``."""
        return bisect_left(self._starts, offset)

    def offset(self, token: int) -> int:
        """The offset at which a token begins; the end of the text if there is no such token."""
        return self._starts[token] if token < len(self._starts) else len(self.text)

    def head(self, tokens: int) -> str:
        """The text of the first ``tokens`` tokens of the novel."""
        return self.text[: self.offset(tokens)]

    def unit_range(self, span: Span) -> tuple[int, int]:
        """The units that overlap a span, as a half-open range.

        The range is empty if the span contains only white space.
        """
        start, end = span.start, self.trimmed(span.start, span.end)
        if start == end:
            return 0, 0
        while self.text[start].isspace():
            start += 1
        return max(bisect_right(self.bounds, start) - 1, 0), bisect_left(self.bounds, end)

    def whole_sentences(self, span: Span, *, padding_tokens: int = 0) -> Span:
        """The span extended by ``padding_tokens`` on each side, and then to whole sentences."""
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
        """The end of ``text[start:end]`` without trailing white space."""
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return end

    def unit_text(self, first: int, last: int) -> str:
        """The text of the units from ``first`` up to, not including, ``last``."""
        return self.text[self.bounds[first] : self.bounds[last]]

    def filler(self, evidence: Span, forbidden: Sequence[str] = ()) -> Filler:
        """All units except the evidence, its copies, and units that mention a forbidden phrase."""
        return self._filler(evidence, tuple(forbidden))

    def _new_filler(self, evidence: Span, forbidden: tuple[str, ...]) -> Filler:
        first, last = self.unit_range(evidence)
        excluded = set(range(first, last))
        excluded.update(self.mentions.copies(first, last))
        passage = evidence.of(self.text).strip()
        excluded.update(self.mentions.containing(passage))
        for start in _occurrences(self.text, passage):
            excluded.update(range(*self.unit_range(Span(start=start, end=start + len(passage)))))
        for phrase in forbidden:
            excluded.update(self.mentions.of(phrase))
        return Filler(self.bounds, self.tokens_at_bounds, excluded)


def _occurrences(text: str, piece: str) -> Iterator[int]:
    """The offsets at which ``piece`` occurs, including overlapping ones."""
    start = text.find(piece)
    while start >= 0:
        yield start
        start = text.find(piece, start + 1)
