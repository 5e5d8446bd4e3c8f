"""Compare a JSON value with the structure of a struct: deviations, and keys it does not have."""

import difflib
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec.inspect as shape

from assay.jobs.legal.document_lookup import KeyPath

Deviation: TypeAlias = tuple[KeyPath, str]


def deviations(raw: Any, info: shape.Type, at: KeyPath = ()) -> Iterator[Deviation]:
    """Each key path at which ``raw`` does not fit the type, with a message."""
    match info:
        case shape.Metadata(type=inner):
            yield from deviations(raw, inner, at)
        case shape.StructType():
            yield from _struct_deviations(raw, info, at)
        case shape.UnionType(types=types):
            yield from _union_deviations(raw, types, at)
        case shape.VarTupleType() | shape.ListType():
            yield from _list_deviations(raw, info, at)
        case shape.DictType(value_type=value_type):
            yield from _map_deviations(raw, value_type, at)
        case shape.LiteralType(values=values):
            yield from _literal_deviations(raw, values, at)
        case shape.StrType():
            yield from _text_deviations(raw, info, at)
        case shape.BoolType():
            yield from _flag_deviations(raw, at)
        case shape.IntType() | shape.FloatType():
            yield from _number_deviations(raw, info, at)
        case _:
            return


def unknown_keys(
    raw: Any, info: shape.Type, at: KeyPath = ()
) -> Iterator[tuple[KeyPath, str | None]]:
    """Each key that the structure does not have, and the closest key that it has, if any."""
    match info:
        case shape.Metadata(type=inner):
            yield from unknown_keys(raw, inner, at)
        case shape.UnionType(types=types):
            for option in types:
                yield from unknown_keys(raw, option, at)
        case shape.VarTupleType(item_type=item_type) if isinstance(raw, list):
            for index, item in enumerate(raw):
                yield from unknown_keys(item, item_type, (*at, index))
        case shape.StructType(fields=fields, tag_field=tag_field) if isinstance(raw, dict):
            known = {field.encode_name: field.type for field in fields}
            names = [*known, *([tag_field] if tag_field else [])]
            for key, value in raw.items():
                if key in known:
                    yield from unknown_keys(value, known[key], (*at, key))
                elif key not in names:
                    close = difflib.get_close_matches(key, names, n=1, cutoff=0.8)
                    yield (*at, key), close[0] if close else None


def places_of(name: str, info: shape.Type, at: tuple[str, ...] = ()) -> Iterator[str]:
    """The paths at which a type knows a field of this name, without the numbers of list items.

    >>> from msgspec import Struct
    >>> class Inner(Struct):
    ...     quote: str
    >>> class Outer(Struct):
    ...     inner: list[Inner] = []
    >>> list(places_of("quote", shape.type_info(Outer)))
    ['inner.quote']
    """
    match info:
        case shape.Metadata(type=inner):
            yield from places_of(name, inner, at)
        case shape.UnionType(types=types):
            for option in types:
                yield from places_of(name, option, at)
        case shape.VarTupleType(item_type=item) | shape.ListType(item_type=item):
            yield from places_of(name, item, at)
        case shape.StructType():
            for field in info.fields:
                if field.encode_name == name:
                    yield ".".join((*at, name))
                yield from places_of(name, field.type, (*at, field.encode_name))


def without_nulls(raw: Any) -> Any:
    """The value without the keys whose value is null: such a key is treated as absent.

    >>> without_nulls({"a": None, "b": [{"c": None}, None]})
    {'b': [{}, None]}
    """
    if isinstance(raw, dict):
        return {key: without_nulls(value) for key, value in raw.items() if value is not None}
    return [without_nulls(value) for value in raw] if isinstance(raw, list) else raw


def json_type(raw: Any) -> str:
    """The type of a JSON value in words, for messages.

    >>> json_type([]), json_type(True), json_type("x")
    ('a list', 'true or false', 'text')
    """
    if isinstance(raw, bool):
        return "true or false"
    names = {type(None): "null", str: "text", int: "a number", float: "a number", list: "a list"}
    return names.get(type(raw), "an object")


def _struct_deviations(raw: Any, info: shape.StructType, at: KeyPath) -> Iterator[Deviation]:
    if not isinstance(raw, dict):
        yield at, f"must be an object, not {json_type(raw)}"
        return
    known = {field.encode_name: field for field in info.fields}
    for name, field in known.items():
        if name in raw:
            yield from deviations(raw[name], field.type, (*at, name))
        elif field.required:
            others = [key for key in raw if isinstance(key, str) and key not in known]
            close = difflib.get_close_matches(name, others, n=1)
            hint = f"; there is `{close[0]}`: did you mean `{name}`?" if close else ""
            yield at, f"`{name}` is missing{hint}"


def _union_deviations(raw: Any, types: Sequence[shape.Type], at: KeyPath) -> Iterator[Deviation]:
    if raw is None:
        if not any(isinstance(option, shape.NoneType) for option in types):
            yield at, "must not be null"
        return
    options = [option for option in types if not isinstance(option, shape.NoneType)]
    # Of several types the one that fits best is meant; an integer fits int and float.
    by_option = [list(deviations(raw, option, at)) for option in options]
    yield from min(by_option, key=len, default=[])


def _list_deviations(
    raw: Any, info: shape.VarTupleType | shape.ListType, at: KeyPath
) -> Iterator[Deviation]:
    if not isinstance(raw, list):
        yield at, f"must be a list, not {json_type(raw)}"
        return
    if info.min_length and len(raw) < info.min_length:
        yield at, "must not be empty"
    for index, item in enumerate(raw):
        yield from deviations(item, info.item_type, (*at, index))


def _map_deviations(raw: Any, value_type: shape.Type, at: KeyPath) -> Iterator[Deviation]:
    if not isinstance(raw, dict):
        yield at, f"must be an object, not {json_type(raw)}"
        return
    for key, value in raw.items():
        yield from deviations(value, value_type, (*at, key))


def _flag_deviations(raw: Any, at: KeyPath) -> Iterator[Deviation]:
    if not isinstance(raw, bool):
        yield at, f"must be true or false, not {json_type(raw)}"


def _literal_deviations(raw: Any, values: Sequence[Any], at: KeyPath) -> Iterator[Deviation]:
    if raw not in values:
        yield at, _wrong_choice(raw, values)


def _text_deviations(raw: Any, info: shape.StrType, at: KeyPath) -> Iterator[Deviation]:
    if not isinstance(raw, str):
        quotes = "; put it in quotes" if isinstance(raw, int | float) else ""
        yield at, f"must be text, not {json_type(raw)}{quotes}"
    elif info.min_length and not raw.strip():
        yield at, "must not be empty"
    elif info.pattern and re.search(info.pattern, raw) is None:
        yield at, f"{raw!r} is not of the form {_form(info.pattern)}"


def _form(pattern: str) -> str:
    if "{4}" in pattern:
        return "YYYY-MM-DD"
    return "12 or 12-15" if "-" in pattern else pattern


def _number_deviations(
    raw: Any, info: shape.IntType | shape.FloatType, at: KeyPath
) -> Iterator[Deviation]:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        yield at, f"must be a number, not {json_type(raw)}"
    elif isinstance(info, shape.IntType) and not (math.isfinite(raw) and raw == int(raw)):
        yield at, f"must be a whole number, not {raw}"
    elif (info.ge is not None and raw < info.ge) or (info.le is not None and raw > info.le):
        upper = "" if info.le is None else f" and at most {info.le:g}"
        yield at, f"is {raw}, but must be at least {info.ge:g}{upper}"


def _wrong_choice(raw: Any, values: Sequence[Any]) -> str:
    names = [str(value) for value in values]
    message = f"is {raw!r}, but must be " + (
        repr(names[0]) if len(names) == 1 else f"one of {', '.join(map(repr, names))}"
    )
    close = difflib.get_close_matches(str(raw), names, n=1) if isinstance(raw, str) else []
    return message + (f"; did you mean {close[0]!r}?" if close and len(names) > 1 else "")
