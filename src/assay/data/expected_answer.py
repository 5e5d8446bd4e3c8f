"""The expected answer of a question, as files of questions write it."""

import math
from typing import Any


def accepted_answers(value: Any) -> tuple[str, ...]:
    """The accepted answers in ``value``: a text, a number, or a list of them; others are left out.

    An object with ``text``, as SQuAD has it, stands for its text.

    >>> accepted_answers("30 days"), accepted_answers([42000, "42 thousand", ""])
    (('30 days',), ('42000', '42 thousand'))
    >>> accepted_answers({"text": ["Paris"], "answer_start": [4]}), accepted_answers(None)
    (('Paris',), ())
    """
    if isinstance(value, dict):
        return accepted_answers(value.get("text"))
    if isinstance(value, list | tuple):
        return tuple(dict.fromkeys(text for item in value for text in accepted_answers(item)))
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return ()
    return (f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value),)
