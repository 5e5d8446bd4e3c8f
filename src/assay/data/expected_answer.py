"""The expected answer of a question, as files of questions write it."""

import math
from typing import Any

from assay.data.column_role import column_words
from assay.text import language


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


def with_truth(value: Any, question: str) -> Any:
    """An expected answer; a truth value stands for yes or no in the language of the question.

    >>> with_truth(True, "Is it open?"), with_truth(["30 days"], "How long?")
    (['yes', 'True'], ['30 days'])
    """
    if isinstance(value, list):
        return [part for item in value for part in _listed(with_truth(item, question))]
    for truth, word in (("true", "yes"), ("false", "no")):
        if str(value).lower() in column_words()["truth"][truth]:
            return [column_words()[word][language(question)], str(value)]
    return value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
