"""Names that a quotation puts where the source has another one.

Quotation and source are aligned unit by unit; a unit is a Chinese character or a word of another
script. Between aligned units remain *slots*, where the quotation has other units than the source.
A slot counts if the rest of the quotation is aligned and if both sides have content. It is a
changed name if

* one side is a name: a capital letter, or in Chinese a tag of the segmenter or Latin letters;
* both sides are in title or quotation marks; or
* both sides are Chinese nouns without a common character or meaning.

Chinese has no capital letters, and the segmenter splits names that it does not know. Therefore
the slot comes first: it shows where a name ends, whatever the segmenter says.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein, Prefix

from assay.scorers.evidence.contract_word import ROLE_ZH
from assay.scorers.evidence.synonym import concept, concepts, is_stop
from assay.scorers.evidence.token import names, simplified_han, uncapitalised
from assay.text import HAN, normalised, stem, tagged_words

MIN_ALIGNED: Final = 0.8
"""The share of the quotation outside of a slot that must be aligned with the source. Below it,
the quotation is a paraphrase, and its words cannot be compared one by one."""

MIN_OUTSIDE: Final = 3
"""A slot counts only if the quotation has at least this many units outside of it."""
REACH: Final = 6
"""By how many units a name may be longer than the one it stands for at the end of a quotation."""

_TITLE: Final = 4
"""A capitalised word of so few letters before a point may be a title."""

_UNIT: Final = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{HAN}]|[^\W{HAN}_]+")
_HAN_CHARACTER: Final = re.compile(f"[{HAN}]")
_NAME_TAGS: Final = frozenset(("nr", "nrt", "nrfg", "nrj", "ns", "nt", "nz", "eng"))
_OPENING: Final = "\"'«“‘„《「『"
_CLOSING: Final = "\"'»”’《》」』"
_SENTENCE_END: Final = ".!?。！？…:;"


# What follows the stem of an inflected Russian name.
_ENDING: Final = re.compile("(?:[аеёиоуыэюяйь][а-яё]{0,2})?")


class Unit(NamedTuple):
    """A Chinese character, or a word or number in another script.

    ``form`` is the character or the word without case, ``key`` the same or the stem of the word. ``word`` identifies the Chinese word that contains it and ``tag`` is its part of speech.
    ``capital`` is true for a capital letter, ``initial`` for the first unit of a sentence.
    """

    key: str
    form: str
    start: int
    end: int
    word: int
    tag: str
    capital: bool
    initial: bool

    @property
    def is_han(self) -> bool:
        """Whether the unit is a Chinese character."""
        return _HAN_CHARACTER.match(self.key) is not None


_root: Final = lru_cache(maxsize=1 << 14)(stem)


class _Read(NamedTuple):
    text: str
    units: tuple[Unit, ...]
    keys: tuple[str, ...]


class _Slot(NamedTuple):
    """Where the quotation has units of its own: ranges of units on both sides."""

    quoted_start: int
    quoted_end: int
    source_start: int
    source_end: int


def changed_names(quotation: str, source: str, clause: str) -> tuple[str, ...]:
    """One line for each name of ``source`` that ``quotation`` replaces by another one.

    ``source`` is the passage of ``clause`` that is quoted.

    >>> source = "合同由陈明飞在北京签署，自签署之日起生效。"
    >>> changed_names("合同由李思远在北京签署，自签署之日起生效", source, source)
    ('name changed: 陈明飞 -> 李思远',)
    """
    quoted, original = _read(quotation), _read(source)
    return tuple(
        _reason(quoted, original, slot)
        for slot in _slots(quoted, original)
        if _is_changed_name(quoted, original, slot, clause)
    )


def _reason(quoted: _Read, source: _Read, slot: _Slot) -> str:
    start, source_start = slot.quoted_start, slot.source_start
    # A function word that the segmenter has joined with the name is not part of it.
    if quoted.keys[start] == source.keys[source_start] and is_stop(quoted.keys[start]):
        start, source_start = start + 1, source_start + 1
    form, original = (
        _form(quoted, start, slot.quoted_end),
        _form(source, source_start, slot.source_end),
    )
    return f"name changed: {original} -> {form}"


def _form(text: _Read, start: int, end: int) -> str:
    return text.text[text.units[start].start : text.units[end - 1].end]


# Cached because several quotations are compared with the same passages.
@lru_cache(maxsize=2048)
def _read(text: str) -> _Read:
    plain = normalised(simplified_han(text))
    words = _word_at(plain) if _HAN_CHARACTER.search(plain) else None
    units: list[Unit] = []
    end = 0
    for match in _UNIT.finditer(plain):
        form = match.group()
        between = plain[end : match.start()]
        is_end = any(mark in _SENTENCE_END for mark in between)
        initial = not units or (is_end and not _is_abbreviation(units[-1], between))
        word, tag = words[match.start()] if words else (-1, "")
        capital = form[0].isupper()
        folded = form.casefold()
        key = folded if _HAN_CHARACTER.match(form) else _root(folded)
        units.append(Unit(key, folded, match.start(), match.end(), word, tag, capital, initial))
        end = match.end()
    return _Read(plain, tuple(units), tuple(unit.key for unit in units))


def _is_abbreviation(before: Unit, between: str) -> bool:
    """Whether the point after a word ends a title and not a sentence: "Dr. Osei", "St. Luke"."""
    return between == ". " and before.capital and len(before.form) <= _TITLE


def _word_at(plain: str) -> list[tuple[int, str]]:
    """The index and the tag of the word that contains each character."""
    return [
        (index, tag)
        for index, (word, tag) in enumerate(tagged_words(plain))
        for _ in range(len(word))
    ]


def _slots(quoted: _Read, source: _Read) -> Iterator[_Slot]:
    """Yield the slots with units on both sides, if the rest of the quotation is aligned."""
    first, last = _covered(quoted.keys, source.keys)
    codes = Levenshtein.opcodes(quoted.keys, source.keys[first:last])
    aligned = [False] * len(quoted.keys)
    slots: list[_Slot] = []
    for code in codes:
        if code.tag == "equal":
            aligned[code.src_start : code.src_end] = [True] * (code.src_end - code.src_start)
            continue
        slot = _Slot(code.src_start, code.src_end, code.dest_start + first, code.dest_end + first)
        grown = _with_whole_words(quoted, source, slot)
        if slots and _are_one(quoted, slots[-1], grown):
            before = slots.pop()
            grown = _Slot(
                before.quoted_start, grown.quoted_end, before.source_start, grown.source_end
            )
        slots.append(grown)
    total = sum(aligned)
    for slot in slots:
        outside = len(quoted.keys) - (slot.quoted_end - slot.quoted_start)
        inside = sum(aligned[slot.quoted_start : slot.quoted_end])
        has_both = slot.quoted_start < slot.quoted_end and slot.source_start < slot.source_end
        # Few units outside of a slot do not show that the slot is in its place.
        is_placed = outside >= max(MIN_OUTSIDE, (slot.quoted_end - slot.quoted_start) / 2)
        is_literal = total - inside >= MIN_ALIGNED * outside
        if has_both and is_placed and is_literal and not _is_omission(quoted, slot):
            yield slot


def _is_omission(quoted: _Read, slot: _Slot) -> bool:
    """Whether the quotation says by dots that it leaves something out here."""
    start = quoted.units[slot.quoted_start - 1].end if slot.quoted_start else 0
    after = quoted.units[slot.quoted_end :]
    return ".." in quoted.text[start : after[0].start if after else len(quoted.text)]


def _are_one(quoted: _Read, before: _Slot, after: _Slot) -> bool:
    """Whether two slots touch, or only a character that happens to be equal is between them."""
    gap = after.quoted_start - before.quoted_end
    return gap <= 0 or (gap == 1 and quoted.units[before.quoted_end].is_han)


def _covered(quoted: Sequence[str], source: Sequence[str]) -> tuple[int, int]:
    """The range of units of the source that the quotation comes from.

    Without this limit, single units of the quotation would be aligned with units far away.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for index, pair in enumerate(pairwise(source)):
        places.setdefault(pair, []).append(index)
    shared = [
        (index, place)
        for index, pair in enumerate(pairwise(quoted))
        for place in places.get(pair, ())
    ]
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


def _with_whole_words(quoted: _Read, source: _Read, slot: _Slot) -> _Slot:
    """The slot with the aligned characters that belong to a word of it on either side.

    Most of the word must differ, unless it is a person: the slot of 人民法院 and 法院 is 人民, but
    陈明飞 and 陈明宇 are two people.
    """
    size = max(slot.quoted_end - slot.quoted_start, slot.source_end - slot.source_start)
    left, right = (_shared_part(quoted, source, slot, step) for step in (-1, 1))
    if not _is_person(quoted, source, slot):
        left, right = (count if count < size else 0 for count in (left, right))
    return _Slot(
        slot.quoted_start - left,
        slot.quoted_end + right,
        slot.source_start - left,
        slot.source_end + right,
    )


def _shared_part(quoted: _Read, source: _Read, slot: _Slot, step: int) -> int:
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


def _is_person(quoted: _Read, source: _Read, slot: _Slot) -> bool:
    units = (
        *quoted.units[slot.quoted_start : slot.quoted_end],
        *source.units[slot.source_start : slot.source_end],
    )
    return any(unit.tag.startswith("nr") for unit in units)


def _is_changed_name(quoted: _Read, source: _Read, slot: _Slot, clause: str) -> bool:
    words = quoted.units[slot.quoted_start : slot.quoted_end]
    originals = source.units[slot.source_start : slot.source_end]
    if _in_marks(quoted, slot.quoted_start, slot.quoted_end) and _in_marks(
        source, slot.source_start, slot.source_end
    ):
        return _have_nothing_in_common(words, originals)
    if any(unit.is_han for unit in (*words, *originals)):
        return _is_changed_chinese_name(words, originals) or _is_changed_character(
            quoted, source, slot
        )
    return _is_changed_western_name(words, originals, clause)


def _in_marks(text: _Read, start: int, end: int) -> bool:
    """Whether the units are a whole title or quotation: “…”, «…», 《…》."""
    before = text.text[: text.units[start].start][-1:]
    after = text.text[text.units[end - 1].end :][:1]
    return bool(before and after) and before in _OPENING and after in _CLOSING


def _have_nothing_in_common(words: Sequence[Unit], originals: Sequence[Unit]) -> bool:
    keys = {unit.key for unit in originals}
    return not any(unit.key in keys for unit in words if not is_stop(unit.key))


def _is_changed_chinese_name(words: Sequence[Unit], originals: Sequence[Unit]) -> bool:
    form, original = ("".join(unit.key for unit in units) for units in (words, originals))
    if not _has_content(words) or not _has_content(originals):
        return False
    if form in original or original in form:
        return False  # a part of a name, or a name in its full form
    if ROLE_ZH.fullmatch(form) and ROLE_ZH.fullmatch(original):
        return False  # a party of the contract, which is compared as such
    named, original_named = _is_chinese_name(words), _is_chinese_name(originals)
    if named and original_named:
        return True
    if concept(form) == concept(original):
        return False
    differs = not set(form) & set(original)
    if (named or original_named) and (differs or _share_of_others(form, original) > 0.5):
        return True
    return differs and _is_noun(words) and _is_noun(originals)


def _is_changed_character(quoted: _Read, source: _Read, slot: _Slot) -> bool:
    """Whether one character of a name was changed: 欧阳雪, 欧阳琴; 北门, 南门.

    The characters must be nominal on both sides, and the word that contains them, or a word next
    to them, must be tagged as a name on both sides.
    """
    if slot.quoted_end - slot.quoted_start != 1 or slot.source_end - slot.source_start != 1:
        return False
    unit, original = quoted.units[slot.quoted_start], source.units[slot.source_start]
    if not (unit.is_han and original.is_han) or concept(unit.key) == concept(original.key):
        return False
    if any(is_stop(one.key) or not one.tag.startswith("n") for one in (unit, original)):
        return False
    return _is_in_name(quoted, slot.quoted_start) and _is_in_name(source, slot.source_start)


def _is_in_name(text: _Read, index: int) -> bool:
    near = text.units[max(0, index - 1) : index + 2]
    unit = text.units[index]
    return any(
        one.tag in _NAME_TAGS and one.is_han and abs(one.start - unit.start) <= 1 for one in near
    )


def _has_content(units: Sequence[Unit]) -> bool:
    """Whether the units are more than numbers, function words and a single character."""
    kept = [unit for unit in units if not unit.key[0].isdigit() and unit.tag not in {"m", "uj"}]
    if any(not unit.is_han for unit in kept):
        return True
    return sum(not is_stop(unit.key) for unit in kept) > 1


def _share_of_others(form: str, original: str) -> float:
    return sum(character not in original for character in form) / len(form)


def _is_chinese_name(units: Sequence[Unit]) -> bool:
    """Whether one of the words is tagged as a name; a single character must not stand alone."""
    sizes = Counter(unit.word for unit in units)
    return any(
        unit.tag in _NAME_TAGS and (not unit.is_han or sizes[unit.word] > 1) for unit in units
    )


def _is_noun(units: Sequence[Unit]) -> bool:
    sizes = Counter(unit.word for unit in units)
    return any(unit.tag.startswith("n") and sizes[unit.word] > 1 for unit in units)


def _is_changed_western_name(words: Sequence[Unit], originals: Sequence[Unit], clause: str) -> bool:
    """Whether both sides have a name that the other side does not have in any inflection."""
    known = names(clause)
    has_original = any(
        unit.capital
        and (not unit.initial or unit.key in known)
        and not any(_is_inflection(unit, other) for other in words)
        for unit in originals
    )
    return has_original and any(
        _may_be_name(unit, clause) and not any(_is_inflection(unit, other) for other in originals)
        for unit in words
    )


def _is_inflection(first: Unit, second: Unit) -> bool:
    """Whether two words are forms of one word. Stems of names can differ: Орлов, Орлова."""
    if first.key == second.key:
        return True
    shared = Prefix.similarity(first.form, second.form)
    tails = first.form[shared:], second.form[shared:]
    return shared >= 3 and all(_ENDING.fullmatch(tail) for tail in tails)


def _may_be_name(unit: Unit, clause: str) -> bool:
    """Whether a unit is a capitalised word that is not known as a common word."""
    if not unit.capital or is_stop(unit.key):
        return False
    if not unit.initial or unit.key in names(clause):
        return True
    return unit.key not in uncapitalised(clause) and unit.key not in concepts()
