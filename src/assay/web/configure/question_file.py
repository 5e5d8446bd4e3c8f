"""The files of a workspace that are question sets, for the list of the form."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.jsonl import UNREADABLE
from assay.data.question_set import foreign_questions
from assay.errors import AssayError

MOST_FILES: Final = 200
LARGEST_TABLE: Final = 4_000_000
"""Larger tables are offered without a look inside, in bytes."""
MOST_LINES: Final = 5
_OURS: Final = frozenset({".jsonl", ".ndjson"})
_TABLES: Final = frozenset({".csv", ".tsv", ".xlsx", ".parquet"})
_GOLD: Final = frozenset({"bundle", "gold_chunk_ids", "gold", "answerable", "answer", "answers"})
_PLAIN: Final = frozenset({"id", "text", "source"})


def question_files(root: Path) -> list[str]:
    """Question sets at most two folders below ``root``, by name; files of runs are none."""
    found: list[str] = []
    for path in sorted(_candidates(root)):
        if len(found) < MOST_FILES and _is_question_set(path):
            found.append(path.relative_to(root).as_posix())
    return found


def _candidates(root: Path) -> Iterator[Path]:
    for pattern in ("*", "*/*", "*/*/*"):
        for path in root.glob(pattern):
            parts = path.relative_to(root).parts
            is_own = parts[0] in {"experiments", "labels", "chunks"}
            is_own = is_own or parts[:2] == ("eval", "runs")
            is_hidden = any(part.startswith(".") for part in parts)
            if path.suffix.lower() in _OURS | _TABLES and not is_own and not is_hidden:
                yield path


def _is_question_set(path: Path) -> bool:
    try:
        if path.suffix.lower() in _OURS:
            return _has_questions(path)
        return path.stat().st_size > LARGEST_TABLE or bool(foreign_questions(path))
    except (AssayError, OSError):
        return False


def _has_questions(path: Path) -> bool:
    """Whether the first row, after one that describes the set, is a question.

    Clauses, laws and chunks have a ``text`` too; only in a question set it stands alone or with gold.
    """
    with path.open("rb") as file:
        for line in (file.readline() for _ in range(MOST_LINES)):
            if not line.strip():
                continue
            try:
                row = msgspec.json.decode(line, type=dict[str, Any])
            except UNREADABLE:
                return False
            if "question" in row:
                return True
            if "metadata" not in row:
                is_plain = _PLAIN.issuperset(row) or not _GOLD.isdisjoint(row)
                return "id" in row and "text" in row and is_plain
    return False
