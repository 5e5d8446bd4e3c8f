"""Names that a quotation puts where the source has another one.

Quotation and source are aligned unit by unit; a unit is a Chinese character or a word of another
script. Between aligned units remain *slots*, where the quotation has other units than the source.
A slot counts if the rest of the quotation is aligned and if both sides have content. It is a
changed name if

* one side is a name: a capital letter, or in Chinese a tag of the segmenter or Latin letters;
* both sides are in title or quotation marks; or
* both sides are Chinese nouns without a common character or meaning.

If nothing else is found, ``literal`` compares a quotation that has one other word and is literal
apart from it.

Chinese has no capital letters, and the segmenter splits names that it does not know. Therefore
the slot comes first: it shows where a name ends, whatever the segmenter says.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import Prefix

from assay.scorers.evidence.contract_word import ROLE_ZH
from assay.scorers.evidence.slot import Slot, slots
from assay.scorers.evidence.synonym import concept, concepts, is_stop
from assay.scorers.evidence.token import names, uncapitalised
from assay.scorers.evidence.unit import Read, Unit, read

_NAME_TAGS: Final = frozenset(("nr", "nrt", "nrfg", "nrj", "ns", "nt", "nz", "eng"))
_OPENING: Final = "\"'«“‘„《「『"
_CLOSING: Final = "\"'»”’《》」』"

# What follows the stem of an inflected Russian name.
_ENDING: Final = re.compile("(?:[аеёиоуыэюяйь][а-яё]{0,2})?")


def changed_names(quotation: str, source: str, clause: str) -> tuple[str, ...]:
    """One line for each name of ``source`` that ``quotation`` replaces by another one.

    ``source`` is the passage of ``clause`` that is quoted.

    >>> source = "合同由陈明飞在北京签署，自签署之日起生效。"
    >>> changed_names("合同由李思远在北京签署，自签署之日起生效", source, source)
    ('name changed: 陈明飞 -> 李思远',)
    """
    quoted, original = read(quotation), read(source)
    return tuple(
        _reason(quoted, original, slot)
        for slot in slots(quoted, original)
        if _is_changed_name(quoted, original, slot, clause)
    )


def _reason(quoted: Read, source: Read, slot: Slot) -> str:
    start, source_start = slot.quoted_start, slot.source_start
    # A function word that the segmenter has joined with the name is not part of it.
    if quoted.keys[start] == source.keys[source_start] and is_stop(quoted.keys[start]):
        start, source_start = start + 1, source_start + 1
    form, original = (
        _form(quoted, start, slot.quoted_end),
        _form(source, source_start, slot.source_end),
    )
    return f"name changed: {original} -> {form}"


def _form(text: Read, start: int, end: int) -> str:
    return text.text[text.units[start].start : text.units[end - 1].end]


def _is_changed_name(quoted: Read, source: Read, slot: Slot, clause: str) -> bool:
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


def _in_marks(text: Read, start: int, end: int) -> bool:
    """Whether the units are a whole title or quotation: “…”, «…», 《…》."""
    begin, stop = text.units[start].start, text.units[end - 1].end
    before, after = text.text[max(0, begin - 1) : begin], text.text[stop : stop + 1]
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
    others = max(_share_of_others(form, original), _share_of_others(original, form))
    if (named or original_named) and (differs or others > 0.5):
        return True
    return differs and _is_noun(words) and _is_noun(originals)


def _is_changed_character(quoted: Read, source: Read, slot: Slot) -> bool:
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


def _is_in_name(text: Read, index: int) -> bool:
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
