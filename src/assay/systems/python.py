"""A Python callable as the system under test: ``python:package.module:callable``.

The callable takes the question's text and, where its signature has them, ``settings`` (a
dict) and ``top_k``; it returns what ``assay.systems.reply`` describes. It may be sync (run
in worker threads) or async; a class is instantiated without arguments, and an object that
is not callable is asked by its ``ask`` or ``query`` method. Beside it, on the object or in
its module, may stand

- ``reset``: called before every question; its system is then asked one question at a time;
- ``SETTINGS``: the settings it understands, so that an unknown name is refused before the
  first call. A mapping from name to a ``Setting``, a type, a tuple of choices or ``None``;
  or a dataclass or msgspec struct class, whose fields are taken;
- ``close`` (on the object only): called once when the run is over, sync or async;
- ``VERSION``: stands for the code in the system's identity; without it, a hash of the
  module's source does, so that edited code is never resumed on old answers.
"""

import asyncio
import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from assay.config import nearest
from assay.errors import SystemFailed, SystemLoadError
from assay.records import Answer, Question
from assay.systems.protocol import Setting
from assay.systems.reply import to_answer
from assay.systems.thread import ThreadPool

_CLOSING_S = 30.0


class PythonSystem:
    """Asks a callable. ``identity`` defaults to its place and a hash of its source."""

    def __init__(
        self,
        target: Any,
        *,
        identity: str | None = None,
        reset: Callable[[], Any] | None = None,
        settings: Any = None,
    ) -> None:
        self._call = _callable(target)
        self._is_async = _is_async(self._call)
        self._takes = _accepted(self._call)
        self._close = getattr(target, "close", None)
        self._reset = reset if reset is not None else getattr(target, "reset", None)
        declared = settings if settings is not None else getattr(target, "SETTINGS", None)
        self._settings = read_settings(declared)
        self._identity = identity or _identity(target)
        self._pool = ThreadPool()

    @property
    def identity(self) -> str:
        """Where the callable stands, and its version or a hash of its source."""
        return self._identity

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """What ``SETTINGS`` declares."""
        return self._settings

    @property
    def max_concurrency(self) -> int | None:
        """One where there is a ``reset``: it keeps state between calls."""
        return 1 if self._reset else None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Reset where there is a reset, call, read the reply."""
        if self._reset:
            await self._run(self._reset, is_async=_is_async(self._reset))
        offered = {"settings": dict(settings), "top_k": top_k}
        given = {name: offered[name] for name in self._takes}
        text = question.text
        return to_answer(
            await self._run(lambda: self._call(text, **given), is_async=self._is_async)
        )

    async def close(self) -> None:
        """Close the callable where it has a ``close``, and let the worker threads go."""
        close, self._close = self._close, None
        try:
            if callable(close):
                closing = self._run(close, is_async=_is_async(close))
                await asyncio.wait_for(closing, _CLOSING_S)
        except TimeoutError:
            raise SystemFailed(
                f"the system's close() did not return within {_CLOSING_S:g} s"
            ) from None
        except Exception as error:
            raise SystemFailed(f"the system's close() failed: {_said(error)}") from error
        finally:
            self._pool.close()

    async def _run(self, function: Callable[[], Any], *, is_async: bool) -> Any:
        try:
            result = function() if is_async else await self._pool.call(function)
            return await result if inspect.isawaitable(result) else result
        except SystemExit as error:  # would end the loop and with it the program
            raise RuntimeError(f"the system raised SystemExit: {error}") from error


def load_python(place: str) -> PythonSystem:
    """The system at ``package.module:callable``, looked for in the current folder first."""
    module_name, _, attribute = place.partition(":")
    if not module_name or not attribute:
        raise SystemLoadError(f"python:{place}: write it as python:package.module:callable")
    module = _import(module_name)
    target: Any = module
    for name in attribute.split("."):
        try:
            target = getattr(target, name)
        except AttributeError:
            names = [known for known in vars(module) if not known.startswith("_")]
            raise SystemLoadError(
                f"{module_name} has no {attribute!r}{nearest(attribute, names)}"
            ) from None
    if inspect.isclass(target):
        try:
            target = target()
        except (Exception, SystemExit) as error:
            raise SystemLoadError(f"python:{place} could not be made: {_said(error)}") from error
    return PythonSystem(
        target,
        identity=f"python:{place}@{_version(target, module)}",
        reset=getattr(target, "reset", getattr(module, "reset", None)),
        settings=getattr(target, "SETTINGS", getattr(module, "SETTINGS", None)),
    )


def read_settings(declared: Any) -> dict[str, Setting] | None:
    """``SETTINGS`` in any of its forms, as ``Setting`` objects.

    >>> read_settings({"dim": int, "mode": ("a", "b")})["mode"].choices
    ('a', 'b')
    """
    if declared is None:
        return None
    if inspect.isclass(declared):
        hints = get_type_hints(declared)
        return {name: Setting(kind=_plain(hint)) for name, hint in hints.items()}
    if isinstance(declared, Mapping):
        return {str(name): _setting(name, value) for name, value in declared.items()}
    raise SystemLoadError("SETTINGS must be a mapping from name to type, or a class with fields")


def _setting(name: str, value: Any) -> Setting:
    if isinstance(value, Setting):
        return value
    if value is None:
        return Setting()
    if isinstance(value, type):
        return Setting(kind=value)
    if isinstance(value, tuple | list):
        return Setting(choices=tuple(value))
    raise SystemLoadError(
        f"SETTINGS[{name!r}] is {value!r}; write a type, a tuple of choices, a Setting or None"
    )


def _plain(hint: Any) -> type | None:
    return hint if hint in (bool, int, float, str, list, dict) else None


def _import(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name == missing or name.startswith(missing + "."):
            raise SystemLoadError(
                f"there is no Python module {name!r} here or among the installed packages"
            ) from None
        raise SystemLoadError(f"{name} needs the module {missing!r}, which is not there") from None
    except (Exception, SystemExit) as error:
        raise SystemLoadError(f"{name} could not be imported: {_said(error)}") from error


def _said(error: BaseException) -> str:
    """Type and message on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _callable(target: Any) -> Callable[..., Any]:
    for candidate in (target, getattr(target, "ask", None), getattr(target, "query", None)):
        if callable(candidate):
            return candidate  # type: ignore[no-any-return]
    raise SystemLoadError(
        f"{target!r} is not callable and has no 'ask' or 'query' method to put questions to"
    )


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - its coroutine-ness is asked for
    )


def _accepted(function: Callable[..., Any]) -> frozenset[str]:
    """Which of ``settings`` and ``top_k`` the callable has a place for."""
    offered = {"settings", "top_k"}
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return frozenset()
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return frozenset(offered)
    return frozenset(offered & parameters.keys())


def _identity(target: Any) -> str:
    module = inspect.getmodule(target if hasattr(target, "__name__") else type(target))
    name = getattr(target, "__qualname__", type(target).__qualname__)
    place = f"{module.__name__}:{name}" if module else name
    return f"python:{place}@{_version(target, module)}"


def _version(target: Any, module: ModuleType | None) -> str:
    declared = getattr(target, "VERSION", getattr(module, "VERSION", None))
    if declared is not None:
        return str(declared)
    file = getattr(module, "__file__", None)
    try:
        return hashlib.sha256(Path(file or "").read_bytes()).hexdigest()[:12]
    except OSError:
        return "unknown"
