"""What the words of a question say: shared with the evidence, languages that do not fit, choices."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from assay.jobs.questions.check.answer import given_away, is_stated
from assay.jobs.questions.check.item import Item
from assay.text import CYRILLIC, HAN, LATIN, exact_match, language, stem, words
from assay.text import word_set as small_set

COPIED: Final = 0.8
"""A question is copied if this share of its words stands in the evidence in one row."""
LEAST_COPIED: Final = 5
"""Fewer words in one row are no sign of copying."""
_HAN: Final = re.compile(f"[{HAN}]")
_LETTER: Final = re.compile(f"[{HAN}{CYRILLIC}{LATIN}]")
_RUSSIAN: Final = re.compile(f"[{CYRILLIC}]{{2,}}")
_MIXED: Final = re.compile(f"[{CYRILLIC}{LATIN}]+")
_BOTH: Final = re.compile(f"[{CYRILLIC}][{LATIN}]|[{LATIN}][{CYRILLIC}]")
_LOOKS_LATIN: Final = frozenset("авекмнорстухАВЕКМНОРСТУХ")
_LOOKS_RUSSIAN: Final = frozenset("aceopxykmtAВCEHKMOPTXYB")


@lru_cache(maxsize=2048)
def text_words(text: str) -> tuple[str, ...]:
    """The words of a text; those of recent texts are remembered."""
    return tuple(words(text))


@lru_cache(maxsize=2048)
def word_set(text: str) -> frozenset[str]:
    """The different words of a text; those of recent texts are remembered."""
    return frozenset(text_words(text))


def content_words(found: Sequence[str]) -> list[str]:
    """The words that carry the meaning of a question; all if there are no others."""
    kept = [word for word in dict.fromkeys(found) if word not in _small_words()]
    return kept or list(dict.fromkeys(found))


@cache
def _small_words() -> frozenset[str]:
    small = small_set("small")
    return small | frozenset(map(stem, small))


def overlap(question_words: Sequence[str], evidence: str) -> float:
    """The share of the question's content words that the evidence has.

    >>> overlap(words("When does the lease end?"), "The lease ends in May.")
    1.0
    """
    wanted = content_words(question_words)
    if not wanted:
        return 0.0
    known = word_set(evidence)
    return sum(word in known for word in wanted) / len(wanted)


def is_copied(question_words: Sequence[str], evidence: str) -> bool:
    """Whether most of the question's words stand in the evidence in one row."""
    size = max(LEAST_COPIED, math.ceil(COPIED * len(question_words)))
    if len(question_words) < size:
        return False
    row = f" {' '.join(text_words(evidence))} "
    return any(
        f" {' '.join(question_words[start : start + size])} " in row
        for start in range(len(question_words) - size + 1)
    )


def language_faults(item: Item, evidence: str) -> Iterator[str]:
    """Languages that do not fit together: in the question, its answer and its evidence."""
    own = language(item.text)
    for word in _MIXED.findall(item.text) if _BOTH.search(item.text) else ():
        if _is_disguised(word):
            yield f"the word {word!r} mixes Latin and Cyrillic letters that look alike"
    if len(_HAN.findall(item.text)) > 1 and len(_RUSSIAN.findall(item.text)) > 0:
        yield "the question has Chinese and Russian words"
    if evidence and _LETTER.search(item.text) and language(evidence) != own:
        yield f"the question is in {own!r} and its evidence in {language(evidence)!r}"
        return
    for answer in item.answers[:1]:
        if not _LETTER.search(answer) or language(answer) == own:
            continue
        if evidence and is_stated(answer, evidence):
            continue
        if language(answer) != "en" or " " in answer.strip():
            yield f"the question is in {own!r} and its answer in {language(answer)!r}"


def _is_disguised(word: str) -> bool:
    """Whether a word has letters of the other script that look like its own.

    >>> _is_disguised("д" + "o" + "говор"), _is_disguised("VIPы")
    (True, False)
    """
    russian = [sign for sign in word if re.match(f"[{CYRILLIC}]", sign)]
    latin = [sign for sign in word if re.match(f"[{LATIN}]", sign)]
    if not russian or not latin or len(word) < 3:
        return False
    return (len(russian) > len(latin) and set(latin) <= _LOOKS_RUSSIAN) or (
        len(latin) > len(russian) and set(russian) <= _LOOKS_LATIN
    )


def choice_faults(item: Item) -> Iterator[str]:
    """Choices that are right although they are not marked so: they say the same as a right one."""
    choices = item.choices or {}
    for first, second in combinations(choices, 2):
        if not exact_match(choices[first], choices[second], simplify=True):
            continue
        if (first in item.letters) != (second in item.letters):
            yield f"{first} and {second} say the same, and one of them is right: {choices[first]!r}"
        else:
            yield f"{first} and {second} say the same: {choices[first]!r}"
    if len(item.letters) != 1:
        return
    right = choices[item.letters[0]]
    for letter, text in choices.items():
        if letter != item.letters[0] and len(right) > 2 and _includes(text, right):
            yield f"{letter} contains the right choice {item.letters[0]}: {text!r}"


def _includes(text: str, right: str) -> bool:
    """Whether a choice is the right one with words added; never if it denies it."""
    if exact_match(text, right, simplify=True):
        return False
    return is_stated(right, text) and language(text) == language(right)


def answer_in_question(item: Item) -> str:
    """The answer that the question itself gives away; empty if it gives none away.

    A choice is given away only if no other choice stands in the question too.
    """
    found = given_away(item.answers, item.text)
    if not found or not item.choices:
        return found
    others = [text for letter, text in item.choices.items() if letter not in item.letters]
    return "" if any(is_stated(text, item.text) for text in others) else found
