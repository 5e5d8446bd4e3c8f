"""Lists in the cells of tables, as JSON, Python or NumPy write them."""

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from assay.data.jsonl import UNREADABLE

_LONGEST_LIST: Final = 1 << 20


def parsed_cell(value: Any) -> Any:
    """A cell of a table may hold a JSON list, or a list as Python writes it."""
    if isinstance(value, str) and value.strip().startswith("[") and value.strip().endswith("]"):
        try:
            return msgspec.json.decode(value)
        except UNREADABLE:
            return _python_list(value)
    return value


def _python_list(text: str) -> Any:
    """A list as Python or NumPy writes it, the latter without commas; a text that is none stays."""
    if len(text) > _LONGEST_LIST:
        return text
    try:
        read = ast.literal_eval(_with_commas(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return text
    try:
        msgspec.json.encode(read)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return text
    return read if isinstance(read, list) else text


def _with_commas(text: str) -> str:
    r"""A list of Python with a comma between two texts, which Python would join.

    >>> _with_commas("['a' 'b'\n 'c', 'd']")
    "['a','b','c','d']"
    """
    parts: list[str] = []
    before = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER}:
            continue
        parts += [",", token.string] if before == token.type == tokenize.STRING else [token.string]
        before = token.type
    return "".join(parts)


def flat_items(value: Any) -> Iterator[str]:
    """The texts of a cell that lists several, also in lists of lists or between semicolons."""
    if isinstance(value, list):
        for item in value:
            yield from flat_items(item)
    elif str(value).strip():
        yield from (
            (part.strip() for part in str(value).split(";") if part.strip())
            if isinstance(value, str) and len(value) < 200
            else [str(value)]
        )
