"""Values that were found before, wherever they stand again without what gave them away.

Thousands of values are searched for at once by RE2, whose time does not depend on their number.
"""

import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import quote, quote_plus

from assay.redact.escape import unescaped
from assay.redact.finding import Finding
from assay.redact.pseudonym import DIGIT_KINDS, canonical
from assay.text import HAN

SHORTEST: Final = 6
"""A value of fewer characters is masked only where it was found: it may be a part of a word."""
_SHORTEST_NAME: Final = 3
"""The same for a name in Chinese characters."""
_FEW: Final = 48
"""So many new values are searched for one by one before they are compiled."""
_MEMORY: Final = 1 << 28
_LONGEST_CUT: Final = 400
"""Of a longer value, a cut is not looked for."""
_HAN: Final = re.compile(f"[{HAN}]+")
_NUMBER: Final = re.compile(r"[0-9](?:[ \u00a0\u202f().\-–]{0,3}[0-9]){6,}")


class KnownValues:
    """Finds the values that were added, in any text."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._numbers: dict[str, str] = {}
        self._beginnings: dict[str, list[str]] = {}
        self._few: list[str] = []
        self._compiled: list[tuple[list[str], Any]] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, values: Iterable[tuple[str, str]]) -> None:
        """Note kinds and values; those that are too short are left out."""
        with self._lock:
            for kind, spelling in values:
                value = unescaped(spelling)
                if value in self._kinds or not _is_long_enough(kind, value):
                    continue
                self._kinds[value] = kind
                self._few.append(value)
                self._beginnings.setdefault(value[:SHORTEST], []).append(value)
                for encoded in {quote(value, safe=""), quote_plus(value)} - {value}:
                    if encoded not in self._kinds:  # an address in the message of an error
                        self._kinds[encoded] = kind
                        self._few.append(encoded)
                if kind in DIGIT_KINDS and len(plain := canonical(kind, value)) >= 8:
                    self._numbers.setdefault(plain, kind)
                if len(self._few) >= _FEW:
                    self._compile()

    def find(self, text: str) -> Iterator[Finding]:
        """The known values in a text; not inside a longer number or word."""
        for value in self._few:
            at = text.find(value)
            while at >= 0:
                if _is_whole(text, at, at + len(value)):
                    yield Finding(at, at + len(value), self._kinds[value], value)
                at = text.find(value, at + 1)
        if self._compiled:
            yield from self._find_compiled(text)
        if "…" in text:
            yield from self._find_cut_off(text)
        if self._numbers:
            for match in _NUMBER.finditer(text):
                kind = self._numbers.get(canonical("CARD", match[0]))
                if kind is not None:
                    yield Finding(match.start(), match.end(), kind, match[0])

    def _find_cut_off(self, text: str) -> Iterator[Finding]:
        """Values of which only the beginning is left, because a text was cut off inside them."""
        end = text.find("…")
        while end >= 0:
            for start in range(max(0, end - _LONGEST_CUT), end - SHORTEST + 1):
                for value in self._beginnings.get(text[start : start + SHORTEST], ()):
                    if value.startswith(text[start:end]):
                        yield Finding(start, end, self._kinds[value], value)
            end = text.find("…", end + 1)

    def _find_compiled(self, text: str) -> Iterator[Finding]:
        data = text.encode("utf-8", "replace")  # half a character becomes one sign
        for _, pattern in self._compiled:
            for match in pattern.finditer(data):
                value = match[0].decode()
                start = len(data[: match.start()].decode())
                if _is_whole(text, start, start + len(value)):
                    yield Finding(start, start + len(value), self._kinds[value], value)

    def _compile(self) -> None:
        """Compile the few with as many compiled ones as there are, so that parts stay few."""
        values, self._few = self._few, []
        while self._compiled and len(self._compiled[-1][0]) <= len(values):
            values = self._compiled.pop()[0] + values
        self._compiled.append((values, _alternatives(values)))


def _alternatives(values: list[str]) -> Any:
    # loaded with the first values: a command without redaction does not need it
    import re2  # type: ignore[import-untyped]  # noqa: PLC0415

    options = re2.Options()
    options.longest_match = True
    options.never_capture = True
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile("|".join(map(re2.escape, values)).encode(), options)


def _is_long_enough(kind: str, value: str) -> bool:
    if kind in {"PERSON", "OWN"} and _HAN.fullmatch(value):
        return len(value) >= _SHORTEST_NAME
    return len(value) >= SHORTEST


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether the stretch does not begin or end inside a number or a word of letters."""
    return not (
        (start > 0 and _continues(text[start - 1], text[start]))
        or (end < len(text) and _continues(text[end - 1], text[end]))
    )


def _continues(left: str, right: str) -> bool:
    if left.isdigit() or right.isdigit():
        return left.isdigit() and right.isdigit()
    is_word = left.isalpha() and right.isalpha()
    return is_word and not (_HAN.match(left) or _HAN.match(right))
