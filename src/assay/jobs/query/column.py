"""The columns of the table ``rows``: one for each field of a row, with a type of DuckDB."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from assay.jobs.query.shape import Shape

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


def columns_of(fields: Mapping[str, Shape]) -> list[QueryColumn]:
    """The columns for rows with these fields.

    Names of columns do not depend on case: of two fields that differ only in case, the first is
    a column. A field without a name is none.
    """
    shapes = {name: ALWAYS.get(name, shape) for name, shape in fields.items() if name}
    shapes |= {name: kind for name, kind in ALWAYS.items() if name not in shapes}
    columns: dict[str, QueryColumn] = {}
    for name, shape in shapes.items():
        columns.setdefault(name.casefold(), column_of(name, shape))
    return list(columns.values())


def column_of(name: str, shape: Shape) -> QueryColumn:
    """The column for values of this shape.

    An object becomes a ``STRUCT`` and a list a list. Values of several kinds and objects whose
    fields differ only in case stay ``JSON``.

    >>> column_of("usage", {"calls": "BIGINT", "stages": [{"name": "VARCHAR"}]}).type
    'STRUCT("calls" BIGINT, "stages" STRUCT("name" VARCHAR)[])'
    >>> column_of("dim", "NULL").type, column_of("extra", {}).type, column_of("x", ["NULL"]).type
    ('JSON', 'JSON', 'JSON[]')
    """
    if isinstance(shape, str):
        return QueryColumn(name=name, type="JSON" if shape == "NULL" else shape)
    if isinstance(shape, list):
        return QueryColumn(name=name, type=f"{column_of(name, shape[0]).type}[]")
    names = {field.casefold() for field in shape}
    if not shape or len(names) < len(shape):
        return QueryColumn(name=name, type="JSON")
    parts = tuple(column_of(field, part) for field, part in shape.items())
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
