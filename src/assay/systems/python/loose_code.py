"""The version of code that no file stands for: of notebooks, scripts, lambdas and closures.

The file of a module says what its functions do. A function of a notebook has no such file, and that
of a script changes whenever any other line of it does; two functions that one function has made
share their source. Their version is a digest of

- the function as Python has compiled it from its source, without comments and layout;
- the functions and classes of the same notebook or script that it uses, and those that these use;
- the numbers, texts and truth values that it uses from outside: constants, values that it closes
  over, defaults, arguments of a ``partial``, and what an object keeps of the arguments of its
  ``__init__``.

What is not seen: what other modules do, files, and the content of objects, lists and dictionaries, because
these change while a program runs. A key or password does not count, nor does a value that
the function itself replaces. ``VERSION`` on the function or object is taken instead of all this.
"""

import ast
import dis
import hashlib
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from assay.systems.plain import is_secret

_CONSTANTS: Final = (str, bytes, int, float, complex, bool, type(None))
_WRITES: Final = frozenset({"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF"})
_DIGITS: Final = 12


def code_version(asked: Any) -> str:
    """The version of a function or an object, with all that it uses of its notebook or script.

    >>> code_version(lambda question: "a") == code_version(lambda question: "b")
    False
    """
    parts = list(_Parts().of(asked))
    return _digest(parts)


def bound_version(asked: Any) -> str:
    """The version of the values that are bound to a function of a module; empty if there are none."""
    parts = list(_bound(asked))
    return _digest(parts) if parts else ""


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_DIGITS]


def _bound(asked: Any) -> Iterator[str]:
    """What a partial and a closure hold, and an object of the arguments of its ``__init__``."""
    if isinstance(asked, partial):
        yield from _values({str(n): value for n, value in enumerate(asked.args)} | asked.keywords)
        yield from _bound(asked.func)
    elif isinstance(asked, MethodType):
        yield from _bound(asked.__self__)
    elif isinstance(asked, FunctionType):
        names, cells = asked.__code__.co_freevars, asked.__closure__ or ()
        written = set(_written(asked.__code__))
        held = dict(zip(names, map(_cell, cells), strict=True))
        yield from _values({name: each for name, each in held.items() if name not in written})
        for each in held.values():
            if isinstance(each, FunctionType) and each is not asked and each.__closure__ is None:
                yield _compiled(each)
    elif not inspect.isclass(asked) and hasattr(asked, "__dict__"):
        try:
            given = inspect.signature(type(asked)).parameters
        except (TypeError, ValueError):
            return
        # many classes keep an argument under its name with an underscore
        own = {name: vars(asked).get(name, vars(asked).get(f"_{name}")) for name in given}
        yield from _values(own)


class _Parts:
    """The texts that make up a version; each function and class is taken once."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def of(self, value: Any) -> Iterator[str]:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        yield from _bound(value)
        if isinstance(value, partial):
            yield from self.of(value.func)
        elif isinstance(value, MethodType):
            yield from self.of(value.__func__)
            yield from self.of(type(value.__self__))
        elif isinstance(value, FunctionType):
            yield from self._function(value)
        elif inspect.isclass(value):
            yield from self._class(value)
        else:
            yield from self.of(type(value))

    def _function(self, function: FunctionType) -> Iterator[str]:
        yield _compiled(function)
        yield from _values(dict(enumerate_defaults(function)))
        code, written = function.__code__, set(_written(function.__code__))
        names = [name for name in _names(code) if name in function.__globals__]
        used = {name: function.__globals__[name] for name in names if name not in written}
        yield from _values(used)
        cells = [_cell(cell) for cell in function.__closure__ or ()]
        for each in (*used.values(), *cells, getattr(function, "__wrapped__", None)):
            yield from self._neighbour(each, function.__module__)

    def _class(self, kind: type) -> Iterator[str]:
        yield kind.__qualname__
        yield from _values(vars(kind))
        for member in vars(kind).values():
            inner = getattr(member, "__func__", getattr(member, "fget", member))
            if isinstance(inner, FunctionType):
                yield from self.of(inner)
        for base in kind.__bases__:
            yield from self._neighbour(base, kind.__module__)

    def _neighbour(self, value: Any, home: str) -> Iterator[str]:
        """A function or class of the same notebook or script, or an object of such a class."""
        if isinstance(value, FunctionType | MethodType) or inspect.isclass(value):
            if getattr(value, "__module__", None) == home:
                yield from self.of(value)
        elif type(value).__module__ == home:
            yield from self.of(value)


def enumerate_defaults(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The defaults of a function, by number and by name."""
    yield from ((str(number), each) for number, each in enumerate(function.__defaults__ or ()))
    yield from (function.__kwdefaults__ or {}).items()


def _values(found: Mapping[str, Any]) -> Iterator[str]:
    """The values that are constants, without secrets."""
    for name, value in sorted(found.items()):
        is_known = value is not None and _is_constant(value)
        if is_known and not name.startswith("__") and not is_secret(name, value):
            yield f"{name}={value!r}"


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return type(value) in _CONSTANTS


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it is not filled yet
        return None


def _compiled(function: FunctionType) -> str:
    """The source of a function without comments and layout, or else its compiled code.

    The source of a lambda is the whole line that it is in.
    """
    if function.__name__ != "<lambda>":
        try:
            return ast.unparse(ast.parse(textwrap.dedent(inspect.getsource(function))))
        except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
            pass  # it was typed where no source is kept
    return "".join(_code_parts(function.__code__))


def _code_parts(code: CodeType) -> Iterator[str]:
    yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars}"
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _code_parts(each)
        else:
            yield repr(sorted(each, key=repr)) if isinstance(each, frozenset) else repr(each)


def _names(code: CodeType) -> Iterator[str]:
    """The names from outside that a function or one inside it may use."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def _written(code: CodeType) -> Iterator[str]:
    """The names from outside that a function or one inside it gives another value."""
    for step in dis.get_instructions(code):
        if step.opname in _WRITES:
            yield str(step.argval)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _written(each)
