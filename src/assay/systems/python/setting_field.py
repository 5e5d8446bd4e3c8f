"""The fields of a class of settings: a dataclass, a struct, a ``TypedDict``, a pydantic model.

pydantic is recognised by its shape and never imported.
"""

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.errors import SystemLoadError


class SettingField(Struct, frozen=True, kw_only=True):
    """A field of a class: its type, its value by default, and what else is said about it."""

    name: str
    hint: Any
    initial: Any = UNSET
    further: tuple[Any, ...] = ()


def fields_of(declared: Any) -> list[SettingField] | None:
    """The fields of a class or of an object of one; None if it has none."""
    is_class = inspect.isclass(declared)
    kind = declared if is_class else type(declared)
    for read in (_pydantic_fields, _old_pydantic_fields, _dataclass_fields):
        fields = read(kind)
        if fields is not None:
            break
    else:
        fields = list(_hinted_fields(kind)) if is_class or _has_hints(kind) else None
    if fields is None or is_class:
        return fields
    return [replace(field, initial=getattr(declared, field.name, UNSET)) for field in fields]


def _pydantic_fields(kind: type) -> list[SettingField] | None:
    known = getattr(kind, "model_fields", None)
    if not isinstance(known, Mapping):
        return None
    return [
        SettingField(
            name=name,
            hint=info.annotation,
            initial=UNSET if _is_required(info) else info.default,
            further=(
                *getattr(info, "metadata", ()),
                getattr(info, "json_schema_extra", None),
                {"description": getattr(info, "description", None) or ""},
            ),
        )
        for name, info in known.items()
    ]


def _is_required(info: Any) -> bool:
    """Whether a pydantic field has no value by default that is written down."""
    required = getattr(info, "is_required", None)
    has_factory = getattr(info, "default_factory", None) is not None
    return has_factory or (bool(required()) if callable(required) else False)


def _old_pydantic_fields(kind: type) -> list[SettingField] | None:
    """The fields of a model of pydantic 1."""
    known = getattr(kind, "__fields__", None)
    if not isinstance(known, Mapping) or not all(
        hasattr(field, "outer_type_") for field in known.values()
    ):
        return None
    return [
        SettingField(
            name=name,
            hint=field.outer_type_ if not field.allow_none else field.outer_type_ | None,
            initial=UNSET if field.required else field.default,
            further=(getattr(field.field_info, "extra", None),),
        )
        for name, field in known.items()
    ]


def _dataclass_fields(kind: type) -> list[SettingField] | None:
    if not dataclasses.is_dataclass(kind):
        return None
    hints = _hints(kind)
    return [
        SettingField(
            name=field.name,
            hint=hints.get(field.name, Any),
            initial=UNSET if field.default is dataclasses.MISSING else field.default,
            further=(field.metadata,),
        )
        for field in dataclasses.fields(kind)
    ]


def _hinted_fields(kind: type) -> Iterator[SettingField]:
    """The fields of any other class with type hints: a ``TypedDict``, a struct, a named tuple."""
    defaults: dict[str, Any] = {}
    if issubclass(kind, Struct):
        defaults = {field.name: field.default for field in msgspec.structs.fields(kind)}
        defaults = {k: v for k, v in defaults.items() if v is not msgspec.NODEFAULT}
    for name, hint in _hints(kind).items():
        if get_origin(hint) is not ClassVar and hint is not ClassVar:
            initial = defaults.get(name, vars(kind).get(name, UNSET))
            is_member = inspect.isroutine(initial) or hasattr(type(initial), "__get__")
            yield SettingField(name=name, hint=hint, initial=UNSET if is_member else initial)


def _has_hints(kind: type) -> bool:
    return issubclass(kind, Struct) or hasattr(kind, "_fields")


def _hints(kind: type) -> dict[str, Any]:
    try:
        return get_type_hints(kind, include_extras=True)
    except Exception as error:
        raise SystemLoadError(
            f"SETTINGS: the type hints of {kind.__name__} cannot be read: {error}"
        ) from error
