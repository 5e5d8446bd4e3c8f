"""The same parts in another order: the items of a list, and a name with the family name first."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assay.text import CYRILLIC, LATIN, Span, find_phrase, normalised, same_word
from assay.text.lexicon import alternatives, lazy_pattern

_SEPARATOR: Final = lazy_pattern(
    lambda: (
        rf"\s*(?:[,;、，；]\s*(?:(?:{alternatives('open_answer.and')}))?|(?:{alternatives('open_answer.and')}))\s*"
    )
)
_BETWEEN_ITEMS: Final = lazy_pattern(
    lambda: rf"(?:[\s,;、，；]|{alternatives('open_answer.and')})*"
)
_NAME_WORD: Final = re.compile(rf"[{CYRILLIC}{LATIN}]+(?:[-'’][{CYRILLIC}{LATIN}]+)*")
_NAME: Final = re.compile(rf"(?:[A-ZА-ЯЁ\u00c0-\u00de][{CYRILLIC}{LATIN}'’-]*\.?[\s,]*){{2,4}}")
_BETWEEN_NAMES: Final = re.compile(r"[\s,.]*")
_RUSSIAN: Final = re.compile(f"[{CYRILLIC}]")
_LONGEST_ITEM: Final = 3
"""An item of more words is a clause, and no item of a list."""


def is_reordered(answer: str, text: str) -> bool:
    """Whether ``text`` is nothing but the list or the name ``answer`` in another order.

    >>> is_reordered("Москва, Киев", "Киев и Москва"), is_reordered("Иван Петров", "Петров Иван")
    (True, True)
    """
    for find in (name_span, list_span):
        span = find(answer, text)
        if span is not None and not re.search(r"\w", text[: span.start] + text[span.end :]):
            return True
    return False


def list_span(answer: str, text: str) -> Span | None:
    """Where ``text`` has all items of the list ``answer``, in any order and nothing between them.

    >>> list_span("red, green, blue", "It is blue, green and red.")
    Span(start=6, end=25)
    """
    items = [item for item in _SEPARATOR.split(answer.strip(" .。")) if item]
    if len(items) < 2 or any(len(item.split()) > _LONGEST_ITEM for item in items):
        return None
    spans = []
    for item in items:
        span = find_phrase(item, text, simplify=True) or _inflected(item, text)
        if span is None:
            return None
        spans.append(span)
    spans.sort()
    for first, second in pairwise(spans):
        if first.end > second.start or not _BETWEEN_ITEMS.fullmatch(text, first.end, second.start):
            return None
    return Span(start=spans[0].start, end=spans[-1].end)


def _inflected(item: str, text: str) -> Span | None:
    if not _RUSSIAN.search(item):
        return None
    for match in _NAME_WORD.finditer(text):
        if same_word(item, match.group()):
            return Span(start=match.start(), end=match.end())
    return None


def name_span(answer: str, text: str) -> Span | None:
    """Where ``text`` has the parts of a name with the family name at the other end.

    An initial of ``answer`` stands for each name that begins with it.

    >>> name_span("John Smith", "Smith, John")
    Span(start=0, end=11)
    >>> name_span("А. С. Пушкин", "поэт Александр Сергеевич Пушкин").start
    5
    """
    if _NAME.fullmatch(answer.strip()) is None:
        return None
    parts = _NAME_WORD.findall(answer)
    size = len(parts)
    if size < 2:
        return None
    words = list(_NAME_WORD.finditer(text))
    orders = (parts, parts[1:] + parts[:1], parts[-1:] + parts[:-1])
    for first in range(len(words) - size + 1):
        window = words[first : first + size]
        if not _are_beside(text, window):
            continue
        if any(all(map(_is_part, order, window)) for order in orders):
            end = window[-1].end()
            return Span(start=window[0].start(), end=end + text.startswith(".", end))
    return None


def _are_beside(text: str, window: Sequence[re.Match[str]]) -> bool:
    return window[0][0][0].isupper() and all(
        _BETWEEN_NAMES.fullmatch(text, first.end(), second.start())
        for first, second in pairwise(window)
    )


def _is_part(part: str, match: re.Match[str]) -> bool:
    word = match.group()
    if len(part) == 1:
        return word[:1] == part
    if _RUSSIAN.match(part) and _RUSSIAN.match(word):
        return same_word(part, word)
    return normalised(part, fold_case=True) == normalised(word, fold_case=True)
