"""What an answer adds: details that none of its sources has.

Details are numbers, dates, times, identifiers, addresses of the internet and names. A detail that the
sources have in any notation or grammatical case is not invented, also if the answer applies it to the
wrong thing, and neither is a total of amounts that the answer lists. Numbers of list items, pages and
clauses are no details. What may be an ordinary word, as a single name at the beginning of a sentence,
is left out. Pure: no model is asked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from itertools import accumulate, product
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.checks.abstention import text_argument, texts_argument
from assay.text.character import HAN
from assay.text.date import Date
from assay.text.date import read_dates as dates
from assay.text.language import language, simplified
from assay.text.lexicon import word_set
from assay.text.normalise import Ranges, Span, without_recognition_marks
from assay.text.number import Number, numbers
from assay.text.search_term import Token, tagged_words, tokens

Penalty: TypeAlias = str | int | float
"""A level, or the weight of one invented detail as a number."""
Kind: TypeAlias = Literal["number", "date", "time", "name", "account", "code", "contact"]

SEVERITY: Final[dict[str, float]] = {"high": 1.0, "medium": 0.5, "low": 0.25}
"""The weight of one invented detail for each level."""

_COUNT: Final = 10
"""A number up to this counts what the answer itself says (three reasons), unless a measure follows."""
_SUMMED: Final = 30
"""So many amounts before a total, and after it, are added up."""
_FUNCTION_TAGS: Final = "upcdrmqyfvx"
"""The first letters of the tags of words that are no part of a name."""
_LONG: Final = 7
"""The least number of digits of a telephone or account number."""

_CONTACT: Final = re.compile(
    r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|\b(?:https?://|www\.)[^\s,;，；。)）]+|(?<!\w)@[A-Za-z]\w{2,}"
)
_TIME: Final = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?:(?:[:：]|\.(?=\d\d\s?[ap]\.?m))(?P<minute>\d\d)(?![\d:])"
    r"|\s?[点时](?P<clock>(?P<han>\d{1,2})分|半|))?"
    r"(?:\s?(?P<noon>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_ACCOUNT: Final = re.compile(
    r"(?<![A-Za-zА-я\d.,])\+?\d[\d()]*(?:[ \u00a0-][\d()]+)*(?![A-Za-zА-я\d]|[.,]\d)"
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:[ \u00a0]\d{3})+|\d{4}\W\d{1,4}(?:\W\d\d)?")
"""A large quantity, years or a date, which are no account number."""
_CODE: Final = re.compile(
    r"(?<![A-Za-zА-я\d])(?=[A-Za-zА-я/-]{0,40}[\d_])[A-Za-zА-я\d][A-Za-zА-я\d_/-]{2,40}"
    rf"|[(（〔]\d{{4}}[)）〕][{HAN}]{{1,3}}\d*[{HAN}]{{1,4}}\d+号"
)
_IDENTIFIER: Final = re.compile(
    r"(?!\d+[A-Za-zА-я]{1,3}\Z)(?:\w+_\w+|(?=.*\d).*[A-ZА-Я].*|.*[a-zа-я]{2}\d{4}.*)"
)
"""A word of letters and digits that is no number with its unit, or words with an underscore."""
_MARKER: Final = re.compile(
    r"^[ \t>*#-]*+(?:[（(]?\d{1,3}[.)、）:：](?!\d)|[①-⑳])"
    r"|(?<=[；;。：:\s])(?:[（(]\d{1,2}[)）]|\d{1,2}[、)）]|\d{1,2}\.(?=\s|[^\W\d]))",
    re.MULTILINE,
)
"""The number of a list item."""
_TITLE: Final = re.compile(
    r"^[ \t]*+#.*$|^[ \t>]*+(?:[-*•·]|\d{1,2}[.)])?[ \t]*+"
    r"(?:\*\*[^*\n]{1,80}\*\*|[^:：\n]{1,60}[:：])",
    re.MULTILINE,
)
"""A heading, and the label of a list item: its capitals make no name."""
_OPENING: Final = re.compile(r"[.!?…:;\n(\[«“\"„*•—–>-]\s*['\"«“„(\[*]*\Z")
_QUOTED: Final = re.compile(r"[«“\"„].+[»”\"]")
_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_LINK: Final = re.compile(
    r"[ \u00a0-]|'s ?|[ \u00a0](?:de|van|von|der|di|da|la|le|al|bin|of)[ \u00a0]"
)


class Invention(Struct, frozen=True, kw_only=True):
    """An invented detail, with its text and span in the answer."""

    kind: Kind
    text: str
    span: Span


def inventions(answer: str, sources: Sequence[str]) -> list[Invention]:
    """The details of ``answer`` that no source contains, from left to right.

    >>> answer = "He paid £900 to Marcus Hale."
    >>> [invention.text for invention in inventions(answer, ["I paid £800."])]
    ['£900', 'Marcus Hale']
    """
    text_argument("answer", answer)
    found = _checked(answer, texts_argument("sources", sources), with_names=True)
    return [detail for detail, is_known in found if not is_known]


def figures(answer: str, sources: Sequence[str]) -> list[tuple[str, bool]]:
    """The details of ``answer`` besides names, and whether a source has each, from left to right.

    >>> figures("He paid £900 on 3 May.", ["On May 3 he came."])
    [('£900', False), ('3 May', True)]
    """
    return [
        (detail.text, is_known) for detail, is_known in _checked(answer, sources, with_names=False)
    ]


def _checked(
    answer: str, sources: Sequence[str], *, with_names: bool
) -> list[tuple[Invention, bool]]:
    """The details of an answer, and whether a source has each, from left to right."""
    # The last source is mostly a question, and the document before it stays the same for many.
    known = [_source("\n".join(sources[:-1])), *map(_source, sources[-1:])]
    shown = _without(_reference(), without_recognition_marks(answer))
    shown = _without(_MARKER, shown, "\n")
    found: list[tuple[Invention, bool]] = []
    covered = Ranges(())
    for kind, span, is_known in _details(shown, known, covered, with_names=with_names):
        if not covered.overlap(span.start, span.end):
            covered.add(span.start, span.end)
            found.append((Invention(kind=kind, text=span.of(answer), span=span), is_known))
    return sorted(found, key=lambda each: each[0].span)


def severity(invented: Sequence[Invention], penalty: Penalty) -> float:
    """The severity of the inventions: their number times the weight of the penalty.

    A number is the weight itself; its sign does not matter. An unknown level is a ``ValueError``.

    >>> invented = inventions("He paid £900.", [])
    >>> severity(invented, "low"), severity(invented, -2)
    (0.25, 2.0)
    """
    if isinstance(penalty, str) and penalty.lower() not in SEVERITY:
        message = f"the penalty {penalty!r} is none of {', '.join(map(repr, SEVERITY))}"
        raise ValueError(message)
    weight = SEVERITY[penalty.lower()] if isinstance(penalty, str) else abs(penalty)
    return float(weight * len(invented))


class _Source:
    """The details of one source, prepared for lookup."""

    def __init__(self, text: str) -> None:
        shown = without_recognition_marks(text)
        words = tokens(shown)
        read = dates(shown)
        self.language = language(shown)
        self.letters = _letters(shown)
        self.words = {form for word in words for form in (word.key, word.word)}
        self.values = {
            (value, number.unit == "percent")
            for number in numbers(shown)
            for value in _values(number)
        }
        self.dates = {
            parts
            for date in read
            for parts in product((date.year, None), (date.month, None), (date.day, None))
        }
        self.years = {date.year for date in read} | {
            int(word.word) for word in words if word.word.isdecimal() and len(word.word) == 4
        }
        self.yearless = {(date.month, date.day) for date in read if date.year is None}
        self.times = {_clock(match) for match in _TIME.finditer(shown)}

    def has_date(self, date: Date) -> bool:
        """Whether the parts of a date are together; a date without a year is of any year."""
        if (date.year, date.month, date.day) in self.dates:
            return True
        is_yearless = date.month is None or (date.month, date.day) in self.yearless
        return date.year in self.years and is_yearless

    def has_number(self, number: Number) -> bool:
        """Whether a number is there, in whatever notation, or as the year of a date."""
        is_percent = number.unit == "percent"
        values = _values(number)
        return any((value, is_percent) in self.values for value in values) or (
            number.unit is None and number.value in self.years
        )

    def has_letters(self, text: str) -> bool:
        """Whether these letters and digits are there; a country code may be missing."""
        letters = _letters(text)
        if letters in self.letters:
            return True
        return letters.isdecimal() and len(letters) > _LONG + 3 and letters[-10:] in self.letters


_source = lru_cache(maxsize=64)(_Source)


def _details(
    text: str, sources: Sequence[_Source], covered: Ranges, *, with_names: bool
) -> Iterator[tuple[Kind, Span, bool]]:
    """The details of each kind, and whether a source has them.

    Where two overlap, the first one counts: the numbers of a date are parts of it.
    """
    yield from _written("contact", _CONTACT.finditer(text), sources)
    for date in dates(text):
        yield "date", Span(start=date.start, end=date.end), any(s.has_date(date) for s in sources)
    for match in _TIME.finditer(text):
        if any(match.group(part) for part in ("minute", "clock", "noon")):
            yield "time", _span(match), any(_clock(match) in s.times for s in sources)
    yield from _written("account", filter(_is_account, _ACCOUNT.finditer(text)), sources)
    yield from _written("code", filter(_is_code, _CODE.finditer(text)), sources)
    amounts = [n for n in numbers(text) if not covered.overlap(n.start, n.end)]
    for index, number in enumerate(amounts):
        if not _is_count(text, number):
            is_known = any(s.has_number(number) for s in sources) or _is_total(amounts, index)
            yield "number", _with_unit(number), is_known
    main = max(sources, key=lambda source: len(source.letters))
    if with_names and language(text) == main.language:
        for name in (*_capitalised(text, sources), *_chinese(text)):
            yield "name", name, any(s.has_letters(name.of(text)) for s in sources)


def _written(
    kind: Kind, matches: Iterable[re.Match[str]], sources: Sequence[_Source]
) -> Iterator[tuple[Kind, Span, bool]]:
    """Details that a source must have as they are written."""
    for match in matches:
        yield kind, _span(match), any(source.has_letters(match.group()) for source in sources)


def _is_account(match: re.Match[str]) -> bool:
    digits = sum(map(str.isdecimal, match.group()))
    return digits >= _LONG and not _GROUPED.fullmatch(match.group().strip("()"))


def _is_code(match: re.Match[str]) -> bool:
    return match.group()[-1] == "号" or _IDENTIFIER.fullmatch(match.group()) is not None


def _is_count(text: str, number: Number) -> bool:
    """Whether a number counts what the answer itself says: two reasons; "one" is hardly a number."""
    if number.unit is not None or not 0 <= number.value <= _COUNT or number.value % 1:
        return False
    if number.value == 1 and not text[number.start].isdecimal():
        return True
    return not _begins_with_measure(text[number.end : number.end + 12])


def _is_total(amounts: Sequence[Number], index: int) -> bool:
    """Whether an amount is the sum of amounts right before or after it, or what is left of two."""
    value = amounts[index].value
    before = [number.value for number in amounts[max(0, index - _SUMMED) : index]][::-1]
    after = [number.value for number in amounts[index + 1 : index + 1 + _SUMMED]]
    if len(before) > 1 and before[1] - before[0] == value:
        return True
    return any(value in list(accumulate(side))[1:] for side in (before, after))


def _with_unit(number: Number) -> Span:
    unit = number.unit_span or Span(start=number.start, end=number.end)
    return Span(start=min(number.start, unit.start), end=max(number.end, unit.end))


def _values(number: Number) -> tuple[Decimal, ...]:
    other = number.alternative
    return (number.value,) if other is None else (number.value, other)


def _clock(match: re.Match[str]) -> tuple[int, int]:
    """A time of day as hour and minute: 23, 10 for "11.10 pm" and "23:10"."""
    hour = int(match["hour"])
    later = 12 if (match["noon"] or "").lower() == "p" and hour < 12 else 0
    minute = 30 if match["clock"] == "半" else int(match["minute"] or match["han"] or 0)
    return hour + later, minute


def _capitalised(text: str, sources: Sequence[_Source]) -> Iterator[Span]:
    """Runs of capitalised words with a word that no source has, except one that begins a sentence."""
    titles = Ranges(match.span() for match in _TITLE.finditer(text))
    runs: list[list[Token]] = []
    for word in tokens(text):
        if text[word.start].isupper() and word.start not in titles:
            if not runs or not _goes_on(text, runs[-1][-1], word):
                runs.append([])
            runs[-1].append(word)
    yield from filter(None, (_name(text, run, sources) for run in runs))


def _goes_on(text: str, last: Token, word: Token) -> bool:
    """Whether a name goes on with a word: after a space, or after the point of an initial or a title."""
    if text[last.end] == ".":
        return len(last.word) == 1 or last.word in word_set("not_name")
    return _LINK.fullmatch(text, last.end, word.start) is not None


def _name(text: str, run: Sequence[Token], sources: Sequence[_Source]) -> Span | None:
    """The name in a run of capitalised words, if no source has one of its words."""
    start = run[0].start
    is_first = bool(_OPENING.search(text, max(0, start - 9), start)) or not text[:start].strip()
    is_first &= not _QUOTED.fullmatch(text, max(0, start - 1), run[-1].end + 1)
    no_names = word_set("not_name") | word_set("company")
    words = [word for word in run if not (word.is_small or word.word in no_names)]
    unsure = words[:1] if is_first and words[:1] == list(run[:1]) else []
    unknown = [
        word
        for word in words
        if len(word.word) > 1
        and word not in unsure
        and not any({word.key, word.word} & source.words for source in sources)
    ]
    return Span(start=words[0].start, end=words[-1].end) if unknown else None


def _chinese(text: str) -> Iterator[Span]:
    """Chinese names of people and places: after a surname, before a title, or as the segmenter tags them."""
    if not _HAN_RUN.search(text):
        return
    yield from map(_span, _called().finditer(text))
    tagged = list(tagged_words(text))
    start = 0
    for index, (word, tag) in enumerate(tagged):
        end = start + len(word)
        if tag.startswith("nr") and word[0] in word_set("surname") and len(word) < 4:
            following, next_tag = tagged[index + 1] if index + 1 < len(tagged) else ("", "x")
            joins = len(word) == 1 and len(following) < 3 and _HAN_RUN.fullmatch(following)
            if joins and next_tag[0] not in _FUNCTION_TAGS:
                end += len(following)
            if end - start > 1:
                yield Span(start=start, end=end)
        elif tag in {"ns", "nrt", "nt"} and len(word) > 1:
            yield Span(start=start, end=end)
        start += len(word)


@cache
def _called() -> re.Pattern[str]:
    surname = f"[{''.join(sorted(word_set('surname')))}]"
    titles = "|".join(sorted(word_set("title", "zh"), key=len, reverse=True))
    return re.compile(f"{surname}(?:某|{titles})|(?<![{HAN}])[老小阿]{surname}(?![{HAN}])")


@lru_cache(maxsize=1 << 12)
def _begins_with_measure(text: str) -> bool:
    return any(word.key in _measures() for word in tokens(text)[:1])


@cache
def _measures() -> frozenset[str]:
    return frozenset(word.key for word in tokens(" ".join(word_set("measured"))))


@cache
def _reference() -> re.Pattern[str]:
    """A page or clause with its numbers, or the mark of a citation: no detail of what happened."""
    words = "|".join(re.escape(word) for word in sorted(word_set("reference"), key=len)[::-1])
    number, joined = r"\(?\d+(?:\.\d+)*\)?", "|".join(word_set("and"))
    return re.compile(
        rf"(?<!\w)(?:{words})\s?№?\s?{number}(?:\s?(?:[-–—,&]|{joined})\s?{number})*"
        r"|第\s?[\d一二三四五六七八九十百]+\s?[页条款项章节行段]|【\d{1,3}】"
        r"|\[(?:\d{1,3}(?:[,–-]\s?\d{1,3})*|[^\[\]\s]{0,80}[.#][^\[\]\s]{0,80})\]",
        re.IGNORECASE,
    )


def _without(pattern: re.Pattern[str], text: str, space: str = " ") -> str:
    """The text with spaces for what the pattern matches, so that places stay the same."""
    return pattern.sub(lambda match: space * len(match.group()), text)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, simplified(text).casefold()))


def _span(match: re.Match[str]) -> Span:
    return Span(start=match.start(), end=match.end())
