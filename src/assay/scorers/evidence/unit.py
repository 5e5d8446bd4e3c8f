"""The units by which a quotation is compared with its source: Chinese characters and words."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from assay.scorers.evidence.han import simplified_han
from assay.text import HAN, normalised, stem, tagged_words

_TITLE: Final = 4
"""A capitalised word of so few letters before a point may be a title."""
_UNIT: Final = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{HAN}]|[^\W{HAN}_]+")
_HAN_CHARACTER: Final = re.compile(f"[{HAN}]")
_SENTENCE_END: Final = ".!?。！？…:;"


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


class Read(NamedTuple):
    """A text with its units and their keys."""

    text: str
    units: tuple[Unit, ...]
    keys: tuple[str, ...]


# Cached because several quotations are compared with the same passages.
@lru_cache(maxsize=2048)
def read(text: str) -> Read:
    """The units of ``text``."""
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
    return Read(plain, tuple(units), tuple(unit.key for unit in units))


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
