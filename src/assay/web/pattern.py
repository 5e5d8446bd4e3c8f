"""What is searched for: a text or a regular expression, without regard to case.

Regular expressions are those of RE2. Its time grows with the length of the text only, whatever
the expression, so no expression can block the server (decision 0057).
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from re import _parser as parser  # type: ignore[attr-defined]  # no public way to parse
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.registry import optional_library
from assay.web.text_store import Stretch, TextStore, folded

MOST_PATTERN: Final = 1000
"""The longest pattern, in characters."""
_MEMORY: Final = 1 << 26
"""What RE2 may use for the states of an expression, in bytes."""


Span: TypeAlias = tuple[int, int]
_NONE: Final[Span] = (-1, -1)


class Pattern:
    """A compiled search.

    ``literal`` is a text that every match contains, in folded bytes. ``is_free`` is true if a match
    does not depend on what stands before and after it: then a match in a text is also a match in a
    longer text that contains it.
    """

    def __init__(self, text: str, *, regex: bool = False) -> None:
        if len(text) > MOST_PATTERN:
            raise UseError(f"a search has at most {MOST_PATTERN} characters")
        tree = _tree(text) if regex else None
        self.literal = required_literal(tree) if regex else folded(text)
        self.is_free = not regex or (tree is not None and not _has_anchor(tree))
        self._find = _compile(text) if regex else None

    @classmethod
    def of_bytes(cls, literal: bytes) -> Self:
        """A search for folded bytes."""
        pattern = cls("")
        pattern.literal = literal
        return pattern

    @property
    def is_literal(self) -> bool:
        """Whether a text matches exactly if it contains ``literal``."""
        return self._find is None

    def find(self, data: bytes, start: int, end: int) -> Span:
        """The first match in the folded text from ``start`` to ``end`` of ``data``."""
        if self._find is not None:
            if self.is_free:
                return self._find(data, start, end)
            # RE2 takes the ends of the whole data for the ends of the text
            first, last = self._find(data[start:end], 0, end - start)
            return (first + start, last + start) if first >= 0 else _NONE
        place = data.find(self.literal, start, end)
        return (place, place + len(self.literal)) if place >= 0 else _NONE


def _compile(text: str) -> Callable[[bytes, int, int], Span]:
    # loaded when somebody searches: not every use of the page needs it
    re2 = optional_library("re2", "regex", "a search by regular expression")

    options = re2.Options()
    options.case_sensitive = False
    options.never_capture = True
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(text.encode("utf-8", "replace"), options)
    except re2.error as error:
        detail = error.args[0] if error.args else error
        shown = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else detail
        raise UseError(f"not a regular expression: {shown}") from None
    # what search() itself calls; its own objects would take three times as long as the search
    match, anchor = compiled._regexp.Match, re2._Anchor.UNANCHORED  # noqa: SLF001

    def find(data: bytes, start: int, end: int) -> Span:
        span: Span = match(anchor, data, start, end)[0]
        return span

    return find


def _tree(text: str) -> Any:
    """The expression as Python parses it; ``None`` if Python reads it in another way than RE2."""
    if "[[" in text or "[:" in text:  # named classes, which Python does not have
        return None
    try:
        return parser.parse(text, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return None


def _has_anchor(tree: Any) -> bool:
    """Whether an expression looks at what stands around its match."""
    return any(
        str(code) == "AT" or any(map(_has_anchor, _inner(argument))) for code, argument in tree
    )


def _inner(argument: Any) -> list[Any]:
    """The expressions inside a part of an expression."""
    if isinstance(argument, parser.SubPattern):
        return [argument]
    if isinstance(argument, list | tuple):
        return [tree for part in argument for tree in _inner(part)]
    return []


def required_literal(tree: Any) -> bytes:
    """The longest text that every match of an expression contains, folded; empty if none is known.

    >>> required_literal(_tree("pay(s|ed) within +days?")), required_literal(_tree("a|b"))
    (b' within', b'')
    """
    return max(_literals(tree), key=len, default=b"") if tree is not None else b""


def _literals(tree: Any) -> list[bytes]:
    found: list[bytes] = []
    letters: list[str] = []

    def end() -> None:
        if letters:
            found.append(folded("".join(letters)))
            letters.clear()

    for code, argument in tree:
        name = str(code)
        if name == "LITERAL":
            letters.append(chr(argument))
            continue
        end()
        if name == "SUBPATTERN":
            _, added, removed, inner = argument
            if not added and not removed:
                found += _literals(inner)
        elif name == "MAX_REPEAT" and argument[0] >= 1:
            found += _literals(argument[2])
    end()
    return found


# Which items a search finds: decided as far as a page needs it, and completely for the count.

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
