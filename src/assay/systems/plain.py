"""Values of other people's types as plain data: what JSON can hold, without their classes.

Models of pydantic, dataclasses, attrs classes and structs are read like the mapping of their
fields. pydantic and attrs are recognised by their shape and never imported.
"""

import dataclasses
import enum
import inspect
import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, Final

import msgspec

from assay.mask import MASK, looks_secret
from assay.redact.error_text import masked_error

_PLAIN: Final = (str, bool, int, float)
_COUNTED: Final = "tokens"
"""``max_tokens`` is a number of tokens and no secret."""


def plain_fields(value: Any) -> Mapping[Any, Any] | None:
    """The fields of an object by their names, or the mapping that it is; None if it is neither."""
    if isinstance(value, Mapping):
        return value
    if inspect.isclass(value):
        return None
    dump = getattr(value, "model_dump", None)
    if dump is None and "__fields__" in vars(type(value)):  # pydantic 1
        dump = getattr(value, "dict", None)
    if callable(dump):
        fields = dump()
        return fields if isinstance(fields, Mapping) else None
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.asdict(value)
    if isinstance(attributes := getattr(type(value), "__attrs_attrs__", None), tuple):
        return {each.name: getattr(value, each.name) for each in attributes}
    return None


def plain(value: Any) -> Any:
    """The value without its classes; what has no plain form stays as it is.

    >>> class Text(str): pass
    >>> type(plain({"a": (Text("b"),)})["a"][0])
    <class 'str'>
    """
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int | float):
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, list | tuple | set | frozenset):
        items = [plain(each) for each in value]
        return sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    if callable(getattr(value, "get_secret_value", None)):
        return MASK
    if isinstance(value, PurePath):
        return str(value)
    if hasattr(value, "dtype") and callable(getattr(value, "tolist", None)):  # of NumPy
        return value.tolist()
    fields = plain_fields(value)
    return value if fields is None else {plain(key): plain(each) for key, each in fields.items()}


def is_secret(name: str, value: Any) -> bool:
    """Whether a setting is a secret by its name or by its type.

    >>> is_secret("openai_api_key", "x"), is_secret("max_tokens", 400), is_secret("use_token", True)
    (True, False, False)
    """
    if callable(getattr(value, "get_secret_value", None)):
        return True
    if isinstance(value, bool) or not looks_secret(name):
        return False
    return not (isinstance(value, int | float) and name.lower().endswith(_COUNTED))


def is_given(value: Any) -> bool:
    """Whether a secret has a value."""
    reveal = getattr(value, "get_secret_value", None)
    return bool(reveal() if callable(reveal) else value)


def shown_setting(value: Any) -> Any:
    """The value of a setting as a header has it: plain, without secrets in it.

    What has no plain form is its type, because the text of an object differs from run to run. A path
    below the current folder is relative: a repository that was moved answers as before.
    """
    fields = None if isinstance(value, str | int | float | enum.Enum) else plain_fields(value)
    if fields is not None:
        return {
            str(name): shown_setting(each)
            for name, each in fields.items()
            if not is_secret(str(name), each)
        }
    value = plain(value)
    if isinstance(value, str):
        return masked_error(value.removeprefix(f"{Path.cwd()}{os.sep}"))
    if isinstance(value, list):
        return [shown_setting(each) for each in value]
    try:
        return msgspec.to_builtins(value)
    except TypeError:
        return f"<{type(value).__name__}>"


def shown_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of ``experiments.yaml`` as a header has it: what is set, without secrets in it.

    >>> shown_entry({"kind": "http", "usage": None, "body": {"api_key": "k", "q": "{{question}}"}})
    {'kind': 'http', 'body': {'q': '{{question}}'}}
    """
    return {name: shown_setting(value) for name, value in entry.items() if value is not None}
