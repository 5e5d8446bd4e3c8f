"""Words that qualify a claim and that only the quotation or only its source has.

"The loan was repaid" is not "nearly repaid", «частично удовлетворил» is not «удовлетворил», and 拟撤回
is not 撤回. The lexicon has these words in classes of one meaning (``qualifier.classes``); within a
class they can replace each other. Other words count if another one of their kind stands in their place:
doubled for tripled, the signing for the registration. Of acts that are required together (签字盖章), none
may be left out.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from assay.scorers.evidence.slot import covered
from assay.scorers.evidence.unit import Read, read
from assay.text.lexicon import alternatives, expressions, lazy_pattern

MIN_ALIGNED: Final = 0.75
"""The share of the other units of the quotation that must be aligned with the source."""
MAX_BESIDE: Final = 2
"""So many other units may be left out or added with a qualifier."""
_LANGUAGES: Final = ("en", "ru", "zh")
_MARK: Final = re.compile(r"[,;:()（），；：、]")
_JOINING: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('qualifier.joining')})?\W*")

_RESTRICTION: Final = lazy_pattern(lambda: alternatives("negation.restriction"))


class _Found(NamedTuple):
    """A qualifier: its class, what it is within its class, its form, and its range of units."""

    kind: str
    group: str
    form: str
    start: int
    end: int


class _Side(NamedTuple):
    """A text, which of its units are aligned, and its ranges that are not, with those of the other."""

    text: Read
    aligned: list[bool]
    gaps: list[tuple[int, int, int, int]]


def changed_qualifiers(quotation: str, source: str) -> tuple[str, ...]:
    """One line for each qualifier that ``quotation`` drops, adds or exchanges.

    >>> changed_qualifiers("The loan was repaid in March", "The loan was nearly repaid in March.")
    ('qualifier dropped: nearly',)
    >>> changed_qualifiers("自双方签字之日起生效", "自双方签字盖章之日起生效。")
    ('act dropped: 盖章',)
    """
    quoted, original = _sides(read(quotation), read(source))
    found = [list(_qualifiers(side)) for side in (quoted, original)]
    inside = {index for qualifier in found[0] for index in range(qualifier.start, qualifier.end)}
    others = [is_equal for index, is_equal in enumerate(quoted.aligned) if index not in inside]
    if not others or sum(others) < MIN_ALIGNED * len(others):
        return ()
    reasons = [
        *_one_sided(found[1], found[0], "dropped", original),
        *_one_sided(found[0], found[1], "added", quoted),
        *_exchanged(found[0], found[1]),
        *_dropped_acts(original, found[1]),
    ]
    return tuple(dict.fromkeys(reasons))


def omitted_qualifier(words: str, *, joins_before: bool, joins_after: bool) -> str | None:
    """The qualifier with which words begin or end that a quotation replaces by dots; or ``None``.

    ``joins_before`` and ``joins_after`` say whether no mark separates the words from those beside them.

    >>> omitted_qualifier("only partly and late", joins_before=True, joins_after=False)
    'partly'
    """
    for kind, _, pattern in _patterns():
        if kind in {"ranks", "multiples", "acts"}:
            continue
        for match in pattern.finditer(words):
            before = words[: match.start()].strip()
            begins = not before or _RESTRICTION.fullmatch(before)  # only partly, лишь частично
            if (joins_before and begins) or (joins_after and match.end() == len(words)):
                return match.group()
    return None


def cut_rank(before: str, after: str) -> str | None:
    """The rank at the end of ``before`` that makes another one of a superlative right after it.

    >>> cut_rank("it is the second", "largest producer"), cut_rank("the second", "floor is let")
    ('second', None)
    """
    joint = "" if before[-1:] > "\u4e00" else " "
    text = f"{before}{joint}{after}"
    found = (
        match.group().strip()
        for kind, _, pattern in _patterns()
        if kind == "ranks"
        for match in pattern.finditer(text)
        if match.end() == len(before)
    )
    return next(found, None)


def _sides(quoted: Read, source: Read) -> tuple[_Side, _Side]:
    first, last = covered(quoted.keys, source.keys)
    sides = tuple(_Side(text, [False] * len(text.keys), []) for text in (quoted, source))
    for tag, *ends in Levenshtein.opcodes(quoted.keys, source.keys[first:last]):
        start, end, source_start, source_end = map(int, ends)
        source_start, source_end = source_start + first, source_end + first
        if tag == "equal":
            sides[0].aligned[start:end] = [True] * (end - start)
            sides[1].aligned[source_start:source_end] = [True] * (source_end - source_start)
            continue
        # What the source has before and after the quotation is not quoted.
        if start == end and start in {0, len(quoted.keys)}:
            continue
        sides[0].gaps.append((start, end, source_start, source_end))
        sides[1].gaps.append((source_start, source_end, start, end))
    return sides[0], sides[1]


def _qualifiers(side: _Side) -> Iterator[_Found]:
    """The qualifiers of a text that are not aligned, or not wholly."""
    text = side.text.text.lower()
    starts = {unit.start: index for index, unit in enumerate(side.text.units)}
    ends = {unit.end: index + 1 for index, unit in enumerate(side.text.units)}
    for kind, group, pattern in _patterns():
        for match in pattern.finditer(text):
            start, end = starts.get(match.start()), ends.get(match.end())
            if start is None or end is None or all(side.aligned[start:end]):
                continue
            if any(start < stop and begin < end for begin, stop, *_ in side.gaps):
                yield _Found(kind, group or match.group(), match.group(), start, end)


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """A kind, a group (empty if the form says it) and a pattern for each entry of the lexicon."""
    return tuple(
        (kind if kind != "classes" else f"{language}{index}", group, _pattern(words, language))
        for language in _LANGUAGES
        for kind in ("classes", "ranks", "multiples", "acts")
        for index, words in enumerate(expressions(f"qualifier.{kind}", language))
        for group in ("" if kind == "ranks" else f"{language}{index}",)
    )


def _pattern(words: str, language: str) -> re.Pattern[str]:
    return re.compile(words if language == "zh" else rf"(?<![\w-])(?:{words})(?!\w)")


def _one_sided(
    qualifiers: Sequence[_Found], others: Sequence[_Found], change: str, side: _Side
) -> Iterator[str]:
    """Qualifiers of a claim, and ranks, that the other side does not have in any words."""
    known = {(other.kind, other.group) for other in others}
    for qualifier in qualifiers:
        is_exchanged = qualifier.kind in {"multiples", "acts"}
        if is_exchanged or (qualifier.kind, qualifier.group) in known:
            continue
        if _stands_beside_kept_words(qualifier, side):
            yield f"qualifier {change}: {qualifier.form}"


def _stands_beside_kept_words(qualifier: _Found, side: _Side) -> bool:
    """Whether a qualifier is nearly all that differs, or no mark is between it and an aligned unit.

    A qualifier inside of an insertion that is left out as a whole qualifies only the insertion.
    """
    for begin, stop, *_ in side.gaps:
        if not (qualifier.start < stop and begin < qualifier.end):
            continue
        if (stop - begin) - (qualifier.end - qualifier.start) <= MAX_BESIDE:
            return True
        before = begin >= qualifier.start and not _has_mark(side.text, begin)
        return before or (stop <= qualifier.end and not _has_mark(side.text, stop))
    return False


def _has_mark(text: Read, index: int) -> bool:
    """Whether a mark is right before a unit, or the text begins or ends there."""
    if not 0 < index < len(text.units):
        return True
    between = text.text[text.units[index - 1].end : text.units[index].start]
    return _MARK.search(between) is not None


def _exchanged(quoted: Sequence[_Found], source: Sequence[_Found]) -> Iterator[str]:
    """Multiples and acts in whose place another one of their kind stands."""
    for kind in ("multiples", "acts"):
        sides = [[one for one in found if one.kind == kind] for found in (quoted, source)]
        groups = [{one.group for one in side} for side in sides]
        if all(groups) and not groups[0] & groups[1]:
            yield f"word changed: {sides[1][0].form} -> {sides[0][0].form}"


def _dropped_acts(source: _Side, acts: Sequence[_Found]) -> Iterator[str]:
    """Acts that are required together with one that the quotation has, and that it leaves out."""
    for act in acts:
        if act.kind != "acts":
            continue
        for begin, stop, quoted_begin, quoted_stop in source.gaps:
            is_left_out = begin <= act.start and act.end <= stop and quoted_begin == quoted_stop
            if is_left_out and _is_joined(source.text, begin, stop, act):
                yield f"act dropped: {act.form}"


def _is_joined(text: Read, begin: int, stop: int, act: _Found) -> bool:
    """Whether only a conjunction is between an act that is left out and one that is quoted."""
    units, lower = text.units, text.text.lower()
    before = lower[: units[begin - 1].end] if begin else ""
    between = lower[len(before) : units[act.start].start]
    if before and _JOINING.fullmatch(between) and _act_at_end().search(before[-_ACT_REACH:]):
        return True
    after = lower[units[stop].start :][:_ACT_REACH] if stop < len(units) else ""
    between = lower[units[act.end - 1].end : units[stop].start] if after else ""
    return bool(after and _JOINING.fullmatch(between) and _act_at_start().match(after))


_ACT_REACH: Final = 40


@cache
def _act_at_end() -> re.Pattern[str]:
    return re.compile(f"(?:{_any_act()})\\Z")


@cache
def _act_at_start() -> re.Pattern[str]:
    return re.compile(_any_act())


@cache
def _any_act() -> str:
    return "|".join(f"(?:{pattern.pattern})" for kind, _, pattern in _patterns() if kind == "acts")
