"""Symbols of units in which the case of a letter carries meaning: mW and MW, Mb and MB, мВт and МВт.

``values.toml`` lists them with the spellings that are read as each. In all other symbols case makes no
difference: kg, Kg and KG are one unit.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from assay.text.lists import word_values
from assay.text.normalise import normalised

_SYMBOL: Final = re.compile(
    r"[ \u00a0\u2009\u202f-]?([^\W\d_\u3040-\u30ff\u4e00-\u9fff]{1,5})(?![^\W\u3040-\u9fff])"
)
"""A word directly after a number."""


def unit_symbol(word: str) -> str | None:
    """The name of the unit that ``word`` is, if the case of its letters carries meaning.

    A spelling that is not listed is read as the unit whose letters it has most of.

    >>> unit_symbol("mW"), unit_symbol("МВТ"), unit_symbol("KG")
    ('mW', 'MW', None)
    """
    written = normalised(word)
    spellings = _spellings().get(written.casefold())
    if spellings is None:
        return None
    if written in spellings:
        return spellings[written]
    return spellings[max(spellings, key=lambda each: _shared_letters(each, written))]


def symbol_after(text: str, position: int) -> tuple[str, int, int] | None:
    """The unit directly after the number that ends at ``position``, with its start and end.

    >>> symbol_after("5 mW", 1), symbol_after("5 kg", 1)
    (('mW', 2, 4), None)
    """
    found = _SYMBOL.match(text, position)
    name = unit_symbol(found[1]) if found else None
    return None if found is None or name is None else (name, found.start(1), found.end(1))


def _shared_letters(first: str, second: str) -> int:
    return sum(a == b for a, b in zip(first, second, strict=False))


@cache
def _spellings() -> Mapping[str, Mapping[str, str]]:
    """The spellings of all symbols and what they name, by their letters without case."""
    found: dict[str, dict[str, str]] = {}
    for spelling, name in word_values("symbol").items():
        found.setdefault(normalised(spelling, fold_case=True), {})[spelling] = name
    return found
