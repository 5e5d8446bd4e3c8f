"""Whether an answer denies what it mentions, leaves the choice open, or says more or less than it."""

import re
from typing import Final

from assay.text import HAN, Span, numbers, words
from assay.text.lexicon import alternatives, lazy_pattern

_DENIED: Final = lazy_pattern(lambda: alternatives("open_answer.denied"))
_DENIED_TWICE: Final = lazy_pattern(lambda: alternatives("open_answer.denied_twice"))
_DENIED_AFTER: Final = lazy_pattern(lambda: alternatives("open_answer.denied_after"))
_DENIED_OF: Final = lazy_pattern(lambda: alternatives("open_answer.denied_of"))
_DENIED_WIDE: Final = lazy_pattern(lambda: alternatives("open_answer.denied_wide"))
_DENIES_VERB: Final = lazy_pattern(lambda: alternatives("open_answer.denies_verb"))
_NEGATIVE: Final = lazy_pattern(lambda: alternatives("boolean.denial"))
_OR: Final = lazy_pattern(lambda: alternatives("open_answer.or"))
_OR_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('open_answer.or')})[\W_]*\Z")
_NO_OTHER: Final = lazy_pattern(lambda: alternatives("open_answer.or_no_other"))
_BEYOND: Final = lazy_pattern(lambda: rf"(?:{alternatives('open_answer.beyond')})[$£€¥₽]?\Z")
_BEYOND_ASKED: Final = lazy_pattern(lambda: alternatives("open_answer.beyond_asked"))
_CUT: Final = re.compile(r"[,，;；:：。！？!?]|\.(?=\s|\Z)")
_HAN: Final = re.compile(f"[{HAN}]")
_CLAUSE: Final = re.compile(r"[^,，;；:：。！？!?()（）\n]*")
_VERB_WORDS: Final = 2
"""So many words after a denial are searched for the verb of the question."""
_ROOT: Final = 5
"""So many letters are common to two forms of a verb: подписал, подписывал."""
_END: Final = "\0"
"""Stands for the end of a mention in ``denied_after``."""
_REACH: Final = 40
"""How many characters before an answer are searched for a denial."""
_SHORT_CLAUSE: Final = 3
_SHORT_HAN_CLAUSE: Final = 6
"""So many more words or Chinese characters has a clause that does nothing but name two answers."""


def is_denied(text: str, mention: Span, question: str = "") -> bool:
    """Whether a text denies what it mentions, by the words beside it.

    If the question denies something itself, "X is not the …" may be its answer.

    >>> is_denied("不可以", Span(start=1, end=3)), is_denied("并非不可以", Span(start=3, end=5))
    (True, False)
    >>> is_denied("We can't.", Span(start=3, end=6))
    True
    >>> is_denied("Paris is wrong; it is London.", Span(start=0, end=5))
    True
    """
    before = text[max(0, mention.start - _REACH) : mention.start]
    after = text[mention.end : mention.end + _REACH]
    joined = f"{mention.of(text)}{_END}{after}"
    if _DENIED_AFTER.search(joined):
        return True
    if not _NEGATIVE.search(question) and (
        _DENIED_OF.search(joined)
        or _DENIED_WIDE.search(before)
        or _is_said_not_to(text, mention, question)
    ):
        return True
    return bool(_DENIED.search(before)) and not _DENIED_TWICE.search(before)


def _is_said_not_to(text: str, mention: Span, question: str) -> bool:
    """Whether the clause goes on by denying of the mention what the question asks for.

    >>> _is_said_not_to("Ivanov did not sign it.", Span(start=0, end=6), "Who signed it?")
    True
    >>> _is_said_not_to("Ivanov did not come.", Span(start=0, end=6), "Who signed it?")
    False
    """
    clause = _CLAUSE.match(text, mention.end)
    denial = _DENIES_VERB.search(clause.group()) if clause else None
    if clause is None or denial is None or not question:
        return False
    rest = clause.group()[denial.end() :]
    if _HAN.match(rest):
        return any(rest.startswith(word) for word in words(question) if len(word) > 1)
    roots = {word[:_ROOT] for word in words(question)}
    return any(word[:_ROOT] in roots for word in words(rest)[:_VERB_WORDS])


def is_undecided(text: str, mention: Span) -> bool:
    """Whether "or" joins the mention and another answer, of which none is chosen.

    The clause must do nothing but name the two, or the other one must be a name or a number.

    >>> is_undecided("Tokyo or Kyoto", Span(start=0, end=5))
    True
    >>> is_undecided("30 days or more", Span(start=0, end=7))
    False
    """
    after = _OR.match(text, mention.end)
    before = _OR_BEFORE.search(text, max(0, mention.start - 8), mention.start)
    if after is not None and not _NO_OTHER.match(text, after.end()):
        other = text[after.end() :]
    elif before is not None:
        other = text[: before.start()].rpartition(" ")[2]
    else:
        return False
    is_value = other[:1].isupper() or other[:1].isdigit()
    return is_value or _is_short_clause(text, mention)


def _is_short_clause(text: str, mention: Span) -> bool:
    start = max((match.end() for match in _CUT.finditer(text, 0, mention.start)), default=0)
    stop = _CUT.search(text, mention.end)
    rest = text[start : mention.start] + text[mention.end : stop.start() if stop else len(text)]
    if _HAN.search(rest):
        return len(rest.strip()) <= _SHORT_HAN_CLAUSE
    return len(rest.split()) <= _SHORT_CLAUSE


def is_beyond(text: str, mention: Span, question: str = "") -> bool:
    """Whether the number at the mention is only a limit that the value passes: more than 10.

    If the question asks with such a limit itself, the number is what is asked for.

    >>> text = "более 100 000 рублей"
    >>> is_beyond(text, Span(start=6, end=20)), is_beyond("не " + text, Span(start=9, end=23))
    (True, False)
    """
    if not any(number.start < mention.end for number in numbers(mention.of(text))[:1]):
        return False
    before = text[max(0, mention.start - _REACH) : mention.start]
    return _BEYOND.search(before) is not None and not _BEYOND_ASKED.search(question)
