"""Whether an answer says a phrase, as someone who checks answers would say, and where.

``assay.text.find_phrase`` does the comparing. Three things that answers do, and that say the
same to a reader, are added here:

* a figure may stand before a scale word: ``37,4`` is in ``37,4 тыс. руб.``, whatever the
  whole number's value;
* a word may touch digits: ``млн`` is in ``235млн``, ``XX`` in ``20XX``;
* emphasis of Markdown (``не **указано**``) is no text.

Traditional and simplified characters are the same here. Words are not inflected: a question
that allows several forms names them as alternatives.
"""

import re
from functools import lru_cache
from typing import Final

from assay.text import Span, find_phrase, normalise, pieces

_EMPHASIS: Final = re.compile(r"(?<!\d)[*`]+|[*`]+(?!\d)")
_UNSEEN: Final = "\u2060"
_SCALE: Final = re.compile(
    rf"(?<=[\d{_UNSEEN}])(?:[^\S\n]{{1,2}}(?=тыс|млн|милли|млрд|трлн|трилли|thousand|million|billion|trillion"
    r"|hundred|ml?n\b|bl?n\b|tr?n\b|[十百千]?[万萬亿億])|(?:тыс|млн|млрд|трлн|[十百千万萬亿億])"
    r"|[kmbt](?![^\W\d_])|(?:ml?n|bl?n|tr?n)\b)",
    re.IGNORECASE,
)
_LETTER: Final = r"[^\W\d_]"


def phrase_span(phrase: str, text: str) -> Span | None:
    """The first place in ``text`` that says ``phrase``, in offsets of ``text``; else ``None``.

    >>> answer = "Выручка **12 641,0** млн руб., на 7,6 % больше."
    >>> [bool(phrase_span(one, answer)) for one in ("12641", "7,6%", "7,6", "641", "млрд")]
    [True, True, True, False, False]
    """
    plain = text if _EMPHASIS.search(phrase) else _without_emphasis(text)
    span = find_phrase(phrase, plain, simplify=True)
    if span is not None:
        return span
    if any(piece.number for piece in pieces(phrase)):
        return find_phrase(phrase, figures_apart(plain), simplify=True)
    return _beside_digits(phrase, plain)


@lru_cache(maxsize=128)
def figures_apart(text: str) -> str:
    """The text, of the same length, with figures that no scale word multiplies.

    >>> figures_apart("37,4 тыс. руб.")
    '37,4|тыс. руб.'
    """
    return _SCALE.sub(lambda found: "|" * len(found.group()), text)


@lru_cache(maxsize=128)
def _without_emphasis(text: str) -> str:
    """The text with a mark that leaves no trace in place of each sign of emphasis."""
    return _EMPHASIS.sub(lambda found: _UNSEEN * len(found.group()), text)


def _beside_digits(phrase: str, text: str) -> Span | None:
    """A phrase without numbers whose ends touch digits, which are no letters of its words."""
    wanted = normalise(phrase, fold_case=True, simplify=True).text.split()
    if not wanted or not (wanted[0][0].isalpha() and wanted[-1][-1].isalpha()):
        return None
    form = normalise(text, fold_case=True, simplify=True)
    body = r"\s+".join(map(re.escape, wanted))
    found = re.search(rf"(?<!{_LETTER}){body}(?!{_LETTER})", form.text)
    return None if found is None else form.original_span(found.start(), found.end())
