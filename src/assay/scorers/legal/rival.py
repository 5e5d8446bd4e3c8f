"""Whether another clause of an answer is closer to the question than the one with the value."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, words
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_PAIR: Final = 2
_TERSE: Final = 8
"""An answer of two clauses and so few content words has one that answers."""
_ROOT: Final = 5
"""So many letters of a verb are the beginning of a noun that is made of it."""
_SHORT_HAN: Final = 40
"""A Chinese answer of more characters may return to its subject."""
_HAN: Final = re.compile(f"[{HAN}]")
_HAN_PREDICATE: Final = re.compile(f"谁([{HAN}]{{2}})")
_WORD: Final = re.compile(r"[^\W\d_]+")
_VERB: Final = lazy_pattern(lambda: alternatives("clause.predicate"))
_ANAPHOR: Final = lazy_pattern(lambda: alternatives("clause.anaphor"))
_SUBJECT_ASKED: Final = lazy_pattern(lambda: alternatives("clause.subject_asked"))
_AFTERTHOUGHT: Final = lazy_pattern(lambda: alternatives("clause.afterthought"))
_RESTATED: Final = lazy_pattern(lambda: alternatives("clause.restated"))
_CONDITION: Final = lazy_pattern(lambda: alternatives("clause.condition"))
_CONSIDERED: Final = lazy_pattern(lambda: alternatives("clause.considered"))
_BUT: Final = lazy_pattern(lambda: alternatives("clause.but"))
_HAN_ROLE: Final = lazy_pattern(lambda: alternatives("clause.role_asked", "zh"), re.NOFLAG)
"""What the question word stands beside: 终点在哪里, 谁主持."""
_HAN_KIND: Final = lazy_pattern(lambda: alternatives("clause.kind_asked", "zh"), re.NOFLAG)
"""What kind of thing is asked for: 哪所大学."""
_CORRECTION: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.correction_before')})\Z")
"""Before a value that is put in the place of another one: not this but …"""
_RELATIVE: Final = lazy_pattern(lambda: alternatives("clause.relative"))
"""After the value: what follows is said about it."""
_INTRODUCTION: Final = lazy_pattern(lambda: rf"\s*(?:{alternatives('clause.introduction')})")
"""At the beginning of a clause that belongs to the one after it: "In zone B, …"."""
_INTRODUCTION_END: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('clause.introduction_end', 'zh')})\Z"
)
_CONTINUED: Final = lazy_pattern(lambda: rf"\s*(?:{alternatives('clause.continued')})")
"""At the beginning of a clause that belongs to the one before it: "…, that …"."""
_THEN: Final = lazy_pattern(lambda: alternatives("standing.then"))
_CAUSE_ASKED: Final = lazy_pattern(lambda: alternatives("form.cause_asked"))
_CAUSE_BEFORE: Final = lazy_pattern(lambda: alternatives("form.cause_before"))
_CONDITION_ASKED: Final = lazy_pattern(lambda: alternatives("form.condition_asked"))
_CONDITION_BEFORE: Final = lazy_pattern(lambda: alternatives("form.condition_before"))
_RESULT: Final = lazy_pattern(lambda: alternatives("clause.result_clause"))
_ADDED: Final = lazy_pattern(lambda: alternatives("clause.added_clause"))
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))
_MAIN_END: Final = re.compile(r"[.;!?。；！？]")
_YEAR: Final = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_END: Final = frozenset(("", *".;!?。；！？"))
_SENTENCE_END: Final = frozenset(".!。！")
_COMMA: Final = frozenset(",，、(（—")


def joined(clauses: Sequence[Span], text: str) -> list[Span]:
    """The clauses, those that are one statement put together: "For the buyer, Pell signed".

    >>> text = "Buyer: Pell; in zone B, nobody."
    >>> clauses = [Span(start=0, end=5), Span(start=7, end=11), Span(start=13, end=22)]
    >>> [span.of(text) for span in joined(clauses, text)]
    ['Buyer: Pell', 'in zone B']
    """
    result: list[Span] = []
    for clause in clauses:
        last = result[-1] if result else None
        if last is not None and _are_one(last, clause, text):
            result[-1] = Span(start=last.start, end=clause.end)
        else:
            result.append(clause)
    return result


def _are_one(first: Span, second: Span, text: str) -> bool:
    between = text[first.end : second.start].strip()
    if between in {":", "："}:
        return True
    if between not in {",", "，"}:
        return False
    return bool(
        _INTRODUCTION.match(text, first.start, first.end)
        or _INTRODUCTION_END.search(first.of(text))
        or _CONTINUED.match(text, second.start, second.end)
    )


def has_predicate_elsewhere(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause has a verb of its own, and another clause has the one of the question.

    "The error was made by Orme and discovered by Pell" does not tell that Orme discovered it.
    """
    predicate = predicate_of(question)
    here = [clause for clause in clauses if overlap(clause, span)]
    if predicate is None or len(here) != 1 or _RESTATED.match(here[0].of(text)):
        return False
    if _RELATIVE.match(text, span.end) or _CORRECTION.search(text[: span.start]):
        return False
    told, asked = content_words(here[0].of(text)), content_words(question)
    if _has_root(predicate, told) or not told - content_words(span.of(text)) - asked - _pro_forms():
        return False
    if not predicate.isascii() and predicate in here[0].of(text):
        return False
    rivals = (
        content_words(clause.of(text))
        for clause in clauses
        if clause not in here
        and not _is_of_then(clause.of(text), question)
        and not _ANAPHOR.search(clause.of(text))
        and not (clause < here[0] and _is_of_other_thing(clause.of(text), told, asked, predicate))
    )
    return any(_has_root(predicate, rival) and rival - asked for rival in rivals)


@cache
def _pro_forms() -> frozenset[str]:
    """Words that stand for a noun of the question: the outer *one*."""
    return frozenset(word_list("clause.pro_form"))


def _is_of_other_thing(
    clause: str, told: frozenset[str], asked: frozenset[str], predicate: str
) -> bool:
    """Whether only the verb of a clause is asked about, and the thing that is asked about is told later.

    "Pell repaired the clock, and the organ was restored by Orme" answers "Who repaired the organ?".
    """
    rival = content_words(clause)
    is_told_here = bool(asked & told - {predicate}) and not asked & rival - {predicate}
    return is_told_here and len(rival - asked) >= _PAIR  # somebody, and another thing


def _has_root(predicate: str, told: frozenset[str]) -> bool:
    """Whether a word has the root of the predicate: the director directs."""
    if predicate in told or len(predicate) < _ROOT or not predicate.isascii():
        return predicate in told
    return any(word.startswith(predicate) for word in told)


def _is_of_then(clause: str, question: str) -> bool:
    """Whether a clause is about the past, and the question is not."""
    return _THEN.search(clause) is not None and _THEN.search(question) is None


def has_han_predicate_elsewhere(
    clauses: Sequence[Span], text: str, span: Span, question: str
) -> bool:
    """The same in Chinese, where the last word of the question is usually its verb: 在哪里签订."""
    # The value may have the word for its kind: 武汉大学 for 哪所大学.
    # A bracket cuts one clause into several.
    is_cut = any(mark in text for mark in "(（")
    named = () if is_cut else _HAN_KIND.findall(question)
    kinds = {kind for kind in named if kind in span.of(text)}
    pairs = (word for word in words(question) if len(word) == _PAIR and word not in kinds)
    asked = [word for word in pairs if content_words(word)]
    here = [clause for clause in clauses if overlap(clause, span)]
    if not asked or len(here) != 1 or len(text) > _SHORT_HAN:
        return False
    if _RESTATED.match(here[0].of(text)) or _CORRECTION.search(text[: span.start]):
        return False
    if any(c in here[0].of(text) for c in asked[-1]):
        return False
    own = set(here[0].of(text)) - set(span.of(text)) - set(question)
    if len([c for c in own if _HAN.match(c)]) < _PAIR:
        return False
    if any(word in here[0].of(text) for word in asked):
        return False
    return any(
        (asked[-1][0] in other or any(word in other for word in asked))
        and not _ANAPHOR.search(other)
        and not _CONDITION.search(other)
        and not _ADDED.match(other)
        for other in (clause.of(text) for clause in clauses if clause not in here)
    )


def is_han_role_elsewhere(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether another clause says who or what it is that the question asks for: 主持人是何子昂."""
    here = [clause for clause in clauses if overlap(clause, span)]
    if len(here) != 1 or _RESTATED.match(here[0].of(text)):
        return False
    own = here[0].of(text)
    if not content_words(own) - content_words(span.of(text)):
        return False
    others = [clause.of(text) for clause in clauses if clause not in here]
    link = alternatives("clause.role_link", "zh")
    roles = (role for match in _HAN_ROLE.finditer(question) for role in match.groups() if role)
    return any(
        role not in own and any(re.search(f"(?<!副){role}(?:{link})", other) for other in others)
        for role in roles
    )


def is_only_considered(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether something was only thought of, and a later clause with "but" tells what came of it.

    "The club considered Stolz but appointed Orr": Stolz was not appointed.
    """
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if here is None or not _CONSIDERED.search(text, here.start, here.end):
        return False
    return _BUT.search(text, here.end) is not None and not _CONSIDERED.search(question)


def is_afterthought(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether another of two clauses may answer, and this one tells what came later or before.

    "Milan; it moved to Turin later" answers "Where was it founded?" with Milan.
    """
    if len(clauses) != _PAIR or _AFTERTHOUGHT.search(question):
        return False
    here, other = clauses if overlap(clauses[0], span) else reversed(clauses)
    if _AFTERTHOUGHT.search(text, here.start, here.end) is None:
        return False
    is_bare = not content_words(here.of(text)) & content_words(question)
    if _HAN.search(text) and _NEGATION.search(other.of(text)):
        return False  # 仅限亚洲，不包括欧洲
    return is_bare and bool(content_words(other.of(text)))


def predicate_of(question: str) -> str | None:
    """The word of a question that tells what is asked about the answer, if it is clear which."""
    if _HAN.search(question):
        match = _HAN_PREDICATE.search(question)
        return next(iter(content_words(match[1])), None) if match else None
    if verb := _VERB.search(question.lower()):
        word = next(filter(None, verb.groups()))
        return next(iter(content_words(word)), None)
    tokens = [word for word in _WORD.findall(question) if content_words(word)]
    if len(tokens) < _PAIR:
        return None
    chosen = tokens[0] if _SUBJECT_ASKED.search(question.lower()) else tokens[-1]
    return next(iter(content_words(chosen)), None)


def is_cause(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether a cause or a condition is asked for, and the clause with the value gives it.

    "It was foggy, so the flight was cancelled": the fog is the answer, although the question is about
    the flight.
    """
    is_condition_asked = _CONDITION_ASKED.search(question) is not None
    if not is_condition_asked and _CAUSE_ASKED.search(question) is None:
        return False
    later = next((clause for clause in clauses if clause.start >= span.end), None)
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if later is None or here is None or _MAIN_END.search(text, here.end, later.start):
        return False
    own = here.of(text).lstrip()
    if is_condition_asked:
        return _CONDITION_BEFORE.match(own) is not None
    return (
        _RESULT.match(text[later.start : later.end].lstrip()) is not None
        or _CONDITION.search(here.of(text)) is not None
        or _CAUSE_BEFORE.match(own) is not None
    )


def has_rival(clauses: Sequence[Span], text: str, span: Span, asked: frozenset[str]) -> bool:
    """Whether one of two clauses answers the question, and the one with ``span`` is beside it.

    "It stops at Inverness and terminates at Wick": only the second clause has a word of the
    question, "Where does the train terminate?", and it has something new.
    """
    if len(clauses) != _PAIR or len(content_words(text)) > _TERSE:
        return False
    here = [clause for clause in clauses if overlap(clause, span)]
    rivals = [
        content_words(clause.of(text))
        for clause in clauses
        if clause not in here
        and _may_rival(span.of(text), clause.of(text))
        and not _CONDITION.search(clause.of(text))
        and not _ANAPHOR.search(clause.of(text))
    ]
    about = content_words(here[0].of(text)) if len(here) == 1 else asked
    if here and (
        _RESTATED.match(here[0].of(text))
        or _RELATIVE.match(text, span.end)
        or _CORRECTION.search(text[: span.start])
    ):
        return False
    if not about - content_words(span.of(text)):
        return False  # nothing but the value: "Orme, once"
    if asked & about:
        # "The tenant pays for repairs; the landlord pays the insurance."
        own = about - asked - content_words(span.of(text))
        return bool(own) and any(
            asked & about < asked & rival and rival - asked for rival in rivals
        )
    return any(asked & rival and rival - asked for rival in rivals)


def _may_rival(value: str, clause: str) -> bool:
    """Whether a clause may have another value: in the place of a year only another year."""
    return _YEAR.search(value) is None or _YEAR.search(clause) is not None


def is_closest(
    clauses: Sequence[Span], text: str, span: Span, asked: frozenset[str], others: Sequence[Span]
) -> bool:
    """Whether no other clause is much closer to the question."""
    here = [clause for clause in clauses if overlap(clause, span)]
    if len(here) == 1 and _is_added(here[0], text, span, asked):
        return True
    if _RELATIVE.match(text, span.end) or _is_first_answer(here, text, span, asked):
        return True
    shared_here = max((len(asked & content_words(c.of(text))) for c in here), default=0)
    for clause in clauses:
        words = clause.of(text)
        if clause in here or _ANAPHOR.search(words) or _CONDITION.search(words):
            continue
        if len(here) == 1 and _are_neighbours(here[0], clause, text):
            continue
        if not content_words(words) - asked:
            continue  # nothing that could be another answer
        shared = len(asked & content_words(words))
        has_other = any(overlap(clause, other) for other in others)
        if shared >= shared_here + (1 if has_other else 2):
            return False
    return True


def _is_first_answer(here: Sequence[Span], text: str, span: Span, asked: frozenset[str]) -> bool:
    """Whether the first sentence has nothing but the value: "Honey, in jars. She keeps them there"."""
    if (
        not here
        or text[: here[0].start].strip()
        or text[here[-1].end : here[-1].end + 1] not in _SENTENCE_END
    ):
        return False
    told = content_words(text[here[0].start : here[-1].end])
    return not told - content_words(span.of(text)) - asked


def _are_neighbours(here: Span, clause: Span, text: str) -> bool:
    """Whether one of two clauses begins the other or goes on with it."""
    first, second = sorted((here, clause))
    is_next = not any(map(str.isalnum, text[first.end : second.start]))
    return is_next and _are_one(first, second, text)


def _is_added(clause: Span, text: str, span: Span, asked: frozenset[str]) -> bool:
    """Whether a clause has nothing but the value, between commas: "In 1962, the mill closed".

    It belongs to the clause beside it, and so does one that begins with "that is" or with the "but"
    of "not this but that".
    """
    if _RESTATED.match(clause.of(text)) or _CORRECTION.search(text[: span.start]):
        return True
    before, after = text[: clause.start].rstrip()[-1:], text[clause.end : clause.end + 1]
    is_joined = before in _COMMA or (after in _COMMA and before in _END)
    return is_joined and not content_words(clause.of(text)) - content_words(span.of(text)) - asked


def overlap(first: Span, second: Span) -> bool:
    """Whether two spans have a character in common."""
    return first.start < second.end and second.start < first.end
