"""Where an answer has an expected name in another form: inflected, without its title, or the surname."""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.legal.entity import entity_spans, whole_names
from assay.text import CYRILLIC, LATIN, Span
from assay.text.lexicon import alternatives, lazy_pattern

_PERSON_ASKED: Final = lazy_pattern(lambda: alternatives("form.person_asked"))
_CAPITALS: Final = re.compile(rf"[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+")
_SMALL: Final = re.compile(rf"\b[a-zа-яё][{CYRILLIC}{LATIN}]*")
_LONGEST: Final = 5
_SHORT: Final = 12
"""In a longer text a surname may be that of somebody else."""


def name_mentions(wording: str, text: str, question: str | None) -> Iterator[Span]:
    """The spans of ``text`` that name ``wording``, if that is a name.

    A part of a name is enough only if the question asks for a person.

    >>> text = "Приют был основан Беатрисой Маловой."
    >>> [span.of(text) for span in name_mentions("Беатриса Малова", text, None)]
    ['Беатрисой Маловой']
    """
    capitals = _CAPITALS.findall(wording)
    if not capitals or len(wording.split()) > _LONGEST or any(map(str.isdigit, wording)):
        return
    whole = list(whole_names(text, wording))
    yield from whole
    small = _SMALL.findall(wording)
    is_name = len(capitals) > len(small) and "," not in wording and len(text.split()) <= _SHORT
    if not whole and is_name and question is not None and _PERSON_ASKED.search(question):
        yield from entity_spans(text, wording, question=question)
