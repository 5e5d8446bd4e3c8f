"""What a program passes as a system or as questions, as assay has them.

A system is

- a function, or an object with ``ask``, ``query`` or ``invoke``; synchronous or asynchronous. It takes and
  returns what a Python system does (docs/adapters.md). It belongs to the program: its ``close`` is not
  called;
- a system of ``assay.systems``, which is not closed either;
- a text as for ``--system``: an address, ``python:module:function``, ``openai:MODEL``, ``replay:FILE``;
- several of these: a list, or a dictionary with the names of the variants.

What a function is asked by, its identity, is that of the command if it is a function of a module: a
run that one of them began is resumed by the other. For code of a notebook, see
``assay.systems.python.loose_code``.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.data.memory_file import MemoryFile
from assay.errors import SystemLoadError, UseError
from assay.library.frame import frame_rows, is_frame
from assay.systems.protocol import System
from assay.systems.python.system import PythonSystem
from assay.systems.python.target import ASKED, Target, path_of, read_target

_MEMBERS: Final = [name for name in vars(System) if not name.startswith("_")]
_LOOSE: Final = re.compile(r"<locals>\.|[<>]")


class GivenSystems(Struct, frozen=True, kw_only=True):
    """What ``PlainRunOptions`` has: names or specifications, what is given for names, what is borrowed."""

    systems: tuple[str, ...]
    given: Mapping[str, System | str] = {}
    borrowed: tuple[System, ...] = ()


def read_systems(asked: Any, *, at_once: int | None = None) -> GivenSystems:
    """The systems that a program passes; ``None`` for the configured one.

    ``at_once`` is the number of questions that the caller lets a synchronous function answer at once.

    Raises:
        SystemLoadError: one of them cannot be asked.
    """
    if asked is None:
        return GivenSystems(systems=())
    if isinstance(asked, Mapping):
        if not asked:
            raise SystemLoadError("there are no systems: the dictionary is empty")
        named = {str(name): each for name, each in asked.items()}
    else:
        several = list(asked) if isinstance(asked, list | tuple) else [asked]
        if not several:
            raise SystemLoadError("there are no systems: the list is empty")
        named = {}
        for each in several:
            name = each if isinstance(each, str) else _free(_name(each), named)
            named[name] = each
    given = {name: _system(each, at_once) for name, each in named.items() if each != name}
    borrowed = (each for each in named.values() if is_system(each))
    return GivenSystems(systems=tuple(named), given=given, borrowed=tuple(borrowed))


def is_system(asked: Any) -> bool:
    """Whether an object has all that the protocol of a system has."""
    # an object that has any attribute, such as a mock or a proxy, is asked as its methods are
    has_identity = not inspect.isclass(asked) and isinstance(getattr(asked, "identity", None), str)
    return has_identity and all(hasattr(asked, name) for name in _MEMBERS)


def _system(asked: Any, at_once: int | None) -> System | str:
    if isinstance(asked, str):
        return asked
    if is_system(asked):
        system: System = asked
        return system
    if inspect.isclass(asked):
        name = asked.__name__
        raise SystemLoadError(f"{name} is a class: pass an object of it, for example {name}()")
    if isinstance(asked, PathLike):
        raise SystemLoadError(
            f"{asked} is a path: name what it is, for example python:module:function or replay:FILE"
        )
    target = _target(asked)
    if target is None:
        return PythonSystem(asked, close=_left_open, vouched=at_once)
    return PythonSystem.of(target, close=_left_open, vouched=at_once)


def _left_open() -> None:
    """Nothing: what a program passes is closed by the program."""


def _target(asked: Any) -> Target | None:
    """What the command would load, if it is a function or an object of a module by that name."""
    module, _, name = path_of(asked).partition(":")
    loaded = sys.modules.get(module)
    if module == "__main__" or not getattr(loaded, "__file__", None) or _LOOSE.search(name):
        return None
    found: Any = loaded
    for part in name.split("."):
        found = getattr(found, part, None)
    return read_target(f"{module}:{name}") if found is asked else None


def _name(asked: Any) -> str:
    """A short name for a variant; that of the command, if the command could ask it."""
    if is_system(asked):
        return str(asked.identity).partition("@")[0].partition("#")[0]
    module, _, name = path_of(asked).partition(":")
    if not name:
        module, name = "", module
    own, _, last = name.rpartition(".")
    if last in ASKED and own and not own.endswith("<locals>"):
        name = own if module == "__main__" else name
    plain = re.sub(r"^.*<locals>\.", "", name).replace("<lambda>", "lambda")
    return plain if module in {"", "__main__"} else f"{module}.{plain}"


def _free(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if another system of the run has it."""
    known, number, free = set(taken), 1, name
    while free in known:
        number += 1
        free = f"{name}-{number}"
    return free


def read_question_set(questions: Any, columns: Mapping[str, str] | None = None) -> Path | None:
    """The file with the questions, which is in memory for a list or a table; ``None`` for ``None``.

    ``columns`` are the columns that the caller names by their roles.

    Raises:
        DatasetError: there are none, or one of them is no question.
        UseError: it is no set of questions.
    """
    if questions is None or isinstance(questions, Path):
        return questions
    if isinstance(questions, str | PathLike):
        path = Path(questions)
        if not path.exists() and str(questions).rstrip().endswith(("?", "？")):
            raise UseError(
                f"{str(questions)!r} is not a file; a single question is a list with one text"
            )
        return path
    if is_frame(questions):
        return MemoryFile.of(frame_rows(questions), columns)
    if isinstance(questions, Mapping):
        raise UseError("questions is a dictionary; pass a list of them, one for each question")
    if not isinstance(questions, Iterable):
        raise UseError(
            f"questions is a {type(questions).__name__}; pass a path, a list of texts or dictionaries, "
            "or a DataFrame"
        )
    return MemoryFile.of(questions, columns)
