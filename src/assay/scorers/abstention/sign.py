"""Signs that an answer is not given, which are no statements about the text.

``phrase`` and ``denial`` find what says that the text does not tell. An answer may refuse without
saying so: the speaker will not guess or must decline, a program reports that a request was blocked
or returns nothing, the pages end before the place, a table is blank, or the answer only consists
of "none". These are *signs*. They are weaker: a word that answers beside them counts more.

The words are in the lexicon (``assay.text.lexicon``), under ``sign``.
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.abstention.context import DOCUMENT
from assay.scorers.abstention.denial import ANSWER, repeats_question
from assay.scorers.abstention.question import Focus, content_words
from assay.text import HAN
from assay.text.lexicon import ScriptPattern

_NEXT: Final = 30
"""How many characters after a negation tell what is denied."""
_NEXT_HAN: Final = 8
_LONG_PHRASE: Final = 24
"""A phrase of so many characters names what it is about …"""
_NAMED: Final = 2
"""… if it has so many content words."""
_SHORT_VALUE: Final = 90
"""A statement that consists of a label and an empty value is not longer."""
_VERY_LONG: Final = 180
"""A statement of so many characters is no refusal by a sign alone."""
_LONG: Final = 22
_LONG_HAN: Final = 45
"""A statement of so many words, or Chinese characters, is no bare refusal."""
_HAN: Final = re.compile(f"[{HAN}]")
_FILLER: Final = re.compile("[а-яё]{1,3}")
"""Russian stems so short belong to small words: «увы», «здесь»."""
_WORD_END: Final = re.compile("^[a-zа-яё]+")
TRIGGER: Final = ScriptPattern("sign.trigger")
"""Without one of these, a statement contains no sign."""
_ANY: Final = ScriptPattern("sign.phrases")
_ZERO_COUNT: Final = ScriptPattern("sign.zero_count")
_NONE_COUNTED: Final = ScriptPattern("sign.none_counted")
_ASKED: Final = ScriptPattern("sign.detail_is_asked")
_EMPTY_VALUE: Final = ScriptPattern(
    "sign.empty_value",
    r"(?:^|[^:]*[:=]|[\s\S]*[{,]\s*\W{1,2}\w+\W{1,2}:)[\s*_(\[\"'`]*"
    r"(?:null|none|nil|false|n/?a|∅|\[\s*\]|\{\s*\}|-{1,3}|—{1,2}|–|\?+|_{3,})[\s*_)\]\"'`.!]*(?:$|[,}][\s\S]*$)",
)
"""The whole statement is an empty value, with or without its label: "Name: n/a"."""
_ABSENCE: Final = ScriptPattern("sign.absence")
_OWN_TEXT: Final = ScriptPattern("sign.own_text")
DETAIL: Final = ScriptPattern("sign.detail")
_SPEAKER: Final = ScriptPattern("sign.speaker")
_NO_ABSENCE: Final = ScriptPattern("sign.no_absence")
_TELLING: Final = ScriptPattern("words.telling")
_SOURCE: Final = ScriptPattern("words.source")
_LACKS: Final = ScriptPattern("sign.text_lacks")
_RANGE: Final = ScriptPattern("sign.range")
"""A text or a table covers only some years."""
_OTHER_TOPIC: Final = ScriptPattern("sign.other_topic")
"""A text that was given is only about something else."""
_YEAR: Final = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_BARE: Final = ScriptPattern("sign.bare")
"""The whole statement says that there is nothing."""


def signs(statement: str, asked: Focus | None) -> Iterator[re.Match[str]]:
    """The signs in ``statement``, which must be in lower case.

    >>> [match.group() for match in signs("i'd rather not make something up", None)]
    ['make something up']
    """
    if _is_very_long(statement) or (
        asked is not None and asked.denies and not asked.is_refused_reason(statement)
    ):
        return
    if not TRIGGER.search(statement):
        return
    for match in _ANY.finditer(statement):
        if asked is None or not (
            _names_subject(match.group(), asked) or _is_none_counted(statement, asked)
        ):
            yield match
    zero = _ZERO_COUNT.match(statement)
    if zero and (asked is None or not content_words(zero.group()) & asked.words):
        yield zero
    if asked is None:
        if len(statement) <= _SHORT_VALUE and (bare := _BARE.match(statement)):
            yield bare
    elif not asked.is_polar and not asked.asks_meaning:
        yield from _signs_for(statement, asked)


def _names_subject(phrase: str, asked: Focus) -> bool:
    """Whether ``phrase`` is only a word of the question: "Error E4" if its meaning is asked for."""
    words = content_words(phrase)
    if not words or _ABSENCE.search(phrase):
        return False
    return all(any(named.startswith(word) for named in asked.words) for word in words)


def _signs_for(statement: str, asked: Focus) -> Iterator[re.Match[str]]:
    """The signs in ``statement`` if the question is known and not one of yes or no."""
    for pattern in (_EMPTY_VALUE, _BARE) if len(statement) <= _SHORT_VALUE else ():
        if (bare := pattern.match(statement)) and not _is_number(bare.group(), asked):
            yield bare
    topic = _OTHER_TOPIC.search(statement) if asked.kinds or asked.asks_reason else None
    if topic and asked.words and not content_words(statement) & asked.words:
        yield topic
    if asked.asks_detail and not is_long(statement) and not ANSWER.search(statement):
        for match in _ASKED.finditer(statement):
            if not repeats_question(match.group(), statement[match.end() :], asked):
                yield match


def ranges(statement: str, asked: Focus) -> Iterator[re.Match[str]]:
    """That a text covers other years than the one that is asked for: "The list begins in 1998"."""
    years = {figure for figure in asked.figures if _YEAR.fullmatch(figure)}
    named = set(_YEAR.findall(statement)) if years else set()
    if named and not named & years and not asked.is_polar:
        yield from _RANGE.finditer(statement)


def is_long(statement: str) -> bool:
    """Whether ``statement`` says so much that a sign in it is only one thing of many."""
    if _HAN.search(statement):
        return len(statement) > _LONG_HAN
    return statement.count(" ") >= _LONG


def _is_very_long(statement: str) -> bool:
    return len(statement) > _VERY_LONG


def is_text_gap(statement: str) -> bool:
    """Whether ``statement``, in lower case, says that a text that was given lacks something."""
    if _SOURCE.search(statement) is None or _NO_ABSENCE.search(statement):
        return False
    return _LACKS.match(statement) is not None


def is_empty_field(text: str) -> bool:
    """Whether ``text``, in lower case, is a label and an empty value: "Owner: null (no entry)"."""
    return any(pattern.match(text) for pattern in (_EMPTY_VALUE, _BARE))


def has_refusing_sign(statement: str) -> bool:
    """Whether ``statement``, in lower case, has a sign that refuses whatever is asked."""
    if _is_very_long(statement) or TRIGGER.search(statement) is None:
        return False
    return _ANY.search(statement) is not None


def matter(text: str, *, follows_phrase: bool) -> frozenset[str]:
    """What ``text``, in lower case, is about: its words but those for a detail and for the text.

    A phrase may end inside a word; the rest of the word does not count.
    """
    rest = _WORD_END.sub("", text, count=1) if follows_phrase else text
    words = content_words(DETAIL.sub(" ", DOCUMENT.sub(" ", rest)))
    return frozenset(word for word in words if not _FILLER.fullmatch(word))


def matter_inside(phrase: str) -> frozenset[str]:
    """What a long phrase that refuses is about: "data on use in pregnancy are insufficient"."""
    if len(phrase) < _LONG_PHRASE or _SOURCE.search(phrase):
        return frozenset()
    named = matter(phrase, follows_phrase=False)
    return named if len(named) >= _NAMED else frozenset()


def has_absence(statement: str) -> bool:
    """Whether ``statement``, in lower case, denies something or tells that it is missing."""
    return _ABSENCE.search(statement) is not None


def _is_number(value: str, asked: Focus) -> bool:
    """Whether an empty value is the number that is asked for: "None" of how many."""
    return "none" in value and ("number" in asked.kinds or "amount" in asked.kinds)


def _is_none_counted(statement: str, asked: Focus) -> bool:
    """Whether "not one" is the number that is asked for."""
    return "number" in asked.kinds and _NONE_COUNTED.match(statement) is not None


def gaps(clause: str, asked: Focus) -> Iterator[re.Match[str]]:
    """The sign of absence in ``clause`` if it is about the text, the speaker or a detail.

    A negation beside a word of the question is an answer: "The letters were never found". A
    question of yes or no is only refused by what is said about a text.

    >>> from assay.scorers.abstention.question import focus
    >>> [match.group() for match in gaps("page 4 didn't upload", focus("When does it expire?"))]
    ["n't"]
    """
    if asked.denies or asked.expects_absence or asked.asks_meaning or ANSWER.search(clause):
        return
    absence = _ABSENCE.search(clause)
    if absence is None or _NO_ABSENCE.search(clause) or asked.has_figure(clause):
        return
    is_own = any(
        not content_words(text.group()) & asked.words for text in _OWN_TEXT.finditer(clause)
    )
    after = clause[absence.end() : absence.end() + (_NEXT_HAN if _HAN.search(clause) else _NEXT)]
    if asked.is_polar and after.startswith(tuple(word for word in asked.words if _HAN.match(word))):
        return
    tells = is_own and asked.is_polar and _TELLING.search(clause)
    if not tells and asked.words & content_words(after) and not DETAIL.search(after):
        return
    if is_own or (not asked.is_polar and (DETAIL.search(clause) or _SPEAKER.search(clause))):
        yield absence
