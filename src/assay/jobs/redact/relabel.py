"""Mask the labels of a run together with its rows, so that they still are about its answers.

A label names the version of its answer by a hash of the text. Masking changes the text, so the hash
is replaced too. Labels are written before the rows: after a crash, the hashes that are already
new stay, and the others are found in the rows.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from assay.jobs.labelled import row_answer
from assay.journal import migrate, write_atomically
from assay.labels import (
    labels_path,
    masked_label,
    pairs_path,
    read_labels,
    read_preferences,
    text_hash,
)
from assay.mask import mask_identifier, mask_json


def label_files(journal: Path) -> Iterator[Path]:
    """The files of labels and of preferences of a run that exist."""
    labels = labels_path(journal)
    return (path for path in (labels, pairs_path(labels)) if path.is_file())


def mask_labels(journal: Path, lines: Iterator[bytes]) -> int:
    """Mask the labels of a run with these rows; returns how many files were changed."""
    files = list(label_files(journal))
    if not files:
        return 0
    hashes = dict(filter(None, map(_hashes, lines)))
    return sum(_mask_file(path, hashes) for path in files)


def _hashes(line: bytes) -> tuple[str, str] | None:
    """The hash of the answer of a row as it is, and as it will be."""
    try:
        plain = _answer(line)
        masked = _answer(mask_json(line))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return None if plain is None or masked is None else (text_hash(plain), text_hash(masked))


def _answer(line: bytes) -> str | None:
    return row_answer(migrate(msgspec.json.decode(line, type=dict[str, Any])))


def _mask_file(path: Path, hashes: dict[str, str]) -> bool:
    is_pairs = path.parent.name == "pairs"
    rows: list[Any] = [*(read_preferences(path) if is_pairs else read_labels(path))]
    changed = [_masked(row, hashes) for row in rows]
    target = path.with_name(mask_identifier(path.name))  # as the file of the rows
    if changed == rows and target == path:
        return False
    write_atomically(path, (msgspec.json.encode(row) + b"\n" for row in changed), is_masked=True)
    path.rename(target)
    return True


def _masked(row: Any, hashes: dict[str, str]) -> Any:
    named = {
        name: hashes.get(getattr(row, name), getattr(row, name))
        for name in ("answer_hash", "other_answer_hash")
        if hasattr(row, name)
    }
    named["case_id"] = mask_identifier(row.case_id)
    run, slash, name = row.run.rpartition("/")
    named["run"] = f"{run}{slash}{mask_identifier(name)}"
    return masked_label(replace(row, **named))
