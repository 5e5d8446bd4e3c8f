"""The columns of the table ``rows``: one for each field of a row, with a type of DuckDB."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

MOST_FIELDS: Final = 200
"""An object with more fields than this is kept as JSON; its keys are probably data, not names."""
ALWAYS: Final[Mapping[str, str]] = {
    "key": "VARCHAR",
    "question_id": "VARCHAR",
    "source": "VARCHAR",
    "config": "VARCHAR",
    "question": "VARCHAR",
    "answer": "VARCHAR",
    "status": "VARCHAR",
    "reason": "VARCHAR",
    "error": "VARCHAR",
    "error_kind": "VARCHAR",
    "elapsed_s": "DOUBLE",
    "cost": "DOUBLE",
    "paid": "DOUBLE",
    "ts": "DOUBLE",
    "fingerprint": "VARCHAR",
    "schema_version": "BIGINT",
}
"""Columns that the table always has, so that a query also works for a run without failures."""
_SCALARS: Final[Mapping[str, str]] = {
    "BOOLEAN": "BOOLEAN",
    "UBIGINT": "BIGINT",
    "BIGINT": "BIGINT",
    "HUGEINT": "HUGEINT",
    "DOUBLE": "DOUBLE",
    "VARCHAR": "VARCHAR",
}

_PLAIN: Final = re.compile(r"[a-z_][a-z_0-9]*")


class QueryColumn(Struct, frozen=True, kw_only=True):
    """A column or a field of an object, and its type; ``parts`` are the fields of an object."""

    name: str
    type: str
    parts: "tuple[QueryColumn, ...]" = ()

    def fields(self) -> "Iterator[QueryColumn]":
        """What a query can name: the column itself, or the fields of its objects.

        >>> [field.name for field in column_of("scores", {"mrr": "DOUBLE", "at 5": "DOUBLE"}).fields()]
        ['scores.mrr', 'scores."at 5"']
        """
        if not self.parts:
            yield QueryColumn(name=_shown_name(self.name), type=self.type)
        for part in self.parts:
            for field in part.fields():
                yield QueryColumn(name=f"{_shown_name(self.name)}.{field.name}", type=field.type)


def columns_of(structure: Mapping[str, Any]) -> list[QueryColumn]:
    """The columns for rows of this structure, as ``json_group_structure`` describes it.

    Names of columns do not depend on case: of two fields that differ only in case, the first is
    a column.
    """
    structures = {name: ALWAYS.get(name, part) for name, part in structure.items()}
    structures |= {name: kind for name, kind in ALWAYS.items() if name not in structures}
    columns: dict[str, QueryColumn] = {}
    for name, part in structures.items():
        columns.setdefault(name.casefold(), column_of(name, part))
    return list(columns.values())


def column_of(name: str, structure: Any) -> QueryColumn:
    """The column for values of this structure.

    An object becomes a ``STRUCT`` and a list a list. Values of several kinds, objects with a
    great many fields and objects whose fields differ only in case stay ``JSON``.

    >>> column_of("usage", {"calls": "UBIGINT", "stages": [{"name": "VARCHAR"}]}).type
    'STRUCT("calls" BIGINT, "stages" STRUCT("name" VARCHAR)[])'
    >>> column_of("dim", "NULL").type, column_of("extra", {}).type, column_of("x", []).type
    ('JSON', 'JSON', 'JSON')
    """
    if isinstance(structure, str):
        return QueryColumn(name=name, type=_SCALARS.get(structure, "JSON"))
    if isinstance(structure, Sequence):
        kind = f"{column_of(name, structure[0]).type}[]" if structure else "JSON"
        return QueryColumn(name=name, type=kind)
    names = {field.casefold() for field in structure}
    if not structure or "" in names or not len(names) == len(structure) <= MOST_FIELDS:
        return QueryColumn(name=name, type="JSON")
    parts = tuple(column_of(field, part) for field, part in structure.items())
    fields = ", ".join(f"{quoted_name(part.name)} {part.type}" for part in parts)
    return QueryColumn(name=name, type=f"STRUCT({fields})", parts=parts)


def _shown_name(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else quoted_name(name)


def quoted_name(name: str) -> str:
    """A name in SQL.

    >>> quoted_name('6" pipe')
    '"6"" pipe"'
    """
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text: str) -> str:
    """A text in SQL.

    >>> quoted_text("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
