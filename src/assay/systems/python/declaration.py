"""The settings that ``SETTINGS`` declares, in any of the forms that Python programs use.

A mapping from names to types, choices, values or declarations; or a class with fields, or an
object of such a class: a dataclass, a ``TypedDict``, a struct, a pydantic model or settings class.
pydantic is recognised by its shape and never imported.

What a type cannot say is in a mapping with the keys of ``Setting`` (``only_when``, ``choices``,
``aliases``, ``order_only``, ``description``): as ``metadata`` of a dataclass field, as
``json_schema_extra`` of a pydantic field, inside ``Annotated`` in every class, and in the place of
the type in a mapping. ``ONLY_WHEN`` beside ``SETTINGS`` says it for a class that must not change.

The values that fields have by default are not passed to the system, because an object of a
settings class may have others, from the environment. They only tell which settings are in force.
"""

import dataclasses
import enum
import inspect
import os
import types
from collections.abc import Iterator, Mapping
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.errors import SystemLoadError
from assay.registry import nearest
from assay.systems.plain import is_given, is_secret, plain, shown_setting
from assay.systems.protocol import DIMENSION_ALIASES, Configuration, Setting, dimension_setting

# The fields of a class of settings: a dataclass, a struct, a ``TypedDict``, a pydantic model.
#
# pydantic is recognised by its shape and never imported.


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
    for read in (_pydantic_fields, _old_pydantic_fields, _dataclass_fields, _attrs_fields):
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


def _attrs_fields(kind: type) -> list[SettingField] | None:
    attributes = getattr(kind, "__attrs_attrs__", None)
    if not isinstance(attributes, tuple):
        return None
    hints = _hints(kind)
    return [
        SettingField(
            name=each.name,
            hint=hints.get(each.name, Any),
            initial=UNSET if each.default is None or _is_opaque(each.default) else each.default,
            further=(each.metadata,),
        )
        for each in attributes
    ]


def _is_opaque(default: Any) -> bool:
    """Whether a default is a mark of attrs: there is none, or a factory makes it."""
    return type(default).__module__.partition(".")[0] in {"attr", "attrs"}


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


_KEYS: Final = ("only_when", "choices", "aliases", "order_only", "description")
_KINDS: Final = (bool, int, float, str, list, dict)
_FAST: Final = "fast_mode"


def settings_in_force(declared: Any) -> Any:
    """What ``SETTINGS`` declares, with the values that it has in this process where it is a class.

    A class of settings reads the environment when an object of it is created. If it cannot be created
    without arguments, the class itself is returned.
    """
    return _created(declared) if inspect.isclass(declared) else declared


def _created(kind: type) -> Any:
    """An object of a class of settings; the class itself if it is none, or needs arguments."""
    is_known = issubclass(kind, Struct) or any(
        hasattr(kind, mark)
        for mark in ("model_fields", "__fields__", "__dataclass_fields__", "__attrs_attrs__")
    )
    if not is_known:
        return kind
    try:
        return kind()
    except (Exception, SystemExit):  # noqa: BLE001 - a required field, or whatever the class raises
        return kind


def unread_settings(in_force: Any) -> str | None:
    """The name of a class that reads the environment but could not be created, as pydantic's does."""
    reads = inspect.isclass(in_force) and hasattr(in_force, "settings_customise_sources")
    return in_force.__name__ if reads else None


def read_configuration(declared: Any, variables: Any = None) -> Configuration:
    """The values that the settings have in this process, and the declared environment variables.

    ``declared`` is what ``settings_in_force`` returns, ``variables`` is ``ENVIRONMENT``.

    >>> found = read_configuration({"k": 60, "mode": ("a", "b"), "api_key": "x"})
    >>> dict(found.settings), dict(found.secrets)
    ({'k': 60}, {'api_key': 'set'})
    """
    if isinstance(declared, Mapping) or declared is None:
        known = read_settings(declared) or {}
        values = {name: setting.initial for name, setting in known.items()}
        hidden: set[str] = set()
    else:
        fields = fields_of(declared) or []
        passing = _passing_names(declared)
        values = {field.name: field.initial for field in fields if field.name not in passing}
        hidden = {field.name for field in fields if _is_secret_hint(field.hint)}
    for name in _variable_names(variables):
        values[name] = os.environ.get(name)
    settings: dict[str, Any] = {}
    secrets: dict[str, str] = {}
    for name, value in values.items():
        if value is UNSET:
            continue
        if name in hidden or is_secret(name, value):
            secrets[name] = "set" if is_given(value) else "not set"
        else:
            settings[name] = shown_setting(value)
    return Configuration(settings=settings, secrets=secrets)


def _passing_names(declared: Any) -> set[str]:
    """The fields that differ between two new objects: an id or a time of the run is no setting."""
    kind = declared if inspect.isclass(declared) else type(declared)
    first, second = (
        {field.name: field.initial for field in fields_of(_created(kind)) or ()} for _ in range(2)
    )
    return {
        name
        for name, value in first.items()
        if shown_setting(value) != shown_setting(second.get(name))
    }


def _is_secret_hint(hint: Any) -> bool:
    hint, _ = _without_wrapping(hint)
    return any(hasattr(part, "get_secret_value") for part in (hint, *get_args(hint)))


def _variable_names(declared: Any) -> tuple[str, ...]:
    if declared is None:
        return ()
    names = (declared,) if isinstance(declared, str) else declared
    if isinstance(names, list | tuple | set | frozenset) and all(isinstance(n, str) for n in names):
        return tuple(names)
    raise SystemLoadError(
        f"ENVIRONMENT is {declared!r}; write the names of environment variables as a list"
    )


def read_settings(declared: Any, only_when: Any = None) -> dict[str, Setting] | None:
    """The settings that ``SETTINGS`` declares in any of its forms; None for None.

    ``only_when`` is ``ONLY_WHEN``: for a setting, the values that others need for it to matter.

    >>> read_settings({"dim": int, "mode": ("a", "b")})["mode"].choices
    ('a', 'b')
    """
    if declared is None:
        return None
    if isinstance(declared, Mapping):
        settings = {str(name): _from_value(str(name), value) for name, value in declared.items()}
    else:
        fields = fields_of(declared)
        if fields is None:
            raise SystemLoadError(
                "SETTINGS must be a mapping from name to type, or a class with fields"
            )
        settings = {field.name: _from_field(field) for field in fields}
    return _with_dimension(_with_dependence(settings, only_when))


# --- one setting ----------------------------------------------------------------------------


def _from_value(name: str, value: Any) -> Setting:
    """The setting of an entry of a mapping."""
    if isinstance(value, Setting):
        return value
    if value is None:
        return Setting()
    if isinstance(value, bool | int | float | str):
        return Setting(kind=type(value), initial=value)
    if isinstance(value, Mapping):
        return _from_mapping(name, value)
    if isinstance(value, tuple | list):
        return Setting(choices=tuple(value))
    if isinstance(value, type) or get_origin(value) is not None:
        return _from_field(SettingField(name=name, hint=value))
    raise SystemLoadError(
        f"SETTINGS[{name!r}] is {value!r}; write a type, a tuple of choices, a value, a Setting, "
        f"a mapping with 'type', {', '.join(map(repr, _KEYS))}, or None"
    )


def _from_mapping(name: str, value: Mapping[Any, Any]) -> Setting:
    known = ("type", "default", *_KEYS)
    for key in value:
        if key not in known:
            raise SystemLoadError(f"SETTINGS[{name!r}] has {key!r}{nearest(str(key), known)}")
    hint = value.get("type", Any)
    further = {key: item for key, item in value.items() if key in _KEYS}
    return _from_field(
        SettingField(name=name, hint=hint, initial=value.get("default", UNSET), further=(further,))
    )


def _from_field(field: SettingField) -> Setting:
    hint, further = _without_wrapping(field.hint)
    kind, choices = _kind_and_choices(hint)
    # without the classes of the module, which the process of the run need not have
    is_hidden = is_secret(field.name, field.initial) or _is_secret_hint(field.hint)
    initial = UNSET if is_hidden else plain(field.initial)
    setting = Setting(kind=kind, choices=choices, initial=initial)
    for said in (*further, *field.further):
        if isinstance(said, Setting):
            changed = {
                name: getattr(said, name)
                for name in said.__struct_fields__
                if getattr(said, name) != getattr(Setting(), name)
            }
        elif isinstance(said, Mapping):
            changed = {key: said[key] for key in _KEYS if key in said}
        else:
            continue
        setting = _replaced(field.name, setting, changed)
    return setting


def _replaced(name: str, setting: Setting, changed: dict[str, Any]) -> Setting:
    for key in ("choices", "aliases"):
        if key in changed:
            value = changed[key]
            changed[key] = (value,) if isinstance(value, str) else tuple(value)
    if not isinstance(changed.get("only_when", {}), Mapping):
        raise SystemLoadError(
            f"SETTINGS: only_when of {name} is {changed['only_when']!r}; write the settings that "
            "it needs with their values, for example {'fast_mode': True}"
        )
    return replace(setting, **changed)


def _without_wrapping(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type inside ``Annotated``, ``Required`` and ``NotRequired``, and what these add."""
    further: tuple[Any, ...] = ()
    while (origin := get_origin(hint)) in (Annotated, Required, NotRequired):
        if origin is Annotated:
            further = (*further, *hint.__metadata__)
            hint = hint.__origin__
        else:
            hint = get_args(hint)[0]
    return hint, further


def _kind_and_choices(hint: Any) -> tuple[type | None, tuple[Any, ...]]:
    """The type of a setting's values, and its choices; neither if any value may fit."""
    if hint in _KINDS:
        return hint, ()
    if get_origin(hint) is Literal:
        return None, get_args(hint)
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return None, tuple(member.value for member in hint)
    if get_origin(hint) in (Union, types.UnionType):
        parts = [_kind_and_choices(_without_wrapping(part)[0]) for part in get_args(hint)]
        allowed = [choices for kind, choices in parts if choices]
        has_none = type(None) in get_args(hint)
        if allowed and len(allowed) == len(parts) - has_none:
            return None, (*(item for choices in allowed for item in choices), *[None] * has_none)
    return None, ()


# --- all settings together ------------------------------------------------------------------


def _with_dependence(settings: dict[str, Setting], only_when: Any) -> dict[str, Setting]:
    """The settings with ``ONLY_WHEN``; a name that ends in ``_fast_mode`` needs no more words."""
    if only_when is not None and not isinstance(only_when, Mapping):
        raise SystemLoadError("ONLY_WHEN must be a mapping from a setting to the values it needs")
    for name in only_when or {}:
        if name not in settings:
            raise SystemLoadError(f"ONLY_WHEN: unknown setting {name!r}{nearest(name, settings)}")
    combined = {}
    for name, setting in settings.items():
        needed = {**setting.only_when}
        if only_when and name in only_when:
            needed |= _replaced(name, setting, {"only_when": only_when[name]}).only_when
        elif not needed and name.endswith(f"_{_FAST}") and _FAST in settings:
            needed = {_FAST: True}
        for other in needed:
            if other not in settings:
                raise SystemLoadError(
                    f"{name} depends on the unknown setting {other!r}{nearest(other, settings)}"
                )
        combined[name] = replace(setting, only_when=needed) if needed else setting
    return combined


def _with_dimension(settings: dict[str, Setting]) -> dict[str, Setting]:
    """The settings, where the embedding dimension can also be called ``dim``."""
    taken = {*settings, *(alias for setting in settings.values() for alias in setting.aliases)}
    name = dimension_setting(list(settings))
    free = tuple(alias for alias in DIMENSION_ALIASES if alias not in taken)
    if name is None or len(free) < len(DIMENSION_ALIASES):  # the module says itself which it is
        return settings
    setting = settings[name]
    return {**settings, name: replace(setting, aliases=(*setting.aliases, *free))}
