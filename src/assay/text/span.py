"""The start and end offsets of a part of a text."""

from msgspec import Struct


class Span(Struct, frozen=True, kw_only=True, order=True):
    """The offsets of a part of a string: ``start`` is included, ``end`` is not.

    >>> Span(start=0, end=3).of("sentence")
    'sen'
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """The part of ``text`` that the span covers."""
        return text[self.start : self.end]
