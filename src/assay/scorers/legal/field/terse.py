"""Where a short answer begins with the words of an expected text, cut into pieces: "Foxgloves, white ones"."""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import CYRILLIC, LATIN, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_PIECE_END: Final = re.compile(r"[,.;:!—–(]|\Z")
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))
_CUT: Final = lazy_pattern(lambda: alternatives("clause.cut"))
_ECHO: Final = lazy_pattern(lambda: alternatives("form.echo"))
"""A preposition before a question word: to whom, «против кого»."""
_NAME: Final = re.compile(rf"(?<=[\w,] )[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+")
_PIECES: Final = 3
_FEWEST: Final = 2
_LONGEST: Final = 60
"""In so many pieces and characters the whole text must be said."""


def terse_mentions(wording: str, text: str) -> Iterator[Span]:
    """The beginning of ``text``, if its first pieces have the words of ``wording`` and at most one other.

    >>> [span.end for span in terse_mentions("white foxgloves", "Foxgloves, white ones.")]
    [21]
    >>> list(terse_mentions("white foxgloves", "Foxgloves, not white."))
    []
    """
    needed = content_words(wording)
    if len(needed) < _FEWEST or numbers(wording):
        return
    ends = [match.start() for match in _PIECE_END.finditer(text, 0, _LONGEST)]
    if not ends or needed <= content_words(text[: ends[0]]):
        return
    for end in ends[1:_PIECES]:
        start = text[:end]
        told = content_words(start)
        if needed <= told:
            names = content_words(" ".join(_NAME.findall(start)))
            is_whole = len(told - needed) <= 1 and names <= needed
            if is_whole and not _NEGATION.search(start) and not _CUT.search(start):
                yield Span(start=0, end=end)
            return


def without_echo(wording: str, question: str | None) -> str:
    """``wording`` without a first word that only repeats that of the question: to whom, to the mayor.

    >>> without_echo("to the mayor", "To whom is it sent?")
    'the mayor'
    """
    first, _, rest = wording.partition(" ")
    is_echo = question is not None and question.lower().split()[:1] == [first.lower()]
    return rest if is_echo and content_words(rest) and _ECHO.fullmatch(first) else wording
