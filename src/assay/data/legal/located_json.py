"""Read JSON together with the line of every value, so that a message can name the line.

Existing decoders report where a file is not valid JSON, but not on which line a value is.
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
"""A file with more levels of nesting is refused."""


class NotJson(Exception):
    """The text is not valid JSON at ``offset``."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class LocatedValue(Struct, frozen=True, kw_only=True):
    """A decoded value, with the line of each part by its key path.

    ``repeated`` are the paths of keys that occur twice in an object.
    """

    value: Any
    lines: dict[KeyPath, int]
    repeated: tuple[KeyPath, ...]

    def line(self, at: KeyPath) -> int:
        """The line of a part; if it has none, the line of the nearest part that contains it."""
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)


def locate_values(text: str) -> LocatedValue:
    r"""Parse ``text`` and record the line of every value.

    Raises:
        NotJson: the text is not exactly one JSON value.

    >>> locate_values('{"a": [1,\n 2]}').line(("a", 1))
    2
    """
    reader = _Reader(text)
    value, end = reader.read(_past_space(text, 0), ())
    end = _past_space(text, end)
    if end < len(text):
        raise NotJson("there is more text after the end of the JSON value", end)
    return LocatedValue(value=value, lines=reader.lines, repeated=tuple(reader.repeated))


def _past_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


class _Reader:
    """Reads the values recursively and records the line on which each begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: dict[KeyPath, int] = {}
        self.repeated: list[KeyPath] = []
        self._last_line = (0, 1)  # an offset and its line, so that lines are counted only once

    def read(self, offset: int, at: KeyPath) -> tuple[Any, int]:
        """Read the value at ``offset``; return it with the offset of its end."""
        self.lines.setdefault(at, self._line(offset))
        first = self.text[offset : offset + 1]
        if len(at) > DEEPEST:
            raise NotJson("the value is nested too deeply", offset)
        if first == "{":
            return self._read_object(offset + 1, at)
        if first == "[":
            return self._read_list(offset + 1, at)
        if first == '"':
            return self._read_text(offset)
        match = _ATOM.match(self.text, offset)
        if match is None:
            reason = "a value is expected here" if first else "the file ends too early"
            raise NotJson(reason, offset)
        try:
            return json.loads(match.group()), match.end()
        except ValueError:  # Python converts at most 4300 digits
            raise NotJson("the number has too many digits", offset) from None

    def _read_text(self, offset: int) -> tuple[str, int]:
        try:
            value, end = _DECODER.raw_decode(self.text, offset)
        except json.JSONDecodeError as error:
            raise NotJson(error.msg[:1].lower() + error.msg[1:], error.pos) from None
        return str(value), end

    def _read_list(self, offset: int, at: KeyPath) -> tuple[list[Any], int]:
        items: list[Any] = []
        offset = _past_space(self.text, offset)
        if self.text[offset : offset + 1] == "]":
            return items, offset + 1
        while True:
            value, offset = self.read(_past_space(self.text, offset), (*at, len(items)))
            items.append(value)
            offset, ended = self._read_delimiter(offset, "]")
            if ended:
                return items, offset

    def _read_object(self, offset: int, at: KeyPath) -> tuple[dict[str, Any], int]:
        members: dict[str, Any] = {}
        offset = _past_space(self.text, offset)
        if self.text[offset : offset + 1] == "}":
            return members, offset + 1
        while True:
            offset = _past_space(self.text, offset)
            if self.text[offset : offset + 1] != '"':
                raise NotJson("a key in double quotes is expected here", offset)
            line = self._line(offset)
            key, offset = self._read_text(offset)
            offset = _past_space(self.text, offset)
            if self.text[offset : offset + 1] != ":":
                raise NotJson("a colon is expected here", offset)
            if key in members:
                self.repeated.append((*at, key))
            self.lines[*at, key] = line
            members[key], offset = self.read(_past_space(self.text, offset + 1), (*at, key))
            offset, ended = self._read_delimiter(offset, "}")
            if ended:
                return members, offset

    def _read_delimiter(self, offset: int, end: str) -> tuple[int, bool]:
        offset = _past_space(self.text, offset)
        delimiter = self.text[offset : offset + 1]
        if delimiter not in {",", end} or not delimiter:
            raise NotJson(f"a comma or {end} is expected here", offset)
        return offset + 1, delimiter == end

    def _line(self, offset: int) -> int:
        last_offset, line = self._last_line
        line += self.text.count("\n", last_offset, offset)
        self._last_line = (offset, line)
        return line
