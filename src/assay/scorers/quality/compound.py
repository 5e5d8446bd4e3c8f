"""Whether Chinese characters are only the beginning of a longer word or name."""

import re
from typing import Final

from assay.text import HAN, Span, normalised, tagged_words
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import NUMERAL

_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_REACH: Final = 12
"""How many characters before and after a mention are cut into words."""
_NAME_SIZE: Final = 2
"""The size of a Chinese name that may be the beginning of a longer one: 王明, 王明月."""
_SUFFIX: Final = lazy_pattern(lambda: alternatives("compound.suffix", "zh"), re.NOFLAG)
_PARTICLE_TAGS: Final = ("u", "p", "c", "d", "v", "r", "f", "y", "q", "n", "t", "k")
"""Tags of single characters after a name that do not belong to it; ``n`` is 妻, 家."""
_NAME_TAGS: Final = ("ns", "nr", "nz", "nt")


def continues_as_longer_word(text: str, mention: Span) -> bool:
    """Whether the Chinese word or name at ``mention`` goes on after it, and so is another one.

    A suffix that only says what kind of thing it is (南京市, 红色) makes no other word.

    >>> [continues_as_longer_word(text, Span(start=0, end=2)) for text in ("王明月", "中国银行")]
    [True, True]
    >>> [continues_as_longer_word(text, Span(start=0, end=2)) for text in ("王明说", "南京市")]
    [False, False]
    """
    run = _HAN_RUN.match(text, mention.end)
    phrase = mention.of(text)
    if run is None or _HAN_RUN.fullmatch(phrase) is None:
        return False
    before = re.search(f"[{HAN}]*\\Z", text[max(0, mention.start - _REACH) : mention.start])
    head = before.group() if before else ""
    window = head + phrase + run.group()[:_REACH]
    simple = normalised(window, simplify=True)
    if len(simple) != len(window):
        simple = window
    start, end = len(head), len(head) + len(phrase)
    position = 0
    tagged = tagged_words(simple)
    for index, (word, tag) in enumerate(tagged):
        following = position + len(word)
        if position < end < following:
            return _is_other_word(simple[start:end], word, tag, position - start, end - position)
        if following == end and index + 1 < len(tagged):
            return _is_longer_name(simple[start:end], tag, *tagged[index + 1])
        position = following
    return False


def _is_other_word(phrase: str, word: str, tag: str, offset: int, inside: int) -> bool:
    """Whether a word that goes on after the phrase makes it another one.

    ``offset`` is where the word begins in the phrase, ``inside`` how much of it is in the phrase.
    """
    rest = word[inside:]
    if _SUFFIX.fullmatch(rest):
        return False
    if offset > 0:  # 李|华东: the segmenter cuts the name otherwise
        return tag != "t" and _is_person(phrase)
    if tag.startswith("nr") and _is_verb(rest):  # 李华说
        return False
    return tag.startswith("n") and not (len(rest) >= _NAME_SIZE and _is_person(rest))


def _is_verb(text: str) -> bool:
    """Whether a character is nothing but a verb or a particle when it stands alone."""
    tag = tagged_words(text)[0][1] if len(text) == 1 else ""
    return tag.startswith(("v", "p", "c", "u", "d", "r")) and tag != "vn"


def _is_longer_name(phrase: str, tag: str, following: str, following_tag: str) -> bool:
    """Whether a single character after a name of a person is its third: 王明|月."""
    return (
        tag.startswith("nr")
        and len(phrase) == _NAME_SIZE
        and len(following) == 1
        and following not in NUMERAL
        and (following_tag in _NAME_TAGS or not following_tag.startswith(_PARTICLE_TAGS))
    )


def _is_person(text: str) -> bool:
    tagged = tagged_words(text)
    return len(tagged) == 1 and tagged[0][1].startswith("nr")
