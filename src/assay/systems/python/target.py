"""What the user's module says about a system: the callable, its hooks and its declarations."""

import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast, get_args

from msgspec import Struct

from assay.config import PassagesOrder, nearest
from assay.errors import SystemLoadError
from assay.systems.python.local_module import local_version

ORDERS: Final[tuple[str, ...]] = get_args(PassagesOrder)


class Target(Struct, frozen=True, kw_only=True):
    """An object that can be asked, and what is declared on it or in its module."""

    asked: Any
    identity: str
    reset: Any = None
    prepare: Any = None
    close: Any = None
    settings: Any = None
    only_when: Any = None
    passages: Any = None
    max_concurrency: Any = None


def read_target(path: str) -> Target:
    """Import ``package.module:callable``; the current folder is searched first.

    A class is instantiated. Raises ``SystemLoadError`` if the module cannot be imported or has no
    such callable.
    """
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise SystemLoadError(f"python:{path}: write it as python:package.module:callable")
    module = _import(module_name)
    asked: Any = module
    for name in attribute.split("."):
        try:
            asked = getattr(asked, name)
        except AttributeError:
            names = [known for known in vars(module) if not known.startswith("_")]
            raise SystemLoadError(
                f"{module_name} has no {attribute!r}{nearest(attribute, names)}"
            ) from None
    if inspect.isclass(asked):
        try:
            asked = asked()
        except (Exception, SystemExit) as error:
            raise SystemLoadError(
                f"python:{path} could not be created: {error_line(error)}"
            ) from error

    def declared(name: str) -> Any:
        return getattr(asked, name, getattr(module, name, None))

    return Target(
        asked=asked,
        identity=f"python:{path}@{_version(asked, module)}",
        reset=declared("reset"),
        prepare=declared("prepare"),
        close=getattr(asked, "close", _own_function(module, "close")),
        settings=declared("SETTINGS"),
        only_when=declared("ONLY_WHEN"),
        passages=declared("PASSAGES"),
        max_concurrency=declared("max_concurrency"),
    )


def callable_of(asked: Any) -> Callable[..., Any]:
    """The object itself if it can be called, otherwise its ``ask`` or ``query``."""
    for candidate in (asked, getattr(asked, "ask", None), getattr(asked, "query", None)):
        if callable(candidate):
            return candidate  # type: ignore[no-any-return]
    raise SystemLoadError(f"{asked!r} is not callable and has no 'ask' or 'query' method")


def read_order(declared: Any) -> PassagesOrder:
    """The order that ``PASSAGES`` declares; ``rank`` for None.

    >>> read_order("prompt_order")
    'prompt_order'
    """
    if declared is None:
        return "rank"
    if declared not in ORDERS:
        raise SystemLoadError(f"PASSAGES is {declared!r}; write 'rank' or 'prompt_order'")
    return cast("PassagesOrder", declared)


def read_limit(declared: Any) -> int | None:
    """The number that ``max_concurrency`` declares; None for None.

    An attribute of this name that is no number, for example a method, has another purpose.
    """
    if not isinstance(declared, int | float | str):
        return None
    if isinstance(declared, int) and not isinstance(declared, bool) and declared >= 1:
        return declared
    raise SystemLoadError(f"max_concurrency is {declared!r}; write a number from 1 on")


def identity_of(asked: Any) -> str:
    """The identity of an object that was not loaded by its path; a partial is its function."""
    while isinstance(asked, partial):
        asked = asked.func
    module = inspect.getmodule(asked if hasattr(asked, "__name__") else type(asked))
    name = getattr(asked, "__qualname__", type(asked).__qualname__)
    path = f"{module.__name__}:{name}" if module else name
    return f"python:{path}@{_version(asked, module)}"


def error_line(error: BaseException) -> str:
    """The type and the message of an error, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _version(asked: Any, module: ModuleType | None) -> str:
    declared = getattr(asked, "VERSION", getattr(module, "VERSION", None))
    if declared is not None:
        return str(declared)
    file = getattr(module, "__file__", None)
    try:
        own = hashlib.sha256(Path(file or "").read_bytes()).hexdigest()[:12]
    except OSError:
        return "unknown"
    return own + local_version(module) if module is not None else own


def _own_function(module: ModuleType, name: str) -> Any:
    """A function that the module itself defines; one that it imports is meant for other things."""
    function = getattr(module, name, None)
    is_own = inspect.isfunction(function) and function.__module__ == module.__name__
    return function if is_own else None


def _import(name: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name == missing or name.startswith(missing + "."):
            raise SystemLoadError(
                f"there is no Python module {name!r} in this folder or the installed packages"
            ) from None
        raise SystemLoadError(
            f"{name} needs the module {missing!r}, which is not installed"
        ) from None
    except (Exception, SystemExit) as error:
        raise SystemLoadError(f"{name} could not be imported: {error_line(error)}") from error
