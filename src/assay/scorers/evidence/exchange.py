"""Names of the source that stand in each other's place in the quotation.

The quotation is cut into *tiles*, the longest stretches that the source has too, wherever they are.
If the source has ``B frame A`` where the quotation has ``A frame B``, and the frame is literal, the two
are exchanged: 李强向王明借款 for 王明向李强借款. If the quotation begins with ``A frame`` and the source has
another name there and ``A`` behind, somebody else acts. The order of words is free in Russian, so an
inflected name is exchanged only if it stands in the case of the other one. A name with initials must
have its own (``changed_initials``).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from assay.scorers.evidence.alignment import is_inflected
from assay.scorers.evidence.contract_word import ROLE_ZH, western_roles
from assay.scorers.evidence.synonym import is_stop
from assay.scorers.evidence.unit import Read, Unit, read
from assay.text import CYRILLIC, stem
from assay.text.lexicon import alternatives, lazy_pattern

MAX_UNITS: Final = 600
"""A longer quotation is not cut into tiles."""
MAX_PLACES: Final = 40
"""So many places of the source are tried for each tile."""
MAX_FRAME: Final = 6
"""A frame between two names has at most so many tiles."""
MAX_LEFT_OUT: Final = 12
"""Between two exchanged names, a quotation may leave out so many units of the source."""
MIN_TILED: Final = 0.8
"""The source must have this share of a quotation with exchanged names."""
MIN_LITERAL: Final = 0.9
"""This share of the quotation must be literal, if only one name has moved."""
MIN_FRAME_LITERAL: Final = 0.8
"""The same for the words that are no names, if a name stands in another case."""
MIN_MOVED_FRAME: Final = 2
"""The frame of a name that has moved has at least so many units."""

_CYRILLIC: Final = re.compile(f"[{CYRILLIC}]")
_MARKS: Final = "\"'«“‘„《「『"
_LIST_MARK: Final = lazy_pattern(lambda: f"[、/]|{alternatives('name.joining')}", re.NOFLAG)
_LETTER: Final = r"(?:[А-ЯЁA-Z]\.\s?){1,2}"
_SURNAME: Final = r"[А-ЯЁA-Z][а-яёa-z]{2,}(?:-[А-ЯЁA-Z][а-яёa-z]+)?"
_WITH_INITIALS: Final = re.compile(
    rf"(?P<first>{_SURNAME})\s(?P<after>{_LETTER})|(?P<before>{_LETTER})(?P<last>{_SURNAME})"
)
_AFTER_NAME: Final = re.compile(
    rf"(?<![А-ЯЁа-яёA-Za-z])(?P<name>{_SURNAME})\s(?P<initials>{_LETTER})"
)
_BEFORE_NAME: Final = re.compile(rf"(?P<initials>{_LETTER})(?P<name>{_SURNAME})")


class _Tile(NamedTuple):
    """Units of the quotation, and the same units of the source."""

    start: int
    end: int
    source_start: int
    source_end: int


def exchanged_names(quotation: str, source: str) -> tuple[str, ...]:
    """A line if two names of ``source`` are exchanged, or a name stands in the place of another.

    >>> exchanged_names("乙公司应向甲公司赔偿损失", "甲公司应向乙公司赔偿损失。")
    ('names exchanged: 乙公司, 甲公司',)
    >>> exchanged_names("Петров передаёт Иванову станок", "Иванов передаёт Петрову станок.")
    ('names exchanged: Петров, Иванову',)
    """
    quoted, original = read(quotation), read(source)
    if len(quoted.keys) > MAX_UNITS:
        return ()
    quoted = quoted._replace(keys=_keys(quoted, original))
    tiles = _tiles(quoted.keys, original.keys)
    pair = next(_exchanged(quoted, original, tiles), None)
    if pair is not None:
        return (f"names exchanged: {', '.join(pair)}",)
    moved = next(_moved(quoted, original, tiles), None) or next(_in_case(quoted, original), None)
    return () if moved is None else (f"name changed: {moved[0]} -> {moved[1]}",)


def _keys(quoted: Read, source: Read) -> tuple[str, ...]:
    """The keys of the quotation; a Russian name has the one of its form in the source."""
    known = set(source.keys)
    surnames = [unit for unit in source.units if _is_surname(unit)]
    return tuple(
        next((other.key for other in surnames if _is_same(unit, other)), unit.key)
        if unit.key not in known and _is_surname(unit)
        else unit.key
        for unit in quoted.units
    )


def _tiles(quoted: Sequence[str], source: Sequence[str]) -> list[_Tile]:
    """The longest common stretches from left to right; no unit of the source is used twice."""
    places: dict[str, list[int]] = {}
    for index, key in enumerate(source):
        places.setdefault(key, []).append(index)
    used = [False] * len(source)
    tiles: list[_Tile] = []
    at = reached = 0
    while at < len(quoted):
        best = (0, False, 0, 0)
        for place in places.get(quoted[at], ())[:MAX_PLACES]:
            size = 0
            while (
                at + size < len(quoted)
                and place + size < len(source)
                and quoted[at + size] == source[place + size]
                and not used[place + size]
            ):
                size += 1
            # Of equal stretches, the nearest one further on is the one that was quoted.
            best = max(best, (size, place >= reached, -abs(place - reached), place))
        size, _, _, place = best
        if size:
            tiles.append(_Tile(at, at + size, place, place + size))
            used[place : place + size] = [True] * size
            reached = place + size
        at += max(1, size)
    return tiles


def _exchanged(quoted: Read, source: Read, tiles: Sequence[_Tile]) -> Iterator[tuple[str, str]]:
    if sum(tile.end - tile.start for tile in tiles) < MIN_TILED * len(quoted.keys):
        return
    for index, first in enumerate(tiles):
        for last in range(index + 2, min(index + 2 + MAX_FRAME, len(tiles))):
            if tiles[last - 1].end != tiles[last].start or first.end != tiles[index + 1].start:
                break
            frame, second = tiles[index + 1 : last], tiles[last]
            if not _is_reversed(first, frame, second):
                continue
            if not _is_frame(quoted, source, frame) or _has_order(
                quoted, source, first, frame, second
            ):
                continue
            if all(_names_somebody(quoted, source, tile) for tile in (first, second)):
                yield _form(quoted, first), _form(quoted, second)


def _is_reversed(first: _Tile, frame: Sequence[_Tile], second: _Tile) -> bool:
    """Whether the source has the three stretches from right to left, and the frame as it is."""
    if first.source_end - second.source_start > second.end - first.start + MAX_LEFT_OUT:
        return False
    ends = [second.source_end, *(tile.source_end for tile in frame)]
    starts = [*(tile.source_start for tile in frame), first.source_start]
    is_whole = all(a.end == b.start for a, b in pairwise(frame))
    return is_whole and all(end <= start for end, start in zip(ends, starts, strict=True))


def _is_frame(quoted: Read, source: Read, frame: Sequence[_Tile]) -> bool:
    """Whether the frame is literal and more than a mark of a list or names: A and B, A、B、C."""
    units = quoted.units[frame[0].start : frame[-1].end]
    if not all(_is_literal(quoted, source, tile) for tile in frame):
        return False
    before = quoted.text[quoted.units[frame[0].start - 1].end : units[0].end]
    after = quoted.text[units[-1].start : quoted.units[frame[-1].end].start]
    if _LIST_MARK.search(before.lower()) or _LIST_MARK.search(after.lower()):
        return False
    return any(not unit.capital and not unit.form[0].isdigit() for unit in units)


def _is_literal(quoted: Read, source: Read, tile: _Tile) -> bool:
    units = quoted.units[tile.start : tile.end]
    originals = source.units[tile.source_start : tile.source_end]
    return all(unit.form == other.form for unit, other in zip(units, originals, strict=True))


def _has_order(
    quoted: Read, source: Read, first: _Tile, frame: Sequence[_Tile], second: _Tile
) -> bool:
    """Whether the source has the names in this order too, in surroundings that fit no worse."""
    reversed_fit = _fit(
        quoted, source, first.start, second.end, second.source_start, first.source_end
    )
    texts = [quoted.keys[tile.start : tile.end] for tile in (first, *frame, second)]
    for start in _places(source.keys, texts[0], 0):
        end = start + len(texts[0])
        for text in texts[1:]:
            place = next(_places(source.keys, text, end), None)
            if place is None:
                return False
            end = place + len(text)
        if _fit(quoted, source, first.start, second.end, start, end) >= reversed_fit:
            return True
    return False


def _places(keys: Sequence[str], part: Sequence[str], start: int) -> Iterator[int]:
    for index in range(start, len(keys) - len(part) + 1):
        if keys[index] == part[0] and keys[index : index + len(part)] == part:
            yield index


def _fit(
    quoted: Read, source: Read, start: int, end: int, source_start: int, source_end: int
) -> int:
    """How many of the units right before and right after a stretch are the same."""
    before = start and source_start and quoted.keys[start - 1] == source.keys[source_start - 1]
    after = quoted.keys[end : end + 1] == source.keys[source_end : source_end + 1]
    return bool(before) + after


def _names_somebody(quoted: Read, source: Read, tile: _Tile) -> bool:
    """Whether a stretch has a name whose place says who acts."""
    units = zip(
        quoted.units[tile.start : tile.end],
        source.units[tile.source_start : tile.source_end],
        strict=True,
    )
    return any(
        (is_name(unit) or is_name(original)) and not _is_free(quoted, unit, original)
        for unit, original in units
    )


def is_name(unit: Unit) -> bool:
    """Whether a unit may name somebody or something."""
    if unit.is_han:
        return unit.tag.startswith(("n", "g", "zg", "eng", "r", "b")) and not is_stop(unit.key)
    if unit.key in _roles():
        return True
    return unit.capital and len(unit.form) > 1 and not is_stop(unit.key) and unit.form.isalpha()


@cache
def _roles() -> frozenset[str]:
    return frozenset(map(stem, western_roles()))


def _is_free(text: Read, unit: Unit, original: Unit) -> bool:
    """Whether a name has the same Russian form on both sides: it says who acts, wherever it stands."""
    is_inflected_name = _CYRILLIC.match(unit.form) is not None
    return (
        is_inflected_name
        and unit.form == original.form
        and text.text[unit.start - 1 : unit.start] not in tuple(_MARKS)
    )


def _moved(quoted: Read, source: Read, tiles: Sequence[_Tile]) -> Iterator[tuple[str, str]]:
    """The name at the beginning of a quotation that the source has behind what it is said to do."""
    if len(tiles) < 2 or tiles[0].start or tiles[0].end != tiles[1].start:
        return
    name, frame = tiles[:2]
    literal = sum(tile.end - tile.start for tile in tiles if _is_literal(quoted, source, tile))
    if frame.source_end > name.source_start or literal < MIN_LITERAL * len(quoted.keys):
        return
    before = source.units[max(0, frame.source_start - 1) : frame.source_start]
    units = quoted.units[frame.start : frame.end]
    acts = [unit for unit in units if not unit.capital and not unit.form[0].isdigit()]
    if (
        before
        and _is_actor(source, frame.source_start - 1)
        and before[0].key not in quoted.keys
        and len(acts) >= MIN_MOVED_FRAME
        and not _LIST_MARK.search(units[0].form)
        and _names_somebody(quoted, source, name)
        and _is_only_name(quoted, name)
    ):
        yield _word(source, frame.source_start - 1), _form(quoted, name)


def _is_actor(text: Read, index: int) -> bool:
    unit = text.units[index]
    if not unit.is_han:
        return is_name(unit)
    return unit.tag.startswith("nr") or ROLE_ZH.fullmatch(_word(text, index)) is not None


def _is_only_name(text: Read, tile: _Tile) -> bool:
    units = text.units[tile.start : tile.end]
    if units[0].is_han:
        form = _form(text, tile)
        return ROLE_ZH.fullmatch(form) is not None or all(
            unit.tag.startswith("nr") for unit in units
        )
    return all(is_name(unit) or unit.capital or is_stop(unit.key) for unit in units)


def _word(text: Read, index: int) -> str:
    """The word that ends with a unit; in Chinese also the role: 乙方."""
    unit = text.units[index]
    if not unit.is_han:
        return text.text[unit.start : unit.end]
    start = unit.start
    while start and unit.end - start < 4 and not ROLE_ZH.fullmatch(text.text[start : unit.end]):
        start -= 1
    role = text.text[start : unit.end]
    if ROLE_ZH.fullmatch(role):
        return role
    return "".join(other.form for other in text.units if other.word == unit.word)


def _in_case(quoted: Read, source: Read) -> Iterator[tuple[str, str]]:
    """Russian names of the quotation that stand in the case in which the source has another name."""
    words = [unit for unit in quoted.units if not unit.capital and not is_stop(unit.key)]
    forms = {unit.form for unit in source.units}
    literal = sum(unit.form in forms for unit in words)
    if not words or literal < MIN_FRAME_LITERAL * len(words):
        return
    names, originals = (
        [unit for unit in text.units if _is_surname(unit)] for text in (quoted, source)
    )
    for unit in names:
        same = [other for other in originals if _is_same(unit, other)]
        if not same or any(other.form == unit.form for other in same):
            continue
        for other in originals:
            if _ending(other) == _ending(unit) and not _is_same(unit, other):
                if any(_is_same(one, other) and one.form == other.form for one in names):
                    continue
                yield source.text[other.start : other.end], quoted.text[unit.start : unit.end]


def _is_surname(unit: Unit) -> bool:
    is_word = unit.capital and len(unit.form) > 3 and _CYRILLIC.match(unit.form) is not None
    return is_word and unit.key not in _roles() and not is_stop(unit.key)


def _is_same(first: Unit, second: Unit) -> bool:
    return first.key == second.key or is_inflected(first.form, second.form)


def _ending(unit: Unit) -> str:
    return unit.form.removeprefix(unit.key)


def _form(text: Read, tile: _Tile) -> str:
    return text.text[text.units[tile.start].start : text.units[tile.end - 1].end]


def changed_initials(quotation: str, source: str) -> tuple[str, ...]:
    """A line for each name that ``source`` has with other initials only.

    >>> changed_initials("Иванов П.П.", "Иванов И.И. платит Петрову П.П. 5000 рублей.")
    ('name changed: Иванов И.И. -> Иванов П.П.',)
    """
    reasons = []
    for match in _WITH_INITIALS.finditer(quotation):
        name, initials = match["first"] or match["last"], match["after"] or match["before"]
        known = [
            other
            for pattern in (_AFTER_NAME, _BEFORE_NAME)
            for other in pattern.finditer(source)
            if other["name"] == name or is_inflected(other["name"].lower(), name.lower())
        ]
        letters = _letters(initials)
        if known and not any(_agree(letters, _letters(other["initials"])) for other in known):
            reasons.append(f"name changed: {known[0].group().strip()} -> {match.group().strip()}")
    return tuple(reasons)


def _letters(initials: str) -> str:
    return "".join(filter(str.isalpha, initials))


def _agree(first: str, second: str) -> bool:
    """Whether initials are the same, as far as both have them."""
    return first.startswith(second) or second.startswith(first)
