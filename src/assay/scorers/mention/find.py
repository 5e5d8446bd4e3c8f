"""Where a text gives an expected answer.

Answers are first compared by ``assay.text.find_phrase``: case, width, punctuation and the
notation of numbers and dates make no difference, and a number is never found inside another
number. Then Russian answers are compared in any form, because a name may be inflected, and
English words in their regular forms. What follows are the same value in another notation
(``notation.py``), and the same parts of a list or a name in another order (``order.py``).

A mention does not count if it is denied ("not Bravegund", "不是…", "不可以"), if the text leaves
the choice open ("Tokyo or Kyoto", ``choice.py``), if its number is only a limit ("more than 10"), or if it is only
the beginning of a longer Chinese name (王明 in 王明月).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

from assay.scorers.mention.choice import is_one_of_many
from assay.scorers.mention.denial import is_beyond, is_denied, is_undecided
from assay.scorers.mention.inflection import inflected_span
from assay.scorers.mention.kind import is_other_kind
from assay.scorers.mention.limit import is_other_quantity
from assay.scorers.mention.name import firm_core, has_other_form, is_full_firm_name, is_other_name
from assay.scorers.mention.notation import value_spans
from assay.scorers.mention.order import list_span, name_span
from assay.text import (
    CYRILLIC,
    HAN,
    Piece,
    Span,
    continues_as_longer_word,
    exact_match,
    find_phrase,
    numbers,
    pieces,
    same_word,
    with_plain_e,
)
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import is_part_of_value

_MOST_DENIALS: Final = 8
"""How many mentions of an answer that do not count are skipped before the search ends."""
_HAN: Final = re.compile(f"[{HAN}]")
_RUSSIAN: Final = re.compile(f"[{CYRILLIC}]")
_ENGLISH: Final = re.compile("[A-Za-z]{3,}")
_ACCENTED: Final = re.compile("[\u00c0-\u024f]")
_GOES_ON: Final = re.compile(
    r"\s(?!(?:Ltd|Inc|Co|Corp|Limited|Company|Corporation|AG)\b)[A-ZА-ЯЁ][a-zа-яё]"
)
"""After the name of a company: its name has more words."""
_LEAD: Final = lazy_pattern(lambda: rf"\s*(?:{alternatives('open_answer.lead')})(?=\S)")


def answer_span(
    answer: str,
    text: str,
    question: str = "",
    *,
    strict: bool = True,
    accepts: Callable[[Span], bool] | None = None,
) -> Span | None:
    """The first mention of ``answer`` in ``text`` that counts, or ``None``.

    If there is a function ``accepts``, it must accept a mention that is not the whole text.

    If not ``strict``, a mention also counts if it only has the words or the number of the answer
    (``is_other``): evidence that says "at least 30 days" is the evidence for 30 days.

    >>> answer_span("Бравегунд", "Корабль назвали Бравегундом.")
    Span(start=16, end=27)
    >>> answer_span("Bravegund", "It was not Bravegund.") is None
    True
    >>> answer_span("10 km", "It is 10 kilometres long.")
    Span(start=6, end=19)
    """
    answer, text, question = map(with_plain_e, (answer, text, question))

    def is_meant(mention: Span) -> bool:
        return not strict or not is_other(answer, text, mention, question)

    def counts(mention: Span) -> bool:
        if not is_meant(mention) or not _counts(text, mention, question):
            return False
        return accepts is None or accepts(mention)

    whole = Span(start=0, end=len(text))
    if exact_match(answer, text) and is_meant(whole):
        return whole

    position = 0
    for _ in range(_MOST_DENIALS):
        span = _mention(answer, text[position:])
        if span is None:
            break
        place = Span(start=position + span.start, end=position + span.end)
        if counts(place):
            return place
        position = max(place.end, position + 1)
    others = _other_mentions(answer, text, question)
    return next(filter(counts, others), None)


def _counts(text: str, mention: Span, question: str) -> bool:
    return not (
        is_denied(text, mention, question)
        or is_undecided(text, mention)
        or is_one_of_many(text, mention)
        or is_beyond(text, mention, question)
        or (
            continues_as_longer_word(text, mention)
            and not is_full_firm_name(text, mention, question)
        )
    )


def is_other(answer: str, text: str, mention: Span, question: str = "") -> bool:
    """Whether the mention has the words or the number of ``answer`` and means something else.

    It is another quantity (``limit.py``), a number of another kind (``kind.py``) or another name
    (``name.py``).

    >>> is_other("30 days", "up to 30 days", Span(start=6, end=13), "How long is it?")
    True
    """
    return (
        is_other_quantity(answer, text, mention, question)
        or is_other_kind(answer, text, mention, question)
        or is_other_name(answer, text, mention, question)
    )


def _mention(answer: str, text: str) -> Span | None:
    span = find_phrase(answer, text)
    if span is None and _RUSSIAN.search(answer):
        span = _inflected_mention(answer, text)
    if span is None and _HAN.search(answer) and _HAN.search(text):
        span = find_phrase(answer, text, simplify=True)
    return span


def _other_mentions(answer: str, text: str, question: str) -> Iterator[Span]:
    """Mentions in another notation, order or spelling."""
    yield from value_spans(answer, text, question)
    for find in (name_span, list_span, _english_form, _unaccented, _without_lead, _firm_span):
        span = find(answer, text)
        if span is not None:
            yield span


def _firm_span(answer: str, text: str) -> Span | None:
    """A company without its legal form, or with the long name of this form."""
    core = firm_core(answer)
    span = _mention(core, text) if core else None
    if span is None or has_other_form(answer, text, span):
        return None
    is_name = text[span.start].isupper() or _HAN.match(text, span.start) is not None
    return span if is_name and not _GOES_ON.match(text, span.end) else None


def _english_form(answer: str, text: str) -> Span | None:
    """A regular form of an English word: cats, Mondays; a part of a number is none."""
    span = inflected_span(answer, text) if _ENGLISH.fullmatch(answer.strip()) else None
    if span is None or any(n.start < span.end and span.start < n.end for n in numbers(text)):
        return None
    return span


def _unaccented(answer: str, text: str) -> Span | None:
    """The answer without accents: café, Zürich."""
    if not _ACCENTED.search(answer) and not _ACCENTED.search(text):
        return None
    return find_phrase(_plain(answer), _plain(text))


def _plain(text: str) -> str:
    """The text with each accented Latin letter replaced by its letter, at the same offsets."""
    return _ACCENTED.sub(lambda match: unicodedata.normalize("NFD", match[0])[0], text)


def _without_lead(answer: str, text: str) -> Span | None:
    """The answer without the article or preposition that it begins with."""
    lead = _LEAD.match(answer)
    return _mention(answer[lead.end() :], text) if lead else None


def _inflected_mention(answer: str, text: str) -> Span | None:
    """The words of ``answer`` in a row, in any Russian form."""
    answer_words = _words(answer)
    text_words = _words(text)
    size = len(answer_words)
    for first in range(len(text_words) - size + 1):
        window = text_words[first : first + size]
        if answer_words and all(map(_is_same, answer_words, window)):
            span = Span(start=window[0][0].start, end=window[-1][0].end)
            if not is_part_of_value(text, span.start, span.end):
                return span
    return None


def _words(text: str) -> list[tuple[Piece, str]]:
    """The pieces of a text that are no marks, each as it is written."""
    return [(piece, text[piece.start : piece.end]) for piece in pieces(text) if not piece.is_mark]


def _is_same(expected: tuple[Piece, str], actual: tuple[Piece, str]) -> bool:
    key, other = expected[0].key, actual[0].key
    if _RUSSIAN.match(key) and _RUSSIAN.match(other):
        return same_word(expected[1], actual[1])
    return key == other
