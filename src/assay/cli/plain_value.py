"""Values of the command line without pydantic.

For every option that is no flag, typer builds a validator of pydantic, even if the option is not
given, and pydantic takes as long to import as typer. Here texts, paths and numbers are converted
without it. Everything else goes to typer, and so does what is wrong, so that messages are typer's.
"""

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args, get_origin

_NUMBERS: Final = {
    int: re.compile(r"-?(?:0|[1-9][0-9]{0,14})"),
    float: re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?"),
}
_PATH_CHECKS: Final = ("exists", "writable", "resolve_path", "allow_dash", "path_type")


class PlainValues:
    """A command or a group whose parameters do without pydantic wherever they can.

    Releases of typer that do not use pydantic have nothing to avoid.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Convert the words of the command line."""
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            if hasattr(parameter, "get_runtime_param"):
                parameter.get_runtime_param = partial(_Converter, parameter)
        return super().parse_args(ctx, args)  # type: ignore[misc, no-any-return]


class _Converter:
    """Converts the values of one parameter; takes the place of what typer builds for it."""

    def __init__(self, parameter: Any) -> None:
        self._by_typer: Callable[[], Any] = partial(type(parameter).get_runtime_param, parameter)
        self._kind = parameter.type_descriptor.annotation
        self._info = parameter.type_descriptor.parameter_info

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of the parameter: a list if it can be given several times."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        try:
            if get_origin(self._kind) is list and isinstance(value, list | tuple):
                (kind,) = get_args(self._kind)
                return [_converted(kind, each, self._info) for each in value]
            return _converted(self._kind, value, self._info)
        except ValueError:
            return self._by_typer().coerce(value, param=param, ctx=ctx)


def _converted(kind: Any, value: Any, info: Any) -> Any:
    """The value as ``kind``. Raises ``ValueError`` if only typer can say what it is."""
    text = str(value)
    text.encode()  # a UnicodeError, which is a ValueError, if it has bytes that are no text
    if info.parser is None:
        if kind is str:
            return text
        if kind is Path and not _is_checked(text, info):
            return Path(text)
        if kind in _NUMBERS and not info.clamp and _is_number(kind, value):
            number = kind(value)
            if _is_within(number, info.min, info.max):
                return number
    raise ValueError(text)


def _is_checked(text: str, info: Any) -> bool:
    """Whether typer has to look at the path, or refuses it."""
    if any(getattr(info, check) for check in _PATH_CHECKS) or not (
        info.file_okay and info.dir_okay
    ):
        return True
    return os.path.lexists(text) and not os.access(text, os.R_OK)


def _is_number(kind: type, value: Any) -> bool:
    """Whether the value is a number already, as a default is, or a text that only has one meaning."""
    return type(value) is kind or bool(_NUMBERS[kind].fullmatch(str(value)))


def _is_within(number: float, low: float | None, high: float | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)
