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

import codecs
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.data.jsonl import unreadable_error
from assay.errors import DatasetError
from assay.jobs.depth.evidence_location import Mentions
from assay.text.normalise import Span
from assay.text.sentence import sentences
from assay.text.tokenizer import Tokenizer
from assay.words.message import Message, message

# Read a novel as one string, in one of several encodings and with any line ends.
#
# All offsets in the depth job refer to ``Novel.text``: characters (code points) of the decoded
# file without a byte-order mark, where ``\r\n`` and ``\r`` are replaced by ``\n``. Python's
# ``open(path, encoding=...)`` gives the same text, so spans computed by a short script fit.

_CYRILLIC: Final = re.compile("[А-яЁё]")
_UPPER: Final = re.compile("[А-ЯЁ]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
# Characters of Russian typography that CP1251 has beside its letters.
_CYRILLIC_SIGN: Final = re.compile("[«»—–…№“”„‘’§°\u00a0]")
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES: Final = {"gb18030": "GB18030", "cp1251": "CP1251"}


class Novel(Struct, frozen=True, kw_only=True):
    """The text of a novel, its encoding, and notes to show to the user."""

    text: str
    encoding: str = "utf-8"
    notes: tuple[Message | str, ...] = ()


def read_novel(path: Path) -> Novel:
    """Read a novel in UTF-8, UTF-16, GB18030 or CP1251.

    UTF-16 is recognised by its byte-order mark. GB18030 and CP1251 are guessed. A note names
    the encoding if it is not UTF-8.

    Raises:
        DatasetError: the file cannot be read, is empty, or is in another encoding.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    text, encoding = _decode(data, path)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise DatasetError(f"{path}: the file has no text")
    notes: list[Message | str] = []
    if encoding != "utf-8":
        name = _NAMES.get(encoding, encoding.upper())
        notes.append(
            message(
                "{file} read as {encoding}, judging by its bytes; if that is wrong, save the file as UTF-8",
                file=f"{path.name}:",
                encoding=name,
            )
        )
    return Novel(text=text, encoding=encoding, notes=tuple(notes))


def _decode(data: bytes, path: Path) -> tuple[str, str]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data.removeprefix(mark), encoding, path), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        guess = _guess_encoding(data)
        if guess is None:
            raise DatasetError(
                f"{path}: neither UTF-8 (byte {error.start} is 0x{data[error.start]:02x}), "
                "GB18030 nor CP1251; save the file as UTF-8"
            ) from None
        return guess


def _decode_as(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path}: has the byte-order mark of {encoding.upper()}, but byte {error.start} "
            "after it is not valid; save the file as UTF-8"
        ) from None


def _guess_encoding(data: bytes) -> tuple[str, str] | None:
    """The text and its encoding; None if the bytes are neither Russian nor Chinese text.

    In a Russian text in CP1251, nearly all bytes above ASCII are letters, mostly lower-case
    ones. (KOI8-R and CP866 read as CP1251 give the wrong case or other characters.) In GB18030
    these bytes form pairs that are Chinese characters. No real text looks plausible in both.
    """
    high = len(_HIGH.findall(data))
    russian = data.decode("cp1251", errors="ignore")
    letters = len(_CYRILLIC.findall(russian))
    if letters + len(_CYRILLIC_SIGN.findall(russian)) >= 0.95 * high:
        lower_case = letters - len(_UPPER.findall(russian))
        return (russian, "cp1251") if lower_case > 0.6 * letters else None
    try:
        chinese = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    # GB 2312 contains at least half of the characters of a Chinese text, even of a traditional
    # one, but nearly none of Japanese or Korean text that is decoded as GB18030.
    non_ascii = sum(character > "\x7f" for character in chinese)
    common = len(_HIGH.findall(chinese.encode("gb2312", errors="ignore"))) // 2
    return (chinese, "gb18030") if common >= 0.5 * non_ascii else None


# The sentences with which a context may be filled: those of a novel that are not excluded.


class Filler:
    """The units of a novel that are not excluded, in narrative order, with token counts.

    ``bounds`` and ``tokens_at_bounds`` are those of ``TokenizedNovel``; ``excluded`` are the
    numbers of units.
    """

    def __init__(
        self, bounds: Sequence[int], tokens_at_bounds: Sequence[int], excluded: Iterable[int] = ()
    ) -> None:
        self._bounds = bounds
        self._tokens_at_bounds = tokens_at_bounds
        self._excluded = array("I", sorted(set(excluded)))
        sizes = (tokens_at_bounds[unit + 1] - tokens_at_bounds[unit] for unit in self._excluded)
        self._excluded_tokens = array("I", accumulate(sizes, initial=0))
        self._filler_before_excluded = array("I", map(self.before, self._excluded))

    @property
    def tokens(self) -> int:
        """The number of tokens of all filler."""
        return self.before(len(self._tokens_at_bounds) - 1)

    def before(self, unit: int) -> int:
        """The number of filler tokens before a unit."""
        excluded = self._excluded_tokens[bisect_left(self._excluded, unit)]
        return self._tokens_at_bounds[unit] - self._tokens_at_bounds[0] - excluded

    def unit(self, tokens: int) -> int:
        """The last unit with at most ``tokens`` filler tokens before it."""
        excluded = self._excluded_tokens[bisect_right(self._filler_before_excluded, tokens)]
        total = tokens + self._tokens_at_bounds[0] + excluded
        return max(bisect_right(self._tokens_at_bounds, total) - 1, 0)

    def nearest_unit(self, tokens: int) -> int:
        """The unit for which the number of filler tokens before it is nearest to ``tokens``."""
        unit = self.unit(tokens)
        if unit + 1 == len(self._tokens_at_bounds):
            return unit
        below, above = tokens - self.before(unit), self.before(unit + 1) - tokens
        return unit if below <= above else unit + 1

    def runs(self, first: int, last: int) -> Iterator[Span]:
        """The spans of filler text in the units from ``first`` up to, not including, ``last``."""
        begin, end = bisect_left(self._excluded, first), bisect_left(self._excluded, last)
        for left, right in pairwise((first - 1, *self._excluded[begin:end], last)):
            if left + 1 < right:
                yield Span(start=self._bounds[left + 1], end=self._bounds[right])


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
