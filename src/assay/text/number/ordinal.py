"""Ordinals in words: the forty-third amendment, the hundredth letter, сорок седьмую койку, сто первый километр.

An ordinal of several words, and a round one from twenty on, is read before what it numbers. A smaller single word
is read only before a few nouns that are numbered (``number.numbered``), because "third party" and "second" are no
numbers. "A hundredth" is a part, so an English ordinal with "and" or of one word needs "the" or "her" before it.
"""

import re
from collections.abc import Collection, Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from assay.text.lexicon import (
    alternatives,
    entry,
    expressions,
    languages_of,
    lazy_pattern,
    word_list,
)
from assay.text.number.candidate import Reading
from assay.text.number.chain import vocabulary_of_numbers
from assay.text.number.word import words_value

_LANGUAGES: Final = ("en", "ru")
_WORD_BEFORE: Final = re.compile(r"([A-Za-z\u0400-\u04ff]+|[0-9])[\s-]{1,2}\Z")
_WORD_AFTER: Final = re.compile(r"[\s-]([A-Za-z\u0400-\u04ff]+)")
_EVERY: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('number.vague_ordinal')})\s\Z")
_REACH: Final = 24
_LONGEST: Final = 64
"""So many letters may be before the last word of an ordinal."""
_ROUND: Final = 20
"""From here on, an ordinal of one word is read before any noun."""


@cache
def _cardinals(language: str) -> dict[int, str]:
    """The words for whole numbers, each in the form in which an ordinal begins."""
    tables = (entry(language, f"number.{name}") for name in ("words", "ordinal_start"))
    lines = (line.split() for table in tables for line in str(table).strip().splitlines())
    return {int(value): forms[0] for value, *forms in lines if value.isdigit()}


@cache
def _stems(language: str) -> dict[str, int]:
    """The stems of the ordinals of one word."""
    stems = {stem: value for value, stem in enumerate(word_list("date.ordinals", language), 1)}
    for line in str(entry(language, "number.ordinal_round")).strip().splitlines():
        value, stem = line.split()
        stems[stem] = int(value)
    return stems


@cache
def _last(language: str) -> re.Pattern[str]:
    """The last word of an ordinal with what must follow it; ``numbered`` is what is always numbered."""
    stems = sorted(_stems(language), key=len, reverse=True)
    first = "".join(sorted({stem[0] for stem in stems}))
    endings = "|".join(word_list("number.ordinal_endings", "ru") if language == "ru" else ())
    after, numbered = (
        alternatives(f"number.{name}", language) for name in ("after_ordinal", "numbered")
    )
    return re.compile(
        rf"\b(?=[{first}])(?P<stem>{'|'.join(stem.replace('е', '[её]') for stem in stems)})(?:{endings})\b"
        rf"(?:(?=[\s-](?P<numbered>{numbered}))|(?P<noun>(?:{after})))"
    )


@cache
def _before(language: str) -> re.Pattern[str]:
    """The number words with which an ordinal begins, and an English word that says that it is one."""
    words = "|".join(sorted(_cardinals(language).values(), key=len, reverse=True))
    more = "|".join(expressions("number.ordinal_scale", language))
    joined = "".join(rf"|\s{word}\s" for word in word_list("number.and", "en") if language == "en")
    return re.compile(
        rf"(?P<is_said>\b(?:{alternatives('number.before_ordinal', 'en')})\s)?"
        rf"(?P<words>(?:\b(?:{words}|{more})(?:[\s-]{joined}))*)\Z"
    )


@cache
def _forms() -> frozenset[str]:
    """All forms of the ordinals of one word."""
    endings = word_list("number.ordinal_endings", "ru")
    stems = {form for stem in _stems("ru") for form in _with_yo(stem)}
    russian = (stem + ending for stem in stems for ending in endings)
    return frozenset((*_stems("en"), *russian))


def _with_yo(stem: str) -> Iterator[str]:
    """Yield a stem as it is, and with one of its «е» as «ё»: четверт, четвёрт."""
    yield stem
    for match in re.finditer("е", stem):
        yield f"{stem[: match.start()]}ё{stem[match.end() :]}"


def ordinals(text: str, words: Collection[str]) -> Iterator[Reading]:
    """Yield the ordinals in words of a surface text with these words, in lower case."""
    lower = text.lower()
    # The letters of a few languages become longer.
    if _forms().isdisjoint(words) or len(lower) != len(text):
        return
    for language in languages_of(text):
        if language in _LANGUAGES:
            for match in _last(language).finditer(lower):
                yield from _ordinal(match, language)


def _ordinal(last: re.Match[str], language: str) -> Iterator[Reading]:
    text = last.string
    before = _before(language).search(text, max(0, last.start() - _LONGEST), last.start())
    assert before is not None  # both parts may be empty
    start, own = before.start("words"), _stems(language)[last["stem"].replace("ё", "е")]
    value = _value(before["words"], own, language)
    is_said = before["is_said"] is not None or language != "en"
    if not before["words"]:
        is_read = last["numbered"] is not None or (own >= _ROUND and is_said)
    else:
        is_joined = any(word in before["words"].split() for word in word_list("number.and", "en"))
        is_read = is_said or not (is_joined or own >= _ROUND)
    if is_read and value is not None and not _is_part(text, start, last.end()):
        yield Reading(start, last.end(), Decimal(value))


def _value(before: str, last: int, language: str) -> int | None:
    """The value of an ordinal, whose last word is put into the words before it as a number."""
    if not before:
        return last
    words = before.replace("-", " ").replace("  ", " ")
    if words.startswith(tuple(expressions("number.ordinal_scale", "en"))):
        words = f"{_cardinals('en')[1]} {words}"  # the hundred and fifth
    base = words_value(words.removesuffix("and ").rstrip())
    # Only a smaller number may be added: двадцать пятый, not двадцать сороковой.
    if base is None or (last < 100 and base % 10 ** len(str(last))):
        return None
    value = words_value(words + _cardinals(language)[last])
    return None if value is None else int(value)


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether a number goes on before or after the ordinal: hundred and fifth, пятая тысяча."""
    before = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
    after = _WORD_AFTER.match(text, end)
    numbers = vocabulary_of_numbers()
    if text[start - 1 : start] == "-":
        return True  # one-in-twenty-fifth
    if _EVERY.search(text, max(0, start - _REACH), start):
        return True  # every twenty-fifth customer is a share
    is_after = before is not None and (before[1].isdigit() or before[1] in numbers | _joining())
    return is_after or (after is not None and after[1] in numbers)


@cache
def _joining() -> frozenset[str]:
    return frozenset(word_list("number.and"))
