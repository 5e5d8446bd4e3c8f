"""What people said about the parts of a run, for the run that they are merged into.

Labels, preferences and draws are about answers, and an answer of a part is one of the whole run:
only the name of the run changes. An answer that was drawn from its part was drawn with the
probability that stands there, whatever was drawn from other parts.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from assay.jobs.judge import Drawn, read_drawn, write_drawn
from assay.labels import (
    Label,
    Preference,
    labels_path,
    merge,
    pairs_path,
    read_labels,
    read_preferences,
)


class PartLabels(Struct, frozen=True, kw_only=True):
    """The labels, preferences and drawn answers of all parts, under the name of the whole run."""

    labels: tuple[Label, ...]
    preferences: tuple[Preference, ...]
    drawn: tuple[Drawn, ...]


def read_part_labels(journals: Iterable[Path], name: str) -> PartLabels:
    """Read what belongs to the parts; ``name`` is that of the whole run."""
    labels: list[Label] = []
    preferences: list[Preference] = []
    drawn: list[Drawn] = []
    for journal in journals:
        path, part = labels_path(journal), journal.stem
        labels += [replace(row, run=_renamed(row.run, part, name)) for row in read_labels(path)]
        preferences += [
            replace(row, run=_renamed(row.run, part, name))
            for row in read_preferences(pairs_path(path))
        ]
        drawn += [  # how many were asked for is not known of the whole run
            replace(row, run=_renamed(row.run, part, name), count=None)
            for row in read_drawn(journal)
        ]
    return PartLabels(labels=tuple(labels), preferences=tuple(preferences), drawn=tuple(drawn))


def write_part_labels(target: Path, found: PartLabels) -> int:
    """Add what belongs to the parts to the files of the whole run; returns how many are new."""
    path, new = labels_path(target), 0
    if found.labels:
        new += merge(path, found.labels, Label)
    if found.preferences:
        new += merge(pairs_path(path), found.preferences, Preference)
    if found.drawn:
        write_drawn(target, found.drawn)
    return new


def _renamed(run: str, part: str, name: str) -> str:
    """The id of the whole run, if ``run`` is the id of the part."""
    folder, slash, last = run.rpartition("/")
    return f"{folder}{slash}{name}" if last == part else run
