"""Assertions of promptfoo, as its column ``__expected`` has them: which of them name an answer.

``equals``, ``contains`` and the like name what the answer says. ``llm-rubric``, ``javascript``,
``similar`` and others name a test that is not made here, so that such a row has no expected answer.
"""

import csv
import re
from typing import Any, Final

from msgspec import Struct

from assay.data.column_role import column_words

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
