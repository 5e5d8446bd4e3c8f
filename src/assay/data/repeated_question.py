"""Rows of a file of another tool that are one question: repeated, or answered by several systems.

A question is the same if its text, its document and what it is held against are. The rows of one
system may have it several times with other further fields, such as the role of who asks: these are
questions of their own. In the rows of another system the further fields may be its measurements, so
that only their order counts.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

_HELD: Final = frozenset(
    {"question", "source", "answer", "gold", "gold_chunk_ids", "bundle", "answerable", "kind"}
)
"""Fields that make a question what it is, besides its id."""


class Occurrence(Struct, frozen=True, kw_only=True):
    """A row with a question: its fields in our names, and the system whose answer it has."""

    fields: dict[str, Any]
    system: str = ""


def distinct_rows(
    rows: Sequence[Occurrence], recorded: Collection[str], *, with_repeats: bool = False
) -> list[int]:
    """For each row, the number of the first row that is the same question; often its own.

    ``recorded`` are the names of fields with what a system said, which are no part of a question.
    Rows of one system that repeat each other are one question, unless the file gives them ids, or
    ``with_repeats`` is set.
    """
    first_of: dict[tuple[str, int], int] = {}
    others_of: dict[tuple[str, str], list[str]] = {}
    firsts: list[int] = []
    for number, row in enumerate(rows):
        question = _encoded({"id": _own_id(row), **_chosen(row, _HELD)})
        known = others_of.setdefault((question, row.system), [])
        others = _encoded(_chosen(row, row.fields.keys() - _HELD - {"id", *recorded}))
        if others not in known or with_repeats or _own_id(row):
            known.append(others)
            place = len(known) - 1
        else:
            place = known.index(others)
        firsts.append(first_of.setdefault((question, place), number))
    return firsts


def _chosen(row: Occurrence, names: Collection[str]) -> dict[str, Any]:
    chosen = {name: row.fields[name] for name in sorted(names) if name in row.fields}
    if "question" in chosen:
        chosen["question"] = " ".join(str(chosen["question"]).split())
    return chosen


def _own_id(row: Occurrence) -> str:
    return str(row.fields.get("id") or "").strip()


def _encoded(fields: dict[str, Any]) -> str:
    return msgspec.json.encode(fields, enc_hook=str).decode()


def shared_systems(rows: Iterable[Occurrence]) -> tuple[str, ...]:
    """The systems of a file, if several of them were asked the same question; else none."""
    asked: dict[str, set[str]] = {}
    systems: dict[str, None] = {}
    for row in rows:
        systems[row.system] = None
        text = " ".join(str(row.fields.get("question") or "").split())
        asked.setdefault(_encoded({"id": _own_id(row), "text": text}), set()).add(row.system)
    return tuple(systems) if any(len(names) > 1 for names in asked.values()) else ()
