"""Names of laws: the key by which two spellings are compared, and the short names of a law.

Examples: 《中华人民共和国民法典》 and 民法典; Гражданского кодекса Российской Федерации and ГК РФ;
Sale of Goods Act 1979 and Sale of Goods Act.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.text import HAN, normalised, simplified, words
from assay.text.lexicon import alternatives, expressions, lazy_pattern

Key = tuple[str, ...]

YEAR: Final = re.compile("[12][0-9]{3}")
QUOTES: Final = re.compile("[«»“”„\"'「」《》〈〉]")
_STATE: Final = lazy_pattern(lambda: alternatives("law.state", "ru"))
_PART: Final = lazy_pattern(lambda: rf"[\s,(]*\b(?:{alternatives('law.part', 'ru')})\b\)?")
_HAN: Final = re.compile(f"[{HAN}]")
_YEAR_HAN: Final = re.compile(r"\s*[(（][^()（）]*(?:\d{4}|修正|修订)[^()（）]*[)）]\Z")
_IGNORED_WORDS: Final = frozenset(("the", "of"))
_WORD: Final = re.compile(r"[^\W_]+")


def name_key(name: str) -> Key:
    """The key for comparing names of laws: stems, without quotation marks, case and ё.

    A Chinese name is kept as one word, without 中华人民共和国 at its beginning and without the
    year of a revision at its end. The parts of a Russian code share its articles and its key.

    >>> name_key("Хозяйственного кодекса «Северной области»") == name_key("Хозяйственный кодекс Северной области")
    True
    >>> name_key("《中华人民共和国民法典》") == name_key("民法典")
    True
    >>> name_key("Налоговый кодекс Российской Федерации (часть вторая)") == name_key("Налоговый кодекс РФ")
    True
    """
    plain = QUOTES.sub(" ", normalised(simplified(name), fold_case=True)).strip()
    plain = _YEAR_HAN.sub("", plain.removeprefix("中华人民共和国"))
    if _HAN.search(plain):
        return ("".join(plain.split()),)
    plain = _PART.sub("", _STATE.sub(_state(), plain))
    return tuple(word for word in words(plain) if word not in _IGNORED_WORDS)


def short_keys(name: str) -> Iterator[Key]:
    """The keys of other names that a longer text may begin with.

    They are the name without its year, its usual abbreviation (КоАП РФ), or the full name if
    ``name`` is the abbreviation; a name without a usual abbreviation has its initials instead.

    >>> ("гк", "рф") in short_keys("Гражданский кодекс Российской Федерации")
    True
    >>> list(short_keys("Harbour Contracts Act"))
    [('hca',)]
    """
    key = name_key(name)
    if key and YEAR.fullmatch(key[-1]):
        yield key[:-1]
    bare = stateless_key(key)
    others = _abbreviations().get(bare, ())
    has_state = bare != key
    for each in (bare, *others):
        if has_state:
            yield (*each, _state())
            yield (each[0], _state(), *each[1:])
        elif each != bare:
            yield each
    if not others and (initials := _initials(name)):
        yield initials


def stateless_keys(name: str) -> Iterator[Key]:
    """The keys of ``name`` and of its short names without the state: ГК, Гражданский кодекс.

    They name the law only if nothing follows, because the code of another state begins so too.

    >>> list(stateless_keys("Harbour Contracts Act")), ("гк",) in stateless_keys("ГК РФ")
    ([], True)
    """
    for key in (name_key(name), *short_keys(name)):
        if (bare := stateless_key(key)) != key:
            yield bare


def stateless_key(key: Key) -> Key:
    """The key without the state, unless nothing else is left."""
    return tuple(word for word in key if word != _state()) or key


def abbreviations() -> str:
    """The usual abbreviations of Russian laws as alternatives of an expression, longest first."""
    short = (pair.partition("/")[0] for pair in expressions("law.abbreviation", "ru"))
    return "|".join(sorted(short, key=len, reverse=True))


@cache
def _abbreviations() -> dict[Key, tuple[Key, ...]]:
    """For the key of each abbreviation and of each name that it stands for, the other keys."""
    table: dict[Key, tuple[Key, ...]] = {}
    for pair in expressions("law.abbreviation"):
        short, _, full = map(name_key, pair.partition("/"))
        for key, other in ((short, full), (full, short)):
            table[key] = (*table.get(key, ()), other)
    return table


def _initials(name: str) -> Key | None:
    """The key of the initials of a name, with its place (ГК РФ, GDPR); ``None`` if it has none."""
    if _HAN.search(name):
        return None
    words_of_name = [
        word
        for word in _WORD.findall(_PART.sub("", _STATE.sub(_state().upper(), name)))
        if not YEAR.fullmatch(word)
    ]
    place = [word for word in words_of_name[1:] if word.isupper()]
    spelt = [word for word in words_of_name if word not in place]
    initials = "".join(word[0] for word in spelt if word[0].isupper() or len(word) > 3)
    return name_key(" ".join([initials, *place])) if len(initials) > 1 else None


def _state() -> str:
    """How names of laws shorten the state."""
    return alternatives("law.state_short", "ru")
