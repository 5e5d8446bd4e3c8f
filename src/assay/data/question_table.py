"""Tables of questions: ``.csv``, ``.tsv`` and ``.xlsx``, row by row with the number of its line.

Nothing of a row is dropped: a column without a name is called ``column 3``, a second column of the
same name ``note (2)``. Two columns whose name has a role, such as ``answer``, are refused, because
nobody can tell which one is meant. Titles above the headers are rows without cells. A row that has more fields than the table has columns, or a quotation
mark that is not closed, is a fault of its line, because its fields cannot be distinguished. So is a
cell of a workbook that has an error or a formula without a value.
"""

import ast
import csv
import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.column_role import column_key, has_role, known_names
from assay.data.document.table_text import csv_delimiter, xlsx_cell_faults, xlsx_sheets
from assay.data.jsonl import UNREADABLE
from assay.errors import DatasetError, UseError

_MOST_SHOWN: Final = 60


class TableRow(Struct, frozen=True, kw_only=True):
    """A row: the number of its first line, and its cells by column.

    ``fault`` says what is wrong with it; ``text`` is then the row as it is written. It has cells
    only if they can be distinguished. ``system`` is the one whose answer the row has, if the format
    itself says so.
    """

    line: int
    cells: dict[str, Any] = {}
    fault: str = ""
    text: str = ""
    system: str = ""


class _Record(Struct, frozen=True):
    line: int
    cells: Sequence[str]
    fault: str = ""
    text: str = ""
    is_split: bool = True
    """Whether its cells can be distinguished in spite of its fault."""


def csv_table(text: str, path: Path) -> Iterator[TableRow]:
    r"""The rows of a CSV text below its headers.

    >>> [(row.line, row.cells) for row in csv_table('a,b\n1,"2\n3"\n4,5\n', Path("t.csv"))]
    [(2, {'a': '1', 'b': '2\n3'}), (4, {'a': '4', 'b': '5'})]
    """
    return _rows(_csv_records(text, path), path)


def xlsx_table(path: Path, chosen: str = "") -> Iterator[TableRow]:
    """The rows of the chosen sheet, or else of the first one that has a row below its headers.

    Raises:
        UseError: there is no sheet of that name.
    """
    titles: list[str] = []
    for title, sheet in xlsx_sheets(path):
        titles.append(title)
        if chosen and title != chosen:
            continue
        faults = xlsx_cell_faults(path, title)
        found = list(_rows(_xlsx_records(title, sheet, faults), path, is_sheet=True))
        if chosen or any(row.cells or row.fault for row in found):
            yield from found
            return
    if chosen:
        raise UseError(f"{path}: there is no sheet {chosen!r}; there are: {', '.join(titles)}")


def sheet_titles(path: Path) -> list[str]:
    """The titles of the sheets that have a row below their headers, in order."""
    return [
        title
        for title, sheet in xlsx_sheets(path)
        if sum(any(cell.strip() for cell in cells) for cells in sheet) > 1
    ]


def _xlsx_records(
    title: str, sheet: Iterable[Sequence[str]], faults: Mapping[int, Sequence[str]]
) -> Iterator[_Record]:
    for number, cells in enumerate(sheet, 1):
        own = faults.get(number)
        fault = f"sheet {title!r}: {'; '.join(own)}" if own else ""
        yield _Record(number, cells, fault, " ".join(cells).strip() if own else "")


def _csv_records(text: str, path: Path) -> Iterator[_Record]:
    lines = list(io.StringIO(text, newline=""))
    delimiter = csv_delimiter(text)
    csv.field_size_limit(1 << 24)
    reader = csv.reader(lines, delimiter=delimiter)
    before = 0
    try:
        for cells in reader:
            own = lines[before : reader.line_num]
            is_open = len(own) > 1 or reader.line_num == len(lines)
            fault = _quote_fault(own, delimiter) if is_open else ""
            written = "".join(own).rstrip("\r\n")
            yield _Record(before + 1, cells, fault, written, is_split=not fault)
            before = reader.line_num
    except csv.Error as error:
        raise DatasetError(f"{path}:{before + 1}: not a CSV table: {error}") from None


def _quote_fault(lines: Sequence[str], delimiter: str) -> str:
    """What is wrong with the quotation marks of a record; empty if nothing is."""
    try:
        list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        if len(lines) > 1 or "end of data" in str(error):
            to = f"; the row goes on for {len(lines)} lines" if len(lines) > 1 else ""
            return f'a quotation mark (") of this row is not closed{to}: close it, or double it'
    return ""


def _rows(records: Iterable[_Record], path: Path, *, is_sheet: bool = False) -> Iterator[TableRow]:
    headers: list[str] | None = None
    titles, rest = _parted_titles(records)
    yield from titles
    for record in rest:
        if record.fault and headers is None:
            yield TableRow(line=record.line, fault=record.fault, text=record.text)
            headers = _headers(record, path) if record.is_split else None
        elif record.fault:
            cells = dict(zip(headers or (), record.cells, strict=False)) if record.is_split else {}
            yield TableRow(line=record.line, cells=cells, fault=record.fault, text=record.text)
        elif not any(cell.strip() for cell in record.cells):
            continue
        elif headers is None:
            headers = _headers(record, path)
        else:
            yield _row(record, headers, is_sheet=is_sheet)


def _parted_titles(records: Iterable[_Record]) -> tuple[list[TableRow], Iterator[_Record]]:
    """The titles above the headers, as rows without cells, and the records from the headers on.

    A title is alone in its row, and the first row with several cells names the questions.
    """
    before: list[_Record] = []
    others = iter(records)
    for record in others:
        filled = [column_key(cell) for cell in record.cells if cell.strip()]
        if record.fault or len(filled) > 1:
            names_questions = not set(known_names()["question"]).isdisjoint(filled)
            if record.fault or not names_questions or _is_header(before):
                return [], chain(before, [record], others)
            titles = [each for each in before if any(cell.strip() for cell in each.cells)]
            return [TableRow(line=each.line) for each in titles], chain([record], others)
        before.append(record)
    return [], iter(before)


def _is_header(records: Sequence[_Record]) -> bool:
    """Whether the first of these rows names the only column of a table."""
    cells = (cell for record in records for cell in record.cells if cell.strip())
    return column_key(next(cells, "")) in known_names()["question"]


def _headers(record: _Record, path: Path) -> list[str]:
    """The names of the columns, all different; raises ``DatasetError`` if a role has two of a name."""
    known = [cell.strip() for cell in record.cells if has_role(cell)]
    counts = Counter(map(column_key, known))
    if twice := [name for name in known if counts[column_key(name)] > 1]:
        raise DatasetError(
            f"{path}:{record.line}: two columns are called {twice[0]!r}; rename or delete one of them"
        )
    names: dict[str, None] = {}  # in their order
    for number, cell in enumerate(record.cells, 1):
        name = free = cell.strip().removeprefix("\ufeff") or f"column {number}"
        count = 1
        while free in names:
            count += 1
            free = f"{name} ({count})"
        names[free] = None
    return list(names)


def _row(record: _Record, headers: Sequence[str], *, is_sheet: bool) -> TableRow:
    cells = [cell.strip() for cell in record.cells]
    further = [cell for cell in cells[len(headers) :] if cell]
    if further:
        shown = further[0][:_MOST_SHOWN]
        advice = (
            "give each column a name in its first row, and put no title above it"
            if is_sheet
            else "put a field that contains a separator in quotation marks"
        )
        return TableRow(
            line=record.line,
            fault=f"too many fields: {len(cells)}, but the table has {len(headers)} columns (the "
            f"first beyond them: {shown!r}); {advice}",
            text=record.text or " ".join(cells),
        )
    return TableRow(line=record.line, cells=dict(zip(headers, cells, strict=False)))


# Lists in the cells of tables, as JSON, Python or NumPy write them.

_LONGEST_LIST: Final = 1 << 20


def parsed_cell(value: Any) -> Any:
    """A cell of a table may hold a JSON list, or a list as Python writes it."""
    if isinstance(value, str) and value.strip().startswith("[") and value.strip().endswith("]"):
        try:
            return msgspec.json.decode(value)
        except UNREADABLE:
            return _python_list(value)
    return value


def _python_list(text: str) -> Any:
    """A list as Python or NumPy writes it, the latter without commas; a text that is none stays."""
    if len(text) > _LONGEST_LIST:
        return text
    try:
        read = ast.literal_eval(_with_commas(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return text
    try:
        msgspec.json.encode(read)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return text
    return read if isinstance(read, list) else text


def _with_commas(text: str) -> str:
    r"""A list of Python with a comma between two texts, which Python would join.

    >>> _with_commas("['a' 'b'\n 'c', 'd']")
    "['a','b','c','d']"
    """
    parts: list[str] = []
    before = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER}:
            continue
        parts += [",", token.string] if before == token.type == tokenize.STRING else [token.string]
        before = token.type
    return "".join(parts)


def flat_items(value: Any) -> Iterator[str]:
    """The texts of a cell that lists several, also in lists of lists or between semicolons."""
    if isinstance(value, list):
        for item in value:
            yield from flat_items(item)
    elif str(value).strip():
        yield from (
            (part.strip() for part in str(value).split(";") if part.strip())
            if isinstance(value, str) and len(value) < 200
            else [str(value)]
        )
