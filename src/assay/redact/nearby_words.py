"""Words near a number that say what it is, or that it is something harmless."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

from assay.redact.stem import has_stem, stem_places
from assay.text.lexicon import LANGUAGES, alternatives, expressions

# What is above a value: the heading of its column, or of the list that it is an item of.

_SEPARATORS: Final = ("|", "\t", ";", ",")
_LONGEST_HEADING: Final = 40
_LONGEST_LABEL: Final = 30
_LONGEST_INTRODUCTION: Final = 120
_MOST_ITEMS: Final = 200
_MOST_TITLES: Final = 3
_DIGIT: Final = re.compile("[0-9]")
_NO_HEADING: Final = re.compile(r"[0-9]{3}|[。；，]")
_BULLET: Final = re.compile(r"[\s\-–—•*(]*(?:[0-9]{1,3}[.)]\s*)?")


class Lines:
    """The lines of a text, with the line that is above each of them as a heading."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines[:-1])]
        self.tables: list[int] = []  # the first line of the block that each line is in
        self.introductions: list[int] = []  # the line that introduces the list of each line, or -1
        table, introduction, items = 0, -1, 0
        for number, line in enumerate(self.lines):
            self.tables.append(table)
            self.introductions.append(introduction)
            stripped = line.rstrip()
            if not stripped:
                table = number + 1
            if stripped.endswith((":", "：")) and len(stripped) <= _LONGEST_INTRODUCTION:
                introduction, items = number, 0
            elif not _DIGIT.search(line) or items > _MOST_ITEMS:
                introduction = -1
            items += 1
        self._separators: dict[tuple[int, str], list[int]] = {}

    def number(self, place: int) -> int:
        """The number of the line in which a place is."""
        return bisect_right(self.starts, place) - 1

    def separators(self, number: int, separator: str) -> list[int]:
        """Where this separator is in a line."""
        places = self._separators.get((number, separator))
        if places is None:
            line = self.lines[number]
            found = re.finditer(re.escape(separator), line) if separator in line else ()
            places = [match.start() for match in found]
            self._separators[number, separator] = places
        return places


@lru_cache(maxsize=1)  # the values of one text are looked at one after the other
def _lines(text: str) -> Lines:
    return Lines(text)


def lines_above(text: str, start: int) -> tuple[int, int, int]:
    """The numbers of the lines that may be a heading of what is at ``start``; -1 is none."""
    lines = _lines(text)
    number = lines.number(start)
    return lines.tables[number], lines.introductions[number], number - 1


def line_numbers(text: str, places: Iterable[int]) -> frozenset[int]:
    """The numbers of the lines in which the places are."""
    return frozenset(map(_lines(text).number, places))


def column_heading(text: str, start: int) -> str:
    r"""The heading of the column in which ``start`` is; empty if it is in no table.

    >>> text = "name,phone\nAnn,5550100"
    >>> column_heading(text, text.index("555"))
    'phone'
    """
    lines = _lines(text)
    number = lines.number(start)
    # a title may be above the headings
    above = range(lines.tables[number], number)[:_MOST_TITLES]
    for first in above:
        separator = next((each for each in _SEPARATORS if lines.separators(first, each)), "")
        ends = lines.separators(first, separator) if separator else []
        places = lines.separators(number, separator) if ends else []
        # an amount may have a comma of its own, but only after the columns before it
        if ends and len(ends) <= len(places) <= len(ends) + (separator == ","):
            break
    else:
        return ""
    column = bisect_left(places, start - lines.starts[number])
    begin = ends[column - 1] + 1 if column else 0
    end = ends[column] if column < len(ends) else None
    cell = lines.lines[first][begin:end] if column <= len(ends) else ""
    return cell if len(cell) <= _LONGEST_HEADING and not _NO_HEADING.search(cell) else ""


def list_heading(text: str, start: int) -> str:
    r"""The line that introduces the lines of a list, or the label above a value; empty if none does.

    >>> text = "ИНН поставщиков:\n1) Ива 7707083893\n2) Дуб 7728168971"
    >>> list_heading(text, text.index("7728"))
    'ИНН поставщиков:'
    >>> list_heading("Паспорт\n4509 123456", 8)
    'Паспорт'
    """
    lines = _lines(text)
    number = lines.number(start)
    if number == 0:
        return ""
    if lines.introductions[number] >= 0:
        return lines.lines[lines.introductions[number]]
    above = lines.lines[number - 1].strip()
    is_label = len(above) <= _LONGEST_LABEL and not _DIGIT.search(above)
    return above if is_label and _BULLET.fullmatch(text, lines.starts[number], start) else ""


NEAR: Final = 24
"""How many characters before a value a word may be to be about it."""
_FAR: Final = 60
"""The same if neither a digit nor the end of a sentence is between them."""
_AFTER: Final = 30
_STOP: Final = re.compile(r"[。；！？\n]|[;!?](?=\s|$)")
_BETWEEN: Final = re.compile(r"[0-9,，、]")
_FAR_STOP: Final = re.compile(r"[0-9]|\. (?=[A-ZА-ЯЁ])")


def has_context(text: str, start: int, kind: str, near: int = NEAR, rival: str = "") -> bool:
    """Whether a word for ``kind`` is before ``start``, in the same clause or as a heading.

    A word for something harmless between them takes its place, and so does a word for the kind
    ``rival`` that is behind a value or a comma. "Not an INN" is no such word.

    >>> text = "ИНН 7707083893, счёт 40702810"
    >>> has_context(text, 4, "inn"), has_context(text, 21, "inn", near=8)
    (True, False)
    >>> has_context("ИНН есть, заказ 7707083893", 16, "inn")
    False
    """
    before = _before(text, start, _FAR)
    word = _last_word(before, kind)
    if word is not None:
        if _pattern("harmless").search(before, word.end()):
            return False
        if rival and _is_replaced(before, word.end(), rival):
            return False
        if len(before) - word.start() <= near or not _FAR_STOP.search(before, word.end()):
            return True
    heading = column_heading(text, start)
    if heading:
        return _pattern(kind).search(heading) is not None
    heading = list_heading(text, start)
    return bool(heading) and _last_word(heading, kind) is not None and not is_harmless(text, start)


def _is_replaced(before: str, end: int, rival: str) -> bool:
    """Whether a nearer word says what the number is: ИНН 7707083893, тел. 916 123-45-67."""
    nearer = _last_word(before, rival)
    return (
        nearer is not None
        and nearer.start() >= end
        and _BETWEEN.search(before, end, nearer.start()) is not None
    )


def may_have_context(text: str, start: int, stems: str) -> bool:
    """Whether a stem of the list is where ``has_context`` looks; most numbers have none there."""
    if has_stem(text, stems, max(0, start - _FAR - 20), start):
        return True
    return not _lines_with_stem(text, stems).isdisjoint(lines_above(text, start))


@lru_cache(maxsize=4)
def _lines_with_stem(text: str, stems: str) -> frozenset[int]:
    places = stem_places(text)
    return line_numbers(text, range(len(text)) if places is None else places.get(stems, ()))


def has_word_after(text: str, end: int, kind: str) -> bool:
    """Whether a word for ``kind`` is in brackets after the value.

    >>> has_word_after("7707083893 (ИНН покупателя)", 10, "inn")
    True
    """
    after = text[end : end + _AFTER].lstrip(" ")
    return after[:1] in {"(", "（"} and _pattern(kind).match(after, 1) is not None


def is_harmless(text: str, start: int, end: int | None = None) -> bool:
    """Whether the number at ``start`` is introduced as that of a contract, an article or a book.

    With ``end``, also whether it is said after it what it is.

    >>> is_harmless("договор № 4111111111111111", 10)
    True
    >>> is_harmless("4111111111111111, which is the order id", 0, 16)
    True
    """
    harmless = _pattern("harmless")
    if harmless.search(_before(text, start, 16)) or harmless.search(column_heading(text, start)):
        return True
    if end is None:
        return False
    return _harmless_after().match(text, end, end + _AFTER) is not None


def is_list_item(text: str, last_end: int, start: int) -> bool:
    """Whether only what divides the items of a list is between two values.

    >>> text = "1111, 2222 и 3333 за 4444"
    >>> [is_list_item(text, end, end + gap) for end, gap in ((4, 2), (10, 3), (17, 4))]
    [True, True, False]
    """
    gap = text[last_end:start] if 0 <= start - last_end <= 12 else ""
    is_gap = _list_gap().fullmatch(gap) is not None
    return is_gap and gap.strip(" ") not in {"", "|", "\t"} and gap not in {",", ";"}  # columns


def _before(text: str, start: int, near: int) -> str:
    """What is before ``start`` in the same clause.

    "Tel. 555" and "тел. 8 916" keep their word: a full stop does not end a clause here.
    """
    before = text[max(0, start - near) : start]
    end = 0
    for stop in _STOP.finditer(before):
        end = stop.end()
    return before[end:]


def _last_word(before: str, kind: str) -> re.Match[str] | None:
    last = None
    for match in _pattern(kind).finditer(before):
        last = match
    if last is None or _negation().search(before, 0, last.start()):
        return None
    return last


def card_words(key: str) -> str:
    """The expressions for a card that is for money, and for its number: no SIM card."""
    others = {
        language: "".join(f"(?<!{other})" for other in expressions("redact.other_card", language))
        for language in LANGUAGES
    }
    words = (rf"{other}(?:{alternatives(key, name)})" for name, other in others.items())
    return "|".join(words)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    cards = f"|{card_words('redact.card_word')}" if kind == "card" else ""
    return re.compile(alternatives(f"redact.{kind}") + cards, re.IGNORECASE)


@cache
def _negation() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(expressions('redact.not'))})\Z", re.IGNORECASE)


@cache
def _harmless_after() -> re.Pattern[str]:
    """In brackets, or in a clause that says what the number is."""
    harmless, clause = _pattern("harmless").pattern, "|".join(expressions("redact.which_is"))
    return re.compile(
        rf"\s?[(（][^)）0-9]{{0,20}}(?:{harmless})[^)）0-9]{{0,12}}[)）]|(?:{clause})[^,，.。0-9]{{0,14}}(?:{harmless})",
        re.IGNORECASE,
    )


@cache
def _list_gap() -> re.Pattern[str]:
    words = "|".join(expressions("redact.and"))
    return re.compile(
        rf"[\s,;、，；/|]*(?:{words})?[\s,;、，；/|]*(?:[-–—•*]\s?|\(?[0-9]{{1,2}}[.)]\s?)?",
        re.IGNORECASE,
    )
