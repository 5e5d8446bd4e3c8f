"""Find a key that is twice in one JSON object.

Decoders take the last of the two values and say nothing. In a file that people write, such as a
set of questions or of labels, one of the two is a mistake, and only its author knows which.
"""

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from assay.data.jsonl import Block
from assay.errors import DatasetError

_TOKEN: Final = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*+:)?|[{}\[\]]', re.DOTALL)
"""A text, perhaps with the colon that makes it a key, or the end or the beginning of a value."""


class RepeatedKey(NamedTuple):
    """A key that is twice in one object, and the line of its second place, counted from 1."""

    key: str
    line: int

    @property
    def problem(self) -> str:
        """What is wrong, and what to do."""
        return f'the key "{self.key}" is twice in one object; keep one of the two'


def repeated_key(data: bytes) -> RepeatedKey | None:
    r"""The first key that is twice in one object of ``data``, a valid JSON value.

    >>> repeated_key(b'{"id": 1, "gold": [{"a": 1,\n"a": 2}]}')
    RepeatedKey(key='a', line=2)
    >>> repeated_key(b'[{"id": 1}, {"id": 1}]') is None
    True
    """
    try:
        _DECODER.decode(data.decode("utf-8", "surrogatepass").strip())
    except (ValueError, RecursionError):  # also a number of more digits than Python reads
        return _located(data)
    return None


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is twice")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once)
"""Eight times as fast as looking at each token; it does not know the line."""


def _located(data: bytes) -> RepeatedKey | None:
    levels: list[set[bytes]] = []
    for token in _TOKEN.finditer(data):
        if token[2]:
            key = token[1]
            if b"\\" in key:  # one key may be escaped in several ways
                key = json.loads(b'"%b"' % key).encode("utf-8", "surrogatepass")
            if key in levels[-1]:
                line = data.count(b"\n", 0, token.start()) + 1
                return RepeatedKey(key.decode("utf-8", "surrogatepass"), line)
            levels[-1].add(key)
        elif token[1] is None:
            if token[0] in b"{[":
                levels.append(set())
            else:
                levels.pop()
    return None


def refuse_repeated_key(data: bytes, path: Path, *, lines_before: int = 0) -> None:
    """Refuse a value of a file, which begins after ``lines_before``, if a key is twice.

    Raises:
        DatasetError: a key is twice in one object; the message gives the line and the key.
    """
    found = repeated_key(data)
    if found is not None:
        raise DatasetError(f"{path}:{lines_before + found.line}: {found.problem}")


def refuse_repeated_keys(block: Block, path: Path) -> None:
    """Refuse lines of a file, each a JSON value, if a key is twice in one object."""
    for number, line in enumerate(block.data.split(b"\n"), block.lines_before):
        if line.strip():
            refuse_repeated_key(line, path, lines_before=number)
