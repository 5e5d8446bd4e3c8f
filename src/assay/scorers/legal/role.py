"""Whether an answer has the right name in the wrong role: "Elsa taught her grandfather to swim"."""

import re
from functools import cache
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import CYRILLIC, HAN, LATIN, Span, normalised
from assay.text.lexicon import alternatives, lazy_pattern

_CAPITALISED: Final = re.compile(rf"(?<=[\w,] )[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]{{2,}}")
_DOER_ASKED: Final = lazy_pattern(lambda: alternatives("clause.doer_asked"))
_BETWEEN: Final = lazy_pattern(lambda: alternatives("clause.not_swapped"))
_DONE_FOR: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.done_for', 'en')})\Z")
"""Before the one for whom something was done: "She wrote it for Lang"."""
_HAN_DOERS: Final = (
    *(re.compile(f"谁([{HAN}]{{{length}}})[了过]?([{HAN}]{{2}})") for length in (1, 2)),
    re.compile(f"哪[家个支位所国队][{HAN}]{{0,4}}?([{HAN}]{{2}})[了过]([{HAN}]{{2}})"),
)
"""A verb of one or two characters after "who", and whom it is done to."""
_KIND_ASKED: Final = lazy_pattern(lambda: alternatives("clause.kind_asked"))
"""Which firm bought, какая фирма купила: the doer by its kind, with the verb."""
_HAN_BETWEEN: Final = lazy_pattern(lambda: alternatives("clause.not_swapped", "zh"), re.NOFLAG)
_PREPOSITION: Final = lazy_pattern(lambda: alternatives("clause.asked_with", "ru"))
_ROLES_ASKED: Final = lazy_pattern(lambda: alternatives("clause.roles_asked"))
_SHORT_HAN: Final = 4
"""In a text of so few characters each name is one character."""
_TWO: Final = 2
_LONGEST: Final = 15
"""A sentence of more words may tell of several deeds."""
_SENTENCE_END: Final = re.compile(r"[.,;!?。；]")


def is_swapped(text: str, span: Span, question: str) -> bool:
    """Whether the doer is asked for, and the one at ``span`` is who it was done to.

    >>> text = "Elsa taught her grandfather to swim."
    >>> is_swapped(text, Span(start=12, end=27), "Who taught Elsa to swim?")
    True
    """
    if re.search(f"[{HAN}]", question):
        return _is_swapped_han(text, span, question)
    names = _CAPITALISED.findall(question)
    if len(text.split()) > _LONGEST:
        return False
    if preposition := _PREPOSITION.search(question):
        return any(_stands_after(preposition["word"], name, text) for name in names)
    if kind := _KIND_ASKED.search(question):
        verb = content_words(next(filter(None, kind.groups())))
        return any(_precedes(name, text, span, verb) for name in names)
    if _DOER_ASKED.search(question) is None:
        return False
    return _DONE_FOR.search(text[: span.start]) is not None or any(
        _precedes(name, text, span) for name in names
    )


def is_reversed(wording: str, text: str, question: str) -> bool:
    """Whether who did something to whom is asked, and ``text`` has both in each other's place.

    >>> is_reversed("Belov paid Yudin", "Yudin paid Belov.", "Who paid whom?")
    True
    """
    if _ROLES_ASKED.search(question) is None:
        return False
    if re.search(f"[{HAN}]", wording):
        length = 2 if len(wording) > _SHORT_HAN else 1
        first, last = text.find(wording[:length]), text.find(wording[-length:])
        return 0 <= last < first and not _HAN_BETWEEN.search(text[last:first])
    names = re.findall(rf"\b[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+", wording)
    if len(names) < _TWO:
        return False
    if not names[0].isascii():
        return not all(re.search(rf"\b{name}\b", text) for name in names)
    first, last = text.find(names[0]), text.find(names[-1])
    return 0 <= last < first and not _BETWEEN.search(text[last:first])


def _stands_after(preposition: str, name: str, text: str) -> bool:
    """Whether «у Марты» is in the answer to «У кого училась Марта?»."""
    return re.search(rf"\b{preposition} {name[:-1]}", text, re.IGNORECASE) is not None


def _precedes(name: str, text: str, span: Span, verb: frozenset[str] = frozenset()) -> bool:
    """Whether the name of the question is the subject of a verb whose object is at ``span``.

    ``verb`` must stand between them, if it is known.
    """
    form = normalised(text)
    stem = name if name.isascii() else name[: max(3, len(name) - 1)]
    for match in re.finditer(rf"\b{re.escape(stem)}(?P<end>[а-яё]*)\b", form):
        between = form[match.end() : span.start]
        if match.end() > span.start or _SENTENCE_END.search(between):
            continue
        if not verb <= content_words(between):
            continue
        if not name.isascii() and match.group() == name:
            continue  # the same case as in the question
        if between.split() and not between.startswith(("'", ",")) and not _BETWEEN.search(between):
            return True
    return False


@cache
def _han_deeds(question: str) -> tuple[tuple[str, str], ...]:
    matches = (pattern.search(question) for pattern in _HAN_DOERS)
    return tuple((match[1], match[2]) for match in matches if match)


def _is_swapped_han(text: str, span: Span, question: str) -> bool:
    for verb, patient in _han_deeds(question):
        start = text.rfind(patient, 0, span.start)
        between = text[start + len(patient) : span.start]
        if start >= 0 and verb in between and not _HAN_BETWEEN.search(between):
            return True
    return False
