"""What stands above a value: the heading of its column, or of the list that it is an item of."""

import re
from typing import Final

_SEPARATORS: Final = ("|", "\t", ";", ",")
_LONGEST_TABLE: Final = 20_000
_LONGEST_HEADING: Final = 40
_LONGEST_LIST: Final = 30
_LONGEST_LABEL: Final = 30
_LONGEST_INTRODUCTION: Final = 120
_DIGIT: Final = re.compile("[0-9]")
_BULLET: Final = re.compile(r"[\s\-–—•*(]*(?:[0-9]{1,3}[.)]\s*)?")


def column_heading(text: str, start: int) -> str:
    r"""The heading of the column in which ``start`` is; empty if it is in no table.

    >>> text = "name,phone\nAnn,5550100"
    >>> column_heading(text, text.index("555"))
    'phone'
    """
    line_start = text.rfind("\n", 0, start) + 1
    if not line_start:
        return ""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    gap = text.rfind("\n\n", max(0, line_start - _LONGEST_TABLE), line_start)
    table = gap + 2 if gap >= 0 else max(0, line_start - _LONGEST_TABLE)
    first_end = text.find("\n", table)
    if not 0 <= table < first_end < line_start:
        return ""
    separator = next((each for each in _SEPARATORS if text.count(each, table, first_end)), "")
    if not separator:
        return ""
    count = text.count(separator, table, first_end)
    # an amount may have a comma of its own, but only after the columns before it
    if not count <= text.count(separator, line_start, line_end) <= count + (separator == ","):
        return ""
    column = text.count(separator, line_start, start)
    cells = text[table:first_end].split(separator)
    return cells[column] if column < len(cells) and len(cells[column]) <= _LONGEST_HEADING else ""


def list_heading(text: str, start: int) -> str:
    r"""The line that introduces the lines of a list, or the label above a value; empty if none does.

    >>> text = "ИНН поставщиков:\n1) Ива 7707083893\n2) Дуб 7728168971"
    >>> list_heading(text, text.index("7728"))
    'ИНН поставщиков:'
    >>> list_heading("Паспорт\n4509 123456", 8)
    'Паспорт'
    """
    line_start = text.rfind("\n", 0, start) + 1
    at = line_start - 1
    for passed in range(_LONGEST_LIST):
        if at <= 0:
            return ""
        previous = text.rfind("\n", max(0, at - _LONGEST_INTRODUCTION), at) + 1
        if not previous and at > _LONGEST_INTRODUCTION:
            return ""
        line = text[previous:at].strip()
        if line.endswith((":", "：")):
            return line
        if not line or not _DIGIT.search(line):
            is_label = (
                not passed and len(line) <= _LONGEST_LABEL and _BULLET.fullmatch(text, line_start, start)
            )
            return line if is_label else ""
        at = previous - 1
    return ""
