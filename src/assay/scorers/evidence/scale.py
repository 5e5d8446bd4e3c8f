"""Words that exclude each other: the two sides of a decision, or places on one scale.

A line of ``contract.scales`` in the lexicon has words that exclude each other (approve, reject; monthly,
annually; 直接, 间接), in groups of one meaning. Words of one group, or of one line of synonyms, can
replace each other. English and
Russian words are compared by their stems. Chinese words are found in the text, because the segmenter
does not always cut them out; a single character counts only if it is all that differs.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from rapidfuzz.distance import Levenshtein, Prefix

from assay.scorers.evidence.slot import Slot, loose_slots
from assay.scorers.evidence.synonym import concept
from assay.scorers.evidence.unit import Read, Unit, read
from assay.text import stem
from assay.text.lexicon import expressions

REACH: Final = 4
"""How many characters of a Chinese word may be outside of a slot."""
MIN_STEM: Final = 5
"""A Russian stem may continue another one of so many letters: удовлетвор, удовлетворен."""
MIN_SIMILARITY: Final = 0.6
"""Two words that are so similar are two spellings or forms of one word."""


class Place(NamedTuple):
    """A group of one meaning: the number of its line, and its own in this line."""

    line: int
    group: int


Places: TypeAlias = frozenset[Place]


def turned_words(quotation: str, source: str) -> tuple[str, ...]:
    """One line for each word of ``source`` that ``quotation`` replaces by one that excludes it.

    >>> turned_words("The board approved the merger", "The board rejected the merger.")
    ('word changed: rejected -> approved',)
    >>> turned_words("创始人直接持有股份", "创始人间接持有股份。")
    ('word changed: 间接 -> 直接',)
    """
    quoted, original = read(quotation), read(source)
    reasons = []
    for slot in loose_slots(quoted, original):
        found = next(_excluding(quoted, original, slot), None)
        if found is not None:
            reasons.append(f"word changed: {found[1]} -> {found[0]}")
    return tuple(reasons)


def _excluding(quoted: Read, source: Read, slot: Slot) -> Iterator[tuple[str, str]]:
    """The words of a slot, in the quotation and in the source, that exclude each other."""
    slot = _without_shared_ends(quoted, source, slot)
    words = dict(_words(quoted, slot.quoted_start, slot.quoted_end))
    originals = dict(_words(source, slot.source_start, slot.source_end))
    for word, places in words.items():
        if any(places & others for others in originals.values()):
            continue
        for original, others in originals.items():
            if {place.line for place in places} & {place.line for place in others}:
                yield word, original


def _without_shared_ends(quoted: Read, source: Read, slot: Slot) -> Slot:
    start, end, source_start, source_end = slot
    while start < end and source_start < source_end:
        if quoted.keys[start] == source.keys[source_start]:
            start, source_start = start + 1, source_start + 1
        elif quoted.keys[end - 1] == source.keys[source_end - 1]:
            end, source_end = end - 1, source_end - 1
        else:
            break
    return Slot(start, end, source_start, source_end)


def _words(text: Read, start: int, end: int) -> Iterator[tuple[str, Places]]:
    """The words with a place on a scale that lie in a slot, or reach into it."""
    for unit in text.units[start:end]:
        if not unit.is_han and (places := western_places(unit.form)):
            yield unit.form, places
    if not any(unit.is_han for unit in text.units[start:end]):
        return
    first = max(0, start - REACH)
    window = _plain(text.units[first : end + REACH])
    inner, outer = start - first, end - first
    found = {
        (place, word)
        for word in _chinese_places()
        if len(word) > 1
        for place in _occurrences(word, window)
        if place < outer and place + len(word) > inner
    }
    if end - start == 1:
        found |= {(inner, window[inner])} & {(inner, word) for word in _chinese_places()}
    for place, word in found:
        # 批准 in 不予批准 is not the word itself
        if not any(word in other and word != other and at <= place for at, other in found):
            yield word, _chinese_places()[word]


def _plain(units: Iterable[Unit]) -> str:
    """The characters of the units, one for each."""
    return "".join(unit.key if unit.is_han else " " for unit in units)


def _occurrences(word: str, text: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def are_related(first: str, second: str) -> bool:
    """Whether two words may say the same: synonyms, forms, spellings or abbreviations of one word.

    >>> are_related("often", "frequently"), are_related("closed", "closing"), are_related("cat", "dog")
    (True, True, False)
    """
    if concept(stem(first)) == concept(stem(second)) or concept(first) == concept(second):
        return True
    if places(first) & places(second):
        return True
    short, long = sorted((first, second), key=len)
    if Prefix.similarity(short, long) == len(short) or _is_abbreviation(short, long):
        return True
    return Levenshtein.normalized_similarity(first, second) >= MIN_SIMILARITY


def _is_abbreviation(short: str, long: str) -> bool:
    """Whether a word of a few letters has its letters from a longer one, in order: kg, dept."""
    letters = iter(long)
    return len(short) <= 4 and short[0] == long[0] and all(letter in letters for letter in short)


def places(word: str) -> Places:
    """The places of a word of any language."""
    return western_places(word) | _chinese_places().get(word, frozenset())


@lru_cache(maxsize=1 << 14)
def western_places(word: str) -> Places:
    """The places of an English or Russian word, by its stem."""
    known = _western_places()
    root = stem(word)
    if root in known:
        return known[root]
    shorter = (root[:size] for size in range(len(root) - 1, MIN_STEM - 1, -1))
    return next(
        (known[part] for part in shorter if part in known and not part.isascii()), frozenset()
    )


@cache
def _western_places() -> dict[str, Places]:
    return _collected((stem(word), place) for word, place in _entries("en", "ru"))


@cache
def _chinese_places() -> dict[str, Places]:
    return _collected(_entries("zh"))


def _collected(entries: Iterable[tuple[str, Place]]) -> dict[str, Places]:
    result: dict[str, Places] = {}
    for word, place in entries:
        result[word] = result.get(word, frozenset()) | {place}
    return result


def _entries(*languages: str) -> Iterator[tuple[str, Place]]:
    """The words of all languages in data, each with its place; a line without slashes has one group."""
    keys = ("contract.scales", "contract.synonyms", "contract.near_synonyms")
    texts = (text for key in keys for text in expressions(key, *languages))
    for number, line in enumerate(line for text in texts for line in text.splitlines()):
        for group, words in enumerate(line.split("/")):
            yield from ((word, Place(number, group)) for word in words.split())
