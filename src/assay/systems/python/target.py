"""What the user's module says about a system: the callable, its hooks and its declarations."""

import ast
import hashlib
import importlib.util
import inspect
import os
import pickle
import re
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast, get_args

from msgspec import Struct

from assay.config.system import PassagesOrder
from assay.errors import SystemLoadError
from assay.records import Question, digest
from assay.redact.error_text import class_name
from assay.registry import nearest
from assay.systems.framework import declared_on, framework_call, shape_of
from assay.systems.python.loose_code import bound_version, code_version

# The modules that the system's module imports from its own folder, and a hash of their source.
#
# Imports are read from the source, also those inside of functions, so that the result depends on the
# files alone and not on what happens to be loaded. The folder is the one in which the module, or the
# package that it is in, was found. Of an installed package only its own modules count.

_MOST: Final = 2000
"""A pipeline has fewer files; beyond this number, further ones are left out."""
_NAMED: Final = 3
"""So many modules are named in an identity with a hash for each; more have one hash together."""
_INSTALLED: Final = frozenset(("site-packages", "dist-packages"))


class _Source(Struct, frozen=True):
    """A file and the name under which it is imported; a package has the name of its folder."""

    name: str
    path: Path

    @property
    def package(self) -> str:
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]


def local_modules(module: ModuleType) -> dict[str, str]:
    """The names of the local modules that ``module`` imports, also by each other, with hashes."""
    file = getattr(module, "__file__", None)
    if not file or Path(file).suffix != ".py":
        return {}
    own = _Source(_own_name(module), Path(file))
    depth = own.name.count(".") + (own.path.stem == "__init__")
    folder = Path(file).absolute().parents[depth]
    within = own.name.partition(".")[0] if folder.name in _INSTALLED else ""
    known: dict[str, str] = {}
    seen, waiting = {own.name}, [own]
    while waiting and len(known) < _MOST:
        current = waiting.pop()
        try:
            data = current.path.read_bytes()
        except OSError:
            continue
        if current is not own:
            known[current.name] = hashlib.sha256(data).hexdigest()
        for name in _imported(data, current.package):
            path = _path(folder, name)
            if name not in seen and path and (not within or name.partition(".")[0] == within):
                seen.add(name)
                waiting.append(_Source(name, path))
    return dict(sorted(known.items()))


def local_version(module: ModuleType) -> str:
    """What the local modules add to the identity of a system; empty if there are none."""
    hashes = local_modules(module)
    if len(hashes) <= _NAMED:
        return "".join(f"+{name}.{each[:8]}" for name, each in hashes.items())
    together = hashlib.sha256("".join(f"{name}={each};" for name, each in hashes.items()).encode())
    return f"+{len(hashes)}-modules.{together.hexdigest()[:8]}"


def _own_name(module: ModuleType) -> str:
    """The name of a module by its file; a script that was started is called after its file."""
    file = Path(str(module.__file__))
    return module.__name__ if module.__name__ != "__main__" else file.stem


def _imported(data: bytes, package: str) -> Iterator[str]:
    """All names that a source may import as modules, with the packages that they are in."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = _absolute(node.module or "", node.level, package)
            names = [start, *(f"{start}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            words = name.strip(".").split(".")
            yield from (".".join(words[:end]) for end in range(1, len(words) + 1))


def _absolute(name: str, level: int, package: str) -> str:
    """The whole name of a module after ``from``; each dot but the first leaves a package.

    >>> _absolute("prompt", 1, "rag.parts"), _absolute("", 2, "rag.parts")
    ('rag.parts.prompt', 'rag')
    """
    if not level:
        return name
    words = package.split(".") if package else []
    return ".".join([*words[: len(words) - level + 1], *([name] if name else [])])


def _path(folder: Path, name: str) -> Path | None:
    """The file of a module, if it lies in the folder."""
    place = folder.joinpath(*name.split("."))
    candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((path for path in candidates if path.is_file()), None)


ASKED: Final = ("ask", "query", "invoke", "run", "chat")
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")
ORDERS: Final[tuple[str, ...]] = get_args(PassagesOrder)


class Target(Struct, frozen=True, kw_only=True):
    """An object that can be asked, and what is declared on it or in its module."""

    asked: Any
    identity: str
    reset: Any = None
    prepare: Any = None
    close: Any = None
    settings: Any = None
    environment: Any = None
    only_when: Any = None
    passages: Any = None
    max_concurrency: Any = None
    takes: Any = None


def names_in(path: str) -> tuple[str, str]:
    """The module and the callable that ``package.module:callable`` names.

    Raises ``SystemLoadError`` if one is missing, or if no package or module has the first name.
    Nothing is imported.
    """
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise SystemLoadError(f"python:{path}: write it as python:package.module:callable")
    _find_module(module_name)
    return module_name, attribute


def _find_module(name: str) -> None:
    """Put the current folder on the path; raises ``SystemLoadError`` if no module has the name."""
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    first = name.partition(".")[0]
    is_known = first in sys.modules or not first.isidentifier()
    if not is_known and importlib.util.find_spec(first) is None:
        raise _no_module(name)


def import_module_here(name: str) -> ModuleType:
    """Import a module; the current folder is searched first. Raises ``SystemLoadError``."""
    _find_module(name)
    return _import(name)


def read_target(path: str) -> Target:
    """Import ``package.module:callable``; the current folder is searched first.

    A class is instantiated. Raises ``SystemLoadError`` if the module cannot be imported or has no
    such callable.
    """
    module_name, attribute = names_in(path)
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
        own = declared_on(asked, name)
        return own if own is not None else getattr(module, name, None)

    return Target(
        asked=asked,
        identity=f"python:{path}@{_version(asked, module)}",
        reset=declared("reset"),
        prepare=declared("prepare"),
        close=declared_on(asked, "close") or _own_function(module, "close"),
        settings=declared("SETTINGS"),
        environment=declared("ENVIRONMENT"),
        only_when=declared("ONLY_WHEN"),
        passages=declared("PASSAGES"),
        max_concurrency=declared("max_concurrency"),
        takes=declared("INPUT"),
    )


def callable_of(asked: Any, takes: Any = None) -> Callable[..., Any]:
    """What is called with a question.

    An object of a known library is asked as it is there, and ``takes`` is ``INPUT``: what it is given.
    Any other object is called, or its method of one of the usual names.
    """
    call = framework_call(asked, takes)
    for candidate in (call, asked, *(getattr(asked, name, None) for name in ASKED)):
        if callable(candidate):
            return candidate  # type: ignore[no-any-return]
    raise SystemLoadError(
        f"{asked!r} is not callable and has no method {', '.join(ASKED[:-1])} or {ASKED[-1]}"
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
    """The identity of an object that was not loaded by its path; a partial is its function.

    Code of a notebook or a script, and values that are bound to a function, are identified by what
    they are (``loose_code``).
    """
    given = asked
    while isinstance(asked, partial):
        asked = asked.func
    module = inspect.getmodule(asked if hasattr(asked, "__name__") else type(asked))
    path, version = path_of(asked), _version(asked, module)
    if _declared_version(asked, module) is None:
        if module is None or module.__name__ == "__main__":
            version = code_version(given)
        elif bound := bound_version(given):
            version = f"{version}+{bound}"
    # two chains of a library are of the same class: what they are made of tells them apart
    own = "" if shape_of(asked) is None else f"+{digest(_ADDRESS.sub('', repr(asked)))}"
    return f"python:{path}@{version}{own}"


def path_of(asked: Any) -> str:
    """The module and the name of a function or of the class of an object."""
    while isinstance(asked, partial):
        asked = asked.func
    module = inspect.getmodule(asked if hasattr(asked, "__name__") else type(asked))
    name = getattr(asked, "__qualname__", type(asked).__qualname__)
    return f"{module.__name__}:{name}" if module else name


def error_line(error: BaseException) -> str:
    """The type and the message of an error, on one line."""
    return " ".join(f"{class_name(error)}: {error}".split())


def _version(asked: Any, module: ModuleType | None) -> str:
    declared = _declared_version(asked, module)
    if declared is not None:
        return str(declared)
    file = getattr(module, "__file__", None)
    try:
        own = hashlib.sha256(Path(file or "").read_bytes()).hexdigest()[:12]
    except OSError:
        return "unknown"
    return own + local_version(module) if module is not None else own


def _declared_version(asked: Any, module: ModuleType | None) -> Any:
    return getattr(asked, "VERSION", getattr(module, "VERSION", None))


def _own_function(module: ModuleType, name: str) -> Any:
    """A function that the module itself defines; one that it imports is meant for other things."""
    function = getattr(module, name, None)
    is_own = inspect.isfunction(function) and function.__module__ == module.__name__
    return function if is_own else None


def _no_module(name: str) -> SystemLoadError:
    return SystemLoadError(
        f"there is no Python module {name!r} in this folder or the installed packages"
    )


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name == missing or name.startswith(missing + "."):
            raise _no_module(name) from None
        raise SystemLoadError(
            f"{name} needs the module {missing!r}, which is not installed"
        ) from None
    except (Exception, SystemExit) as error:
        raise SystemLoadError(f"{name} could not be imported: {error_line(error)}") from error


# What a callable of the user receives: only what its signature names.

OFFERED: Final = ("question", "question_id", "source", "row", "settings", "top_k")
"""What a callable may ask for, by the names of its parameters."""

_FORMERLY_OFFERED: Final = frozenset({"settings", "top_k"})
"""What ``**options`` behind a question has always received; it is often passed on unread."""


class Signature(Struct, frozen=True, kw_only=True):
    """Which of the offered arguments a callable takes, and how it takes the question's text.

    ``names`` are passed by keyword. ``text_first`` says that the text is the first argument,
    whatever the callable calls it.
    """

    names: frozenset[str]
    text_first: bool

    def arguments(
        self, question: Question, settings: Mapping[str, Any], top_k: int
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The arguments for a question. Settings and row are copies that belong to the call."""
        offered: dict[str, Callable[[], Any]] = {
            "question": lambda: question.text,
            "question_id": lambda: question.id,
            "source": lambda: question.source,
            "row": lambda: deepcopy(dict(getattr(question, "row", {}))),
            "settings": lambda: deepcopy(dict(settings)),
            "top_k": lambda: top_k,
        }
        text = (question.text,) if self.text_first else ()
        return text, {name: offered[name]() for name in self.names}


def read_signature(function: Callable[..., Any]) -> Signature:
    """The signature of the callable that is asked.

    Raises ``SystemLoadError`` if it needs an argument that is not offered.

    >>> read_signature(lambda text, settings: "").names
    frozenset({'settings'})
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function written in C may not say
        return Signature(names=frozenset(), text_first=True)
    read = _read(signature)
    try:
        signature.bind(*([""] if read.text_first else []), **dict.fromkeys(read.names))
    except TypeError as error:
        raise SystemLoadError(
            f"{getattr(function, '__qualname__', function)}{signature} cannot be asked: {error}; "
            f"a system may take {', '.join(OFFERED)}. Write a short function around it "
            "(docs/adapters.md)"
        ) from None
    return read


def _read(signature: inspect.Signature) -> Signature:
    parameters = list(signature.parameters.values())
    named = {
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    first = next(
        (
            parameter
            for parameter in parameters
            if parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD)
        ),
        None,
    )
    text_first = first is not None and (
        first.kind is not first.POSITIONAL_OR_KEYWORD
        or first.name == "question"
        or (first.name not in OFFERED and "question" not in named)
    )
    names = named & set(OFFERED)
    if text_first and first is not None:
        names -= {first.name}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        names |= _FORMERLY_OFFERED if text_first else set(OFFERED)
    return Signature(names=frozenset(names), text_first=text_first)


def hook_arguments(function: Callable[..., Any], offered: frozenset[str]) -> frozenset[str] | None:
    """Which of ``offered`` a hook takes; None if it needs more and therefore is no hook.

    >>> hook_arguments(lambda sources: None, frozenset({"sources", "settings"}))
    frozenset({'sources'})
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    parameters = signature.parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        taken = offered
    else:
        taken = frozenset(offered & parameters.keys())
    try:
        signature.bind(**dict.fromkeys(taken))
    except TypeError:
        return None
    return taken


# Messages between a run and the process of a system: pickled objects, each with its length.
#
# Both sides are the same installation of this package. What the user's code returns is turned into
# plain JSON before it is sent, so that the run never imports the user's modules.

_LENGTH: Final = struct.Struct(">Q")
_READ_AT_ONCE: Final = 1 << 20


def write_frame(descriptor: int, content: bytes) -> None:
    """Write one message; raises ``OSError`` if the other side is gone."""
    view = memoryview(_LENGTH.pack(len(content)) + content)
    while view:
        view = view[os.write(descriptor, view) :]


def read_frame(descriptor: int) -> bytes | None:
    """Read one message; None if the other side has ended."""
    header = _read_exactly(descriptor, _LENGTH.size)
    return None if header is None else _read_exactly(descriptor, _LENGTH.unpack(header)[0])


def pack(message: Any) -> bytes:
    """The bytes of a message.

    Raises:
        TypeError: a part of the message cannot be pickled; the message of the error names it.
    """
    try:
        return pickle.dumps(message)
    except Exception as error:
        raise TypeError(f"{_unpicklable_part(message, 'it')} ({error})") from error


def unpack(content: bytes) -> Any:
    """The message in these bytes; they come from a process that this package has started."""
    return pickle.loads(content)  # noqa: S301 - see above


def _unpicklable_part(message: Any, name: str) -> str:
    """The innermost part of a message that cannot be pickled, by its name and type."""
    if isinstance(message, dict | list | tuple):
        items = message.items() if isinstance(message, dict) else enumerate(message)
        for key, part in items:
            try:
                pickle.dumps(part)
            except Exception:  # noqa: BLE001 - pickling runs foreign code, which may raise anything
                return _unpicklable_part(part, repr(key))
    return f"{name} is a {type(message).__name__}, which cannot be pickled"


def _read_exactly(descriptor: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(descriptor, min(size, _READ_AT_ONCE))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
