"""Synonyms in contracts, in three languages, and stop words.

The thesaurus is in the lexicon: each line of ``contract.synonyms`` contains words that can
replace each other in a contract. Russian and English words are compared by their stems, so one
form of each word is enough. The lines are general usage: shall and must, refund and return,
расторгнуть and прекратить, 退还 and 返还.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from assay.text import stem
from assay.text.lexicon import entry, expressions, word_list


@cache
def concepts() -> dict[str, str]:
    """Map each stem or Chinese word of the thesaurus to the first word of its line.

    >>> concepts()[stem("refund")] == concepts()[stem("returned")]
    True
    """
    heads: dict[str, str] = {}
    for line in _lines("en", "ru"):
        first = stem(line[0])
        for word in line:
            heads.setdefault(stem(word), first)
    for line in _lines("zh"):
        for word in line:
            heads.setdefault(word, line[0])
    return heads


@cache
def stop_stems() -> frozenset[str]:
    """The English and Russian stop words, as stems and as they are written."""
    stop_words = word_list("contract.stop_words")
    return frozenset(map(stem, stop_words)) | frozenset(stop_words)


@cache
def _stop_characters() -> frozenset[str]:
    return frozenset(entry("zh", "contract.stop_characters"))


@lru_cache(maxsize=1 << 14)
def is_stop(word: str) -> bool:
    """Whether a stem or a Chinese word carries no meaning of its own."""
    return word in stop_stems() or all(character in _stop_characters() for character in word)


@lru_cache(maxsize=1 << 14)
def concept(word: str) -> str:
    """The key for comparing a stem or a Chinese word: the first word of its line, or itself.

    The stems of one Russian verb can differ (компенсирова, компенсир), so a long Russian word
    that is not in the thesaurus is looked up by its first letters.

    >>> concept(stem("компенсируют")) == concept(stem("возмещение"))
    True
    """
    head = concepts().get(word)
    if head or len(word) <= _PREFIX_LENGTH:
        return head or word
    return _prefix_heads().get(word[:_PREFIX_LENGTH], word)


_PREFIX_LENGTH: Final = 5


@cache
def _prefix_heads() -> dict[str, str]:
    """Map the beginning of long Russian stems to their line, if only one line has it."""
    prefixes: dict[str, set[str]] = {}
    for word, head in concepts().items():
        if len(word) >= _PREFIX_LENGTH and "а" <= word[0] <= "я":
            prefixes.setdefault(word[:_PREFIX_LENGTH], set()).add(head)
    return {prefix: heads.pop() for prefix, heads in prefixes.items() if len(heads) == 1}


def _lines(*languages: str) -> Iterator[list[str]]:
    for text in expressions("contract.synonyms", *languages):
        yield from (line.split() for line in text.splitlines())
