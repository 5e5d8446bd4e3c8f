"""The runs that are shown: those of a folder, and files that were named.

A run is found by its id only. No path is ever made from what a client sends.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import UseError
from assay.runs.write import find_journals, summary_path
from assay.web.about import read_about
from assay.web.api import Missing, RunCard
from assay.web.run_index import RunIndex, label_stamp, open_run, relabelled
from assay.web.run_view import run_card, with_state
from assay.words.message import message

MOST_OPEN: Final = 4
"""How many runs are kept open, however large they are."""
MOST_SMALL: Final = 32
SMALL_BYTES: Final = 64 << 20
"""More runs are kept open if their journals together are not larger than this."""
PAUSE: Final = 4.0
"""A run that goes on is read again after this many times the time that reading it took."""
T = TypeVar("T")
FOLDERS: Final = ("", "experiments", "eval/runs")
"""Where the runs of a workspace are."""
NESTED: Final = "experiments"
"""The folder in whose folders runs may be too."""
DEEPEST: Final = 3
MOST_FOLDERS: Final = 500


class Library:
    """The runs below ``root``, and ``files``, with what was read of them.

    Every method may be called from several threads.
    """

    def __init__(self, root: Path, files: Iterable[Path] = ()) -> None:
        self.root = root.resolve()
        self._files = [path.resolve() for path in files]
        self._cards: dict[Path, Kept[RunCard]] = {}
        self._open: dict[Path, Kept[RunIndex]] = {}
        self._locks: dict[Path, threading.Lock] = {}
        self._guard = threading.Lock()

    def journals(self) -> dict[str, Path]:
        """The journals by the ids of their runs."""
        found: dict[str, Path] = {}
        for folder in FOLDERS:
            for path in find_journals(self.root / folder):
                if self._is_inside(path) and (folder or _is_journal(path)):
                    found[self._id(path)] = path
        for path in _below(self.root / NESTED, DEEPEST):
            if self._is_inside(path) and _is_journal(path):
                found[self._id(path)] = path
        known = {path.resolve() for path in found.values()}
        for path in self._files:
            if path not in known:
                found[_free_id(path, found)] = path
        return found

    def _id(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix().removesuffix(".jsonl")

    def _is_inside(self, path: Path) -> bool:
        """Whether a file really is in the folder: a link may lead out of it."""
        return path.is_file() and path.resolve().is_relative_to(self.root)

    def journal(self, run_id: str) -> Path:
        """The journal of a run."""
        path = self.journals().get(run_id)
        if path is None:
            raise Missing(message("no run {name} here", name=repr(run_id)))
        return path

    def cards(self) -> tuple[RunCard, ...]:
        """The cards of all runs, newest first."""
        cards = [self.card(run_id, path) for run_id, path in self.journals().items()]
        return tuple(sorted(cards, key=lambda card: card.started_at or "", reverse=True))

    def cards_with_notes(self) -> tuple[RunCard, ...]:
        """The cards with what a person wrote about the runs, which no page for others has."""
        journals = self.journals()
        return tuple(
            replace(card, about=read_about(journals[card.id])) if card.id in journals else card
            for card in self.cards()
        )

    def card(self, run_id: str, path: Path) -> RunCard:
        """The card of a run; it is read again if a file has changed."""
        known = self._cards.get(path)
        if known is not None and not known.is_outdated(path):
            return with_state(known.value, path)
        card, kept = _timed(path, lambda: replace(run_card(run_id, path), name=_name(run_id)))
        self._cards[path] = kept
        return card

    def open(self, run_id: str, *, with_labels: bool = True) -> RunIndex:
        """A run, opened; it is read again if its journal has changed.

        ``with_labels`` analyses it again if people have labelled answers since.
        """
        path = self.journal(run_id)
        with self._guard:
            lock = self._locks.setdefault(path, threading.Lock())
        with lock:  # a second request waits for the first one instead of reading the file again
            with self._guard:
                known = self._open.pop(path, None)
                if known is not None and known.is_outdated(path):
                    known = None
                if known is not None:
                    self._open[path] = known  # the last one is the newest
            if known is not None:
                if with_labels and known.value.label_stamp != label_stamp(path):
                    known.value = relabelled(known.value)
                return known.value
            index, kept = _timed(path, lambda: open_run(path))
            with self._guard:
                self._open[path] = kept
                while self._has_too_many():
                    # a request may still read it; its file goes when nobody uses it any more
                    self._open.pop(next(iter(self._open)))
            return index

    def _has_too_many(self) -> bool:
        """Whether the oldest open run must go."""
        total = sum(kept.size for kept in self._open.values())
        return len(self._open) > (MOST_SMALL if total <= SMALL_BYTES else MOST_OPEN)


class Kept(Generic[T]):
    """What was read of a run, when, and how long that took."""

    def __init__(self, value: T, stamp: "_Stamp", began: float, took: float) -> None:
        self.value = value
        self.size = stamp.size
        self._stamp = stamp
        self._again_at = began + took * (1 + PAUSE)

    def is_outdated(self, path: Path) -> bool:
        """Whether the run has changed; a large run that goes on is read again now and then only."""
        return _stamp(path) != self._stamp and time.monotonic() >= self._again_at


def _timed(path: Path, read: Callable[[], T]) -> tuple[T, Kept[T]]:
    stamp, began = _stamp(path), time.monotonic()
    value = read()
    return value, Kept(value, stamp, began, time.monotonic() - began)


class _Stamp(Struct, frozen=True):
    """What changes when a run does."""

    size: int
    modified: int
    summary: int


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        summary = summary_path(path).stat().st_mtime_ns
    except OSError:
        summary = 0
    return _Stamp(status.st_size, status.st_mtime_ns, summary)


def _name(run_id: str) -> str:
    """What a run is called: its file, after the folder if it is in one of the experiments.

    >>> _name("experiments/hyde"), _name("experiments/may/hyde"), _name("eval/runs/a.rows")
    ('hyde', 'may/hyde', 'a.rows')
    """
    top, _, rest = run_id.partition("/")
    return rest if top == NESTED and rest else run_id.rpartition("/")[2]


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """The journals in the folders of a folder, down to some depth; links are not followed."""
    folders, seen = [(folder, 0)], 0
    while folders:
        current, level = folders.pop()
        seen += 1
        if level:
            yield from find_journals(current)
        if level < depth and seen < MOST_FOLDERS:
            with suppress(OSError):
                folders += [
                    (path, level + 1)
                    for path in sorted(current.iterdir(), reverse=True)
                    if path.is_dir() and not path.is_symlink() and not path.name.startswith(".")
                ]


def _is_journal(path: Path) -> bool:
    """Whether a file in any folder looks like a journal: it starts with a row or with metadata."""
    if summary_path(path).is_file():
        return True
    with path.open("rb") as file:
        start = file.read(64).lstrip()
    return start.startswith((b'{"key"', b'{"metadata"'))


def _free_id(path: Path, taken: Iterable[str]) -> str:
    """An id for a file that was named: its name, with a number if it is taken."""
    stem = unique = path.name.removesuffix(".jsonl")
    number = 1
    while unique in taken:
        number += 1
        unique = f"{stem}-{number}"
    return unique
