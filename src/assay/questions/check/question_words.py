"""What the words of a question say: shared with the evidence, languages that do not fit, choices."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from assay.checks.overlap import is_exact
from assay.questions.check.item import Item, QuestionFault
from assay.questions.check.stated_answer import given_away, is_stated
from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.language import language
from assay.text.lexicon import word_set as small_set
from assay.text.normalise import normalised
from assay.text.search_term import exact_match, stem, words
from assay.text.shingle import Shingles, jaccard, similar_pairs
from assay.words.message import Message, message

COPIED: Final = 0.8
"""A question is copied if this share of its words is in the evidence in one row."""
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
    """Whether most of the question's words are in the evidence in one row."""
    size = max(LEAST_COPIED, math.ceil(COPIED * len(question_words)))
    if len(question_words) < size:
        return False
    row = f" {' '.join(text_words(evidence))} "
    return any(
        f" {' '.join(question_words[start : start + size])} " in row
        for start in range(len(question_words) - size + 1)
    )


def language_faults(item: Item, evidence: str) -> Iterator[Message | str]:
    """Languages that do not fit together: in the question, its answer and its evidence."""
    own = language(item.text)
    for word in _MIXED.findall(item.text) if _BOTH.search(item.text) else ():
        if _is_disguised(word):
            yield message(
                "the word {word} mixes Latin and Cyrillic letters that look alike", word=repr(word)
            )
    if len(_HAN.findall(item.text)) > 1 and len(_RUSSIAN.findall(item.text)) > 0:
        yield message("the question has Chinese and Russian words")
    if evidence and _LETTER.search(item.text) and language(evidence) != own:
        yield message(
            "the question is in {own} and its evidence in {evidence}",
            own=repr(own),
            evidence=repr(language(evidence)),
        )
        return
    for answer in item.answers[:1]:
        if not _LETTER.search(answer) or language(answer) == own:
            continue
        if evidence and is_stated(answer, evidence):
            continue
        if language(answer) != "en" or " " in answer.strip():
            yield message(
                "the question is in {own} and its answer in {answer}",
                own=repr(own),
                answer=repr(language(answer)),
            )


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


def choice_faults(item: Item) -> Iterator[Message | str]:
    """Choices that are right although they are not marked so: they say the same as a right one."""
    choices = item.choices or {}
    for first, second in combinations(choices, 2):
        if not exact_match(choices[first], choices[second], simplify=True):
            continue
        if (first in item.letters) != (second in item.letters):
            yield message(
                "{first} and {second} say the same, and one of them is right: {c}",
                first=first,
                second=second,
                c=repr(choices[first]),
            )
        else:
            yield message(
                "{first} and {second} say the same: {c}",
                first=first,
                second=second,
                c=repr(choices[first]),
            )
    if len(item.letters) != 1:
        return
    right = choices[item.letters[0]]
    for letter, text in choices.items():
        if letter != item.letters[0] and len(right) > 2 and _includes(text, right):
            yield message(
                "{letter} contains the right choice {b}: {c}",
                letter=letter,
                b=item.letters[0],
                c=repr(text),
            )


def _includes(text: str, right: str) -> bool:
    """Whether a choice is the right one with words added; never if it denies it."""
    if exact_match(text, right, simplify=True):
        return False
    return is_stated(right, text) and language(text) == language(right)


def answer_in_question(item: Item) -> str:
    """The answer that the question itself gives away; empty if it gives none away.

    A choice is given away only if no other choice is in the question too.
    """
    found = given_away(item.answers, item.text)
    if not found or not item.choices:
        return found
    others = [text for letter, text in item.choices.items() if letter not in item.letters]
    return "" if any(is_stated(text, item.text) for text in others) else found


# Questions of a set that ask the same.

_SAME_FACT = 0.5
"""Questions with the same evidence and the same answer are duplicates from this similarity on."""
_MOST_COMPARED = 20
"""How many questions with the same evidence and answer are compared with each other."""


def duplicate_findings(items: Sequence[Item], sets: Sequence[Shingles]) -> Iterator[QuestionFault]:
    """A finding for each question that an earlier one asks already; at most one a question."""
    known: set[int] = set()
    for second, first, what in _exact(items):
        known.add(second)
        yield _finding("duplicate", items, first, second, what)
    near = [(first, second, share) for first, second, share in similar_pairs(sets)]
    near += _same_fact(items, sets)
    for first, second, share in sorted(near, key=lambda pair: (pair[1], -pair[2])):
        if second not in known and first not in known and not _differ(items[first], items[second]):
            known.add(second)
            yield _finding(
                "near_duplicate",
                items,
                first,
                second,
                message("{share} alike", share=f"{share:.0%}"),
            )


def _finding(
    kind: str, items: Sequence[Item], first: int, second: int, what: Message | str
) -> QuestionFault:
    return QuestionFault(
        kind="duplicate" if kind == "duplicate" else "near_duplicate",
        what=message(
            "{id} (line {line}) asks this already: {what}",
            id=repr(items[first].id),
            line=items[first].line,
            what=what,
        ),
        id=items[second].id,
        line=items[second].line,
        other=items[first].id,
    )


def _exact(items: Sequence[Item]) -> Iterator[tuple[int, int, Message | str]]:
    """Questions with the same text about the same document."""
    first_of: dict[tuple[str, str], int] = {}
    for number, item in enumerate(items):
        text = "".join(sign for sign in normalised(item.text, fold_case=True) if sign.isalnum())
        first = first_of.setdefault((text, item.source or ""), number)
        if first == number:
            continue
        if not item.source and _other_evidence(items[first], item):
            continue
        conflicting = _answers_differ(items[first], item)
        yield (
            number,
            first,
            message("same words, another answer") if conflicting else message("same words"),
        )


def _other_evidence(first: Item, second: Item) -> bool:
    """Whether both have gold, and it is of different documents."""
    left = {span.source for span in first.spans if span.source}
    right = {span.source for span in second.spans if span.source}
    return bool(left and right and not left & right)


def _same_fact(items: Sequence[Item], sets: Sequence[Shingles]) -> Iterator[tuple[int, int, float]]:
    """Pairs of questions with the same gold and the same answer."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, item in enumerate(items):
        if item.answers and (item.gold or item.spans):
            gold = (item.gold, *((span.source, span.start, hash(span.text)) for span in item.spans))
            groups.setdefault((gold, normalised(item.answers[0], fold_case=True)), []).append(
                number
            )
    for group in groups.values():
        for place, first in enumerate(group):
            for second in group[place + 1 : place + 1 + _MOST_COMPARED]:
                share = jaccard(sets[first], sets[second])
                if share >= _SAME_FACT:
                    yield first, second, share


def _differ(first: Item, second: Item) -> bool:
    """Whether similar questions ask for different things.

    They do if their answers differ, if they are about different documents, if one has a number
    that the other does not have, or if each has a name of its own.
    """
    if _answers_differ(first, second) or (first.source or "") != (second.source or ""):
        return True
    if _other_evidence(first, second):
        return True
    left, right = set(words(first.text)), set(words(second.text))
    if any(word[0].isdigit() for word in left ^ right):
        return True
    return bool(_names(first.text) - _names(second.text)) and bool(
        _names(second.text) - _names(first.text)
    )


def _answers_differ(first: Item, second: Item) -> bool:
    if not first.answers or not second.answers:
        return False
    return not any(is_exact(left, right) for left in first.answers for right in second.answers)


def _names(text: str) -> set[str]:
    """The capitalised words after the first one."""
    return {word.strip(".,?!:;«»\"'()") for word in text.split()[1:] if word[:1].isupper()}
