"""Which items a search finds: decided as far as a page needs it, and completely for the count."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.web.pattern import Pattern
from assay.web.text_store import Stretch, TextStore

BATCH: Final = 256
"""How many items are looked at before it is asked whether the page is full."""
FIRST_ITEMS: Final = 2048
"""How many items are looked at in the order of the page before the whole file is scanned."""

UNKNOWN, NO, YES = -1, 0, 1


class Cancelled(Exception):
    """The client no longer waits for the answer."""


class Search:
    """The items of a store that match a pattern; what was decided once stays decided."""

    def __init__(self, store: TextStore, pattern: Pattern) -> None:
        self._store = store
        self._pattern = pattern
        self._state = np.full(store.items, UNKNOWN, np.int8)
        self._is_scanned = not pattern.literal

    def first(
        self, order: NDArray[np.integer], count: int, is_cancelled: Callable[[], bool]
    ) -> tuple[NDArray[np.integer], bool]:
        """The first ``count`` matching items of ``order``, and whether these are all."""
        found: list[NDArray[np.integer]] = []
        total = place = 0
        while place < len(order) and total < count:
            if place >= FIRST_ITEMS and not self._is_scanned:
                self._scan(is_cancelled)
            size = BATCH if place < FIRST_ITEMS else 16 * BATCH
            batch = order[place : place + size]
            self._decide(batch, is_cancelled)
            found.append(batch[self._state[batch] == YES])
            total += len(found[-1])
            place += size
        items = np.concatenate(found) if found else order[:0]
        return items[:count], total <= count and place >= len(order)

    def all(self, order: NDArray[np.integer], is_cancelled: Callable[[], bool]) -> int:
        """The number of items of ``order`` that match."""
        if not self._is_scanned:
            self._scan(is_cancelled)
        if len(order) < self._store.items // 4:
            self._decide(order, is_cancelled)
        else:
            wanted = self._state == UNKNOWN
            for stretch in self._store.stretches(wanted):
                _stop(is_cancelled)
                self._look(stretch)
            self._state[self._state == UNKNOWN] = NO
        return int(np.count_nonzero(self._state[order] == YES))

    def known(self, order: NDArray[np.integer]) -> int | None:
        """The number of matching items of ``order`` if all are decided, otherwise ``None``."""
        states = self._state[order]
        return None if (states == UNKNOWN).any() else int(np.count_nonzero(states == YES))

    def _decide(self, items: NDArray[np.integer], is_cancelled: Callable[[], bool]) -> None:
        unknown = items[self._state[items] == UNKNOWN]
        if not len(unknown):
            return
        for stretch in self._store.stretches_of(unknown):
            _stop(is_cancelled)
            self._look(stretch)
        self._state[unknown[self._state[unknown] == UNKNOWN]] = NO

    def _look(self, stretch: Stretch) -> None:
        """Mark the items with a matching text; the others stay as they are."""
        if self._pattern.is_free:
            hits = list(_free_hits(self._pattern, stretch))
        else:
            state, find, data = self._state, self._pattern.find, stretch.data
            texts = zip(stretch.starts, stretch.ends, stretch.items, strict=True)
            hits = [
                item
                for start, end, item in texts
                if state[item] != YES and find(data, start, end)[0] >= 0
            ]
        self._state[hits] = YES

    def _scan(self, is_cancelled: Callable[[], bool]) -> None:
        """Look for the literal in the whole file: items without it do not match."""
        has_literal = np.zeros(self._store.items, np.bool_)
        literal = Pattern.of_bytes(self._pattern.literal)
        for stretch in self._store.stretches():
            _stop(is_cancelled)
            has_literal[list(_free_hits(literal, stretch))] = True
        self._state[~has_literal] = NO
        if self._pattern.is_literal:
            self._state[has_literal] = YES
        self._is_scanned = True


def _free_hits(pattern: Pattern, stretch: Stretch) -> Iterator[int]:
    """The items of matching texts, found by searching all texts of a stretch at once.

    The first match in the stretch is not after the first match inside a text, so that all texts
    before it can be skipped. A match across the border of two texts says nothing about them.
    """
    data, starts, ends = stretch.data, stretch.starts, stretch.ends
    place, size = 0, len(data)
    while place <= size:
        start, end = pattern.find(data, place, size)
        if start < 0:
            return
        text = bisect_right(starts, start) - 1
        if start > ends[text]:  # between the texts
            text += 1
            if text == len(starts):
                return
            place = starts[text]
            continue
        if end <= ends[text] or pattern.find(data, starts[text], ends[text])[0] >= 0:
            yield stretch.items[text]
        place = ends[text] + 1


def _stop(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise Cancelled
