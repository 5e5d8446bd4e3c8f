"""Name the fields of a file from elsewhere that are not read.

Data sets, results, rules and laws that other tools wrote may have any further field. Such a field
is no error, but the user is told that it has no effect.
"""

import difflib
from collections.abc import Iterable
from typing import Final

from assay.text import counted

_MOST_NAMES: Final = 8


def ignored_fields_note(names: Iterable[str], known: Iterable[str] = ()) -> str:
    """One line with the names of the ignored fields; empty if there are none.

    A name that is close to one of ``known`` may be a slip of the pen, and the line says so.

    >>> ignored_fields_note(["chapter", "note", "chapter"])
    'ignored 2 fields: chapter, note'
    >>> ignored_fields_note(["must_inlcude"], ["must_include"])
    "ignored 1 field: must_inlcude (did you mean 'must_include'?)"
    """
    distinct = [_with_suggestion(name, known) for name in dict.fromkeys(names)]
    if not distinct:
        return ""
    shown = ", ".join(distinct[:_MOST_NAMES])
    rest = f" and {len(distinct) - _MOST_NAMES} more" if len(distinct) > _MOST_NAMES else ""
    return f"ignored {counted(len(distinct), 'field')}: {shown}{rest}"


def _with_suggestion(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f"{name} (did you mean {close[0]!r}?)" if close else name
