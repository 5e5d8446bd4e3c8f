"""The shape of rows: which fields they have, and of which kind the values are.

A shape is the name of a scalar type of DuckDB, ``NULL`` if only nulls were seen, ``JSON`` for
values of several kinds, a dictionary for objects, or a list with one shape for lists.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

MOST_FIELDS: Final = 200
"""An object with more fields than this is kept as JSON; its keys are probably data, not names."""
_INT64: Final = 1 << 63
_NAME: Final = re.compile(r'[^"\\\x00-\x1f]+')

Shape: TypeAlias = str | dict[str, "Shape"] | list["Shape"]


class RowShape:
    """The shape of all rows so far.

    Almost all rows have the shape of earlier ones. The decoder checks this at its own speed, for
    a whole block; only a row that does not fit is looked at value by value.
    """

    def __init__(self) -> None:
        self.fields: dict[str, Shape] = {}
        self._decoder = _strict_decoder(self.fields)

    def add(self, lines: bytes) -> None:
        """Add rows, one on each line."""
        try:
            self._decoder.decode_lines(lines)
        except msgspec.ValidationError:
            for line in filter(bytes.strip, lines.split(b"\n")):
                self._add_line(line)

    def _add_line(self, line: bytes) -> None:
        try:
            self._decoder.decode(line)
        except msgspec.ValidationError:
            for name, value in msgspec.json.decode(line, type=dict[str, Any]).items():
                self.fields[name] = merged(self.fields.get(name, "NULL"), shape_of(value))
            self._decoder = _strict_decoder(self.fields)


def shape_of(value: Any) -> Shape:
    """The shape of one value.

    >>> shape_of({"calls": 2, "stages": [{"name": "search"}, {"name": None, "s": 0.5}]})
    {'calls': 'BIGINT', 'stages': [{'name': 'VARCHAR', 's': 'DOUBLE'}]}
    """
    match value:
        case None:
            return "NULL"
        case bool():
            return "BOOLEAN"
        case int():
            return "BIGINT" if -_INT64 <= value < _INT64 else "DOUBLE"
        case float():
            return "DOUBLE"
        case str():
            return "VARCHAR"
        case list():
            shape: Shape = "NULL"
            for part in value:
                shape = merged(shape, shape_of(part))
            return [shape]
        case _:
            return _limited({name: shape_of(part) for name, part in value.items()})


def merged(first: Shape, second: Shape) -> Shape:
    """The shape of values that have the one or the other.

    >>> merged({"a": "BIGINT"}, {"a": "DOUBLE", "b": ["NULL"]})
    {'a': 'DOUBLE', 'b': ['NULL']}
    >>> merged("NULL", "BIGINT"), merged("BIGINT", "VARCHAR")
    ('BIGINT', 'JSON')
    """
    if second in (first, "NULL"):
        return first
    if first == "NULL":
        return second
    if isinstance(first, dict) and isinstance(second, dict):
        parts = {name: merged(part, second.get(name, "NULL")) for name, part in first.items()}
        return _limited(parts | {name: second[name] for name in second if name not in first})
    if isinstance(first, list) and isinstance(second, list):
        return [merged(first[0], second[0])]
    if {str(first), str(second)} == {"BIGINT", "DOUBLE"}:
        return "DOUBLE"
    return "JSON"


def _limited(shape: dict[str, Shape]) -> Shape:
    """The shape of an object; ``JSON`` if its keys cannot be, or probably are not, names."""
    is_named = len(shape) <= MOST_FIELDS and all(map(_NAME.fullmatch, shape))
    return shape if is_named else "JSON"


def _strict_decoder(fields: Mapping[str, Shape]) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(_struct(fields))


def _struct(fields: Mapping[str, Shape]) -> Any:
    """A type that accepts objects with these fields only."""
    return msgspec.defstruct(
        "Fields",
        [
            (f"field_{number}", _type(shape) | UnsetType, msgspec.field(default=UNSET, name=name))
            for number, (name, shape) in enumerate(fields.items())
            if _NAME.fullmatch(name)
        ],
        forbid_unknown_fields=True,
        gc=False,
    )


def _type(shape: Shape) -> Any:
    if isinstance(shape, dict):
        return _struct(shape) | None
    if isinstance(shape, list):
        return list[_type(shape[0])] | None  # type: ignore[misc]  # a type that is made here
    return _TYPES[shape]


_TYPES: Final[Mapping[str, Any]] = {
    "NULL": None,
    "BOOLEAN": bool | None,
    "BIGINT": Annotated[int, Meta(ge=-_INT64, le=_INT64 - 1)] | None,
    "DOUBLE": float | None,
    "VARCHAR": str | None,
    "JSON": Raw,
}


# The columns of the table ``rows``: one for each field of a row, with a type of DuckDB.

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
