"""Whether a text contains a quotation word for word, and what such a quotation must not leave out.

The words of a quotation can all be there and still say something else, because of where it begins,
ends or is joined: right after a denial (不得将|房屋转租), after a preposition that makes its first name
the receiver (甲方应向|乙方支付), right before a limit (一万元|以上), or with parts of two sentences. Such a
quotation is not verbatim, and ``cut_reasons`` says why.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from assay.scorers.evidence.contract_word import ROLE_ZH, denial
from assay.scorers.evidence.plain import Plain, plain
from assay.scorers.evidence.qualifier import cut_rank, omitted_qualifier
from assay.scorers.evidence.sign import Sign, changed_sign
from assay.scorers.evidence.token import tokens
from assay.scorers.evidence.unit import read
from assay.text import HAN
from assay.text.lexicon import alternatives, entry, lazy_pattern, word_list

MIN_SPACED: Final = 12
"""A quotation with other spaces than its source must have so many letters."""
MAX_PLACES: Final = 24
"""So many places of a part of a quotation are tried."""
MIN_AFTER_NAME: Final = 2
"""A quotation says what a name does if so many units follow the name."""
_DENIAL_REACH: Final = 48
_PART_REACH: Final = 80
_OMITTED_REACH: Final = 400

_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_BETWEEN_HAN: Final = re.compile(rf"(?<=[{HAN}])\n(?=[{HAN}])")


def _carried() -> str:
    words = "|".join(word_list("negation.carrier"))
    return rf"(?:\n(?:{words})){{0,4}}"


# Chinese text is split into characters here, so a denial may consist of the last two of them.
_DENIED: Final = lazy_pattern(
    lambda: rf"\n(?P<denial>{denial()}|[不未无没]\n[得能予应经须需有权准许可]){_carried()}\Z",
    re.NOFLAG,
)
_RANKED: Final = lazy_pattern(
    lambda: (
        rf"(?<![{entry('zh', 'name.before_measure')}])\n(?:{'|'.join(word_list('name.open_ranks'))})\Z"
    ),
    re.NOFLAG,
)
_DENIAL_NEXT: Final = lazy_pattern(lambda: rf"\n(?:{denial()})\n", re.NOFLAG)
_FORBIDDEN: Final = lazy_pattern(lambda: entry("zh", "negation.prohibition"), re.NOFLAG)
_AIMED: Final = lazy_pattern(lambda: rf"\n(?:{entry('zh', 'name.aimed')})\Z", re.NOFLAG)
_LIMIT_NEXT: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('comparator.limit_after_most')}|{alternatives('comparator.limit_after_least')})(?!\w)"
        rf"|(?:{entry('zh', 'comparator.limit_after_most')}|{entry('zh', 'comparator.limit_after_least')})"
    ),
    re.NOFLAG,
)
_SEVERAL: Final = lazy_pattern(lambda: entry("zh", "qualifier.one_of_several"), re.NOFLAG)
_SUPERLATIVE: Final = lazy_pattern(lambda: entry("zh", "qualifier.superlative"), re.NOFLAG)
_OMISSION: Final = re.compile(r"[\[(<]?(?:…+|\.{3,})[\])>]?")


def is_verbatim(evidence: str, text: str) -> bool:
    """Whether ``text`` contains the words of ``evidence`` one after another.

    Punctuation and case are ignored. Dots may stand for words that are left out, within a sentence or
    from the end of one to the beginning of another. An occurrence right after a denial does not count,
    because the sentence then says the opposite; a denial right after dots must not be left out either.

    >>> is_verbatim("ＰＡＹ, on delivery", "They pay on delivery."), is_verbatim("art", "start")
    (True, False)
    >>> is_verbatim("part is refundable", "No part is refundable")
    False
    >>> is_verbatim("They pay … in cash", "They pay the full price on delivery and in cash.")
    True
    """
    parts = _parts(evidence)
    source = plain(text)
    if not parts:
        return False
    placed = _placed(parts, source)
    if placed.stretch is not None:
        return True
    return (
        placed.objection is None and len(parts) == 1 and _is_spaced_otherwise(parts[0][1], source)
    )


def verbatim_words(evidence: str, text: str) -> tuple[int, int] | None:
    """The first word of ``text``, and the word after the last, that ``evidence`` quotes verbatim.

    The words are those of ``plain``; ``None`` if the quotation is not verbatim.

    >>> verbatim_words("on delivery", "They pay on delivery.")
    (2, 4)
    """
    source = plain(text)
    stretch = _placed(_parts(evidence), source).stretch
    if stretch is None:
        return None
    start, stop = (source.words.count("\n", 0, place) for place in stretch)
    return start, stop


def cut_reasons(evidence: str, text: str) -> tuple[str, ...]:
    """Why the words of ``evidence``, which ``text`` contains, are no quotation of it; or nothing.

    >>> cut_reasons("房屋转租给第三方", "乙方不得将房屋转租给第三方。")
    ('denial dropped: 不得',)
    >>> cut_reasons("The Buyer ... liable for delays", "The Buyer pays. The Seller is liable for delays.")
    ('parts of different sentences joined: liable for delays',)
    """
    placed = _placed(_parts(evidence), plain(text))
    return () if placed.stretch is not None or not placed.objection else (placed.objection,)


def _parts(evidence: str) -> list[tuple[str, Plain]]:
    """The parts of a quotation between dots that stand for omitted words."""
    pieces = _OMISSION.split(evidence) if _OMISSION.search(evidence) else [evidence]
    return [(piece, found) for piece in pieces if (found := plain(piece)).words.strip()]


class _Placed(NamedTuple):
    """Where the source has a quotation: the offsets of its beginning and end, or the first objection."""

    stretch: tuple[int, int] | None
    objection: str | None


def _placed(parts: Sequence[tuple[str, Plain]], source: Plain) -> _Placed:
    """Where the source has all parts, in order, and nothing speaks against it.

    Of each part, so many places are tried, from the first end of the part before on, that the time
    grows with the number of parts.
    """
    reached: dict[int, int] = {0: -1}  # where a part can end, and where its first part then begins
    first: str | None = None
    for index, (piece, part) in enumerate(parts):
        ends: dict[int, int] = {}
        for place in _places(part.words, source.words, min(reached)):
            objection = _objection(piece, part, source, place)
            before = None
            if objection is None:
                before, objection = _end_before(piece, source, reached, place, is_first=not index)
            if before is None:
                first = first if first is not None else objection
            else:
                begin = reached[before] if index else place
                ends.setdefault(place + len(part.words) - 1, begin)
        if not ends:
            return _Placed(None, first)
        reached = ends
    end = min(reached)
    return _Placed((reached[end], end) if parts else None, first)


def _end_before(
    piece: str, source: Plain, ends: Iterable[int], place: int, *, is_first: bool
) -> tuple[int | None, str | None]:
    """The end of the part before from which dots may reach to ``place``, or why there is none."""
    first: str | None = None
    for end in ends:
        if end > place:
            break
        objection = None if is_first else _omission_objection(piece, source, end, place)
        if objection is None:
            return end, None
        first = first or objection
    return None, first


def _omission_objection(piece: str, source: Plain, end: int, start: int) -> str | None:
    """Why dots must not stand for the words from ``end`` to ``start``; or ``None``."""
    if start > end and (found := _DENIAL_NEXT.match(source.words, end)) is not None:
        return f"denial dropped: {found.group().strip()}"
    if _crosses(source, end, start):
        return f"parts of different sentences joined: {piece.strip()}"
    if 0 < start - end <= _OMITTED_REACH:
        qualifier = omitted_qualifier(
            _spaced(source.words[end:start]),
            joins_before=not _has(source.marks, end),
            joins_after=not _has(source.marks, start),
        )
        return None if qualifier is None else f"qualifier dropped: {qualifier}"
    return None


def _spaced(words: str) -> str:
    """Words as a text, Chinese characters without spaces between them."""
    return _BETWEEN_HAN.sub("", words.strip()).replace("\n", " ")


def _places(words: str, text_words: str, start: int) -> Iterator[int]:
    place = text_words.find(words, start)
    for _ in range(MAX_PLACES):
        if place < 0:
            return
        yield place
        place = text_words.find(words, place + 1)


def _crosses(source: Plain, end: int, start: int) -> bool:
    """Whether a sentence ends between two parts, in the middle of one and before that of another."""
    between = source.stops[bisect_left(source.stops, end) : bisect_left(source.stops, start + 1)]
    return bool(between) and end not in between and start not in between


def _objection(piece: str, part: Plain, source: Plain, place: int) -> str | None:
    """Why the words at this place say something else than they do alone; or ``None``.

    The reason is empty if it says nothing about the quotation as a whole.
    """
    stop = place + len(part.words) - 1
    inner = source.stops[bisect_right(source.stops, place) : bisect_left(source.stops, stop)]
    if not _has(source.stops, place):
        # If the quotation runs on to the next sentence, its first words are not what it is about.
        turned = _turned(source.words, place)
        if turned is not None:
            return turned if not inner else ""
        changed = None if inner else _role_or_prohibition(piece, source, place)
        if changed is not None:
            return changed
    if _runs_on(part, source, place, inner):
        return f"parts of different sentences joined: {piece.strip()}"
    return _cut_limit(piece, source, stop) or _other_sign(part, source, place)


def _other_sign(part: Plain, source: Plain, place: int) -> str | None:
    """A number of the quotation with other signs than in the source: $500 for €500, 5 for -5."""
    quoted = dict(part.signs)
    original = {at - place: sign for at, sign in _signs_within(source, place, len(part.words) - 1)}
    for at in sorted(quoted.keys() | original.keys()):
        bare = Sign(part.words[at + 1 : part.words.index("\n", at + 1)])
        reason = changed_sign(quoted.get(at, bare), original.get(at, bare))
        if reason is not None:
            return reason
    return None


def _signs_within(source: Plain, start: int, size: int) -> Sequence[tuple[int, Sign]]:
    first = bisect_left(source.signs, start, key=lambda placed: placed[0])
    last = bisect_left(source.signs, start + size, key=lambda placed: placed[0])
    return source.signs[first:last]


def _role_or_prohibition(piece: str, source: Plain, place: int) -> str | None:
    """A Chinese prohibition or preposition before the words that changes what they say."""
    before = _before_in_part(source, place)
    if (found := _FORBIDDEN.search(before)) is not None and _says_deed(piece):
        return f"denial dropped: {found['denial']}"
    if _AIMED.search(source.words, max(0, place - 2), place) and _begins_with_actor(piece):
        name = piece.strip()[:MIN_AFTER_NAME]
        return f"party changed: {before[-1:]}{name} -> {name}"
    return None


def _turned(text_words: str, place: int) -> str | None:
    """A denial right before a place, or a rank: a deputy director is no director, the second no first."""
    reach = max(0, place - _DENIAL_REACH)
    if (found := _DENIED.search(text_words, reach, place)) is not None:
        return f"denial dropped: {''.join(found['denial'].split())}"
    if (rank := _RANKED.search(text_words, reach, place)) is not None:
        return f"title changed: {rank.group().strip()} -> -"
    after = text_words[place : place + _DENIAL_REACH]
    place_on_scale = cut_rank(_spaced(text_words[reach:place]), _spaced(after))
    return None if place_on_scale is None else f"qualifier dropped: {place_on_scale}"


def _before_in_part(source: Plain, place: int) -> str:
    """The characters before a place, back to the last mark."""
    reach = max(0, place - _PART_REACH)
    mark = bisect_right(source.marks, place) - 1
    first = max(reach, source.marks[mark]) if mark >= 0 else reach
    return source.words[first:place].replace("\n", "")


def _says_deed(piece: str) -> bool:
    """Whether Chinese words say what is done: a verb, or a preposition of its object."""
    return any(
        unit.tag.startswith(("v", "p")) or unit.key in entry("zh", "name.before_object")
        for unit in read(piece).units
    )


def _begins_with_actor(piece: str) -> bool:
    """Whether a quotation begins with a party or a person, and says what it does."""
    text = read(piece)
    role = ROLE_ZH.match("".join(unit.key for unit in text.units if unit.is_han))
    size = len(role.group()) if role else 0
    while not role and size < len(text.units) and text.units[size].tag.startswith("nr"):
        size += 1
    after = text.units[size : size + MIN_AFTER_NAME]
    return size > 0 and len(after) == MIN_AFTER_NAME and after[0].tag.startswith(("v", "d"))


def _runs_on(part: Plain, source: Plain, place: int, inner: Sequence[int]) -> bool:
    """Whether the end of a sentence and the beginning of the next one are quoted as one.

    Whole sentences can lose their marks when they are copied; parts of two are joined. ``inner`` are
    the places where a sentence begins within the quotation.
    """
    stop = place + len(part.words) - 1
    if not inner or place == 0 or _has(source.stops, place):
        return False
    if stop == len(source.words) - 1 or _has(source.stops, stop):
        return False
    marks = frozenset(part.marks)
    return any(offset - place not in marks for offset in inner)


def _has(ordered: Sequence[int], value: int) -> bool:
    """Whether an ordered sequence contains a value."""
    at = bisect_left(ordered, value)
    return at < len(ordered) and ordered[at] == value


def _cut_limit(piece: str, source: Plain, stop: int) -> str | None:
    """A limit right after a value with which the quotation ends, or 之一 after a superlative: 一万元|以上."""
    after = source.words[stop : stop + 24].split("\n")[1:4]
    text = ("" if after and re.match(f"[{HAN}]", after[0]) else " ").join(after)
    if (several := _SEVERAL.match(text)) is not None and _SUPERLATIVE.search(piece):
        return f"qualifier dropped: {several.group()}"
    limit = _LIMIT_NEXT.match(text)
    if limit is None:
        return None
    found = tokens(piece)
    if len(found) > 1 and found[-1].kind in {"number", "date"}:
        return f"limit dropped: {limit.group()} ({found[-1].form})"
    return None


def _is_spaced_otherwise(part: Plain, source: Plain) -> bool:
    """Whether only the spaces inside of words differ, as after reading a printed page.

    Numbers and denials must stand as they are, unless all characters are spaced.
    """
    words, text_words = part.words, source.words
    bare, text = words.replace("\n", ""), text_words.replace("\n", "")
    place = text.find(bare) if len(bare) >= MIN_SPACED else -1
    if place < 0:
        return False
    offsets = [index for index, letter in enumerate(text_words) if letter != "\n"]
    start, end = offsets[place], offsets[place + len(bare) - 1] + 1
    if text_words[start - 1] != "\n" or text_words[end] != "\n":
        return False
    if _turned(text_words, start - 1) is not None:
        return False
    original_signs = [sign for _, sign in _signs_within(source, start - 1, end - start)]
    if len(part.signs) != len(original_signs) or any(
        changed_sign(quoted, sign) is not None
        for (_, quoted), sign in zip(part.signs, original_signs, strict=True)
    ):
        return False
    if words.count("\n") > len(bare):
        return True
    original = text_words[start - 1 : end + 1]
    return all(kept.findall(words) == kept.findall(original) for kept in (_NUMBER, _DENIAL_NEXT))
