"""A number inside a Russian adjective: «пятиэтажный» has five storeys."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.scorers.legal.form.measure import Measure
from assay.text import Span, normalised
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_ASKED: Final = lazy_pattern(lambda: alternatives("clause.counted", "ru"))
_STEM: Final = 3
"""So many letters of what is counted must stand in the adjective."""


@cache
def _prefixes() -> dict[int, str]:
    return dict(enumerate(word_list("form.number_prefixes", "ru"), 1))


def compounds(value: Measure, text: str, question: str | None) -> Iterator[Span]:
    """Where ``text`` has the number of ``value`` in an adjective, with what ``question`` counts.

    >>> from assay.scorers.legal.form.measure import is_measure
    >>> text, value = "Дом пятиэтажный.", is_measure("пять")
    >>> [span.of(text) for span in compounds(value, text, "Сколько этажей в доме?")]
    ['пятиэтажный']
    """
    asked = _ASKED.search(question.lower()) if question else None
    prefix = _prefixes().get(int(value.number.value))
    if asked is None or prefix is None:
        return
    stem = normalised(asked["noun"])[:_STEM]
    pattern = rf"\b{prefix}-?{re.escape(stem)}\w+"
    for match in re.finditer(pattern, text.lower().replace("ё", "е")):
        yield Span(start=match.start(), end=match.end())
