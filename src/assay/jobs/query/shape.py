"""The shape of rows: which fields they have, and of which kind the values are.

A shape is the name of a scalar type of DuckDB, ``NULL`` if only nulls were seen, ``JSON`` for
values of several kinds, a dictionary for objects, or a list with one shape for lists.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

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
