"""Parts of a value in what stages of a pipeline record: words of a query, numbers without zeros.

A stage takes a question to pieces: "card 4276 3801 4276 5515" becomes the query "card 4276 3801
5515", in which no value is whole.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from assay.redact.finding import Finding
from assay.redact.pseudonym import plain_text
from assay.text import HAN

DERIVED: Final = frozenset({"evaluation", "stages", "queries", "faults", "missing", "why"})
"""Fields of a record that the program makes from its other texts."""
_FEWEST: Final = 6
"""So many letters and digits of a value are a part; fewer are a common word or number.

A Chinese character counts twice.
"""
_MOST_BETWEEN: Final = 3
_HAN: Final = re.compile(f"[{HAN}]")
_TOKEN: Final = re.compile(rf"[0-9]+|[{HAN}]|[^\W\d_{HAN}]+")


class Parts:
    """The parts of some values, which are found in the texts of one record."""

    def __init__(self, values: Iterable[tuple[str, str]]) -> None:
        self._values = list(dict.fromkeys(values))
        self._owners: dict[str, set[int]] = {}
        for number, (_, value) in enumerate(self._values):
            for token in _tokens(plain_text(value)):
                self._owners.setdefault(token, set()).add(number)

    def find(self, text: str) -> Iterator[Finding]:
        """Stretches of words that are all words of one value; each finding has the whole value.

        >>> parts = Parts([("CARD", "4276 3801 4276 5515")])
        >>> [(found.start, found.end, found.value) for found in parts.find("card 4276 3801 5515")]
        [(5, 19, '4276 3801 4276 5515')]
        """
        stretch: list[re.Match[str]] = []
        owners: set[int] = set()
        for token in _TOKEN.finditer(text):
            own = self._owners.get(_plain(token[0]), set())
            is_near = stretch and token.start() - stretch[-1].end() <= _MOST_BETWEEN
            if stretch and not (is_near and owners & own):
                yield from self._part(stretch, owners)
                stretch = []
            if own:
                owners = owners & own if stretch else own
                stretch.append(token)
        yield from self._part(stretch, owners)

    def _part(self, stretch: list[re.Match[str]], owners: set[int]) -> Iterator[Finding]:
        length = sum(2 if _HAN.match(token[0]) else len(token[0]) for token in stretch)
        has_digit = any(token[0].isdecimal() for token in stretch)
        if length >= _FEWEST and (has_digit or len(stretch) > 1):
            kind, value = self._values[min(owners)]
            yield Finding(stretch[0].start(), stretch[-1].end(), kind, value)


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        yield _plain(match[0])
    yield "".join(filter(str.isdecimal, text)).lstrip("0")


def _plain(token: str) -> str:
    return token.lstrip("0") or "0" if token.isdecimal() else token.casefold()
