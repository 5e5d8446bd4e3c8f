"""The JSON of a reply to a question about a long text."""

import re
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

from msgspec import UNSET

_KEYS: Final = frozenset({"answer", "answers", "答案", "ответ"})
_MOST_OBJECTS: Final = 64
"""How many opening braces, from the end of the reply, are tried as the start of an object."""
_decoder: Final = JSONDecoder()


def json_answer(text: str) -> Any:
    """The value of ``answer`` in the last JSON object that has this key; ``UNSET`` if none has.

    >>> json_answer('First {"answer": ["a"]}, no: {"answer": ["b", "c"]}')
    ['b', 'c']
    >>> json_answer('{"answer": ["b"')
    UNSET
    """
    starts = [match.start() for match in re.finditer(r"\{", text)]
    for start in reversed(starts[-_MOST_OBJECTS:]):
        try:
            value, _ = _decoder.raw_decode(text, start)
        except (JSONDecodeError, RecursionError):
            continue
        for key, item in value.items():
            if key.strip().casefold() in _KEYS:
                return item
    return UNSET
