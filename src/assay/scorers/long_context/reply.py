"""What a reply to a question over a long text says: its JSON, or a line that names the answer."""

import re
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

from msgspec import UNSET

_THOUGHT: Final = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_END_OF_THOUGHT: Final = re.compile(r".*</think(?:ing)?>", re.DOTALL)
_KEYS: Final = frozenset({"answer", "answers", "答案", "ответ"})
_MOST_OBJECTS: Final = 64
_decoder: Final = JSONDecoder()


def stated_answer(reply: str) -> str:
    """A reply without the thoughts that some models put before it.

    A thought that was never closed was cut off, and so was what should have followed it.

    >>> stated_answer("<think>b or c?</think> c"), stated_answer("<think>b or"), stated_answer("so b</think>b")
    ('c', '', 'b')
    """
    return _END_OF_THOUGHT.sub("", _THOUGHT.sub("", reply)).strip()


def json_answer(text: str) -> Any:
    """The value of ``answer`` in the last JSON object that has one; ``UNSET`` where none has.

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
