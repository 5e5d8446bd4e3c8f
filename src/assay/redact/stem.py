"""Where the beginnings of words are that expressions look around: one pass for all of them.

To look for several hundred stems one by one takes longer than all expressions together. RE2, which the
extra ``redact`` installs, finds them in one pass, whose time does not depend on their number. Errors are
masked without the extra too: they are short, and Python finds the same stems at a tenth of the speed.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final

from assay.redact.error_text import KEYS
from assay.text.lexicon import word_list

_ANYWHERE: Final = ("secret", "password", "key", "birth", "born", "messenger")
"""Lists whose expressions find values without a digit."""
_NEAR_DIGITS: Final = (
    *(
        "passport",
        "plate",
        "vehicle",
        "born_sign",
        "street",
        "european",
        "english",
        "phone",
        "box",
        "mac",
        "pin",
        "card_number",
        "messenger_number",
        "account",
        "ssn",
    ),
)
_SECRET: Final = ("key", "secret", "token", "passw", "pwd", "bearer", "authorization")
_DIGIT: Final = re.compile("[0-9]")
_REACH: Final = 200
"""How far from a digit a stem may be."""
_PART: Final = 256


def matches_near(
    pattern: re.Pattern[str],
    text: str,
    stems: str,
    before: int,
    after: int,
    *,
    needs: re.Pattern[str] = _DIGIT,
) -> Iterator[re.Match[str]]:
    """The matches of ``pattern`` that lie near a stem of the list ``stems``.

    Each of them has what ``needs`` finds.

    >>> [match[0] for match in matches_near(re.compile("[a-z]+:"), "a: " * 9 + "Key: 1", "secret", 0, 9)]
    ['ey:']
    """
    places = stem_places(text)
    if places is None:
        yield from pattern.finditer(text)
        return
    end = 0
    for start, stop in _around(places.get(stems, ()), before, after):
        if not needs.search(text, start, stop):
            continue
        for match in pattern.finditer(text, max(start, end), stop):
            yield match
            end = match.end()


def has_stem(text: str, stems: str, start: int = 0, end: int | None = None) -> bool:
    """Whether a stem of the list begins between ``start`` and ``end``.

    >>> has_stem("call me at 5", "phone"), has_stem("call me at 5", "phone", 2)
    (True, False)
    """
    found = stem_places(text)
    if found is None:
        return True
    places = found.get(stems, [])
    at = bisect_left(places, start)
    return at < len(places) and (end is None or places[at] < end)


@lru_cache(maxsize=1)  # the finders ask for the same text one after the other
def stem_places(text: str) -> dict[str, list[int]] | None:
    """Where the stems of each list are, in small letters; None if letters change their length."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters become two
        return None
    places: dict[str, list[int]] = {}
    _find_stems(lowered, 0, len(lowered), _ANYWHERE, places)
    for start, end in _parts_with_digits(text):
        _find_stems(lowered, start, end, _NEAR_DIGITS, places)
    return places


def _find_stems(
    lowered: str, begin: int, end: int, names: tuple[str, ...], places: dict[str, list[int]]
) -> None:
    """Add where the stems of the lists are between ``begin`` and ``end``."""
    search, lists = _expression(names).search, _lists(names)
    data = lowered[begin:end].encode("utf-8", "replace")  # half a character becomes one sign
    at, passed, place = 0, 0, begin
    while (match := search(data, at)) is not None:
        start, stop = match.span()
        place += len(data[passed:start].decode())
        passed = start
        for name in lists[data[start:stop]]:
            places.setdefault(name, []).append(place)
        at = start + 1


def _parts_with_digits(text: str) -> Iterator[tuple[int, int]]:
    """Parts outside of which no stem is near a digit; they do not overlap."""
    start = stop = -1
    for part in range(0, len(text), _PART):
        if not _DIGIT.search(text, part, part + _PART):
            continue
        if stop < 0 or part - _REACH > stop:
            if stop >= 0:
                yield start, stop
            start = max(0, part - _REACH)
        stop = part + _PART + _REACH
    if stop >= 0:
        yield start, stop


def _around(places: Any, before: int, after: int) -> Iterator[tuple[int, int]]:
    """The parts around the places, joined where they overlap."""
    start = stop = -1
    for place in places:
        if stop < 0 or place - before > stop:
            if stop >= 0:
                yield start, stop
            start = max(0, place - before)
        stop = place + after
    if stop >= 0:
        yield start, stop


@cache
def _stems(name: str) -> tuple[str, ...]:
    """The stems of a list; "_" stands for a space."""
    secret = word_list("redact.secret")
    fixed = {
        "secret": (*_SECRET, *secret),
        "password": (*secret, *word_list("redact.password_stem")),
        "key": tuple(literal.lower() for literal, _ in KEYS),
        "box": ("box",),
    }
    if name == "key":  # their "_" is no space
        return fixed["key"]
    words = fixed.get(name) or word_list(f"redact.{name}_stem")
    return tuple(word.replace("_", " ") for word in words)


@cache
def _lists(names: tuple[str, ...]) -> dict[bytes, tuple[str, ...]]:
    """For each stem, the lists that have it or a stem with which it begins."""
    stems = {stem for name in names for stem in _stems(name)}
    return {
        stem.encode(): tuple(name for name in names if stem.startswith(_stems(name)))
        for stem in stems
    }


@cache
def _expression(names: tuple[str, ...]) -> Any:
    longest_first = sorted(map(bytes.decode, _lists(names)), key=len, reverse=True)
    expression = "|".join(map(re.escape, longest_first)).encode()
    # loaded with the first text: a command without redaction does not need it
    try:
        import re2  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError:
        return re.compile(expression)
    options = re2.Options()
    options.longest_match = True
    options.never_capture = True
    return re2.compile(expression, options)
