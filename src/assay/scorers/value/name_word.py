"""Capitalised words that are not names: titles, months, and words that begin a sentence."""

from functools import cache

from assay.text.lexicon import word_list


@cache
def titles() -> frozenset[str]:
    """Words before a name that are not part of the name, in lower case."""
    return frozenset(word_list("name.titles"))


@cache
def not_names() -> frozenset[str]:
    """Words that are written with a capital letter but are not names, in lower case."""
    return frozenset(word_list("name.not_names"))


@cache
def _starters() -> frozenset[str]:
    return frozenset(word_list("name.starters"))


def is_starter(word: str) -> bool:
    """Whether a word often begins a sentence and is not a name, or is an adverb in -ly.

    >>> is_starter("Unfortunately"), is_starter("Marcus")
    (True, False)
    """
    folded = word.lower().replace("ё", "е")
    return folded in _starters() or (folded.isascii() and folded.endswith("ly"))
