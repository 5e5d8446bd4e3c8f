"""Regular expressions that are written and compiled only when they are first used."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class Pattern:
    """A regular expression that ignores case and is compiled when it is first used.

    The scorers have many long expressions, and most commands need none of them.

    Args:
        source: the expression, or a function that returns it when it is first needed.
    """

    def __init__(self, source: str | Callable[[], str]) -> None:
        self._source = source

    @cached_property
    def source(self) -> str:
        """The expression as text."""
        return self._source if isinstance(self._source, str) else self._source()

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.source, re.IGNORECASE)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match in ``text`` at or after ``start``."""
        return self.compiled.search(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning of ``text``."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match that covers all of ``text``."""
        return self.compiled.fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """Every match in ``text`` between ``start`` and ``end``."""
        return self.compiled.finditer(text, start, len(text) if end is None else end)

    def sub(self, replacement: str, text: str) -> str:
        """``text`` with every match replaced."""
        return self.compiled.sub(replacement, text)

    def split(self, text: str) -> list[str]:
        """The parts of ``text`` between the matches."""
        return self.compiled.split(text)


def any_of(*expressions: str) -> Pattern:
    """A pattern that matches wherever any of the expressions matches, ignoring case.

    >>> any_of("no", "не").search("I know not").group()
    'no'
    """
    return Pattern(alternation(*expressions))


def alternation(*expressions: str) -> str:
    """One expression that matches whatever any of ``expressions`` matches.

    >>> alternation("no", "not|never")
    '(?:no)|(?:not|never)'
    """
    return "|".join(f"(?:{expression})" for expression in expressions)
