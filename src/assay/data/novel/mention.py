"""Find the sentences of a novel that mention a phrase.

A mention is a broader match than what a scorer accepts as an answer, because a filler sentence
that nearly reveals the answer spoils a case too. Words match regardless of case and ending
(Russian and English words are compared by stem), punctuation and white space are ignored,
Chinese is compared by characters, and numbers are compared by value. Only whole words match. A
phrase that continues over the end of a sentence is not found.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final

from assay.text import HAN, normalised, numbers, stem, words

_WORD: Final = re.compile(rf"[^\W{HAN}]+")
_PUNCTUATION: Final = re.compile(r"[^\w ]+|_")
_SPACES: Final = re.compile(r" {2,}")
_HAN_SPACE: Final = re.compile(rf"(?<=[{HAN}]) +(?=[{HAN}]|\Z)|\A +(?=[{HAN}])")
_HAN: Final = re.compile(f"[{HAN}]")
_stem: Final = lru_cache(maxsize=1 << 16)(stem)


class Mentions:
    """A search in the sentences of one novel. The index is built by the first search."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._results: dict[str, Sequence[int]] = {}

    def of(self, phrase: str) -> Sequence[int]:
        """The indexes of the sentences that mention ``phrase``, in order.

        A phrase without a letter or digit has no mentions.

        >>> Mentions(["Он жил в Москве.", "Прошло 12 лет.", "Двенадцать дней."]).of("Москва")
        array('I', [0])
        >>> Mentions(["Он жил в Москве.", "Прошло 12 лет.", "Двенадцать дней."]).of("12")
        array('I', [1, 2])
        """
        units = self._results.get(phrase)
        if units is None:
            matches = set(self.containing(phrase))
            if numbers(phrase):
                matches.update(self._numeric.containing(_numeric_form(phrase)))
            units = self._results[phrase] = array("I", sorted(matches))
        return units

    def containing(self, text: str) -> list[int]:
        """Like ``of``, but compare numbers as they are written, which suffices for quotations."""
        return list(self._literal.containing(_form(text)))

    def copies(self, first: int, last: int) -> Sequence[int]:
        """Sentences elsewhere that repeat the sentences from ``first`` up to ``last``."""
        return self._literal.copies(first, last)

    @cached_property
    def _literal(self) -> "_Forms":
        return _Forms(self._sentences, _form)

    @cached_property
    def _numeric(self) -> "_Forms":
        # Parsing numbers takes several times longer than the rest, and most phrases have none.
        return _Forms(self._sentences, _numeric_form)


class _Forms:
    """The forms of all sentences, joined into one string so that one search covers them all."""

    def __init__(self, sentences: Sequence[str], form: Callable[[str], str]) -> None:
        forms = [form(sentence) for sentence in sentences]
        self._text = "\n".join(forms)
        self._starts = array("I", accumulate((len(form) + 1 for form in forms), initial=0))

    def containing(self, form: str) -> Iterator[int]:
        """The sentences whose form contains ``form``, each once."""
        offset = self._text.find(form) if form else -1
        while offset >= 0:
            unit = bisect_right(self._starts, offset) - 1
            yield unit
            offset = self._text.find(form, self._starts[unit + 1])

    def copies(self, first: int, last: int) -> list[int]:
        """The sentences outside ``first:last`` that are part of another copy of that range."""
        begin, end = self._starts[first], self._starts[last] - 1
        original = self._text[begin:end]
        if not original.strip():
            return []
        units: list[int] = []
        offset = self._text.find(original)
        while offset >= 0:
            if offset != begin:
                start = bisect_right(self._starts, offset) - 1
                stop = bisect_right(self._starts, offset + len(original) - 1)
                units.extend(unit for unit in range(start, stop) if not first <= unit < last)
            offset = self._text.find(original, offset + 1)
        return units


def _form(text: str) -> str:
    """The text with words as stems between spaces, and Chinese characters without spaces.

    >>> _form("В Москве, «дома»: 第 三条。")
    ' в москв дом 第三条'
    """
    plain = _PUNCTUATION.sub(" ", normalised(text, fold_case=True))
    return _without_extra_spaces(_WORD.sub(lambda match: f" {_stem(match.group())} ", plain))


def _numeric_form(text: str) -> str:
    """Like ``_form``, with every number in canonical digits."""
    return _without_extra_spaces(
        "".join(word if _HAN.match(word) else f" {word} " for word in words(text)),
    )


def _without_extra_spaces(text: str) -> str:
    return _HAN_SPACE.sub("", _SPACES.sub(" ", text))
