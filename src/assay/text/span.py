"""A stretch of text by its offsets."""

from msgspec import Struct


class Span(Struct, frozen=True, kw_only=True, order=True):
    """Offsets into a string: ``start`` is inside, ``end`` is past the last character.

    >>> Span(start=0, end=3).of("sentence")
    'sen'
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece of ``text`` that the span covers."""
        return text[self.start : self.end]
