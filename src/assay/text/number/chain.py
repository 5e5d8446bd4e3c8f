"""Chains of number words: the words of a text that may be parts of one number, in a row."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

from assay.text.lexicon import alternatives, expressions, word_list
from assay.text.number.candidate import ONE

HALF: Final = Decimal("0.5")
_WORD: Final = re.compile(r"[A-Za-z\u0400-\u04ff]+")
_BETWEEN: Final = re.compile(r"[ \t]*-?\s?\Z")
_ISH: Final = "ish"
"""The ending of an approximate number: fiftyish."""
_ROUNDED: Final = frozenset(("words", "scales", "hundred"))
JOINING: Final = frozenset(("and", "article", "of", "link", "point"))
SCALING: Final = frozenset(("scales", "groups", "scores", "hundred"))


class Word(NamedTuple):
    """A word of a chain; ``kind`` is the table of the lexicon that contains it.

    ``comma`` is true if a comma separates the word from the one before it.
    """

    start: int
    end: int
    text: str
    kind: str
    value: Decimal
    comma: bool


class Result(NamedTuple):
    """A number that ends before word ``following``; it has no value if it cannot be read."""

    following: int
    end: int
    value: Decimal | None
    scale: Decimal = ONE
    approximate: bool = False


@cache
def _vocabulary() -> dict[str, tuple[str, Decimal]]:
    """The kind and the value of each word that may be part of a number."""
    vocabulary: dict[str, tuple[str, Decimal]] = {}
    for kind in ("and", "article", "of", "link", "point", "half"):
        for word in word_list(f"number.{kind}"):
            vocabulary[word] = (kind, HALF)
    for kind in (
        "words",
        "scales",
        "groups",
        "scores",
        "hundred",
        "whole",
        "fraction",
        "fractions",
    ):
        for table in expressions(f"number.{kind}"):
            for value, *forms in map(str.split, filter(None, table.splitlines())):
                vocabulary.update(dict.fromkeys(forms, (kind, Decimal(value))))
                if kind in _ROUNDED:
                    about = (f"{form}{_ISH}" for form in forms if form.isascii())
                    vocabulary.update(dict.fromkeys(about, (kind, Decimal(value))))
    return vocabulary


@cache
def vocabulary_of_numbers() -> frozenset[str]:
    """The words that are numbers, without those that only join them."""
    return frozenset(word for word, (kind, _) in _vocabulary().items() if kind not in JOINING)


@cache
def words_for_one() -> frozenset[str]:
    """The forms of "one"."""
    return frozenset(word for word, entry in _vocabulary().items() if entry == ("words", ONE))


@cache
def complete_alone() -> frozenset[str]:
    """Words that multiply and are numbers by themselves: the singular means one thousand."""
    return frozenset(word_list("number.alone"))


@cache
def _bounds() -> dict[str, re.Pattern[str]]:
    """What must follow words that are numbers only in some places: five grand, two grand pianos."""
    return {
        word: re.compile(alternatives(f"number.bounded.{word}", "en"), re.IGNORECASE)
        for word in ("grand", "score", "gross", "nil")
    }


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word_list("number.scale_abbreviation"))


def chains(text: str) -> Iterator[list[Word]]:
    """Yield the longest sequences of words that may be part of a number and contain one."""
    vocabulary = _vocabulary()
    chain: list[Word] = []
    has_number = False
    for match in _WORD.finditer(text):
        word = match.group().lower()
        entry = vocabulary.get(word)
        if entry and word in _bounds() and not _bounds()[word].match(text, match.start()):
            entry = None
        separator = _separator(text, chain[-1], match.start()) if chain and entry else None
        if chain and separator is None:
            if has_number:
                yield chain
            chain, has_number = [], False
        if entry is not None:
            kind, value = entry
            has_number = has_number or kind not in JOINING
            word = word.removesuffix(_ISH)
            end = match.start() + len(word)
            chain.append(Word(match.start(), end, word, kind, value, separator == ","))
    if has_number:
        yield chain


def _separator(text: str, before: Word, start: int) -> str | None:
    """What is between two words of one chain: nothing or a comma; ``None`` if anything else."""
    between = text[before.end : start]
    if _BETWEEN.match(between) or (between == ". " and before.text in _abbreviations()):
        return ""
    return "," if between == ", " and before.kind == "scales" and before.text.isascii() else None
