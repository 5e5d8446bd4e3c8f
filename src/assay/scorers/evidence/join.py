"""Quotations that are joined from two places of the source, without dots between them.

``The Buyer`` and ``shall bear the cost`` are both in "The Buyer shall pay and the Seller shall bear
the cost", but joined they say that somebody else bears it. A quotation whose words are two stretches
of the source is refused if the stretches are in different sentences, or if what is left out between
them ends with another one who acts. An apposition or another insertion between commas may be left out.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from assay.scorers.evidence.contract_word import ROLE_ZH
from assay.scorers.evidence.exchange import is_name
from assay.scorers.evidence.token import sentence_spans
from assay.scorers.evidence.unit import Read, read
from assay.text.lexicon import alternatives, lazy_pattern

MIN_PART: Final = 2
"""A stretch has at least so many units; the first one may be a single name."""
MAX_UNITS: Final = 400
"""A longer quotation is not compared."""
MAX_PLACES: Final = 24
"""So many places of a stretch are tried."""

_INSERTED: Final = ",，(（"
_RELATIVE: Final = lazy_pattern(lambda: alternatives("name.relative"))
_STOPS: Final = ".!?;:。！？；：…"


def joined_places(quotation: str, source: str) -> tuple[str, ...]:
    """A line if ``quotation`` joins two places of ``source`` and says something else.

    >>> source = "The Buyer shall pay the price and the Seller shall bear the cost of transport."
    >>> joined_places("The Buyer shall bear the cost of transport", source)
    ('party changed: Seller -> Buyer',)
    >>> joined_places("The Buyer shall pay the cost of transport", source)
    ()
    """
    quoted, original = read(quotation), read(source)
    if not 1 + MIN_PART <= len(quoted.keys) <= MAX_UNITS:
        return ()
    # Two stretches that overlap can be cut in several ways; the difference of their places is the same.
    found: dict[tuple[int, int], str | None] = {}
    for split in _splits(quoted, original):
        if _has_stop(quoted, split):
            return ()
        for start in _places(original.keys, quoted.keys[:split]):
            for place in _places(original.keys, quoted.keys[split:]):
                way = start, place - split
                if not found.get(way):
                    found[way] = _reason(quoted, original, split, start + split, place)
    reasons = list(found.values())
    return (reasons[0],) if reasons and reasons[0] and all(reasons) else ()


def _has_stop(quoted: Read, split: int) -> bool:
    """Whether the quotation ends a sentence, or says that it leaves something out, where it is cut."""
    between = quoted.text[quoted.units[split - 1].end : quoted.units[split].start]
    return any(mark in between for mark in _STOPS)


def _splits(quoted: Read, source: Read) -> Iterator[int]:
    """Where the quotation can be cut so that the source has both stretches."""
    keys = quoted.keys
    longest = _longest(keys, source.keys)
    longest_end = _longest(keys[::-1], source.keys[::-1])
    first, last = max(1, len(keys) - longest_end), min(longest, len(keys) - MIN_PART)
    yield from range(last, first - 1, -1)


def _longest(keys: tuple[str, ...], source: tuple[str, ...]) -> int:
    """How many of the first keys the source has one after another."""
    best = 0
    for start, key in enumerate(source):
        if key != keys[0] or source[start : start + best] != keys[:best]:
            continue
        size = best
        while size < len(keys) and source[start + size : start + size + 1] == keys[size : size + 1]:
            size += 1
        best = max(best, size)
    return best


def _places(keys: tuple[str, ...], part: tuple[str, ...]) -> list[int]:
    found = [
        index
        for index in range(len(keys) - len(part) + 1)
        if keys[index] == part[0] and keys[index : index + len(part)] == part
    ]
    return found[:MAX_PLACES]


def _reason(quoted: Read, source: Read, split: int, end: int, place: int) -> str | None:
    """Why the stretch up to ``end`` and the one from ``place`` on must not be joined; or ``None``."""
    if _sentence(source, end - 1) != _sentence(source, place):
        if split < MIN_PART:
            return None
        form = quoted.text[quoted.units[split].start :].strip()
        return f"parts of different sentences joined: {form}"
    if place <= end or not _is_actor(source, place - 1) or not _is_actor(quoted, split - 1):
        return None
    if _is_inserted(source, end, place) or _is_actor(source, place):
        return None
    form, original = (
        _name(text, index) for text, index in ((quoted, split - 1), (source, place - 1))
    )
    return None if form == original else f"party changed: {original} -> {form}"


def _sentence(text: Read, index: int) -> int:
    return bisect_right(_sentence_ends(text.text), text.units[index].start)


@lru_cache(maxsize=64)
def _sentence_ends(text: str) -> list[int]:
    return [span.end for span in sentence_spans(text)]


def _is_inserted(source: Read, start: int, end: int) -> bool:
    """Whether the units are only names, or between commas, or a relative clause."""
    units = source.units[start:end]
    before = source.text[source.units[start - 1].end : units[0].start]
    after = source.text[units[-1].end : source.units[end].start]
    if any(mark in before for mark in _INSERTED) and after.strip():
        return True
    return all(unit.capital for unit in units) or bool(_RELATIVE.fullmatch(units[0].form))


def _is_actor(text: Read, index: int) -> bool:
    """Whether a party or a person ends with this unit."""
    unit = text.units[index]
    return is_name(unit) if not unit.is_han else bool(_chinese_name(text, index))


def _name(text: Read, index: int) -> str:
    unit = text.units[index]
    return _chinese_name(text, index) if unit.is_han else text.text[unit.start : unit.end]


def _chinese_name(text: Read, index: int) -> str:
    """The role or the person that ends with a character: 乙方, 王明."""
    unit = text.units[index]
    for size in (4, 3, 2):
        role = text.text[max(0, unit.end - size) : unit.end]
        if ROLE_ZH.fullmatch(role):
            return role
    if not unit.tag.startswith("nr"):
        return ""
    return "".join(other.form for other in text.units[: index + 1] if other.word == unit.word)
