"""The one word that a quotation changes, if it is literal apart from this word.

In such a quotation the place of the word is certain, so less has to be known about the word itself:
one character of a Chinese name (欧阳翎, 欧阳翊), a title beside a name (капитан Рудин, поручик Рудин),
a word inside the name of an organisation. Any other content word counts too, if it is neither a
synonym nor a form of the one that it replaces: such a quotation is not literal, and says something else.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from assay.scorers.evidence.alignment import has_same_root
from assay.scorers.evidence.contract_word import least, most
from assay.scorers.evidence.scale import are_related, places
from assay.scorers.evidence.synonym import is_stop
from assay.scorers.evidence.unit import Read, Unit, read
from assay.text import numbers
from assay.text.lexicon import alternatives, entry, lazy_pattern, word_list

MIN_OUTSIDE: Final = 5
"""A change counts only if the quotation has at least this many units outside of it."""
MIN_WORDS_OUTSIDE: Final = 4
"""The same for words, which say more than Chinese characters."""
MAX_CHANGED: Final = 4
"""A name has at most so many characters that differ."""
MIN_FRAME: Final = 3
"""A word that is no name counts as changed if the quotation has so many other words."""
MIN_STEM: Final = 5
"""A stem inside of another word has at least so many letters."""
MAX_CONTENT: Final = 2
"""At most so many words with a meaning may stand in place of others to count as changed."""
_PLAIN_TAGS: Final = ("v", "d", "a", "p", "c", "u", "r", "f", "t", "q", "y", "z", "b", "l", "i")
"""How the tags of words begin that are no names."""
_FUNCTION_TAGS: Final = ("f", "u", "p", "c", "r", "y")
"""How the tags of words begin that only join others."""
_CONTENT_TAGS: Final = frozenset("vadn")
"""The first letters of the tags of verbs, adjectives, adverbs and nouns."""
_RARE_TAGS: Final = frozenset(("zg", "g", "vg", "ag", "tg", "dg"))
"""Tags of single characters that the segmenter does not know as words."""


_ADVERB: Final = lazy_pattern(lambda: alternatives("contract.adverb"), re.NOFLAG)
_BOUND: Final = lazy_pattern(lambda: f"{most()}|{least()}", re.NOFLAG)
_PERIOD: Final = lazy_pattern(lambda: alternatives("name.period", "zh"))


class _Change(NamedTuple):
    """The only units that differ: a range in the quotation and one in the source.

    ``before`` and ``after`` are the units of the quotation beside it. ``is_whole`` says whether both
    ranges are one or more whole Chinese words, and ``outside`` how many other units the quotation has.
    """

    quoted: tuple[Unit, ...]
    source: tuple[Unit, ...]
    before: tuple[Unit, ...]
    after: tuple[Unit, ...]
    is_whole: bool
    outside: int


def changed_words(quotation: str, source: str) -> tuple[str, ...]:
    """A line if a name, or a title or another word of one, is all that the quotation changes.

    >>> source = "Позже приехал капитан Рудин и велел всем молчать."
    >>> changed_words("Позже приехал поручик Рудин и велел всем молчать", source)
    ('name changed: капитан -> поручик',)
    """
    quoted, original = read(quotation), read(source)
    codes = _changes(quoted, original)
    if (rank := _rank_before(original, codes)) is not None:
        return (f"title changed: {rank} -> -",)
    change = _only_change(quoted, original, codes)
    if change is None:
        return ()
    is_han = any(unit.is_han for unit in quoted.units)
    reasons = tuple(_reasons(change)) if _has_frame(change, is_han=is_han) else ()
    return reasons or (() if is_han else tuple(_word_reasons(change)))


def _has_frame(change: _Change, *, is_han: bool) -> bool:
    """Whether enough of the quotation is literal to take what differs for a name."""
    wider = max(0, len(change.source) - len(change.quoted))
    return change.outside - wider >= (MIN_OUTSIDE if is_han else MIN_WORDS_OUTSIDE)


def _word_reasons(change: _Change) -> Iterator[str]:
    if _is_other_limit(change):
        yield f"limit changed: {_joined(change.source) or '-'} -> {_joined(change.quoted)}"
    elif change.outside >= MIN_FRAME and _is_other_content(change):
        yield f"word changed: {_joined(change.source)} -> {_joined(change.quoted)}"


def _reasons(change: _Change) -> Iterator[str]:
    if not change.quoted or not change.source:
        if _is_rank(change):
            form = _joined(change.quoted) or "-"
            yield f"title changed: {_joined(change.source) or '-'} -> {form}"
        return
    is_han = all(unit.is_han for unit in (*change.quoted, *change.source))
    is_name = (
        _is_chinese_change(change) or _is_period(change) if is_han else _is_western_change(change)
    )
    if is_name:
        yield f"name changed: {_joined(change.source)} -> {_joined(change.quoted)}"
    elif _is_other_chinese_word(change) if is_han else _are_other_words(change):
        yield f"word changed: {_joined(change.source)} -> {_joined(change.quoted)}"


def _joined(units: tuple[Unit, ...]) -> str:
    return ("" if all(unit.is_han for unit in units) else " ").join(unit.form for unit in units)


class _Code(NamedTuple):
    """Ranges of units, in the quotation and in the source, that are equal or not."""

    is_equal: bool
    quoted_start: int
    quoted_end: int
    source_start: int
    source_end: int


def _changes(quoted: Read, source: Read) -> list[_Code]:
    """How the quotation differs from the source; neighbouring differences are one.

    What the source has before and after the quotation stays apart.
    """
    codes: list[_Code] = []
    for tag, *ends in Levenshtein.opcodes(quoted.keys, source.keys):
        code = _Code(tag == "equal", *map(int, ends))
        is_inside = code.quoted_start < len(quoted.keys)
        if codes and codes[-1].quoted_end and is_inside and not codes[-1].is_equal | code.is_equal:
            before = codes.pop()
            code = code._replace(quoted_start=before.quoted_start, source_start=before.source_start)
        codes.append(code)
    return codes


def _rank_before(source: Read, codes: list[_Code]) -> str | None:
    """A rank right before the quoted stretch of the source that the quotation leaves out: 副院长."""
    if len(codes) < 2 or codes[0].is_equal or codes[0].quoted_end:
        return None
    at = codes[0].source_end
    before, after = source.units[at - 1], source.units[at]
    is_title = after.tag.startswith("n") or not after.is_han
    is_measure = at > 1 and source.keys[at - 2] in str(entry("zh", "name.before_measure"))
    is_rank = before.key in _open_ranks() and not is_measure
    return before.form if is_rank and is_title else None


def _only_change(quoted: Read, source: Read, codes: list[_Code]) -> _Change | None:
    """The only place where the quotation differs from a stretch of the source, or ``None``."""
    # What the source has before and after the quotation is not quoted.
    if codes and not codes[0].is_equal and not codes[0].quoted_end:
        codes = codes[1:]
    if codes and not codes[-1].is_equal and codes[-1].quoted_start == len(quoted.keys):
        codes = codes[:-1]
    others = [code for code in codes if not code.is_equal]
    if len(others) != 1:
        return None
    _, start, end, source_start, source_end = others[0]
    width = max(end - start, source_end - source_start)
    if width > MAX_CHANGED:
        return None
    return _Change(
        quoted.units[start:end],
        source.units[source_start:source_end],
        quoted.units[max(0, start - 1) : start],
        quoted.units[end : end + 1],
        _is_whole(quoted, start, end) and _is_whole(source, source_start, source_end),
        len(quoted.keys) - (end - start),
    )


def _is_whole(text: Read, start: int, end: int) -> bool:
    words = {unit.word for unit in text.units[start:end]}
    outside = (*text.units[max(0, start - 1) : start], *text.units[end : end + 1])
    return not any(unit.word in words for unit in outside)


def _is_rank(change: _Change) -> bool:
    """Whether a word that makes another rank of a title is added or left out: 副主任."""
    units = change.quoted or change.source
    follows_noun = bool(change.after) and change.after[0].tag.startswith("n")
    return len(units) == 1 and units[0].key in _ranks() and (follows_noun or not units[0].is_han)


@cache
def _ranks() -> frozenset[str]:
    return frozenset(word_list("name.rank_words"))


@cache
def _open_ranks() -> frozenset[str]:
    return frozenset(word_list("name.open_ranks"))


def _is_period(change: _Change) -> bool:
    """Whether another dynasty or period is named: 唐代, 宋代; 北宋, 南宋."""
    return all(_has_period(change, units) for units in (change.quoted, change.source))


def _has_period(change: _Change, units: tuple[Unit, ...]) -> bool:
    before = _joined(change.before)
    window = before + _joined(units) + _joined(change.after)
    first, last = len(before), len(before) + len(units)
    return any(match.start() < last and match.end() > first for match in _PERIOD.finditer(window))


def _is_chinese_change(change: _Change) -> bool:
    form, original = _joined(change.quoted), _joined(change.source)
    if form in original or original in form or are_related(form, original):
        return False
    if any({form, original} <= set(group) for group in word_list("name.variant_characters")):
        return False
    if all(is_stop(unit.key) for unit in change.quoted + change.source):
        return False
    if any(_is_function(units) for units in (change.quoted, change.source)):
        return False
    return not (_is_plain(change.quoted) and _is_plain(change.source)) or _follows_name(change)


def _is_plain(units: tuple[Unit, ...]) -> bool:
    return all(unit.tag.startswith(_PLAIN_TAGS) and unit.tag not in _RARE_TAGS for unit in units)


def _is_function(units: tuple[Unit, ...]) -> bool:
    return all(unit.tag.startswith(_FUNCTION_TAGS) for unit in units)


def _follows_name(change: _Change) -> bool:
    """Whether a name stands directly before single characters that are no words."""
    if not change.before or not change.before[0].tag.startswith("nr"):
        return False
    return any(unit.tag in _RARE_TAGS for unit in change.quoted + change.source)


def _is_western_change(change: _Change) -> bool:
    """Whether a word beside a name is another one, in the same sentence."""
    if len(change.quoted) != 1 or len(change.source) != 1:
        return False
    word, original = change.quoted[0], change.source[0]
    if word.is_han or original.is_han or word.key[0].isdigit() or original.key[0].isdigit():
        return False
    if is_stop(word.key) or is_stop(original.key) or _is_akin(word, original):
        return False
    follows = bool(change.before) and not word.initial
    after_name = follows and change.before[0].capital and not change.before[0].initial
    before_name = bool(change.after) and change.after[0].capital and not change.after[0].initial
    return after_name or before_name


def _is_other_content(change: _Change) -> bool:
    """Whether words of the source are replaced by others with another meaning: e-mail, fax.

    Both sides must have one or two words that carry a meaning, and nothing in common.
    """
    sides = [
        [unit for unit in units if not _ADVERB.fullmatch(unit.form) and not _is_function_word(unit)]
        for units in (change.quoted, change.source)
    ]
    if not all(1 <= len(side) <= MAX_CONTENT for side in sides):
        return False
    if any(unit.is_han or numbers(unit.form) for side in sides for unit in side):
        return False
    short, long = sorted((change.quoted, change.source), key=len)
    if len(short) == 1 < len(long) and places(short[0].form):
        return False  # a phrase may say what a word of a scale does: once a week, weekly
    return not any(_is_akin(word, original) for word in sides[0] for original in sides[1])


def _is_akin(first: Unit, second: Unit) -> bool:
    """Whether two words are synonyms, near to each other, or forms of one."""
    return (
        has_same_root(first.form, second.form)
        or are_related(first.form, second.form)
        or _is_derived(first, second)
        or _is_derived(second, first)
    )


def _is_derived(word: Unit, other: Unit) -> bool:
    """Whether a word has the stem of another one inside: отремонтировать, ремонт."""
    return len(other.key) >= MIN_STEM and other.key in word.form


def _are_other_words(change: _Change) -> bool:
    """Whether one content word is another one that is neither its synonym nor its form."""
    if len(change.quoted) != 1 or len(change.source) != 1:
        return False
    word, original = change.quoted[0], change.source[0]
    return not (
        any(
            unit.is_han or _is_function_word(unit) or numbers(unit.form)
            for unit in (word, original)
        )
        or _is_akin(word, original)
    )


def _is_other_limit(change: _Change) -> bool:
    """Whether a preposition of time or limit is another one, or is added before a value."""
    if len(change.quoted) != 1 or len(change.source) > 1:
        return False
    form = change.quoted[0].form
    if not change.source:
        is_value = bool(change.after) and change.after[0].form[0].isdigit()
        return is_value and form in word_list("contract.added_limits", "en", "ru")
    groups = _limit_groups()
    group, original = groups.get(form), groups.get(change.source[0].form)
    return None not in {group, original} and group != original


@cache
def _limit_groups() -> dict[str, tuple[str, int]]:
    """The language and the group of each preposition of time or limit."""
    return {
        word: (language, number)
        for language in ("en", "ru")
        for number, words in enumerate(
            str(entry(language, "contract.limit_prepositions")).split("/")
        )
        for word in words.split()
    }


def _is_function_word(unit: Unit) -> bool:
    form = unit.form
    if is_stop(unit.key) or not form[0].isalpha() or is_stop(form) or form in _function_words():
        return True
    return _BOUND.fullmatch(form) is not None  # compared with the number that it stands before


@cache
def _function_words() -> frozenset[str]:
    return frozenset(word_list("contract.function_words"))


def _is_other_chinese_word(change: _Change) -> bool:
    """Whether one whole word is another one of its kind without a common character."""
    sides = change.quoted, change.source
    form, original = map(_joined, sides)
    if min(len(form), len(original)) < 2 or set(form) & set(original):
        return False
    if not change.is_whole or any(len({unit.word for unit in units}) != 1 for units in sides):
        return False
    kinds = {units[0].tag[:1] for units in sides}
    return kinds <= _CONTENT_TAGS and len(kinds) == 1 and not are_related(form, original)
