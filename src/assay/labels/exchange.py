"""Labels as files for others: JSON lines with all fields, or CSV for a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.jsonl import BadLine, decode_block, read_line_blocks
from assay.data.repeated_key import refuse_repeated_keys
from assay.errors import DatasetError, UseError
from assay.labels.label import Label, utc_time
from assay.labels.store import merge

COLUMNS: Final = tuple(field.name for field in msgspec.structs.fields(Label))
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "'")
"""A spreadsheet takes a cell that starts so for a formula; an apostrophe before it prevents this."""


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


def import_labels(path: Path, into: Path) -> tuple[int, int]:
    """Add the labels of a file that was exported, or written by another program.

    Returns the number of labels in the file, and how many of them were new. Nothing is written if
    a line is wrong.
    """
    try:
        labels = list(_csv_labels(path) if path.suffix.lower() == ".csv" else _jsonl_labels(path))
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"{path}: not a file of labels: {error}") from None
    return len(labels), merge(into, labels, Label) if labels else 0


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"{value[0]}-{value[1]}"
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _jsonl_labels(path: Path) -> Iterator[Label]:
    number = 0
    decoder = msgspec.json.Decoder(dict[str, Any])
    try:
        for block in read_line_blocks(path):
            rows = decode_block(path, block, decoder)
            refuse_repeated_keys(block, path)
            for row in rows:
                number += 1
                yield _label(f"{path}: label {number}", row)
    except BadLine as bad:
        raise DatasetError(f"{path}:{bad.line}: not a label: {bad.reason}") from None


def _csv_labels(path: Path) -> Iterator[Label]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file, strict=True)
        unknown = [name for name in table.fieldnames or () if name not in COLUMNS]
        if unknown:
            raise DatasetError(
                f"{path}:1: no such column {unknown[0]!r}; known are {', '.join(COLUMNS)}"
            )
        for row in table:
            where = f"{path}:{table.line_num}"
            if None in row or None in row.values():
                raise DatasetError(f"{where}: has more or fewer cells than the header")
            yield _label(where, {name: text for name, text in row.items() if text}, is_text=True)


def _label(where: str, fields: Mapping[str, Any], *, is_text: bool = False) -> Label:
    """A label of these fields; ``is_text`` if all of them are cells of a table."""
    values = {name: _plain(name, value) for name, value in fields.items()} if is_text else fields
    if values.get("schema_version", 1) not in {1, "1"}:
        raise DatasetError(f"{where}: was written by a newer version of assay")
    try:
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
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
