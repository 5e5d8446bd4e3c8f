"""Scorers of users: read from the file or the object that they name, and what they left in a run."""

import hashlib
import importlib.util
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from assay.checks.known_name import KnownName, known_name, note_name, unknown_metric
from assay.checks.own_scorer import (
    OPTIONAL,
    OwnScorer,
    declarations,
    is_declared,
    optional_scorer,
    own_scorer,
)
from assay.checks.registered import ERRORS, RULER
from assay.checks.scorer import Scorer
from assay.errors import SystemLoadError, UseError
from assay.records import digest
from assay.registry import error_line, nearest
from assay.runs.read import last_row_fields
from assay.runs.summary import Summary
from assay.systems.python.target import identity_of, import_module_here
from assay.words.say import say, say_n

GivenScorer: TypeAlias = str | Scorer | Callable[..., Any]
"""A function, a declared ``Scorer``, or the place of one: FILE.py:NAME, MODULE:NAME, or all of a FILE.py."""


def read_scorers(given: Iterable[GivenScorer]) -> tuple[OwnScorer, ...]:
    """The scorers that somebody names. Only the files that are named are imported.

    Raises:
        UseError: There is no such scorer, it cannot be used, or two have one name.
    """
    found: dict[str, OwnScorer] = {}
    for each in given:
        for scorer in _read(each):
            known = found.setdefault(scorer.name, scorer)
            if known.version != scorer.version:
                raise UseError(f"two scorers have the name {scorer.name!r}; rename one of them")
    return tuple(found.values())


def _read(given: GivenScorer) -> Iterator[OwnScorer]:
    known = known_name(given) if isinstance(given, str) else None
    if known is not None:
        yield from _known(str(given), known)
    elif isinstance(given, Scorer):
        yield _with_version(given, _version(given.function))
    elif not isinstance(given, str):
        yield own_scorer(given, _version(given))
    else:
        place, _, name = given.rpartition(":") if ":" in given else (given, "", "")
        module = _import(place, given)
        functions = {key: value for key, value in vars(module).items() if is_declared(value)}
        if not name and not functions:
            raise UseError(
                f"--scorer {given}: no function there has @assay.scorer above it; add it, or name one: {place}:NAME"
            )
        for function in [_named(module, name, given)] if name else functions.values():
            yield from _read(function)


def _known(given: str, known: KnownName) -> Iterator[OwnScorer]:
    """The scorer of assay that this name means; none, and a note, if every run has the metric anyway."""
    if not known.ours:
        raise UseError(f"--scorer {given}{unknown_metric(given, ())}")
    name = known.ours[0]
    if name != given:
        note_name(given, name)
    if name in OPTIONAL:
        yield _with_version(optional_scorer(name), RULER)


def _with_version(scorer: Scorer, version: str) -> OwnScorer:
    fields = {name: getattr(scorer, name) for name in Scorer.__struct_fields__}
    return OwnScorer(**fields, version=digest([version, scorer.better, scorer.kind, scorer.unit]))


def _version(function: Any) -> str:
    return identity_of(function).rpartition("@")[2]


def _named(module: ModuleType, name: str, given: str) -> Any:
    found = getattr(module, name, None)
    if callable(found) or isinstance(found, Scorer):
        return found
    names = [key for key, value in vars(module).items() if inspect.isfunction(value)]
    raise UseError(f"--scorer {given}: there is no function {name!r}{nearest(name, names)}")


def _import(place: str, given: str) -> ModuleType:
    """The module of a file, or the one that Python finds by its name from the current folder."""
    if not place.endswith(".py"):
        try:
            return import_module_here(place)
        except SystemLoadError as error:
            raise UseError(f"--scorer {given}: {error}") from None
    path = Path(place).absolute()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UseError(f"--scorer {given}: {place} cannot be read: {error.strerror}") from None
    # another name than that of the file, which an installed module may have
    name = f"{path.stem}_{hashlib.sha256(bytes(path) + content).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # for what it imports from beside it
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UseError(f"--scorer {given}: {place} is not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise UseError(
            f"--scorer {given}: {place} could not be imported: {error_line(error)}"
        ) from error
    return module


def scorer_notes(journal: Path, summary: Summary, given: Sequence[OwnScorer]) -> list[str]:
    """What there is to say about the scorers of users: errors with their number, and scorers that are gone."""
    lines = []
    names = {each.name for each in given}
    if gone := [name for name in declarations(summary.extra) if name not in names]:
        lines.append(
            say_n(
                "the scorer {names} is not given: its recorded scores are kept, and answers without one have none",
                "the scorers {names} are not given: their recorded scores are kept, and answers without one have none",
                len(gone),
                names=", ".join(gone),
            )
        )
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    rows = 0
    for row in last_row_fields(journal).values() if names else ():
        rows += row.get("status") == "scored"
        for name, error in (row.get(ERRORS) or {}).items():
            counts[name] += name in names
            first.setdefault(name, error)
    lines += [
        say(
            "the scorer {name} failed for {n} of {all} answers, which have no score of it; the first error: {error}",
            name=name,
            n=n,
            all=rows,
            error=first[name],
        )
        for name, n in counts.items()
        if n
    ]
    return lines
