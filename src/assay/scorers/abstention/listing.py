"""Whether a statement lists things."""

from typing import Final

from assay.scorers.abstention import context
from assay.scorers.abstention.statement import Statement

_ITEMS: Final = 3
"""A list has at least so many items."""
_ITEM_WORDS: Final = 6
"""An item of a bare list has at most so many words."""


def is_list(statement: Statement) -> bool:
    """Whether the statement lists three things or more."""
    items = len(statement.parts) + statement.form.count("、")
    return items >= _ITEMS and not context.CAUSE_INSIDE.search(statement.form)


def is_bare_list(statement: Statement) -> bool:
    """Whether the statement lists things and says nothing else: "Flour, butter and three eggs"."""
    if not is_list(statement) or statement.is_about_text:
        return False
    if context.ASSERTION.search(statement.form):
        return False
    return all(len(part.split()) <= _ITEM_WORDS for part in statement.parts)
