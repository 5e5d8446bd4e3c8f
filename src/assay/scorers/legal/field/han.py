"""Where a Chinese answer says an expected text in another order or with other small words.

The characters of the expected text that carry its meaning must stand close together in one
sentence: 一把银壶 is 那把银制的壶, and 墨绿色 is 墨绿的.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.text import HAN, Span, numbers, sentences, words
from assay.text.lexicon import alternatives, lazy_pattern

_HAN: Final = re.compile(f"[{HAN}]")
_SMALL: Final = lazy_pattern(lambda: alternatives("form.han_small"))
_SUFFIX: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.han_suffix')})\Z")
_FEWEST: Final = 3
"""So many characters are needed to be recognised in another order."""
_GAP: Final = 7
"""How many other characters may stand between them."""
_PAIR: Final = 2
_CUT: Final = re.compile("[；;]")


@cache
def _essential(wording: str) -> str:
    return "".join(_HAN.findall(_SMALL.sub("", wording)))


def han_mentions(wording: str, text: str) -> Iterator[Span]:
    """The stretches of ``text`` with the characters of ``wording`` that carry its meaning."""
    if not _HAN.search(wording) or numbers(wording):
        return
    stem = _SUFFIX.sub("", wording)
    if stem != wording and len(stem) > 1:
        for match in re.finditer(re.escape(stem), text):
            yield Span(start=match.start(), end=match.end())
    if stem != wording and len(stem) == 1:
        for match in _coloured(stem).finditer(text):
            yield Span(start=match.start("stem"), end=match.end("stem"))
    needed = _essential(wording)
    if len(needed) < _FEWEST:
        yield from _literal(needed, text)
        return
    yield from _contracted(wording, text)
    for sentence in sentences(text):
        for part in _parts(text, sentence):
            if (window := _window(needed, text, part)) is not None:
                yield window


def _contracted(wording: str, text: str) -> Iterator[Span]:
    """Where two words of two characters are one: 膝伤 for 膝盖受伤, 种茶 for 茶叶种植."""
    parts = words(wording)
    if [len(part) for part in parts] != [_PAIR, _PAIR] or len(wording) != _PAIR * _PAIR:
        return
    thing, deed = parts
    if set(thing) & set(deed):
        return
    amount = f"(?:{alternatives('form.han_amount', 'zh')})?"
    pattern = f"{thing[0]}[{deed}]|[{deed}][{thing}]|[{deed}]{amount}{thing}"
    for match in re.finditer(pattern, text):
        yield Span(start=match.start(), end=match.end())


@cache
def _coloured(stem: str) -> re.Pattern[str]:
    """Where a colour of one character stands without 色: 变蓝了, 蓝的."""
    before, after = (
        alternatives("form.colour_before", "zh"),
        alternatives("form.colour_after", "zh"),
    )
    return re.compile(rf"(?:\A|{before})(?P<stem>{stem})(?={after}|\Z)")


def is_short_han(wording: str) -> bool:
    """Whether a Chinese text is so short that its characters mean nothing one by one: 青瓷."""
    has_figure = any(map(str.isdigit, wording))
    return not has_figure and 0 < len(_HAN.findall(wording)) <= _FEWEST


def _literal(needed: str, text: str) -> Iterator[Span]:
    """Two characters must stand together, without the small words of the text: 银制的壶."""
    if len(needed) == _FEWEST - 1:
        link = alternatives("form.han_link")
        for match in re.finditer(f"{needed[0]}(?:{link})?{needed[1]}", text):
            yield Span(start=match.start(), end=match.end())


def _parts(text: str, sentence: Span) -> Iterator[Span]:
    start = sentence.start
    for match in _CUT.finditer(text, sentence.start, sentence.end):
        yield Span(start=start, end=match.start())
        start = match.end()
    yield Span(start=start, end=sentence.end)


def _window(needed: str, text: str, part: Span) -> Span | None:
    """The shortest stretch with all needed characters, if it is short enough."""
    best: Span | None = None
    for start in range(part.start, part.end):
        if text[start] not in needed:
            continue
        rest = list(needed)
        for end in range(start, min(part.end, start + len(needed) + _GAP)):
            if text[end] in rest:
                rest.remove(text[end])
            if not rest:
                if best is None or end + 1 - start < best.end - best.start:
                    best = Span(start=start, end=end + 1)
                break
    return best
