"""A problem of a benchmark file, with its place in the file."""

import re
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

KeyPath: TypeAlias = tuple[str | int, ...]

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Problem(Struct, frozen=True, kw_only=True):
    """A problem: the file, the line, the JSON path, and a message that says what is wrong.

    ``blocks`` is false if the file can be used nevertheless: a quote that is not at its place.
    """

    file: Path
    line: int
    path: str
    message: str
    blocks: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.path}: {self.message}"


def json_path(at: KeyPath) -> str:
    """A key path written as JSONPath.

    >>> json_path(("questions", 3, "expected", "amount_total"))
    '$.questions[3].expected.amount_total'
    >>> json_path(("a b",))
    "$['a b']"
    """
    steps = []
    for step in at:
        if isinstance(step, int):
            steps.append(f"[{step}]")
        elif _NAME.fullmatch(step):
            steps.append(f".{step}")
        else:
            steps.append(f"[{step!r}]")
    return "$" + "".join(steps)
