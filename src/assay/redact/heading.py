"""What stands above a value: the heading of its column, or of the list that it is an item of."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Final

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

    def number(self, place: int) -> int:
        """The number of the line in which a place is."""
        return bisect_right(self.starts, place) - 1


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
    line = lines.lines[number]
    # a title may stand above the headings
    for first in lines.lines[lines.tables[number] : number][:_MOST_TITLES]:
        separator = next((each for each in _SEPARATORS if each in first), "")
        count = first.count(separator) if separator else 0
        # an amount may have a comma of its own, but only after the columns before it
        if count and count <= line.count(separator) <= count + (separator == ","):
            break
    else:
        return ""
    column = line.count(separator, 0, start - lines.starts[number])
    cells = first.split(separator)
    cell = cells[column] if column < len(cells) else ""
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
