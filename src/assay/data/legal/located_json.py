"""JSON read with the line of every value, so that a problem can be pointed at.

The decoders at hand tell where a file stops being JSON, not where a value stands in it.
"""

import json
import re
from typing import Any, Final

from msgspec import Struct

from assay.data.legal.problem import KeyPath

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_ATOM: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_DECODER: Final = json.JSONDecoder()
DEEPEST: Final = 100
"""Levels of nesting beyond which a file is refused."""


class NotJson(Exception):
    """The text is not JSON from ``offset`` on."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class LocatedValue(Struct, frozen=True, kw_only=True):
    """A value, and the line of each part of it by its path; ``repeated`` are doubled keys."""

    value: Any
    lines: dict[KeyPath, int]
    repeated: tuple[KeyPath, ...]

    def line(self, at: KeyPath) -> int:
        """The line of a part, or of the nearest part around it."""
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)


def locate_values(text: str) -> LocatedValue:
    r"""Parse ``text``.

    Raises:
        NotJson: it is not one JSON value.

    >>> locate_values('{"a": [1,\n 2]}').line(("a", 1))
    2
    """
    reader = _Reader(text)
    value, end = reader.read(_past_space(text, 0), ())
    end = _past_space(text, end)
    if end < len(text):
        raise NotJson("something follows the end of the JSON value", end)
    return LocatedValue(value=value, lines=reader.lines, repeated=tuple(reader.repeated))


def _past_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


class _Reader:
    """Reads one value after another and notes where each begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: dict[KeyPath, int] = {}
        self.repeated: list[KeyPath] = []
        self._counted = (0, 1)

    def read(self, place: int, at: KeyPath) -> tuple[Any, int]:
        """The value at ``place`` and the offset past it."""
        self.lines.setdefault(at, self._line(place))
        first = self.text[place : place + 1]
        if len(at) > DEEPEST:
            raise NotJson("it is nested too deeply", place)
        if first == "{":
            return self._read_object(place + 1, at)
        if first == "[":
            return self._read_list(place + 1, at)
        if first == '"':
            return self._read_text(place)
        match = _ATOM.match(self.text, place)
        if match is None:
            raise NotJson("a value is expected here" if first else "it ends too early", place)
        return json.loads(match.group()), match.end()

    def _read_text(self, place: int) -> tuple[str, int]:
        try:
            value, end = _DECODER.raw_decode(self.text, place)
        except json.JSONDecodeError as error:
            raise NotJson(error.msg[:1].lower() + error.msg[1:], error.pos) from None
        return str(value), end

    def _read_list(self, place: int, at: KeyPath) -> tuple[list[Any], int]:
        found: list[Any] = []
        place = _past_space(self.text, place)
        if self.text[place : place + 1] == "]":
            return found, place + 1
        while True:
            value, place = self.read(_past_space(self.text, place), (*at, len(found)))
            found.append(value)
            place, ended = self._next(place, "]")
            if ended:
                return found, place

    def _read_object(self, place: int, at: KeyPath) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        place = _past_space(self.text, place)
        if self.text[place : place + 1] == "}":
            return found, place + 1
        while True:
            place = _past_space(self.text, place)
            if self.text[place : place + 1] != '"':
                raise NotJson("a key in double quotes is expected here", place)
            line = self._line(place)
            key, place = self._read_text(place)
            place = _past_space(self.text, place)
            if self.text[place : place + 1] != ":":
                raise NotJson("a colon is expected here", place)
            if key in found:
                self.repeated.append((*at, key))
            self.lines[*at, key] = line
            found[key], place = self.read(_past_space(self.text, place + 1), (*at, key))
            place, ended = self._next(place, "}")
            if ended:
                return found, place

    def _next(self, place: int, end: str) -> tuple[int, bool]:
        place = _past_space(self.text, place)
        mark = self.text[place : place + 1]
        if mark not in {",", end} or not mark:
            raise NotJson(f"a comma or {end} is expected here", place)
        return place + 1, mark == end

    def _line(self, place: int) -> int:
        before, line = self._counted
        line += self.text.count("\n", before, place)
        self._counted = (place, line)
        return line
