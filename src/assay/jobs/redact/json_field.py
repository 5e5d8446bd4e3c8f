"""The texts of JSON with the names of their fields, and where they stand in the file."""

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")(\s*:)?|([{\[])|([}\]])|([^\s",{}\[\]]+)|,)')
_NOT_TEXT: Final = re.compile(
    r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity"
)


class JsonField(NamedTuple):
    """A text, the name of the field that has it or the list around it, and where it begins.

    The name of a field is a text itself, without a name.
    """

    name: str
    text: str
    start: int


def json_records(text: str) -> Iterator[list[JsonField]]:
    """The texts of each value of a file of JSON, or of lines of JSON. Numbers are no texts.

    Raises:
        ValueError: it is not JSON.

    >>> [[field.name for field in fields] for fields in json_records('{"a": ["b", 7]} "c"')]
    [['', 'a'], ['']]
    """
    fields: list[JsonField] = []
    names: list[str] = []
    name, place = "", 0
    end = len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None or (token[5] and not _NOT_TEXT.fullmatch(token[5])):
            raise ValueError(f"not JSON at {place}")
        place = token.end()
        if token[1]:
            plain = json.loads(token[1], strict=False)
            fields.append(JsonField("" if token[2] else name, plain, token.start(1)))
            name = plain if token[2] else name
        elif token[3]:
            names.append(name)
        elif token[4]:
            if not names:
                raise ValueError(f"not JSON at {place}")
            name = names.pop()
        if not names and fields:
            yield fields
            fields, name = [], ""
    if names:
        raise ValueError("not JSON: a bracket is open")
