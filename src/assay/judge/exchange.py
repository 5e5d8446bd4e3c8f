"""Labels as files for others: JSON lines with all fields, or CSV for a spreadsheet.

A sheet to fill in has the question, the answer and the expected one too, which are read by people only.
What a spreadsheet does to a table is understood: semicolons, another encoding, a decimal comma, empty rows.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from assay.data.document.table_text import csv_delimiter
from assay.data.jsonl import (
    BadLine,
    decode_block,
    decode_text,
    read_line_blocks,
    refuse_repeated_keys,
)
from assay.errors import DatasetError, UseError
from assay.judge.label import Label, read_flag, read_verdict, utc_time
from assay.judge.label_store import merge, read_labels

COLUMNS: Final = tuple(field.name for field in msgspec.structs.fields(Label))
TEXTS: Final = ("question", "answer", "expected")
"""What a sheet to fill in has besides a label."""
_TEXTS: Final = frozenset(TEXTS)
_SHEET: Final = (*TEXTS, "verdict", "comment")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "'")
"""A spreadsheet takes a cell that starts so for a formula; an apostrophe before it prevents this."""


UNFILLED: Final = "unclear"
"""The verdict of a sheet that nobody has filled in; who cannot tell writes "cannot tell"."""


class Imported(NamedTuple):
    """How many labels a file has, how many of them were new, and how many rows have no verdict.

    ``contradictions`` are the places of labels by which one person says two things of one answer.
    """

    read: int
    new: int
    unfilled: int = 0
    contradictions: tuple[tuple[str, ...], ...] = ()


class PlacedLabel(NamedTuple):
    """A label of a file with its place, or ``None`` for a row of which the verdict is not filled in.

    ``of_sheet`` if the row has the texts of a sheet.
    """

    place: str
    label: Label | None
    of_sheet: bool


def labels_as_jsonl(labels: Iterable[Label]) -> str:
    """One label on each line."""
    return msgspec.json.Encoder().encode_lines(list(labels)).decode()


def labels_as_csv(labels: Iterable[Label]) -> str:
    """A table with a header; an absent value is an empty cell, and a span is ``start-end``."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for label in labels:
        table.writerow([_cell(getattr(label, name)) for name in COLUMNS])
    return out.getvalue()


def sheet_as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table of labels to fill in, with the texts and the verdict first."""
    names = (*_SHEET, *(name for name in COLUMNS if name not in _SHEET))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(names)
    for row in rows:
        table.writerow([_cell(row.get(name)) for name in names])
    return out.getvalue()


def read_label_file(path: Path) -> list[Label]:
    """All labels of a file that nobody writes to now: JSON lines, or a table (``.csv``)."""
    if path.suffix.lower() != ".csv":
        return read_labels(path, torn_end=False)
    try:
        return [each.label for each in _csv_labels(path) if each.label is not None]
    except csv.Error as error:
        raise DatasetError(f"{path}: not a file of labels: {error}") from None


def import_labels(
    path: Path, into: Path, check: Callable[[Sequence[PlacedLabel]], None] | None = None
) -> Imported:
    """Add the labels of a file that was exported or filled in, or written by another program.

    Rows without a verdict are left out. Nothing is written if a line is wrong, or if ``check`` raises.
    """
    try:
        rows = list(_csv_labels(path) if path.suffix.lower() == ".csv" else _jsonl_labels(path))
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"{path}: not a file of labels: {error}") from None
    if check is not None:
        check(rows)
    labels = [each.label for each in rows if each.label is not None]
    return Imported(
        read=len(labels),
        new=merge(into, labels, Label) if labels else 0,
        unfilled=len(rows) - len(labels),
        contradictions=_contradictions(rows),
    )


def _contradictions(rows: Iterable[PlacedLabel]) -> tuple[tuple[str, ...], ...]:
    """Places of labels of one person and moment that say different things of one answer."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for place, label, _ in rows:
        if label is not None:
            found.setdefault((*label.identity, label.time), {})[label.verdict] = place
    return tuple(tuple(places.values()) for places in found.values() if len(places) > 1)


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case tuple() | list():
            return f"{value[0]}-{value[1]}"
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _jsonl_labels(path: Path) -> Iterator[PlacedLabel]:
    number = 0
    decoder = msgspec.json.Decoder(dict[str, Any])
    try:
        for block in read_line_blocks(path):
            rows = decode_block(path, block, decoder)
            refuse_repeated_keys(block, path)
            for row in rows:
                number += 1
                yield _placed(f"{path}: label {number}", row, of_sheet=not _TEXTS.isdisjoint(row))
    except BadLine as bad:
        raise DatasetError(f"{path}:{bad.line}: not a label: {bad.reason}") from None


def _csv_labels(path: Path) -> Iterator[PlacedLabel]:
    decoded = decode_text(path.read_bytes())
    if decoded is None:
        raise DatasetError(
            f"{path}: not UTF-8, UTF-16, GB18030, CP1251 or KOI8-R; save it as UTF-8"
        )
    delimiter = csv_delimiter(decoded.text)
    lines = io.StringIO(decoded.text.removeprefix("\ufeff"), newline="")
    table = csv.DictReader(lines, strict=True, delimiter=delimiter)
    unknown = [name for name in table.fieldnames or () if name not in (*COLUMNS, *TEXTS)]
    if unknown:
        raise DatasetError(
            f"{path}:1: no such column {unknown[0]!r}; known are {', '.join(COLUMNS)}"
        )
    for row in table:
        where = f"{path}:{table.line_num}"
        if None in row or None in row.values():
            raise DatasetError(f"{where}: has more or fewer cells than the header")
        cells = {name: text for name, text in row.items() if text and name not in TEXTS}
        if cells:
            given = cells | {name: text for name, text in row.items() if name == "verdict"}
            of_sheet = not _TEXTS.isdisjoint(row)
            yield _placed(where, given, of_sheet=of_sheet, is_text=True)


def _placed(
    place: str, fields: Mapping[str, Any], *, of_sheet: bool, is_text: bool = False
) -> PlacedLabel:
    """The label of a row, or that nobody has filled it in."""
    verdict = str(fields.get("verdict") or "").strip().lower() if "verdict" in fields else None
    said = any(fields.get(name) for name in ("comment", "corrected_answer", "span"))
    if verdict == "" or (of_sheet and verdict == UNFILLED and not said):
        return PlacedLabel(place, None, of_sheet)
    return PlacedLabel(place, _label(place, fields, is_text=is_text), of_sheet)


def _label(where: str, fields: Mapping[str, Any], *, is_text: bool = False) -> Label:
    """A label of these fields; ``is_text`` if all of them are cells of a table."""
    values = {name: _plain(name, value) for name, value in fields.items()} if is_text else fields
    if values.get("schema_version", 1) not in {1, "1"}:
        raise DatasetError(f"{where}: was written by a newer version of assay")
    try:
        if "verdict" in values:
            values = {**values, "verdict": read_verdict(values["verdict"])}
        label = msgspec.convert(values, Label, strict=not is_text)
        _check_span(label)
        return msgspec.structs.replace(label, time=utc_time(label.time))
    except (msgspec.ValidationError, ValueError) as error:
        raise DatasetError(f"{where}: not a label: {error}") from None


def _check_span(label: Label) -> None:
    if label.span is not None and label.span[0] >= label.span[1]:
        raise ValueError(f"`span` is {list(label.span)}; it ends after it begins")


def _plain(name: str, text: str) -> Any:
    """The value of a cell."""
    if name == "span":
        return text.split("-")
    if name == "blind":
        return read_flag(text)
    if name == "probability":
        return text.replace(",", ".")
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
