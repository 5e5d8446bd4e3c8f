"""The expected answer of a question, as files of questions write it."""

import csv
import math
import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from assay.data.column_role import column_words, is_inverted_name
from assay.text.character import HAN
from assay.text.language import language


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


# Assertions of promptfoo, as its column ``__expected`` has them: which of them name an answer.
#
# ``equals``, ``contains`` and the like name what the answer says. ``llm-rubric``, ``javascript``,
# ``similar`` and others name a test that is not made here, so that such a row has no expected answer.

_PREFIX: Final = re.compile(
    r"(?P<kind>(?:not-)?[a-z][a-z0-9-]*)(?:\([^)]*\))?:\s*(?P<value>.*)", re.DOTALL
)


class Asserted(Struct, frozen=True, kw_only=True):
    """The accepted answers that assertions name, or the kind of one that names none."""

    answers: tuple[str, ...] = ()
    kind: str = ""


def asserted_answer(text: str) -> Asserted:
    """What one assertion says about the answer; a text without a known prefix is the answer itself.

    >>> asserted_answer("icontains: Paris").answers, asserted_answer("contains-any: a, b").answers
    (('Paris',), ('a', 'b'))
    >>> asserted_answer("llm-rubric: is polite").kind, asserted_answer("Note: 30 days").answers
    ('llm-rubric', ('Note: 30 days',))
    """
    text = text.strip()
    kinds = column_words()["assertion"]
    match = _PREFIX.fullmatch(text)
    kind, value = (match["kind"], match["value"].strip()) if match else (text, "")
    plain = kind.removeprefix("not-")
    every = {name for names in kinds.values() for name in names}
    if plain not in every or (not match and plain not in kinds["other"]):
        return Asserted(answers=(text,) if text else ())
    if kind in kinds["one"] and value:
        return Asserted(answers=(value,))
    parts = _parts(value)
    if kind in kinds["any"] and parts:
        return Asserted(answers=parts)
    if kind in kinds["all"] and len(parts) == 1:
        return Asserted(answers=parts)
    return Asserted(kind=kind)


def asserted_answers(values: list[Any]) -> Asserted:
    """What the assertions of a row say together: all of them must hold.

    Two that name different answers are no choice between them, so that no answer is known then.
    """
    read = [asserted_answer(str(value)) for value in values if value not in (None, "")]
    named = list(dict.fromkeys(each.answers for each in read if each.answers))
    if len(named) == 1:
        return Asserted(answers=named[0])
    kinds = dict.fromkeys(each.kind for each in read if each.kind)
    return Asserted(kind="several answers at once" if named else ", ".join(kinds))


def _parts(value: str) -> tuple[str, ...]:
    """The values between commas; one with a comma is in quotation marks."""
    if not value:
        return ()
    parts = next(csv.reader([value.replace("\n", " ")], skipinitialspace=True))
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


# Whether the documents answer a question, as files of questions say it.
#
# Our name is ``answerable``. Other tools write ``is_answerable``, or the opposite: ``is_impossible`` of
# SQuAD 2.0 and ``unanswerable``. The value may be a truth value or a word for one.

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


# Expected answers that look like several in one text; they are never cut silently.

_BAR: Final = re.compile(r"\s*[|｜]+\s*|\s+/+\s+")
_STOP: Final = re.compile(r"\s*[;；\n]\s*")
"""Signs that stand between clauses of one answer too: what they part must be short."""
_END: Final = re.compile(r"[.。!！?？:：]\Z")
_MOST_LETTERS: Final = 40
_MOST_WORDS: Final = 3
_MOST_HAN: Final = 8
_HAN: Final = re.compile(f"[{HAN}]")


def looks_listed(text: str, *, is_cell: bool = True) -> bool:
    """Whether a text looks like several short answers: ``A|B``, ``A / B``, ``A; B`` or lines.

    JSON has lists: if the text ``is_cell`` not, a semicolon parts what the answer says together.

    >>> looks_listed("Paris|Lutetia"), looks_listed("北京；北平"), looks_listed("60 km/h")
    (True, True, False)
    >>> looks_listed("Shirts every twelve months; 11 crowns a month for washing.")
    False
    """
    text = text.strip()
    if _END.search(text):
        return False
    barred, parted = _BAR.split(text), _STOP.split(text)
    if len(barred) > 1 and all(0 < len(part) <= _MOST_LETTERS for part in barred):
        return True
    return is_cell and len(parted) > 1 and all(map(_is_short, parted))


def _is_short(part: str) -> bool:
    if _HAN.search(part):
        return len(part) <= _MOST_HAN
    return 0 < len(part.split()) <= _MOST_WORDS
