"""Whether an answer names several alternatives and chooses none: a list with "or", or rival sentences.

A list with "or" is "Paris, London or Rome". Rival sentences differ in nothing but the value: "The rent is 5,000.
The rent is 6,000." Two names in such sentences may both be true ("Ivan is Russian. Ivan is Orthodox."), so names
count only after "perhaps", or if there are three.
"""

import re
from typing import Final

from assay.text import HAN, Span, normalised, numbers, sentences
from assay.text.lexicon import alternatives, lazy_pattern

_SEPARATOR: Final = lazy_pattern(
    lambda: rf"(?P<or>{alternatives('open_answer.or')})|(?P<comma>,(?!\d)|、)"
)
_NO_OTHER: Final = lazy_pattern(lambda: alternatives("open_answer.or_no_other"))
_PERHAPS: Final = lazy_pattern(lambda: alternatives("open_answer.perhaps"))
_NEGATIVE: Final = lazy_pattern(lambda: alternatives("boolean.denial"))
_CUT: Final = re.compile(r"[;；:：。！？!?\n，—]|\.(?=\s|\Z)")
_HAN: Final = re.compile(f"[{HAN}]")
_NUMBER: Final = re.compile(r"[$£€¥₽]?\d")
_MOST_WORDS: Final = 4
"""A name in a list has at most so many words."""
_MOST_SMALL_WORDS: Final = 2
"""The same for a word without a capital letter."""
_MORE_HAN: Final = 4
"""How many characters more than the answer a Chinese item may have."""
_SHORT_LEAD: Final = 3
_MOST_RIVALS: Final = 20
"""How many sentences are compared with that of an answer."""


def is_one_of_many(text: str, mention: Span) -> bool:
    """Whether a mention is one of several alternatives of which the text chooses none.

    >>> is_one_of_many("Paris, London or Rome", Span(start=0, end=5))
    True
    >>> is_one_of_many("Paris, not London or Rome", Span(start=0, end=5))
    False
    >>> is_one_of_many("The rent is 5. The rent is 6.", Span(start=12, end=13))
    True
    """
    return _is_item(text, mention) or _has_rival(text, mention)


def _is_item(text: str, mention: Span) -> bool:
    """Whether the mention is an item of a list of three or more that ends with "or"."""
    start = max((match.end() for match in _CUT.finditer(text, 0, mention.start)), default=0)
    stop = _CUT.search(text, mention.end)
    items: list[Span] = []
    position = start
    last = -1
    for match in _SEPARATOR.finditer(text, start, stop.start() if stop else len(text)):
        if mention.start < match.end() and match.start() < mention.end:
            continue
        items.append(Span(start=position, end=match.start()))
        position = match.end()
        if match["or"]:
            last = len(items)
    items.append(Span(start=position, end=stop.start() if stop else len(text)))
    place = next((i for i, item in enumerate(items) if item.start <= mention.start < item.end), -1)
    if last < 2 or not 0 <= place <= last or _NO_OTHER.match(text, items[last].start):
        return False
    others = items[place + 1 : last + 1] if place < last else items[last - 2 : last]
    lead = text[items[place].start : mention.start].split()
    tail = text[mention.end : items[place].end].strip(" \"'”’»)")
    small = len(lead) <= _SHORT_LEAD
    return (
        not (lead if place == last else tail)
        and (len(others) > 1 or place > 0)
        and all(_is_alike(item.of(text), mention.of(text), small=small) for item in others)
    )


def _is_alike(item: str, answer: str, *, small: bool) -> bool:
    """Whether an item is of the same kind as the answer: a number, a name, or a few words."""
    item, answer = (text.strip(" \"'“”‘’«»()") for text in (item, answer))
    if not item or _NEGATIVE.search(item):
        return False
    if _NUMBER.match(answer):
        return _NUMBER.match(item) is not None
    if _HAN.match(answer):
        return _HAN.match(item) is not None and len(item) <= len(answer) + _MORE_HAN
    if answer[:1].isupper():
        return item[0].isupper() and len(item.split()) <= _MOST_WORDS
    return small and item[0].islower() and len(item.split()) <= _MOST_SMALL_WORDS


def _has_rival(text: str, mention: Span) -> bool:
    """Whether other sentences say the same with another value."""
    spans = list(sentences(text))[:_MOST_RIVALS]
    own = next((span for span in spans if span.start <= mention.start < span.end), None)
    if own is None or len(spans) < 2 or mention.end > own.end:
        return False
    before = _words(text[own.start : mention.start])
    after = _words(text[mention.end : own.end])
    answer = _words(mention.of(text))
    if not before:
        return False
    others = [_words(span.of(text)) for span in spans if span is not own]
    rivals = {
        rival
        for rival in (_between(words, before, after) for words in others)
        if rival and rival != answer and _is_alike_value(rival, answer)
    }
    is_number = bool(numbers(mention.of(text)))
    needed = 1 if is_number or _PERHAPS.search(before) else 2
    return len(rivals) >= needed


def _words(text: str) -> str:
    """The text without case and the marks at its ends."""
    return normalised(text, fold_case=True).strip(" .,;:!?。，；：！？\"'“”")


def _between(words: str, before: str, after: str) -> str:
    """What a sentence has between two texts; empty if it does not begin and end with them."""
    size = len(before) + len(after)
    if len(words) <= size or not words.startswith(before) or not words.endswith(after):
        return ""
    return words[len(before) : len(words) - len(after)].strip(" ,")


def _is_alike_value(rival: str, answer: str) -> bool:
    if _NEGATIVE.search(rival) or len(rival.split()) > max(_MOST_WORDS, len(answer.split())):
        return False
    if bool(numbers(rival)) != bool(numbers(answer)):
        return False
    return not _HAN.match(answer) or len(rival) <= len(answer) + _MORE_HAN
