"""A Python callable as the system under test: ``python:package.module:callable``.

The callable receives the question's text and, if its signature has these parameters, ``settings``
(a dict) and ``top_k``. It returns a reply as described in ``assay.systems.reply``. It may be
synchronous (it then runs in worker threads) or asynchronous. A class is instantiated without
arguments. For an object that is not callable, its ``ask`` or ``query`` method is used. The object
or its module may also define

- ``prepare``: called before the first question, so that what it does is in no question's
  latency. If it has a parameter ``settings``, it is called once for each variant, with its
  settings; synchronous or asynchronous;
- ``reset``: called before every question; questions are then asked one at a time. Its time is not
  part of the latency;
- ``SETTINGS``: the settings that the system understands, so that an unknown name is refused
  before the first call. Either a mapping from name to a ``Setting``, a type, a tuple of choices
  or ``None``; or a dataclass or msgspec struct class, whose fields are the settings;
- ``PASSAGES``: ``"prompt_order"`` if its passages are listed in the order of its prompt and not
  from the best to the worst;
- ``close`` (on the object only): called once when the run is over; synchronous or asynchronous;
- ``VERSION``: identifies the code in the system's identity. Without it, a hash of the module's
  source is used, so that a run of edited code does not continue with old answers.
"""

import asyncio
import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast, get_args, get_type_hints

from assay.config import PassagesOrder, nearest
from assay.errors import SystemFailed, SystemLoadError
from assay.models import work_ends, work_starts
from assay.records import Answer, Question
from assay.systems.protocol import Setting
from assay.systems.reply import to_answer
from assay.systems.thread import ThreadPool

ORDERS: Final[tuple[str, ...]] = get_args(PassagesOrder)
_CLOSING_S = 30.0


class PythonSystem:
    """Asks a callable. ``identity`` defaults to its module, name and version (see the module)."""

    def __init__(
        self,
        target: Any,
        *,
        identity: str | None = None,
        reset: Callable[[], Any] | None = None,
        prepare: Callable[..., Any] | None = None,
        settings: Any = None,
        passages: Any = None,
    ) -> None:
        self._call = _callable(target)
        self._is_async = _is_async(self._call)
        self._accepted = _accepted_arguments(self._call)
        self._close = getattr(target, "close", None)
        self._reset = reset if reset is not None else getattr(target, "reset", None)
        self._prepare = _hook(prepare if prepare is not None else getattr(target, "prepare", None))
        declared = settings if settings is not None else getattr(target, "SETTINGS", None)
        self._settings = read_settings(declared)
        declared_order = passages if passages is not None else getattr(target, "PASSAGES", None)
        self._passages_order = read_order(declared_order)
        self._identity = identity or _identity(target)
        self._pool = ThreadPool()

    @property
    def identity(self) -> str:
        """The module and name of the callable, and its version or a hash of its source."""
        return self._identity

    @property
    def passages_order(self) -> PassagesOrder:
        """The order of the passages that ``PASSAGES`` declares."""
        return self._passages_order

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings that ``SETTINGS`` declares; None, which allows any, without it."""
        return self._settings

    @property
    def max_concurrency(self) -> int | None:
        """1 if there is a ``reset``, because the system then keeps state; otherwise None."""
        return 1 if self._reset else None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Call ``reset`` if there is one, then call the system and read its reply."""
        if self._reset:
            await self._run(self._reset, is_async=_is_async(self._reset))
        offered = {"settings": dict(settings), "top_k": top_k}
        arguments = {name: offered[name] for name in self._accepted}
        text = question.text
        return to_answer(
            await self._run(
                lambda: self._call(text, **arguments), is_async=self._is_async, timed=True
            )
        )

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Call the system's ``prepare`` if it has one: once, or once for each of the settings.

        Raises ``SystemLoadError`` if it fails.
        """
        prepare = self._prepare
        if prepare is None:
            return
        takes_settings = "settings" in _accepted_arguments(prepare)
        calls = [{"settings": dict(chosen)} for chosen in settings] if takes_settings else [{}]
        for arguments in calls:
            try:
                await self._run(partial(prepare, **arguments), is_async=_is_async(prepare))
            except Exception as error:
                raise SystemLoadError(
                    f"the system's prepare() failed: {_error_line(error)}"
                ) from error

    async def close(self) -> None:
        """Call the system's ``close`` if it has one, and let the worker threads end.

        Raises ``SystemFailed`` if ``close`` fails or does not return in time.
        """
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
            raise SystemFailed(f"the system's close() failed: {_error_line(error)}") from error
        finally:
            self._pool.close()

    async def _run(
        self, function: Callable[[], Any], *, is_async: bool, timed: bool = False
    ) -> Any:
        """Call a function of the system; the latency of ``timed`` calls is taken where it runs."""
        if timed:
            function = _timed(function)
        try:
            result = function() if is_async else await self._pool.call(function)
            return await result if inspect.isawaitable(result) else result
        except SystemExit as error:  # it would end the event loop and the whole program
            raise RuntimeError(f"the system raised SystemExit: {error}") from error


def _timed(function: Callable[[], Any]) -> Callable[[], Any]:
    """The function, which starts and stops the stopwatch of the question around its work.

    A thread may have to wait before it begins, and the event loop before it takes the result.
    """

    def call() -> Any:
        work_starts()
        result = function()
        if not inspect.isawaitable(result):
            work_ends()
        return result

    return call


def load_python(path: str, passages: PassagesOrder | None = None) -> PythonSystem:
    """Load the system at ``package.module:callable``; the current folder is searched first.

    ``passages`` is the order of its passages if the configuration declares it. Raises ``SystemLoadError`` if the module cannot be imported or has no such callable.
    """
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise SystemLoadError(f"python:{path}: write it as python:package.module:callable")
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
            raise SystemLoadError(
                f"python:{path} could not be created: {_error_line(error)}"
            ) from error
    return PythonSystem(
        target,
        identity=f"python:{path}@{_version(target, module)}",
        reset=getattr(target, "reset", getattr(module, "reset", None)),
        prepare=getattr(target, "prepare", getattr(module, "prepare", None)),
        settings=getattr(target, "SETTINGS", getattr(module, "SETTINGS", None)),
        passages=passages or getattr(target, "PASSAGES", getattr(module, "PASSAGES", None)),
    )


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


def read_settings(declared: Any) -> dict[str, Setting] | None:
    """The settings that ``SETTINGS`` declares in any of its forms; None for None.

    >>> read_settings({"dim": int, "mode": ("a", "b")})["mode"].choices
    ('a', 'b')
    """
    if declared is None:
        return None
    if inspect.isclass(declared):
        hints = get_type_hints(declared)
        return {name: Setting(kind=_simple_type(hint)) for name, hint in hints.items()}
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


def _simple_type(hint: Any) -> type | None:
    return hint if hint in (bool, int, float, str, list, dict) else None


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
        raise SystemLoadError(f"{name} could not be imported: {_error_line(error)}") from error


def _error_line(error: BaseException) -> str:
    """The type and the message of an error, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _callable(target: Any) -> Callable[..., Any]:
    for candidate in (target, getattr(target, "ask", None), getattr(target, "query", None)):
        if callable(candidate):
            return candidate  # type: ignore[no-any-return]
    raise SystemLoadError(f"{target!r} is not callable and has no 'ask' or 'query' method")


def _hook(function: Any) -> Callable[..., Any] | None:
    """The function if it can be called with nothing but ``settings``; otherwise it is no hook."""
    if not callable(function):
        return None
    hook: Callable[..., Any] = function
    offered: dict[str, Any] = dict.fromkeys(_accepted_arguments(hook) & {"settings"})
    try:
        inspect.signature(hook).bind(**offered)
    except (TypeError, ValueError):
        return None
    return hook


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - not a test of whether it is callable
    )


def _accepted_arguments(function: Callable[..., Any]) -> frozenset[str]:
    """Which of ``settings`` and ``top_k`` the callable accepts."""
    offered = {"settings", "top_k"}
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return frozenset()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return frozenset(offered)
    return frozenset(offered & parameters.keys())


def _identity(target: Any) -> str:
    module = inspect.getmodule(target if hasattr(target, "__name__") else type(target))
    name = getattr(target, "__qualname__", type(target).__qualname__)
    path = f"{module.__name__}:{name}" if module else name
    return f"python:{path}@{_version(target, module)}"


def _version(target: Any, module: ModuleType | None) -> str:
    declared = getattr(target, "VERSION", getattr(module, "VERSION", None))
    if declared is not None:
        return str(declared)
    file = getattr(module, "__file__", None)
    try:
        return hashlib.sha256(Path(file or "").read_bytes()).hexdigest()[:12]
    except OSError:
        return "unknown"
