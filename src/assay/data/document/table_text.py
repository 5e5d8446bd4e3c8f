"""Read a table (``.csv``, ``.tsv``, ``.xlsx``) as text: one line a row, each value with its header.

A row stays understandable in whatever chunk it is: ``Name: Olm; Age: 40``. The first row that is
not empty holds the headers. The sheets of a workbook become headings.
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from assay.data.document.cell import shown_text, stored_text
from assay.errors import DatasetError
from assay.registry import optional_library
from assay.words.message import message

_DELIMITERS: Final = ",;\t|"
_SAMPLE: Final = 64_000
MOST_UNPACKED_BYTES: Final = 256 << 20
"""A workbook that unpacks to more is refused before it is read."""
MOST_CELLS: Final = 10_000_000
"""Of all sheets together, empty ones between others too."""


def csv_rows(text: str) -> Iterator[list[str]]:
    r"""The rows of a CSV text; commas, semicolons, tabs and bars may separate the values.

    >>> list(csv_rows("a;b\n1;2\n"))
    [['a', 'b'], ['1', '2']]
    """
    csv.field_size_limit(1 << 24)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=csv_delimiter(text))
    except csv.Error as error:
        raise DatasetError(message("not a CSV table: {error}", error=error)) from None


def csv_delimiter(text: str) -> str:
    r"""The sign that separates the values: the most frequent one of the first line.

    >>> csv_delimiter("a;b\n1,2;3\n")
    ';'
    """
    first = text[:_SAMPLE].split("\n", 1)[0]
    return max(_DELIMITERS, key=lambda mark: (first.count(mark), mark == ","))


def xlsx_sheets(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """The sheets of a workbook with their rows, as the sheet shows them.

    Formulas give the values that were stored, and so does a cell whose format cannot be followed.
    """
    book = _opened(path)
    try:
        cells = 0
        for sheet in book.worksheets:
            rows = []
            for row in _sheet_rows(path, sheet):
                cells += len(row) + 1
                if cells > MOST_CELLS:
                    raise DatasetError(
                        f"{path}: has more than {MOST_CELLS:,} cells; split the workbook"
                    )
                rows.append(row)
            yield sheet.title, rows
    finally:
        book.close()


def _sheet_rows(path: Path, sheet: Any) -> Iterator[list[str]]:
    """The rows of a sheet, which are read while they are iterated."""
    try:
        sheet.reset_dimensions()  # what the file claims; rows would be filled up to it
        for row in sheet.iter_rows():
            yield [_cell_text(cell) for cell in row]
    except (OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a file can break the library in any way
        raise DatasetError(f"{path}: not an .xlsx workbook, or damaged: {error}") from None


def _cell_text(cell: Any) -> str:
    shown = shown_text(cell.value, cell.number_format)
    return stored_text(cell.value) if shown is None else shown


def xlsx_cell_faults(path: Path, title: str) -> dict[int, list[str]]:
    """The cells of a sheet of which nobody can tell what they show, by row, and what to do.

    They have an error such as ``#REF!``, a formula whose value the program that wrote the file
    did not store, or a format that cannot be followed, such as a fraction. A formula that gives the
    empty text has a value.
    """
    values, formulas = _opened(path), _opened(path, data_only=False)
    faults: dict[int, list[str]] = {}
    try:
        sheets = values[title], formulas[title]
        for sheet in sheets:
            sheet.reset_dimensions()
        rows = zip(*(sheet.iter_rows() for sheet in sheets), strict=True)
        for number, (shown, written) in enumerate(rows, 1):
            found = [
                f"cell {cell.coordinate} {fault}"
                for cell, other in zip(shown, written, strict=True)
                if (fault := _cell_fault(cell, other))
            ]
            if found:
                faults[number] = found
    except Exception as error:  # noqa: BLE001 - a formula can break the library in any way
        raise DatasetError(f"{path}: not an .xlsx workbook, or damaged: {error}") from None
    finally:
        values.close()
        formulas.close()
    return faults


def _cell_fault(shown: Any, written: Any) -> str:
    if shown.data_type == "e":
        return f"has the error {shown.value}: correct it, or empty the cell"
    # the text "" is read as no value, but keeps its type
    if written.data_type == "f" and shown.value is None and shown.data_type != "str":
        return (
            "has a formula without a stored value: open the file in a spreadsheet program and save "
            "it there, or write the value in place of the formula"
        )
    if shown_text(shown.value, shown.number_format) is None:
        return (
            f"has the value {stored_text(shown.value)}, and what its format "
            f"{shown.number_format!r} shows cannot be told: write it as text"
        )
    return ""


def _opened(path: Path, *, data_only: bool = True) -> Any:
    openpyxl = optional_library("openpyxl", "excel", f"{path}: a workbook")
    _refuse_bomb(path)
    try:
        return openpyxl.load_workbook(path, read_only=True, data_only=data_only)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a file can break the library in any way
        raise DatasetError(f"{path}: not an .xlsx workbook, or damaged: {error}") from None


def _refuse_bomb(path: Path) -> None:
    """Refuse a workbook that is small on disk and endless when it is unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return  # the reader says what is wrong with it
    if unpacked > MOST_UNPACKED_BYTES:
        raise DatasetError(
            f"{path}: unpacks to {unpacked >> 20} MB; the most is {MOST_UNPACKED_BYTES >> 20} MB, "
            "so split the workbook"
        )


def table_text(rows: Iterable[Sequence[str]]) -> str:
    r"""One line a row, with an empty line between them; each value has its header.

    >>> table_text([["Name", "Age"], ["Olm", "40"], ["", ""], ["Rus", ""]])
    'Name: Olm; Age: 40\n\nName: Rus'
    """
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return ""
    headers, *others = filled
    if not others:
        return "; ".join(cell.strip() for cell in headers if cell.strip())
    return "\n\n".join(_line(headers, row) for row in others)


def _line(headers: Sequence[str], row: Sequence[str]) -> str:
    names = [*headers, *[""] * (len(row) - len(headers))]
    return "; ".join(
        f"{name.strip()}: {_flat(cell)}" if name.strip() else _flat(cell)
        for name, cell in zip(names, row, strict=False)
        if cell.strip()
    )


def _flat(cell: str) -> str:
    return " ".join(cell.split())


def workbook_text(path: Path) -> str:
    """The text of all sheets; each sheet with a row is a heading if there are several."""
    sheets = [(name, table_text(rows)) for name, rows in xlsx_sheets(path)]
    filled = [(name, text) for name, text in sheets if text]
    if len(filled) == 1:
        return filled[0][1]
    return "\n\n".join(f"# {name}\n\n{text}" for name, text in filled)
