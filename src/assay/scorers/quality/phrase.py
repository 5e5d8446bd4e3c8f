"""Whether an answer contains a phrase, judged as a human reader would, and where.

The comparison itself is ``assay.text.find_phrase``. This module adds three cases that mean the
same to a reader:

* a figure may be followed by a scale word: ``37,4 тыс. руб.`` contains ``37,4``, although the
  value of the number is 37 400;
* a word may touch digits: ``235млн`` contains ``млн``, and ``20XX`` contains ``XX``;
* Markdown emphasis (``не **указано**``) is ignored.

Traditional and simplified Chinese characters count as equal. ``phrase_span`` requires the same
form of each word. ``required_span`` also finds an inflected form of a single word, a number with the
same comparator in other words (``comparator.py``), a value in another notation, and a number without a
sign where the text has one (``78,3%`` in «минус 78,3%»). It does not find a Chinese name in a longer one
(王明 in 王明月).
"""

import re
from functools import lru_cache
from typing import Final

from assay.checks import said_span
from assay.scorers.quality.comparator import compared_phrase, has_comparator
from assay.scorers.quality.compound import continues_as_longer_word
from assay.text import (
    Span,
    dates,
    find_phrase,
    normalise,
    numbers,
    pieces,
    tokens,
)
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import is_part_of_value

_EMPHASIS: Final = re.compile(r"(?<!\d)[*`]+|[*`]+(?!\d)")
_INVISIBLE: Final = "\u2060"
_SCALE: Final = lazy_pattern(lambda: alternatives("quality.scale"))
_SIGN: Final = re.compile(
    r"(?<![\w.,])[-+\u2212\u2013](?=\d)|(?:минус|плюс|minus|plus|负|正)\s?(?=\d)"
)
_ENDING: Final = 3
"""A word that is longer by more letters is another word: organ, organization."""
_LETTER: Final = r"[^\W\d_]"


def phrase_span(phrase: str, text: str) -> Span | None:
    """The first occurrence of ``phrase``, as offsets in ``text``; ``None`` if there is none.

    >>> answer = "Выручка **12 641,0** млн руб., на 7,6 % больше."
    >>> [bool(phrase_span(phrase, answer)) for phrase in ("12641", "7,6%", "7,6", "641", "млрд")]
    [True, True, True, False, False]
    """
    plain = text if _EMPHASIS.search(phrase) else _without_emphasis(text)
    span = find_phrase(phrase, plain, simplify=True)
    if span is not None:
        return span
    if any(piece.number for piece in pieces(phrase)):
        return find_phrase(phrase, detach_scale_words(plain), simplify=True)
    return _span_between_digits(phrase, plain)


def required_span(phrase: str, text: str) -> Span | None:
    """The first place where ``text`` says a required ``phrase``; ``None`` if there is none.

    >>> required_span("отчёт", "по данным отчёта").of("по данным отчёта")
    'отчёта'
    >>> text = "Прибыль составила свыше 1 234,5 млн руб."
    >>> required_span(">1234.5", text).of(text)
    '1 234,5'
    >>> required_span("более 99", "не более 99 %") is None
    True
    >>> required_span("王明", "王明月") is None, required_span("78,3%", "минус 78,3%") is not None
    (True, True)
    """
    compared = compared_phrase(phrase)
    if compared is not None:
        return _compared_span(compared.meaning, compared.rest, text)
    span = _whole_word_span(phrase, text)
    if span is not None:
        return span
    plain = _without_emphasis(text)
    is_value = bool(numbers(phrase) or dates(phrase))
    if is_value or (len(tokens(phrase)) == 1 and not phrase.isupper()):
        span = said_span(phrase, plain)
        if span is not None and not is_value and span.end - span.start - len(phrase) > _ENDING:
            return None
        if span is None and is_value and not _SIGN.search(phrase):
            span = said_span(phrase, _SIGN.sub(lambda sign: " " * len(sign.group()), plain))
        return span
    return None


def _whole_word_span(phrase: str, text: str) -> Span | None:
    """The first occurrence that is not only the beginning of a longer Chinese word or name."""
    start = 0
    while (span := phrase_span(phrase, text[start:])) is not None:
        place = Span(start=start + span.start, end=start + span.end)
        if not continues_as_longer_word(text, place):
            return place
        start = max(place.end, start + 1)
    return None


def _compared_span(meaning: str, rest: str, text: str) -> Span | None:
    """The first number of ``rest`` that has a comparator of this meaning."""
    start = 0
    while (span := phrase_span(rest, text[start:])) is not None:
        place = Span(start=start + span.start, end=start + span.end)
        if has_comparator(meaning, _without_emphasis(text), place):
            return place
        start = place.end
    return None


@lru_cache(maxsize=128)
def detach_scale_words(text: str) -> str:
    """The text with marks that keep a figure from being multiplied by its scale word.

    The length stays the same, so offsets remain valid.

    >>> detach_scale_words("37,4 тыс. руб.")
    '37,4|тыс. руб.'
    """
    return _SCALE.sub(lambda match: "|" * len(match.group()), text)


@lru_cache(maxsize=128)
def _without_emphasis(text: str) -> str:
    """The text with each emphasis sign replaced by an invisible character of the same length."""
    return _EMPHASIS.sub(lambda match: _INVISIBLE * len(match.group()), text)


def _span_between_digits(phrase: str, text: str) -> Span | None:
    """The first occurrence of a phrase without numbers that may touch digits, but no letters."""
    words = normalise(phrase, fold_case=True, simplify=True).text.split()
    if not words or not (words[0][0].isalpha() and words[-1][-1].isalpha()):
        return None
    normal_text = normalise(text, fold_case=True, simplify=True)
    pattern = r"\s+".join(map(re.escape, words))
    for match in re.finditer(rf"(?<!{_LETTER}){pattern}(?!{_LETTER})", normal_text.text):
        if not is_part_of_value(normal_text.text, match.start(), match.end()):
            return normal_text.original_span(match.start(), match.end())
    return None
