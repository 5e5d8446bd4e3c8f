"""Whether the documents answer a question, as files of questions say it.

Our name is ``answerable``. Other tools write ``is_answerable``, or the opposite: ``is_impossible`` of
SQuAD 2.0 and ``unanswerable``. The value may be a truth value or a word for one.
"""

from collections.abc import Mapping
from typing import Any, Final

from assay.data.column_role import column_words, is_inverted_name

ANSWERABLE_NAMES: Final = ("answerable", "is_answerable", "is_impossible", "unanswerable")


def answerable_flag(name: str, value: Any) -> bool | None:
    """Whether a question can be answered, by the field ``name``; ``None`` if it says nothing.

    Raises:
        ValueError: the value is neither true nor false.

    >>> answerable_flag("answerable", "no"), answerable_flag("is_impossible", False)
    (False, True)
    """
    word = "" if value is None else str(value).strip().lower()
    if not word:
        return None
    for flag in (True, False):
        if word in column_words()["flag"][str(flag).lower()]:
            return flag != is_inverted_name(name)
    raise ValueError(f"`{name}` says {value!r}; write true or false")


def said_answerable(fields: Mapping[str, Any]) -> bool | None:
    """What the fields of a question say, by the first of the known names; raises as above."""
    flags = (answerable_flag(name, fields.get(name)) for name in ANSWERABLE_NAMES)
    return next((flag for flag in flags if flag is not None), None)
