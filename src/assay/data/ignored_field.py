"""Name the fields of a file from elsewhere that are not read.

Data sets, results, rules and laws that other tools wrote may have any further field. Such a field
is no error, but the user is told that it has no effect.
"""

from collections.abc import Iterable
from typing import Final

_MOST_NAMES: Final = 8


def ignored_fields_note(names: Iterable[str]) -> str:
    """One line with the names of the ignored fields; empty if there are none.

    >>> ignored_fields_note(["chapter", "note", "chapter"])
    'ignored 2 fields: chapter, note'
    """
    distinct = list(dict.fromkeys(names))
    if not distinct:
        return ""
    shown = ", ".join(distinct[:_MOST_NAMES])
    rest = f" and {len(distinct) - _MOST_NAMES} more" if len(distinct) > _MOST_NAMES else ""
    return f"ignored {len(distinct)} field{'s' * (len(distinct) > 1)}: {shown}{rest}"
