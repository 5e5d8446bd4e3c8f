"""The sentences of a text in Chinese, Russian, English or a mixture of them.

A blank line always ends a sentence. So does a line break before a list item or before the heading
of an article, chapter or section; any other line break is only a wrapped line. ``.``, ``!`` and
``?`` end a sentence if white space follows and then a character that can begin a sentence, unless
the point belongs to an abbreviation, an initial or a list number. Chinese punctuation marks such as
``。`` always end a sentence.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from operator import eq
from typing import Final, NamedTuple

from assay.text.character import HAN
from assay.text.date import read_dates as dates
from assay.text.lexicon import alternatives, lazy_pattern, word_list, word_set, word_values
from assay.text.normalise import Span, normalise, normalised
from assay.text.number import Number, numbers

# The units in which phrases and answers are compared: words, characters, numbers and dates.

_KANA: Final = "\u3040-\u30ff"
_PIECE: Final = re.compile(rf"[{HAN}{_KANA}]|[^\W{HAN}{_KANA}]+|[^\w\s]")
_LONGEST_UNIT: Final = 24
_SYMBOL: Final = re.compile(
    r"[ \u00a0\u2009\u202f-]?([^\W\d_\u3040-\u30ff\u4e00-\u9fff]{1,5})(?![^\W\u3040-\u9fff])"
)
"""A word directly after a number."""
_SAME: Final = {"。": ".", "､": "、", "〜": "~"}


class Piece(NamedTuple):
    """A unit of comparison and its position in the original text.

    Pieces are compared by ``key``. ``number`` is set for a number; numbers are compared by value.
    ``unit`` is set for the unit beside a number: then ``key`` is its canonical name, and
    ``literal`` is its normalised text.
    """

    key: str
    start: int
    end: int
    number: Number | None = None
    unit: str | None = None
    literal: str = ""

    @property
    def is_mark(self) -> bool:
        """Whether the piece is punctuation or a symbol."""
        return self.number is None and self.unit is None and not self.key[0].isalnum()


@lru_cache(maxsize=128)
def pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """The pieces of ``text`` in order, without white space.

    A unit always follows its number, even if it is written before it (``$5`` and ``5 USD``).
    """
    result: list[Piece] = []
    position = 0
    for number in numbers(text):
        unit = number.unit_span
        points = _percentage_points(text, number.end if unit is None else unit.start)
        unit = points or unit
        before = unit is not None and position <= unit.start and unit.end <= number.start
        begin = unit.start if unit is not None and before else number.start
        result.extend(_pieces_between(text, position, begin, simplify=simplify))
        result.append(Piece(number.canonical, number.start, number.end, number=number))
        position = number.end
        if unit is not None and unit.end > begin:
            name = number.currency or ("%" if points is None else "% point")
            literal = normalised(unit.of(text), fold_case=True)
            result.append(Piece(name, unit.start, unit.end, unit=name, literal=literal))
            position = max(position, unit.end)
        elif (symbol := symbol_after(text, number.end)) is not None:
            # the case of its letters carries meaning, so its name is compared as it is
            name, start, position = symbol
            result.append(Piece(name, start, position))
    result.extend(_pieces_between(text, position, len(text), simplify=simplify))
    return tuple(result)


def _percentage_points(text: str, start: int) -> Span | None:
    """The words for percentage points that begin at ``start``; they are not percent."""
    following = text[start : start + _LONGEST_UNIT].lower()
    lead = len(following) - len(following.lstrip())
    for words in sorted(word_set("percentage_point"), key=len, reverse=True):
        end = lead + len(words)
        is_whole = words[-1] >= "\u4e00" or not following[end : end + 1].isalpha()
        if following.startswith(words, lead) and is_whole:
            return Span(start=start + lead, end=start + end)
    return None


@lru_cache(maxsize=128)
def literal_pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """The pieces of ``text`` without recognising numbers."""
    return tuple(_pieces_between(text, 0, len(text), simplify=simplify))


def _pieces_between(text: str, start: int, end: int, *, simplify: bool) -> Iterator[Piece]:
    if start >= end:
        return
    form = normalise(text[start:end], fold_case=True, simplify=simplify)
    for match in _PIECE.finditer(form.text):
        span = form.original_span(match.start(), match.end())
        key = match.group()
        yield Piece(_SAME.get(key, key), start + span.start, start + span.end)


def dated_pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """Like ``pieces``, but each date with at least a year and a month is one piece."""
    in_text = [date for date in dates(text) if date.year is not None and date.month is not None]
    if not in_text:
        return pieces(text, simplify=simplify)
    result: list[Piece] = []
    remaining = list(reversed(in_text))
    for piece in pieces(text, simplify=simplify):
        while remaining and remaining[-1].end <= piece.start:
            remaining.pop()
        date = remaining[-1] if remaining else None
        if date is None or piece.end <= date.start:
            result.append(piece)
        elif not result or result[-1].start != date.start or not result[-1].key.startswith("date:"):
            result.append(Piece(f"date:{date.iso}", date.start, date.end))
    return tuple(result)


def unit_symbol(word: str) -> str | None:
    """The name of the unit that ``word`` is, if the case of its letters carries meaning: mW, MW.

    ``values.toml`` lists them; in all other symbols case makes no difference: kg and KG are one unit.
    A spelling that is not listed is read as the unit whose letters it has most of.

    >>> unit_symbol("mW"), unit_symbol("МВТ"), unit_symbol("KG")
    ('mW', 'MW', None)
    """
    written = normalised(word)
    spellings = _spellings().get(written.casefold())
    if spellings is None:
        return None
    if written in spellings:
        return spellings[written]
    return spellings[max(spellings, key=lambda each: sum(map(eq, each, written)))]


def symbol_after(text: str, position: int) -> tuple[str, int, int] | None:
    """The unit directly after the number that ends at ``position``, with its start and end.

    >>> symbol_after("5 mW", 1), symbol_after("5 kg", 1)
    (('mW', 2, 4), None)
    """
    found = _SYMBOL.match(text, position)
    name = unit_symbol(found[1]) if found else None
    return None if found is None or name is None else (name, found.start(1), found.end(1))


@cache
def _spellings() -> Mapping[str, Mapping[str, str]]:
    """The spellings of all symbols and what they name, by their letters without case."""
    found: dict[str, dict[str, str]] = {}
    for spelling, name in word_values("symbol").items():
        found.setdefault(normalised(spelling, fold_case=True), {})[spelling] = name
    return found


_CLOSERS: Final = "\"'»”’」』）)\\]】》"
_HAN: Final = "[\u4e00-\u9fff]"
_MOST_STOPS: Final = 40
"""How long a run of points or brackets is looked through from each place in it."""
# The first character is one of a set, which is found fast; the branches look back at it.
_STOP: Final = lazy_pattern(
    lambda: (
        r"[。！？；….!?\n](?:"
        rf"(?P<han>(?:(?<=[。！？；])|(?<=…)(?:…|(?=[{_CLOSERS}]*{_HAN}))"
        rf"|(?<=[!?])(?=[{_CLOSERS}]*{_HAN})|(?<={_HAN}\.)(?={_HAN}))[。！？；…]*[{_CLOSERS}]*)"
        rf"|(?P<mark>(?<=[.…!?])[.!?…]{{0,{_MOST_STOPS}}}+[{_CLOSERS}]{{0,{_MOST_STOPS}}}+)(?=\s|\Z)"
        r"|(?P<line>(?<=\n)(?:[ \t]*\r?\n|(?=[ \t]*(?:第[0-9〇零一二两三四五六七八九十百千]+[编章节条]"
        rf"|(?i:{alternatives('heading.item')})\s+[0-9IVXLC]+"
        r"|[-•·▪*–—]\s|\(?[0-9]{1,3}[.)]\s|[（(]?[一二三四五六七八九十]{1,3}[）)、]))))"
        r")"
    ),
    re.NOFLAG,
)
_NEXT: Final = re.compile(r"\s+[\"'«“„‘「『（(\[\-—–]*\s?(\S)?")
_LONGEST_TOKEN: Final = 40
_BEFORE_TOKEN: Final = re.compile(r".*[\s\"'«“„(\[「（]", re.DOTALL)
_COMPOUND: Final = lazy_pattern(lambda: rf"(?:{alternatives('sentence.compound')})\Z")

# "1.2. Общие положения", "Статья 5. Срок": the point after an item number does not end a sentence.
_ITEM: Final = lazy_pattern(
    lambda: rf"\s*(?:(?:{alternatives('heading.item_number')})\s+)?[0-9]+(?:\.[0-9]+)*"
)
_INITIAL: Final = re.compile(r"(?:[A-ZА-ЯЁ]\.-?)*[A-ZА-ЯЁ]\Z")


def sentences(text: str) -> list[Span]:
    """The spans of the sentences of ``text``, in order. Only white space is outside the spans.

    >>> [s.of("Ст. 330 ГК РФ. Mr. A. Smith paid 3.5%. 好。") for s in sentences(
    ...     "Ст. 330 ГК РФ. Mr. A. Smith paid 3.5%. 好。")]
    ['Ст. 330 ГК РФ.', 'Mr. A. Smith paid 3.5%.', '好。']
    """
    spans: list[Span] = []
    start = 0
    for end in _ends(text):
        _add(spans, text, start, end)
        start = end
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        spans.append(Span(start=begin, end=begin + len(stripped)))


def _ends(text: str) -> Iterator[int]:
    start = 0
    for match in _STOP.finditer(text):
        if match.lastgroup == "mark" and not _ends_sentence(text, start, match):
            continue
        start = match.end()
        yield start


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    if following is None or following[1] is None:
        return True
    first = following[1]
    if first.islower():
        return False
    if match.group()[0] != "." or match.group()[:2] == "..":
        return True
    token = _last_token(text, max(start, match.start() - _LONGEST_TOKEN), match.start())
    lowered = "".join(token.lower().split(" "))
    if lowered in word_list("sentence.final_abbreviations"):
        begin = match.start() - len(token)
        is_counted = text[max(0, begin - 2) : begin].strip()[-1:].isalnum()
        is_partial = lowered in word_list("sentence.after_number") and not is_counted
        return not first.isdigit() and not is_partial
    if lowered in word_list("sentence.open_abbreviations") or _INITIAL.fullmatch(token):
        return False
    return _ITEM.fullmatch(text, start, match.start()) is None


def _last_token(text: str, start: int, end: int) -> str:
    """What ``text`` from ``start`` to ``end`` ends with: a word or an abbreviation of two words."""
    before = _BEFORE_TOKEN.match(text, start, end)
    begin = before.end() if before else start
    if begin - 2 >= start and text[begin - 2] == ".":
        compound = _COMPOUND.search(text, start, end)
        begin = compound.start() if compound else begin
    return text[begin:end]
