"""The numbers and dates of a text, found by their value."""

from collections.abc import Iterator, Sequence
from typing import Final

from assay.scorers.evidence.token import POINT_UNIT, Token

SHARES: Final = frozenset(("percent", POINT_UNIT))
"""Units that change the value of a number."""


def same_value(first: Token, second: Token) -> bool:
    """Whether two tokens have the same value.

    If only one of them has a unit, a currency or a year, that part is not compared. Per cent is no
    such unit: 5 % is another number than 5.

    >>> same_value(Token("number", "500 USD", "$500"), Token("number", "500", "500"))
    True
    >>> same_value(Token("number", "5 percent", "5%"), Token("number", "5", "5"))
    False
    """
    if second.key in {first.key, first.other} or second.other == first.key:
        return True
    if "date" in (first.kind, second.kind):
        short, long = sorted((first.key.lstrip("-"), second.key.lstrip("-")), key=len)
        return first.kind == second.kind and long.endswith(short)
    first_value, _, first_unit = first.key.partition(" ")
    second_value, _, second_unit = second.key.partition(" ")
    if first_value != second_value or (first_unit and second_unit):
        return False
    return not {first_unit, second_unit} & SHARES


class Values:
    """The numbers and dates among some tokens; looking for one does not go through all of them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [token for token in tokens if token.kind in {"number", "date"}]
        self._places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            for key in _search_keys(token):
                self._places.setdefault(key, []).append(place)
        self._found: dict[tuple[str, str, str | None], list[Token]] = {}

    def same(self, token: Token) -> list[Token]:
        """The values that are the same as ``token``, in order."""
        looked_for = token.kind, token.key, token.other
        if looked_for not in self._found:
            places = {place for key in _search_keys(token) for place in self._places.get(key, ())}
            self._found[looked_for] = [
                self.tokens[place]
                for place in sorted(places)
                if same_value(token, self.tokens[place])
            ]
        return self._found[looked_for]

    def has(self, token: Token) -> bool:
        """Whether one of the values is the same as ``token``."""
        return bool(self.same(token))


def _search_keys(token: Token) -> Iterator[str]:
    """Keys of which two tokens with the same value have one in common."""
    keys = {key.partition(" ")[0] for key in (token.key, token.other) if key}
    yield from keys
    if token.kind == "date":
        # A date without a year is the end of one with a year.
        yield f"date {token.key[-2:]}"
