"""Whether two Russian words are forms of one word.

A stemmer cuts the end of a word without knowing its class, so it takes the first form of many
names for another form: it reads «Иванов» as a plural of «Иван», and «Роман» as a verb. Two words
are therefore also compared by the declensions of the lexicon: they are the same if both are one
base with two endings of one declension.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from assay.text.lexicon import entry, lazy_pattern
from assay.text.normalise import normalised
from assay.text.search_term import stem

_SHORTEST_BASE: Final = 3
_SHORTEST_CHANGING: Final = 2
_SURNAME: Final = lazy_pattern(lambda: str(entry("ru", "inflection.surname")))


@lru_cache(maxsize=1 << 15)
def same_word(first: str, second: str) -> bool:
    """Whether two Russian words, written as in the text, are forms of one word.

    A word with a capital letter and the ending of a surname is a surname, never a plural of the
    name or thing it comes from.

    >>> same_word("Иванов", "Ивановым"), same_word("Иванов", "Иван"), same_word("дом", "домов")
    (True, False, True)
    """
    a, b = (normalised(word, fold_case=True) for word in (first, second))
    if a == b:
        return True
    if a[:1] != b[:1]:
        return False
    surnames = [
        (name, other)
        for word, name, other in ((first, a, b), (second, b, a))
        if word[:1].isupper() and _SURNAME.search(name)
    ]
    if surnames:
        return any(_follows(name, other) for name, other in surnames)
    return stem(a) == stem(b) or _share_declension(a, b) or _share_changing_base(a, b)


def _follows(name: str, other: str) -> bool:
    """Whether ``other`` is a name that has no ending, with an ending."""
    return other.startswith(name) and any(
        "" in endings and other[len(name) :] in endings for endings in _declensions()
    )


def _share_declension(a: str, b: str) -> bool:
    return any(
        size >= _SHORTEST_BASE and a[:size] == b[:size] and b[size:] in endings
        for endings in _declensions()
        for size in _base_sizes(a, endings)
    )


def _base_sizes(word: str, endings: frozenset[str]) -> Iterator[int]:
    """The lengths of what is left of a word without each of the endings that it has."""
    return (len(word) - len(ending) for ending in endings if word.endswith(ending))


def _share_changing_base(a: str, b: str) -> bool:
    """Whether one of them is a first form whose base changes, and the other has that base."""
    return any(
        other.startswith(base) and other[len(base) :] in _changed_endings()
        for word, other in ((a, b), (b, a))
        for base in _changed_bases(word)
    )


def _changed_bases(word: str) -> Iterator[str]:
    """What a first form may become before an ending: «Павел» becomes «Павл».

    >>> list(_changed_bases("павел"))
    ['павл']
    """
    irregular, changing = _changes()
    if word in irregular:
        yield irregular[word]
        return
    for end, changed in changing:
        base = word.removesuffix(end)
        if len(base) < len(word) and len(base) >= _SHORTEST_CHANGING:
            yield base + changed


@cache
def _declensions() -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(ending.strip("-") for ending in line.split())
        for line in entry("ru", "inflection.declensions")
    )


@cache
def _changed_endings() -> frozenset[str]:
    return frozenset(str(entry("ru", "inflection.changed_endings")).split())


@cache
def _changes() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """The first forms that change in their own way, and the ends that change in all words."""
    irregular, changing = (
        [(first, changed) for first, changed in map(str.split, entry("ru", f"inflection.{key}"))]
        for key in ("irregular", "changing")
    )
    return dict(irregular), tuple(changing)
