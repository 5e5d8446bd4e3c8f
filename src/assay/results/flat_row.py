"""The rows of a run as columns with plain names, for tables of data: DataFrames and Parquet.

A column has the name of the row's field. Scores are columns of their own names. What is nested has
dots: ``usage.calls``. Bookkeeping, and what only the page can show, is left out unless it is asked for.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from assay.data.jsonl import read_blocks
from assay.errors import JournalCorrupt
from assay.results.column import transposed
from assay.results.run_cases import RowFilter, RunCases
from assay.runs.executor import rare_collection
from assay.runs.read import read_fields, scan_blocks
from assay.runs.row import Row

SCORES: Final = "scores"
ERROR: Final = "error"
"""A column that is there also if no case failed."""
NESTED: Final = frozenset({"at_least", "at_most", "reasons", "usage", "judge_usage", "extra"})
"""Objects whose values are columns."""
LEFT_OUT: Final = frozenset(
    {
        "passages", "stages", "evaluation", "recorded", "gold_spans", "gold_metrics", "scorer_errors",
        "fingerprint", "scored_against", "schema_version", "judges", "spared_by", "first_in_flight",
    }
)  # fmt: skip
"""Fields that are no flat values, that repeat others, or that only assay itself needs."""
_HEAD: Final[Mapping[str, tuple[Any, Any]]] = {
    **dict.fromkeys(("key", "question_id", "config"), (str, "")),
    "schema_version": (int, 0),
}
"""What a reader of rows must have."""

Columns = dict[str, list[Any]]


def read_columns(
    journal: Path, cases: RunCases, *, flat: bool = True, own: Collection[str] = ()
) -> Columns:
    """The columns of the last row of each case; ``None`` where a row does not have the field.

    Without ``flat``, every field is a column as it is recorded, also objects and lists. ``own`` are the
    scorers of users: one that has the name of a field is the column ``scores.NAME``.
    """
    with rare_collection():
        return _read(journal, cases, flat=flat, own=own)


def _read(journal: Path, cases: RunCases, *, flat: bool, own: Collection[str]) -> Columns:
    chosen = RowFilter(cases)
    if flat:
        try:
            return _read_structs(journal, chosen, own)
        except JournalCorrupt:
            pass  # a row has a field that the first rows do not have, or is damaged
    columns = _Columns(flat=flat, own=own)
    for fields in read_fields(journal):
        rows = [row for row in fields if chosen.has(row["key"])]
        columns.add(_by_name(rows), len(rows))
    return columns.last(kept=columns.names)


def _read_structs(journal: Path, chosen: RowFilter, own: Collection[str]) -> Columns:
    """The columns by way of structs with the fields of the first rows: much faster than dictionaries.

    Raises:
        JournalCorrupt: another row has other fields.
    """
    first = next(read_blocks(journal, dict[str, Any], torn_end=True), [])
    scores = _struct("Scores", _names(each.get(SCORES) or {} for each in first), {})
    shared = repeat(scores()).__next__  # rows without scores share one object
    types = {
        **dict.fromkeys(LEFT_OUT, (Raw, Raw())),  # not decoded at all
        SCORES: (scores, msgspec.field(default_factory=shared)),
        **_HEAD,
    }
    kind = _struct("FlatRow", dict.fromkeys((*_names(first), *Row.__struct_fields__)), types)
    columns = _Columns(flat=True, own=own)
    for block in scan_blocks(journal, kind):
        rows = chosen.rows_of_questions(block.rows[0], block.ends)
        if rows:
            columns.add(_by_field(rows), len(rows))
    return columns.last(kept=(*_names(first), *scores.__struct_encode_fields__))


def _struct(name: str, fields: Iterable[str], types: Mapping[str, tuple[Any, Any]]) -> Any:
    """A struct with these fields and no others, each ``None`` by default."""
    names = {
        field: field if field.isidentifier() and not iskeyword(field) else f"field_{number}"
        for number, field in enumerate(fields)
    }
    return msgspec.defstruct(
        name,
        [(own, *types.get(field, (Any, None))) for field, own in names.items()],
        rename={own: field for field, own in names.items()},
        forbid_unknown_fields=True,
        frozen=True,
        gc=False,
    )


def _by_field(structs: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """The values of each field of structs, by the names that the fields have in JSON."""
    names = type(structs[0]).__struct_encode_fields__
    return dict(zip(names, transposed(structs).values(), strict=True))


def _by_name(objects: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """The values of each name in any of the objects."""
    return {name: [each.get(name) for each in objects] for name in _names(objects)}


def _names(objects: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for each in objects for name in each))


class _Columns:
    """Columns that grow block by block, so that no more than a block of rows is in memory."""

    def __init__(self, *, flat: bool, own: Collection[str]) -> None:
        self._flat = flat
        self._own = own
        self._columns: Columns = {}
        self._rows = 0

    def add(self, fields: Mapping[str, Sequence[Any]], rows: int) -> None:
        """Add the fields of so many rows."""
        found = _values_of(fields.get(SCORES, ())) if self._flat else {}
        clashing = {*self._own} & fields.keys()
        scores = {
            f"{SCORES}.{name}" if name in clashing else name: each for name, each in found.items()
        }
        for name, values in fields.items():
            if name in NESTED and self._flat and not _are_none(values):
                for inner, each in _values_of(values).items():
                    self._put(f"{name}.{inner}", each)
            elif name == SCORES and self._flat:
                for score, each in scores.items():
                    self._put(score, each)
            elif not self._flat or name not in {*scores, *NESTED, *LEFT_OUT}:
                self._put(name, values)
        self._rows += rows
        for column in self._columns.values():
            column.extend(repeat(None, self._rows - len(column)))

    def _put(self, name: str, values: Sequence[Any]) -> None:
        column = self._columns.setdefault(name, [])
        column.extend(repeat(None, self._rows - len(column)))
        column.extend(values)

    @property
    def names(self) -> Collection[str]:
        """The names so far."""
        return self._columns.keys()

    def last(self, *, kept: Collection[str]) -> Columns:
        """The columns of the last row of each key: those with a value somewhere, and these."""
        keys = self._columns.get("key", [])
        last = {key: number for number, key in enumerate(keys)}
        chosen = sorted(last.values()) if len(last) < len(keys) else None
        return {
            name: values if chosen is None else [values[each] for each in chosen]
            for name, values in self._columns.items()
            if name in {ERROR, *kept} or not _are_none(values)
        }


def _values_of(objects: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """The values of each name in any of the objects, which are structs or dictionaries; or ``None``."""
    if objects and isinstance(objects[0], Struct):
        return _by_field(objects)
    return _by_name([each or {} for each in objects])


def _are_none(values: Sequence[Any]) -> bool:
    return values.count(None) == len(values)
