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
_PATRONYMIC: Final = lazy_pattern(lambda: alternatives("open_answer.patronymic", "ru"), re.NOFLAG)
_TWO: Final = 2
_LONGEST_ITEM: Final = 3
"""An item of more words is a clause, and no item of a list."""


def is_reordered(answer: str, text: str) -> bool:
    """Whether ``text`` is nothing but the list or the name ``answer`` in another order.

    >>> is_reordered("Москва, Киев", "Киев и Москва"), is_reordered("Иван Петров", "Петров Иван")
    (True, True)
    """
    for find in (_reordered_name, list_span):
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

    An initial of ``answer`` stands for each name that begins with it. A Russian name may have its
    patronymic or not.

    >>> name_span("John Smith", "Smith, John")
    Span(start=0, end=11)
    >>> name_span("А. С. Пушкин", "поэт Александр Сергеевич Пушкин").start
    5
    """
    span = _reordered_name(answer, text)
    if span is None and _PATRONYMIC.search(f"{answer} {text}"):
        words = list(_NAME_WORD.finditer(text))
        span = _patronymic_span(_name_parts(answer), words, text)
    return span


def _reordered_name(answer: str, text: str) -> Span | None:
    parts = _name_parts(answer)
    return _window_span(parts, list(_NAME_WORD.finditer(text)), text) if parts else None


def _name_parts(answer: str) -> list[str]:
    """The words of a name of several words; empty if the text is none."""
    parts = _NAME_WORD.findall(answer) if _NAME.fullmatch(answer.strip()) else []
    return parts if len(parts) > 1 else []


def _window_span(parts: list[str], words: list[re.Match[str]], text: str) -> Span | None:
    """Where the words of a text are the parts of a name, in one of the usual orders."""
    size = len(parts)
    orders = (parts, parts[1:] + parts[:1], parts[-1:] + parts[:-1])
    for first in range(len(words) - size + 1):
        window = words[first : first + size]
        if not _are_beside(text, window):
            continue
        if any(all(map(_is_part, order, window)) for order in orders):
            end = window[-1].end()
            return Span(start=window[0].start(), end=end + text.startswith(".", end))
    return None


def _patronymic_span(parts: list[str], words: list[re.Match[str]], text: str) -> Span | None:
    """Where a Russian name has a patronymic more or less, or the initials of both given names."""
    known = [part for part in parts if _PATRONYMIC.fullmatch(part)]
    if not known:
        if len(parts) != _TWO or not _RUSSIAN.match(parts[0]):
            return None
        bare = [word for word in words if not _PATRONYMIC.fullmatch(word.group())]
        return _window_span(parts, bare, _blank(text, words)) if len(bare) < len(words) else None
    if len(known) != 1 or len(parts) != _TWO + 1:
        return None
    short = [part for part in parts if part not in known]
    return _window_span(short, words, text) or _initials_span(parts, words, text)


def _initials_span(parts: list[str], words: list[re.Match[str]], text: str) -> Span | None:
    """Where a name of three parts has its family name and two initials."""
    family_is_last = _PATRONYMIC.fullmatch(parts[1]) is not None
    family = parts[-1] if family_is_last else parts[0]
    given = "".join(part[0] for part in (parts[:-1] if family_is_last else parts[1:]))
    for first in range(len(words) - _TWO):
        window = words[first : first + _TWO + 1]
        letters = "".join(word.group() for word in window if len(word.group()) == 1)
        names = [word for word in window if len(word.group()) > 1]
        is_same = letters == given and len(names) == 1 and _is_part(family, names[0])
        if is_same and _are_beside(text, window):
            return Span(start=window[0].start(), end=window[-1].end())
    return None


def _blank(text: str, words: list[re.Match[str]]) -> str:
    """The text with spaces for the patronymics."""
    for word in words:
        if _PATRONYMIC.fullmatch(word.group()):
            text = text[: word.start()] + " " * len(word.group()) + text[word.end() :]
    return text


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
