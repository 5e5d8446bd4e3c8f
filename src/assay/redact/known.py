"""Values that were found before, wherever they are again without what gave them away.

Values are searched for at once by RE2, whose time does not depend on their number, and very many are
looked up wherever a word or a number begins.
Letters count in any case, and numbers with any signs between their digits.
"""

import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import quote, quote_plus

from assay.redact.finding import Finding, unescaped
from assay.redact.phone import main_numbers, phone_spellings
from assay.redact.pseudonym import DIGIT_KINDS, canonical, plain_text
from assay.registry import optional_library
from assay.text.character import HAN

SHORTEST: Final = 6
"""A value of fewer characters is masked only where it was found: it may be a part of a word."""
_SHORTEST_NAME: Final = 3
"""The same for a name in Chinese characters."""
SHORTEST_NUMBER: Final = 7
"""A number of fewer digits is masked only in the spellings in which it was found."""
_FEW: Final = 48
"""So many new values are searched for one by one before they are compiled."""
_MOST_COMPILED: Final = 2000
"""So many values are compiled together."""
_MEMORY: Final = 1 << 28
_LONGEST_CUT: Final = 400
"""Of a longer value, a cut is not looked for."""
_HAN: Final = re.compile(f"[{HAN}]+")
_NUMBER: Final = re.compile(r"[0-9](?:[\s().,\-\u2010-\u2015\u2212/+_]{0,3}[0-9]){6,}")
_GROUP: Final = re.compile("[0-9]+")
_WORD: Final = re.compile("[a-z]+|[а-яё]+|[0-9]+")
"""No value begins inside of one."""
_PLUS: Final = re.compile(r"\(?\+\Z|\+\(\Z")


class KnownValues:
    """Finds the values that were added, in any text."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._numbers: dict[str, str] = {}
        self._longest = 0
        self._beginnings: dict[str, list[str]] = {}
        self._few: list[str] = []
        self._compiled: list[tuple[list[str], Any]] = []
        self._lengths: dict[str, list[int]] = {}
        self._sizes: list[int] = []
        self._beginning = _WORD
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, values: Iterable[tuple[str, str]]) -> None:
        """Note kinds and values; those that are too short are left out."""
        with self._lock:
            for kind, spelling in values:
                value = _small(unescaped(spelling))
                if value in self._kinds or not _is_long_enough(kind, value):
                    continue
                self._beginnings.setdefault(value[:SHORTEST], []).append(value)
                for form in _forms(kind, value):
                    if form not in self._kinds:
                        self._kinds[form] = kind
                        self._few.append(form)
                self._add_number(kind, spelling)
            if len(self._few) >= _FEW:
                self._compile()

    def _add_number(self, kind: str, spelling: str) -> None:
        if kind == "PHONE":
            plain = plain_text(spelling)
            numbers = [*phone_spellings(plain), *main_numbers(plain)]
        else:
            numbers = [canonical(kind, spelling)] if kind in DIGIT_KINDS else []
        for number in numbers:
            if len(number) >= SHORTEST_NUMBER:
                self._numbers.setdefault(number, kind)
                self._longest = max(self._longest, len(number))

    def find(self, text: str) -> Iterator[Finding]:
        """The known values in a text; not inside a longer number or word."""
        small = _small(text)
        for value in self._few:
            at = small.find(value)
            while at >= 0:
                yield from self._whole(text, at, value)
                at = small.find(value, at + 1)
        if self._compiled:
            yield from self._find_compiled(text, small)
        if self._lengths:
            yield from self._find_many(text, small)
        if "…" in text:
            yield from self._find_cut_off(text, small)
        if self._numbers:
            for match in _NUMBER.finditer(text):
                yield from self._find_numbers(text, match)

    def _whole(self, text: str, start: int, value: str) -> Iterator[Finding]:
        end = start + len(value)
        if _is_whole(text, start, end):
            yield Finding(start, end, self._kinds[value], text[start:end])

    def _find_numbers(self, text: str, part: re.Match[str]) -> Iterator[Finding]:
        """Known numbers that consist of whole groups of the digits in a part, the longest first."""
        groups = [match.span() for match in _GROUP.finditer(text, *part.span())]
        first = 0
        while first < len(groups):
            number, end, kind = "", 0, ""
            for last in range(first, len(groups)):
                number += text[slice(*groups[last])]
                if len(number) > self._longest:
                    break
                if number == "0":  # nobody writes 0-138
                    break
                if number in self._numbers:
                    end, kind = last + 1, self._numbers[number]
            if end:
                start, stop = groups[first][0], groups[end - 1][1]
                start = _with_plus(text, start, stop) if kind == "PHONE" else start
                yield Finding(start, stop, kind, text[start:stop])
            first = end or first + 1

    def _find_cut_off(self, text: str, small: str) -> Iterator[Finding]:
        """Values of which only the beginning is left, because a text was cut off inside them."""
        end, last = text.find("…"), 0
        while end >= 0:
            for start in range(max(last, end - _LONGEST_CUT), end - SHORTEST + 1):
                for value in self._beginnings.get(small[start : start + SHORTEST], ()):
                    if value.startswith(small[start:end]):
                        yield Finding(start, end, self._kinds[value], text[start:end])
            last = end + 1
            end = text.find("…", last)

    def _find_compiled(self, text: str, small: str) -> Iterator[Finding]:
        data = small.encode("utf-8", "replace")  # half a character becomes one sign
        for _, pattern in self._compiled:
            at = byte = 0
            for match in pattern.finditer(data):
                at += len(data[byte : match.start()].decode())
                byte = match.start()
                yield from self._whole(text, at, match[0].decode())

    def _find_many(self, text: str, small: str) -> Iterator[Finding]:
        """The longest of the values of ``_lengths`` at each place where a word or number may begin."""
        for match in self._beginning.finditer(small):
            start = match.start()
            for size in self._sizes:
                for length in self._lengths.get(small[start : start + size], ()):
                    value = small[start : start + length]
                    if value in self._kinds:
                        yield from self._whole(text, start, value)

    def _compile(self) -> None:
        """Compile the few with as many compiled ones as there are, so that parts stay few.

        A pattern of very many values needs more memory than RE2 gets, and RE2 is then slower with
        each value. These are looked up instead, by their beginnings and lengths.
        """
        values, self._few = self._few, []
        while self._compiled and len(self._compiled[-1][0]) <= len(values):
            values = self._compiled.pop()[0] + values
        if len(values) <= _MOST_COMPILED:
            self._compiled.append((values, _alternatives(values)))
            return
        for value in values:
            lengths = self._lengths.setdefault(value[:SHORTEST], [])
            if len(value) not in lengths:
                lengths.append(len(value))
        self._sizes = sorted(set(map(len, self._lengths)))
        signs = {value[0] for value in self._lengths if not _WORD.match(value)}
        others = f"|[{''.join(map(re.escape, signs))}]" if signs else ""
        self._beginning = re.compile(_WORD.pattern + others)


def _forms(kind: str, value: str) -> set[str]:
    """The value as it is, in an address, and without its separators if it has letters."""
    forms = {value, *map(str.lower, (quote(value, safe=""), quote_plus(value)))}
    if kind in DIGIT_KINDS and len(plain := canonical(kind, value)) >= SHORTEST:
        forms |= set() if plain.isdecimal() else {plain.lower()}
    return forms


def _small(text: str) -> str:
    """The text in small letters, each in its place."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _with_plus(text: str, start: int, end: int) -> int:
    """Where a telephone begins, with the + before it, and with a bracket that closes inside it."""
    is_open = text.find(")", start, end) >= 0 > text.find("(", start, end)
    plus = _PLUS.search(text, max(0, start - 2), start)
    if plus is None:
        return start
    return plus.start() if is_open or plus[0] != "(+" else start - 1


def _alternatives(values: list[str]) -> Any:
    # loaded with the first values: a command without redaction does not need it
    re2 = optional_library("re2", "redact", "redaction")

    options = re2.Options()
    options.longest_match = True
    options.never_capture = True
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile("|".join(map(re2.escape, sorted(values))).encode(), options)


def _is_long_enough(kind: str, value: str) -> bool:
    if kind in {"PERSON", "OWN"} and _HAN.fullmatch(value):
        return len(value) >= _SHORTEST_NAME
    return len(value) >= SHORTEST


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether the part does not begin or end inside a number or a word of letters."""
    return not (
        (start > 0 and _continues(text[start - 1], text[start]))
        or (end < len(text) and _continues(text[end - 1], text[end]))
    )


def _continues(left: str, right: str) -> bool:
    if left.isdigit() or right.isdigit():
        return left.isdigit() and right.isdigit()
    is_word = left.isalpha() and right.isalpha()
    return is_word and not (_HAN.match(left) or _HAN.match(right))
