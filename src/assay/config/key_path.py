"""The place of a value in a file: the keys and indexes that lead to it."""

from typing import Any

KeyPath = tuple[str | int, ...]


def value_at(raw: Any, at: KeyPath) -> Any:
    """The value at a path; ``None`` if there is none."""
    for step in at:
        try:
            raw = raw[step]
        except (KeyError, IndexError, TypeError):
            return None
    return raw


def line_of(lines: dict[KeyPath, int], at: KeyPath) -> int:
    """The line of ``at``, or of the nearest enclosing value whose line is known."""
    while at and at not in lines:
        at = at[:-1]
    return lines.get(at, 1)
