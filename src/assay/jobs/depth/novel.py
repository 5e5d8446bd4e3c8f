"""A novel with the offsets at which every token and every sentence begins.

The novel is cut into *units*. A unit is a sentence with the white space after it. Units follow
each other without gaps, so any run of units is one slice of the text, and its number of tokens
is the difference of two numbers. Because each unit ends with its white space, any two units
can be put side by side and are still separated.

A token belongs to the unit that contains its first character. The token of a sentence's first
word often includes the space before the word; it is then counted with the previous sentence.
Since this applies to every sentence, the token counts of joined runs are nearly exact.
``assay.jobs.depth.context.token_count`` counts the few tokens that differ at the joints.

A passage that was copied from a novel, possibly with small errors, is located by
three searches in order: the exact passage; its normalised form without white space,
which ignores width, kinds of quotes and dashes, ё, and line breaks; and a passage that is
nearly the same. For the third search, short pieces of the passage are looked up, and each
occurrence is a vote for a place in the novel. Only the places with the most votes are compared
character by character, so that a novel of millions of characters takes milliseconds.
"""

import codecs
import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Opcode

from assay.data.jsonl import unreadable_error
from assay.errors import DatasetError
from assay.text.character import HAN
from assay.text.normalise import Span, normalise, normalised
from assay.text.number import numbers
from assay.text.search_term import stem, words
from assay.text.sentence import sentences
from assay.text.tokenizer import Tokenizer
from assay.words.message import Message, message

SearchMethod: TypeAlias = Literal["exact", "normalised", "fuzzy"]

LEAST_SCORE: Final = 85.0
"""The minimum similarity, from 0 to 100, at which a passage counts as found."""

# Two places are equally good if their scores differ by less than this.
_TIE: Final = 1.0
_MAX_PIECES: Final = 48
_MAX_HITS_PER_PIECE: Final = 250
_MAX_CANDIDATES: Final = 4
_SHORT_PASSAGE: Final = 64
_SOLID_BLOCK: Final = 4


class Location(Struct, frozen=True, kw_only=True):
    """Where a passage was found, by which search, and how many places matched equally well."""

    span: Span
    how: SearchMethod
    score: float = 100.0
    places: int = 1

    @property
    def note(self) -> str:
        """A warning for the user; empty if there is one place and no fuzzy search was needed."""
        parts = []
        if self.how == "fuzzy":
            parts.append(f"evidence found only roughly (similarity {self.score:.0f} of 100)")
        if self.places > 1:
            parts.append(f"evidence occurs at {self.places} places; the first one is used")
        return "; ".join(parts)


class EvidenceLocator:
    """Searches one text for passages."""

    def __init__(self, text: str) -> None:
        self._text = text

    def location(self, passage: str, *, near: int | None = None) -> Location | None:
        """The first place of ``passage``, or the one nearest to the offset ``near``.

        Returns None if the passage is empty or was not found.

        >>> location = EvidenceLocator("Он сказал: «Ещё нет».").location('"Еще  нет"')
        >>> location.how, location.span
        ('normalised', Span(start=11, end=20))
        """
        passage = passage.strip()
        if not passage:
            return None
        starts = _places_of(self._text, passage)
        spans = [Span(start=start, end=start + len(passage)) for start in starts]
        how: SearchMethod = "exact"
        if not spans:
            how = "normalised"
            spans = self._normalised_spans(passage)
        if not spans:
            return self._fuzzy_location(passage)
        best = spans[0] if near is None else min(spans, key=lambda span: abs(span.start - near))
        return Location(span=best, how=how, places=1 if near is not None else len(spans))

    @cached_property
    def _plain(self) -> "_PlainText":
        return _PlainText(self._text)

    def _normalised_spans(self, passage: str) -> list[Span]:
        form = _plain_form(passage)
        if not form:
            return []
        plain = self._plain
        return [plain.span(start, start + len(form)) for start in _places_of(plain.text, form)]

    def _fuzzy_location(self, passage: str) -> Location | None:
        form, plain = _plain_form(passage), self._plain
        matches: list[tuple[float, Span]] = []
        for candidate in _candidates(form, plain.text):
            begin = max(0, candidate - len(form) // 4 - 16)
            window = plain.text[begin : candidate + len(form) + len(form) // 4 + 16]
            score, start, end = _best_alignment(form, window)
            if score >= LEAST_SCORE:
                matches.append((score, plain.span(begin + start, begin + end)))
        if not matches:
            return None
        best = max(score for score, _ in matches)
        good = sorted(span for score, span in matches if score > best - _TIE)
        separate = 1 + sum(after.start >= before.end for before, after in pairwise(good))
        return Location(span=good[0], how="fuzzy", score=best, places=separate)


class _PlainText:
    """The normalised form of a text without white space, with a map back to the original."""

    def __init__(self, text: str) -> None:
        self._form = normalise(text)
        spaces = (at for at, character in enumerate(self._form.text) if character == " ")
        # The offset of the k-th space after the spaces before it are removed.
        self._gaps = array("I", (at - before for before, at in enumerate(spaces)))
        self.text = self._form.text.replace(" ", "")

    def span(self, start: int, end: int) -> Span:
        """The span of ``text[start:end]``, which is not empty, in the original text."""
        return self._form.original_span(
            start + bisect_right(self._gaps, start), end + bisect_right(self._gaps, end - 1)
        )


def _plain_form(text: str) -> str:
    return normalised(text).replace(" ", "")


def _places_of(text: str, piece: str) -> Iterator[int]:
    """The offsets at which ``piece`` occurs, without overlaps."""
    start = text.find(piece)
    while start >= 0:
        yield start
        start = text.find(piece, start + len(piece))


def _candidates(form: str, text: str) -> list[int]:
    """Offsets of ``text`` near which ``form`` may begin; the one with the most votes is first."""
    size = 4 if any("\u4e00" <= character <= "\u9fff" for character in form) else 6
    size = min(size, max(2, len(form) // 4))
    grid = max(8, len(form) // 8)
    votes: Counter[int] = Counter()
    last = max(len(form) - size, 0)
    for number in range(min(_MAX_PIECES, last + 1)):
        offset = number * last // max(min(_MAX_PIECES, last + 1) - 1, 1)
        for count, start in enumerate(_places_of(text, form[offset : offset + size])):
            if count == _MAX_HITS_PER_PIECE:
                break
            slot = max(start - offset, 0) // grid
            votes[slot] += 2
            votes[slot + 1] += 1
            votes[max(slot - 1, 0)] += 1
    chosen: list[int] = []
    for slot, _ in votes.most_common(_MAX_CANDIDATES * 6):
        # A slot close to a chosen one is the same place.
        if all(abs(slot - other) > 2 for other in chosen):
            chosen.append(slot)
        if len(chosen) == _MAX_CANDIDATES:
            break
    return [slot * grid for slot in chosen]


def _best_alignment(form: str, window: str) -> tuple[float, int, int]:
    """The similarity of the part of ``window`` that is most similar, its start and its end."""
    if len(form) <= _SHORT_PASSAGE:
        alignment = fuzz.partial_ratio_alignment(form, window)
        if alignment is None or alignment.dest_start == alignment.dest_end:
            return 0.0, 0, 0
        return alignment.score, alignment.dest_start, alignment.dest_end
    # For a page, the sliding comparison above would take seconds. The longest common subsequence
    # is fast. Its longer blocks show where the passage begins and ends; single letters that
    # match by chance are ignored.
    solid = [
        operation
        for operation in LCSseq.opcodes(form, window)
        if operation.tag == "equal" and operation.src_end - operation.src_start >= _SOLID_BLOCK
    ]
    if not solid:
        return 0.0, 0, 0
    longest = max(
        range(len(solid)), key=lambda index: solid[index].src_end - solid[index].src_start
    )
    first = _last_aligned_block(solid[longest::-1])
    last = _last_aligned_block(solid[longest:])
    start = max(first.dest_start - first.src_start, 0)
    end = min(last.dest_end + len(form) - last.src_end, len(window))
    return fuzz.ratio(form, window[start:end]), start, end


def _last_aligned_block(blocks: Sequence[Opcode]) -> Opcode:
    """The last block of the run, beginning with the first block, in which neighbours are aligned.

    Two blocks are aligned if their distance is nearly the same in the passage and in the text.
    A phrase of the passage that also occurs beside it in the novel is therefore left out.
    """
    end = blocks[0]
    for block in blocks[1:]:
        drift = abs((block.dest_start - block.src_start) - (end.dest_start - end.src_start))
        gap = max(block.src_start - end.src_end, end.src_start - block.src_end)
        if drift > 2 * _SOLID_BLOCK + gap // 2:
            break
        end = block
    return end


# Find the sentences of a novel that mention a phrase.
#
# A mention is a broader match than what a scorer accepts as an answer, because a filler sentence
# that nearly reveals the answer spoils a case too. Words match regardless of case and ending
# (Russian and English words are compared by stem), punctuation and white space are ignored,
# Chinese is compared by characters, and numbers are compared by value. Only whole words match. A
# phrase that continues over the end of a sentence is not found.

_WORD: Final = re.compile(rf"[^\W{HAN}]+")
_PUNCTUATION: Final = re.compile(r"[^\w ]+|_")
_SPACES: Final = re.compile(r" {2,}")
_HAN_SPACE: Final = re.compile(rf"(?<=[{HAN}]) +(?=[{HAN}]|\Z)|\A +(?=[{HAN}])")
_HAN: Final = re.compile(f"[{HAN}]")
_stem: Final = lru_cache(maxsize=1 << 16)(stem)


class Mentions:
    """A search in the sentences of one novel. The index is built by the first search."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._results: dict[str, Sequence[int]] = {}

    def of(self, phrase: str) -> Sequence[int]:
        """The indexes of the sentences that mention ``phrase``, in order.

        A phrase without a letter or digit has no mentions.

        >>> Mentions(["Он жил в Москве.", "Прошло 12 лет.", "Двенадцать дней."]).of("Москва")
        array('I', [0])
        >>> Mentions(["Он жил в Москве.", "Прошло 12 лет.", "Двенадцать дней."]).of("12")
        array('I', [1, 2])
        """
        units = self._results.get(phrase)
        if units is None:
            matches = set(self.containing(phrase))
            if numbers(phrase):
                matches.update(self._numeric.containing(_numeric_form(phrase)))
            units = self._results[phrase] = array("I", sorted(matches))
        return units

    def containing(self, text: str) -> list[int]:
        """Like ``of``, but compare numbers as they are written, which suffices for quotations."""
        return list(self._literal.containing(_form(text)))

    def copies(self, first: int, last: int) -> Sequence[int]:
        """Sentences elsewhere that repeat the sentences from ``first`` up to ``last``."""
        return self._literal.copies(first, last)

    @cached_property
    def _literal(self) -> "_Forms":
        return _Forms(self._sentences, _form)

    @cached_property
    def _numeric(self) -> "_Forms":
        # Parsing numbers takes several times longer than the rest, and most phrases have none.
        return _Forms(self._sentences, _numeric_form)


class _Forms:
    """The forms of all sentences, joined into one string so that one search covers them all."""

    def __init__(self, sentences: Sequence[str], form: Callable[[str], str]) -> None:
        forms = [form(sentence) for sentence in sentences]
        self._text = "\n".join(forms)
        self._starts = array("I", accumulate((len(form) + 1 for form in forms), initial=0))

    def containing(self, form: str) -> Iterator[int]:
        """The sentences whose form contains ``form``, each once."""
        offset = self._text.find(form) if form else -1
        while offset >= 0:
            unit = bisect_right(self._starts, offset) - 1
            yield unit
            offset = self._text.find(form, self._starts[unit + 1])

    def copies(self, first: int, last: int) -> list[int]:
        """The sentences outside ``first:last`` that are part of another copy of that range."""
        begin, end = self._starts[first], self._starts[last] - 1
        original = self._text[begin:end]
        if not original.strip():
            return []
        units: list[int] = []
        offset = self._text.find(original)
        while offset >= 0:
            if offset != begin:
                start = bisect_right(self._starts, offset) - 1
                stop = bisect_right(self._starts, offset + len(original) - 1)
                units.extend(unit for unit in range(start, stop) if not first <= unit < last)
            offset = self._text.find(original, offset + 1)
        return units


def _form(text: str) -> str:
    """The text with words as stems between spaces, and Chinese characters without spaces.

    >>> _form("В Москве, «дома»: 第 三条。")
    ' в москв дом 第三条'
    """
    plain = _PUNCTUATION.sub(" ", normalised(text, fold_case=True))
    return _without_extra_spaces(_WORD.sub(lambda match: f" {_stem(match.group())} ", plain))


def _numeric_form(text: str) -> str:
    """Like ``_form``, with every number in canonical digits."""
    return _without_extra_spaces(
        "".join(word if _HAN.match(word) else f" {word} " for word in words(text)),
    )


def _without_extra_spaces(text: str) -> str:
    return _HAN_SPACE.sub("", _SPACES.sub(" ", text))


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
