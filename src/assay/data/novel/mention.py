"""Which sentences of a novel mention a phrase, for any number of phrases.

What counts as a mention is wider than what a scorer accepts, since a filler sentence that
nearly gives the answer away spoils a case as surely as one that does: words match whatever
their case and ending (Russian and English by stem), punctuation and white space are nothing,
Chinese is compared by characters, and numbers by value however they are written. Words must be
whole. A phrase that runs over the end of a sentence is no mention.
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
_NOTHING: Final = re.compile(r"[^\w ]+|_")
_SPACES: Final = re.compile(r" {2,}")
_HAN_SPACE: Final = re.compile(rf"(?<=[{HAN}]) +(?=[{HAN}]|\Z)|\A +(?=[{HAN}])")
_HAN: Final = re.compile(f"[{HAN}]")
_stem: Final = lru_cache(maxsize=1 << 16)(stem)


class Mentions:
    """The sentences of one novel, ready to be searched; made ready at the first search."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._known: dict[str, Sequence[int]] = {}

    def of(self, phrase: str) -> Sequence[int]:
        """The numbers of the sentences that mention ``phrase``, in order.

        A phrase without a letter or digit is mentioned nowhere.

        >>> Mentions(["Он жил в Москве.", "Прошло 12 лет.", "Двенадцать дней."]).of("Москва")
        array('I', [0])
        >>> Mentions(["Он жил в Москве.", "Прошло 12 лет.", "Двенадцать дней."]).of("12")
        array('I', [1, 2])
        """
        found = self._known.get(phrase)
        if found is None:
            places = set(self.saying(phrase))
            if numbers(phrase):
                places.update(self._numeric.having(_numeric_form(phrase)))
            found = self._known[phrase] = array("I", sorted(places))
        return found

    def saying(self, text: str) -> list[int]:
        """As ``of``, with numbers compared as they are written: enough to find a quotation."""
        return list(self._literal.having(_form(text)))

    def same(self, first: int, last: int) -> Sequence[int]:
        """Other sentences that together say what sentences ``first`` to ``last`` say."""
        return self._literal.copies(first, last)

    @cached_property
    def _literal(self) -> "_Forms":
        return _Forms(self._sentences, _form)

    @cached_property
    def _numeric(self) -> "_Forms":
        # Reading numbers is several times slower than the rest, and most phrases have none.
        return _Forms(self._sentences, _numeric_form)


class _Forms:
    """The forms of all sentences as one string, so that one search goes over all of them."""

    def __init__(self, sentences: Sequence[str], form: Callable[[str], str]) -> None:
        forms = [form(sentence) for sentence in sentences]
        self._text = "\n".join(forms)
        self._starts = array("I", accumulate((len(form) + 1 for form in forms), initial=0))

    def having(self, form: str) -> Iterator[int]:
        """The sentences whose form holds ``form``."""
        place = self._text.find(form) if form else -1
        while place >= 0:
            unit = bisect_right(self._starts, place) - 1
            yield unit
            place = self._text.find(form, self._starts[unit + 1])

    def copies(self, first: int, last: int) -> list[int]:
        """The sentences outside ``first:last`` that a second copy of that stretch covers."""
        begin, end = self._starts[first], self._starts[last] - 1
        wanted = self._text[begin:end]
        if not wanted.strip():
            return []
        found: list[int] = []
        place = self._text.find(wanted)
        while place >= 0:
            if place != begin:
                covered = bisect_right(self._starts, place) - 1
                stop = bisect_right(self._starts, place + len(wanted) - 1)
                found.extend(unit for unit in range(covered, stop) if not first <= unit < last)
            place = self._text.find(wanted, place + 1)
        return found


def _form(text: str) -> str:
    """Chinese characters side by side, words as stems with a space on either side.

    >>> _form("В Москве, «дома»: 第 三条。")
    ' в москв дом 第三条'
    """
    plain = _NOTHING.sub(" ", normalised(text, fold_case=True))
    return _closed(_WORD.sub(lambda match: f" {_stem(match.group())} ", plain))


def _numeric_form(text: str) -> str:
    """As ``_form``, with every number in canonical digits."""
    return _closed(
        "".join(word if _HAN.match(word) else f" {word} " for word in words(text)),
    )


def _closed(text: str) -> str:
    return _HAN_SPACE.sub("", _SPACES.sub(" ", text))
