"""The items of a run, numbered as they are read, and their documents."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.jobs.results.row import item_name


def numbered(names: Sequence[Any], numbers: dict[Any, int]) -> NDArray[np.int64]:
    """The number of each name; new names get the next numbers.

    >>> numbered(["b", None, "a"], {"a": 0, None: -1})
    array([ 1, -1,  0])
    """
    if not numbers.keys() >= set(names):
        following = max(numbers.values(), default=-1) + 1
        new = (name for name in dict.fromkeys(names) if name not in numbers)
        numbers.update({name: number for number, name in enumerate(new, following)})
    return np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))


class Items:
    """The items of the rows so far.

    An item is a question, or a question at a placement if there are several placements.
    ``label`` is the placement of the first row.
    """

    def __init__(self) -> None:
        self.label: str | None = None
        self.has_placements = False
        self._numbers: dict[str, int] = {}
        self._plain: dict[str, str] = {}  # the variant, by the end of the keys of plain items
        # the questions of items of another placement than the first row's
        self._placed: dict[str, str] = {}
        self._sources: dict[str | None, int] = {None: -1}
        self._source_of = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def documents(self) -> int:
        """The number of documents that the items are about; 0 if no row names one."""
        return len(self._sources) - 1

    def numbers(self, rows: Sequence[Any]) -> NDArray[np.int64]:
        """The number of the item of each row."""
        if self.label is None:
            first = rows[0]
            _, self.label = item_name(first.key, first.question_id, first.config, None)
        known, label, plain = self._numbers, self.label, self._plain
        numbers = [
            known.setdefault(
                row.question_id
                if plain.get(row.key[len(row.question_id) :]) == row.config
                else self._name(row, label),
                len(known),
            )
            for row in rows
        ]
        items = np.fromiter(numbers, np.int64, len(numbers))
        self._add_sources(rows, items)
        return items

    def _name(self, row: Any, label: str) -> str:
        name, placement = item_name(row.key, row.question_id, row.config, label)
        if placement == label:
            self._plain[row.key[len(row.question_id) :]] = row.config
        else:
            self._placed[name] = row.question_id
            self.has_placements = True
        return name

    def _add_sources(self, rows: Sequence[Any], numbers: NDArray[np.int64]) -> None:
        if len(self._source_of) < len(self):
            more = max(1024, 2 * len(self)) - len(self._source_of)
            self._source_of = np.concatenate([self._source_of, np.zeros(more, np.int32)])
        self._source_of[numbers] = numbered([row.source for row in rows], self._sources)

    def ordered(self) -> tuple[tuple[str, ...], slice | NDArray[np.intp]]:
        """The items sorted by name, and the number of each."""
        names = list(self._numbers)
        if self._placed:
            names = [name if name in self._placed else f"{name}::{self.label}" for name in names]
        ordered = sorted(names)
        if ordered == names:
            return tuple(ordered), slice(len(names))  # no column has to be copied
        return tuple(ordered), np.array(sorted(range(len(names)), key=names.__getitem__))

    def questions(self) -> int:
        """The number of questions; one that was asked at several placements counts once."""
        if not self._placed:
            return len(self)
        return len({self._placed.get(name, name) for name in self._numbers})

    def question_numbers(self, order: slice | NDArray[np.intp]) -> NDArray[np.int64] | None:
        """The number of each item's question; ``None`` if every item is a question."""
        if not self._placed:
            return None
        numbers: dict[str, int] = {}
        questions = [self._placed.get(name, name) for name in self._numbers]
        return numbered(questions, numbers)[order]

    def clusters(self, order: slice | NDArray[np.intp]) -> NDArray[np.int32] | None:
        """The number of each item's document; an item without a document is a cluster of its own.

        ``None`` if no item has a document.
        """
        documents = self.documents
        if not documents:
            return None
        clusters = self._source_of[order].copy()
        alone = clusters < 0
        clusters[alone] = documents + np.arange(np.count_nonzero(alone))
        _, first, dense = np.unique(clusters, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[dense].astype(np.int32)
