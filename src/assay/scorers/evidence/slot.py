"""Where a quotation has other units than its source, if the rest of it is aligned."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from assay.scorers.evidence.unit import Read

MIN_ALIGNED: Final = 0.8
"""The share of the quotation outside of a slot that must be aligned with the source. Below it,
the quotation is a paraphrase, and its words cannot be compared one by one."""

MIN_OUTSIDE: Final = 3
"""A slot counts only if the quotation has at least this many units outside of it."""
MIN_LOOSE_OUTSIDE: Final = 2
MIN_LOOSE_ALIGNED: Final = 0.6
"""The same limits if more is known about what is in the slot."""
REACH: Final = 6
"""By how many units a name may be longer than the one it stands for at the end of a quotation."""

MAX_PLACES: Final = 24
"""So many places of two neighbouring units in the source are compared."""


class Slot(NamedTuple):
    """Where the quotation has units of its own: ranges of units on both sides."""

    quoted_start: int
    quoted_end: int
    source_start: int
    source_end: int


def slots(quoted: Read, source: Read) -> Iterator[Slot]:
    """Yield the slots with units on both sides, if the rest of the quotation is aligned."""
    for slot, outside, aligned in _all_slots(quoted, source):
        # Few units outside of a slot do not show that the slot is in its place.
        is_placed = outside >= max(MIN_OUTSIDE, (slot.quoted_end - slot.quoted_start) / 2)
        if is_placed and aligned >= MIN_ALIGNED * outside:
            yield slot


def loose_slots(quoted: Read, source: Read) -> Iterator[Slot]:
    """Yield also the slots of shorter quotations, and of those that differ in more places."""
    for slot, outside, aligned in _all_slots(quoted, source):
        if outside >= MIN_LOOSE_OUTSIDE and aligned >= MIN_LOOSE_ALIGNED * outside:
            yield slot


def _all_slots(quoted: Read, source: Read) -> Iterator[tuple[Slot, int, int]]:
    """The slots with units on both sides, with the units outside of each, all and aligned ones."""
    first, last = covered(quoted.keys, source.keys)
    codes = Levenshtein.opcodes(quoted.keys, source.keys[first:last])
    aligned = [False] * len(quoted.keys)
    slots: list[Slot] = []
    for code in codes:
        if code.tag == "equal":
            aligned[code.src_start : code.src_end] = [True] * (code.src_end - code.src_start)
            continue
        slot = Slot(code.src_start, code.src_end, code.dest_start + first, code.dest_end + first)
        grown = _with_whole_words(quoted, source, slot)
        if slots and _are_one(quoted, slots[-1], grown):
            before = slots.pop()
            grown = Slot(
                before.quoted_start, grown.quoted_end, before.source_start, grown.source_end
            )
        slots.append(grown)
    total = sum(aligned)
    for slot in slots:
        outside = len(quoted.keys) - (slot.quoted_end - slot.quoted_start)
        inside = sum(aligned[slot.quoted_start : slot.quoted_end])
        has_both = slot.quoted_start < slot.quoted_end and slot.source_start < slot.source_end
        if has_both and not _is_omission(quoted, slot):
            yield slot, outside, total - inside


def _is_omission(quoted: Read, slot: Slot) -> bool:
    """Whether the quotation says by dots that it leaves something out here."""
    start = quoted.units[slot.quoted_start - 1].end if slot.quoted_start else 0
    after = quoted.units[slot.quoted_end :]
    return ".." in quoted.text[start : after[0].start if after else len(quoted.text)]


def _are_one(quoted: Read, before: Slot, after: Slot) -> bool:
    """Whether two slots touch, or only a character that happens to be equal is between them."""
    gap = after.quoted_start - before.quoted_end
    return gap <= 0 or (gap == 1 and quoted.units[before.quoted_end].is_han)


def covered(quoted: Sequence[str], source: Sequence[str]) -> tuple[int, int]:
    """The range of units of the source that the quotation comes from.

    Without this limit, single units of the quotation would be aligned with units far away.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for index, pair in enumerate(pairwise(source)):
        places.setdefault(pair, []).append(index)
    shared = _shared(quoted, places, rare=True) or _shared(quoted, places, rare=False)
    if not shared:
        return 0, len(source)
    shifts = Counter(place - index for index, place in shared)
    usual = max(shifts, key=lambda shift: (shifts[shift], -abs(shift)))
    near = [pair for pair in shared if abs(pair[1] - pair[0] - usual) <= len(quoted) // 2 + REACH]
    start = min(near, key=lambda pair: (pair[0], abs(pair[1] - pair[0] - usual)))
    end = max(near, key=lambda pair: (pair[0], -abs(pair[1] - pair[0] - usual)))
    first = max(0, start[1] - start[0])
    last = min(len(source), end[1] + len(quoted) - end[0])
    # A name may be shorter than the one it stands for; then the quotation begins further left.
    before = source[max(0, first - REACH) : first]
    if start[0] and quoted[0] in before:
        first -= before[::-1].index(quoted[0]) + 1
    after = source[last : last + REACH]
    if end[0] + 2 < len(quoted) and quoted[-1] in after:
        last += after.index(quoted[-1]) + 1
    return first, last


def _shared(
    quoted: Sequence[str], places: dict[tuple[str, str], list[int]], *, rare: bool
) -> list[tuple[int, int]]:
    """The places of neighbouring units in the quotation and in the source.

    Units that the source has more often than ``MAX_PLACES`` do not show a place. If there are no others,
    the first places count.
    """
    return [
        (index, place)
        for index, pair in enumerate(pairwise(quoted))
        if not rare or len(places.get(pair, ())) <= MAX_PLACES
        for place in places.get(pair, ())[:MAX_PLACES]
    ]


def _with_whole_words(quoted: Read, source: Read, slot: Slot) -> Slot:
    """The slot with the aligned characters that belong to a word of it on either side.

    Most of the word must differ, unless it is a person: the slot of 人民法院 and 法院 is 人民, but
    陈明飞 and 陈明宇 are two people.
    """
    size = max(slot.quoted_end - slot.quoted_start, slot.source_end - slot.source_start)
    left, right = (_shared_part(quoted, source, slot, step) for step in (-1, 1))
    if not _is_person(quoted, source, slot):
        left, right = (count if count < size else 0 for count in (left, right))
    return Slot(
        slot.quoted_start - left,
        slot.quoted_end + right,
        slot.source_start - left,
        slot.source_end + right,
    )


def _shared_part(quoted: Read, source: Read, slot: Slot, step: int) -> int:
    """How many aligned characters before (-1) or after (1) a slot are in a word of the slot."""
    at, source_at = (
        (slot.quoted_start - 1, slot.source_start - 1)
        if step < 0
        else (slot.quoted_end, slot.source_end)
    )
    words = {unit.word for unit in quoted.units[slot.quoted_start : slot.quoted_end]}
    originals = {unit.word for unit in source.units[slot.source_start : slot.source_end]}
    count = 0
    while 0 <= at < len(quoted.units) and 0 <= source_at < len(source.units):
        unit, original = quoted.units[at], source.units[source_at]
        is_part = unit.word in words or original.word in originals
        if unit.key != original.key or not unit.is_han or not is_part:
            break
        count, at, source_at = count + 1, at + step, source_at + step
    return count


def _is_person(quoted: Read, source: Read, slot: Slot) -> bool:
    units = (
        *quoted.units[slot.quoted_start : slot.quoted_end],
        *source.units[slot.source_start : slot.source_end],
    )
    return any(unit.tag.startswith("nr") for unit in units)
