"""What a question asks for, and whether a statement could answer it."""

import re
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.abstention.context import DOCUMENT
from assay.text import (
    HAN,
    expected_types,
    language,
    normalised,
    numbers,
    stem,
    types_present,
    words,
)
from assay.text.lexicon import alternation, entry, expressions, lazy_pattern, word_list

_SEVERAL: Final = lazy_pattern(lambda: alternation(*expressions("question.several")))
_POLAR: Final = lazy_pattern(lambda: alternation(*expressions("question.polar")))
_ABOUT_TEXT: Final = lazy_pattern(lambda: alternation(*expressions("question.about_text")))
_ABSENCE: Final = lazy_pattern(lambda: alternation(*expressions("question.absence")))
_DETAIL: Final = lazy_pattern(lambda: alternation(*expressions("denial.detail_question")))
_DENIED: Final = lazy_pattern(lambda: alternation(*expressions("denial.negated_question")))
_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(r"[0-9]+|[^\W\d_]+")
_MEASURED: Final = frozenset({"amount", "date", "duration", "number"})
"""Kinds of answers that need a figure or a word for time or money."""
_SHORT: Final = 8
"""A statement of so few words may answer without repeating a word of the question."""


class Focus(Struct, frozen=True, kw_only=True):
    """What a question asks for.

    ``words`` are the words by which a statement shows that it is about the question: without
    question words, stop words and words for the text. ``figures`` are the numbers that the
    question names itself; ``kinds`` are the kinds of answers it expects. ``expects_absence`` is
    true if "it does not mention that" answers the question: "Does the contract mention a fee?",
    "What is missing?". ``asks_detail`` is true if it asks who, when, how many; ``denies`` if it
    contains a negation; ``is_polar`` if it is a question of yes or no.
    """

    words: frozenset[str]
    kinds: frozenset[str]
    figures: frozenset[str]
    asks_several: bool
    expects_absence: bool
    asks_detail: bool
    denies: bool
    is_polar: bool

    def is_answered_by(self, statement: str, missing: frozenset[str]) -> bool:
        """Whether ``statement`` could be the answer, or a part of it.

        It must contain something of the kind that is asked for. It must also be about the
        question: about what the refusals of the same answer say is ``missing`` (words of the
        question), or about any word of the question if they do not say what is missing.
        """
        if not self._has_news(statement):
            return False
        about = content_words(statement)
        shared = about & self.words
        if self.asks_several and shared:
            return True
        if missing:
            return missing <= shared
        return bool(shared) or len(about) <= _SHORT or not self.words

    def is_repeated_by(self, statement: str) -> bool:
        """Whether ``statement`` contains all words of the question, and what is asked for."""
        return self.words <= content_words(statement) and self._has_news(statement)

    def is_touched_by(self, statement: str) -> bool:
        """Whether ``statement`` contains a word of the question, and what is asked for."""
        return bool(self.words & content_words(statement)) and self._has_news(statement)

    def has_figure(self, statement: str) -> bool:
        """Whether a figure may be asked for, and ``statement`` contains a new one of its kind."""
        if not self.asks_detail or (self.kinds and not self.kinds & _MEASURED):
            return False
        if self.kinds and not self.kinds & types_present(statement):
            return False
        return bool({number.canonical for number in numbers(statement)} - self.figures)

    def _has_news(self, statement: str) -> bool:
        """Whether the statement contains the kind of thing that is asked for, and a new one."""
        kinds = self.kinds & _MEASURED
        if not kinds or self.kinds - _MEASURED:
            return True
        if self.asks_several:
            return bool(content_words(statement) - self.words)
        figures = {number.canonical for number in numbers(statement)}
        if figures:
            return bool(figures - self.figures)
        return bool(kinds & types_present(statement))


@lru_cache(maxsize=1024)
def focus(question: str) -> Focus:
    """What ``question`` asks for.

    >>> asked = focus("When was the contract signed?")
    >>> sorted(asked.words), sorted(asked.kinds), asked.asks_several
    (['contract', 'sign'], ['date'], False)
    """
    form = normalised(question)
    kinds = frozenset(expected_types(form))
    is_polar = _POLAR.search(form) is not None
    return Focus(
        words=content_words(form),
        kinds=kinds,
        figures=frozenset(number.canonical for number in numbers(form)),
        asks_several=_SEVERAL.search(form) is not None,
        expects_absence=bool(
            _ABSENCE.search(form)
            or (is_polar and _ABOUT_TEXT.search(form) and DOCUMENT.search(form.lower()))
        ),
        asks_detail=not is_polar and bool(kinds or _DETAIL.search(form)),
        denies=not is_polar and _DENIED.search(form) is not None,
        is_polar=is_polar,
    )


def content_words(text: str) -> frozenset[str]:
    """The words of ``text`` that carry meaning, as stems; Chinese words as they are."""
    if _HAN.search(text):
        return frozenset(word for word in words(text) if not _is_empty(word))
    # Reading numbers would take most of the time, and years in digits are enough here.
    tokens = _WORD.findall(normalised(text, fold_case=True))
    return frozenset(_root(token) for token in tokens if not _is_empty(token)) - _empty_words()


_root: Final = lru_cache(maxsize=1 << 14)(stem)


@lru_cache(maxsize=1 << 14)
def _is_empty(word: str) -> bool:
    if language(word) == "zh" and not word.isascii():
        return word in _empty_words() or all(c in _empty_characters() for c in word)
    return word in _empty_words() or len(word) == 1


@cache
def _empty_words() -> frozenset[str]:
    listed = (*word_list("question.words"), *word_list("contract.stop_words"))
    return frozenset(listed) | frozenset(stem(normalised(word)) for word in listed)


@cache
def _empty_characters() -> frozenset[str]:
    return frozenset(entry("zh", "contract.stop_characters"))
