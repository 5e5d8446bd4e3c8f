"""The parts of a statement: which of them refuse, and which claim something beside a refusal.

A statement is cut into parts at commas. A part *refuses* if it contains a phrase that abstains
(``phrase``) or denies what was asked (``denial``), unless it is a rule, describes something or is
about a person. The other parts of a refusal are claims if they assert something, give a value or
guess.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from assay.scorers.abstention import context
from assay.scorers.abstention.denial import denials
from assay.scorers.abstention.exception import is_no_abstention, is_said
from assay.scorers.abstention.field import is_report_field
from assay.scorers.abstention.phrase import carried_phrases, phrases, phrases_across_commas
from assay.scorers.abstention.question import Focus, content_words
from assay.scorers.abstention.sign import (
    DETAIL,
    gaps,
    has_absence,
    has_refusing_sign,
    is_empty_field,
    is_long,
    ranges,
    signs,
)
from assay.scorers.abstention.sign import TRIGGER as SIGN_TRIGGER
from assay.scorers.abstention.stretch import Placed, Stretch, cut
from assay.text import numbers

_FRAGMENT: Final = 4
"""An answer of so few words may stand without a verb."""
_LABEL: Final = 3
"""What a label names begins so many characters after it."""
_LISTED_LABEL: Final = re.compile(r"\W*(?:[*•·–-]|\d{1,2}[.)])\s[^,;]{1,40}\s[—–-]\s")
"""A line of a list that names something and then tells it: "2. Subject – delivery of pumps"."""
_NEAR: Final = 200
"""How many characters around a phrase may change its meaning; clauses are shorter than that."""


@lru_cache(maxsize=64)
def pauses(sentence: str, start: int, end: int) -> tuple[Stretch, ...]:
    """The parts of a statement between commas; asked for several times for one statement."""
    return tuple(cut(sentence, context.PAUSE, start, end))


def is_report(clause: str, *, has_text_before: Callable[[], bool]) -> bool:
    """Whether a part reports what the text has."""
    if context.REPORT.search(clause):
        return True
    return context.CARRIED_REPORT.match(clause) is not None and has_text_before()


def abstaining_phrases(
    sentence: str, start: int, end: int, *, has_text_before: Callable[[], bool]
) -> list[Stretch]:
    """The phrases of the statement from ``start`` to ``end`` that do abstain."""
    stretches: list[Stretch] = []
    parts = pauses(sentence, start, end)
    for index, part in enumerate(parts):
        clause = sentence[part.start : part.end]
        is_rule = index + 1 < len(parts) and context.CONDITION_START.search(clause)
        if is_rule or not context.TRIGGER.search(clause):
            continue
        matches = phrases(clause)
        if not matches and (carried := carried_phrases(clause)):
            is_carried = context.DOCUMENT.search(sentence, start, part.start) or has_text_before()
            matches = carried if is_carried else []
        for match in matches:
            before = clause[max(0, match.start() - _NEAR) : match.start()]
            if index and is_said(before, sentence[slice(*parts[index - 1])]):
                before = ""
            after_start = part.start + match.end()
            after = sentence[after_start : min(end, after_start + _NEAR)]
            if not is_no_abstention(before, match.group(), after):
                stretches.append(Stretch(part.start + match.start(), part.start + match.end()))
    across = phrases_across_commas(sentence, start, end)
    return sorted([*stretches, *(Stretch(match.start(), match.end()) for match in across)])


def denied_parts(sentence: str, start: int, end: int, asked: Focus) -> list[Stretch]:
    """The parts of the statement from ``start`` to ``end`` that deny the answer to the question."""
    if not context.DENIAL_TRIGGER.search(sentence, start, end):
        return []
    stretches: list[Stretch] = []
    parts = pauses(sentence, start, end)
    for index, part in enumerate(parts):
        clause = sentence[part.start : part.end]
        is_rule = index + 1 < len(parts) and context.CONDITION_START.search(clause)
        if is_rule or _is_subordinate(clause) or not context.DENIAL_TRIGGER.search(clause):
            continue
        for match in denials(clause, asked):
            before = clause[: match.start()]
            if index and is_said(before, sentence[slice(*parts[index - 1])]):
                before = ""
            after = sentence[part.start + match.end() : min(end, part.start + match.end() + _NEAR)]
            is_reason = context.CAUSE_INSIDE.search(before)
            if not is_reason and not is_no_abstention(before, match.group(), after):
                stretches.append(Stretch(part.start + match.start(), part.start + match.end()))
    return sorted(stretches)


def sign_stretches(sentence: str, start: int, end: int, asked: Focus | None) -> list[Stretch]:
    """The signs in the statement from ``start`` to ``end`` that an answer is not given."""
    form = sentence[start:end]
    if context.CONDITION_START.search(form):
        return []
    found = signs(form, asked) if SIGN_TRIGGER.search(form) else iter(())
    return sorted(
        Stretch(start + match.start(), start + match.end())
        for match in chain(found, ranges(form, asked) if asked is not None else ())
        if not is_no_abstention(form[: match.start()], match.group(), form[match.end() :])
    )


def is_fragment(clause: str) -> bool:
    """Whether a clause, in lower case, is a few words without a verb, as "gate b7" is."""
    attribution = context.ATTRIBUTION.match(clause)
    clause = clause[attribution.end() :] if attribution else clause
    words = content_words(clause)
    if not words or len(words) > _FRAGMENT or len(clause.split()) > _FRAGMENT + 1:
        return False
    if (
        _LISTED_LABEL.match(clause)
        or ":" in clause
        or "(" in clause
        or context.LEAD.search(clause)
        or supports(clause)
    ):
        return False
    if context.CONCLUSION_START.match(clause):
        return False
    if DETAIL.search(clause) or context.DOCUMENT.search(clause) or context.QUESTION.search(clause):
        return False
    return not context.ASSERTION.search(clause) and not has_absence(clause)


def gap_stretches(sentence: str, start: int, end: int, asked: Focus) -> list[Stretch]:
    """The parts of the statement that say that a detail is not to be had, whatever the verb."""
    stretches: list[Stretch] = []
    form = sentence[start:end]
    if not has_absence(form) or is_long(form):
        return stretches
    for part in pauses(sentence, start, end):
        clause = sentence[part.start : part.end]
        if _is_subordinate(clause):
            continue
        stretches += [
            Stretch(part.start + match.start(), part.start + match.end())
            for match in gaps(clause, asked)
            if not is_no_abstention(clause[: match.start()], match.group(), clause[match.end() :])
        ]
    return stretches


def claims_beside(
    sentence: str,
    start: int,
    end: int,
    statement_phrases: Sequence[Stretch],
    *,
    asked: Focus | None,
) -> Iterator[Stretch]:
    """The parts of a statement with a phrase that say more than the phrase."""
    parts = pauses(sentence, start, end)
    placed = Placed(statement_phrases)
    phrases_by_part = {part: placed.starting_in(part) for part in parts}
    # "Although it is not stated, …", "…, as it is unknown": what counts is the rest.
    refusing = [part for part, part_phrases in phrases_by_part.items() if part_phrases]
    is_aside = bool(refusing) and all(
        _is_subordinate(sentence[part.start : part.end]) for part in refusing
    )
    # "The carver is unknown, in the village they call him Piet": nobody knows, not the text.
    is_open = (
        asked is not None
        and context.UNKNOWN_FACT.search(sentence, start, end) is not None
        and context.DOCUMENT.search(sentence, start, end) is None
    )
    # "I see no exact distance, though the walk is said to take two hours."
    is_inexact = asked is not None and context.EXACT.search(sentence, start, end) is not None
    is_reason = had_phrase = is_after = False
    for part, part_phrases in phrases_by_part.items():
        clause = sentence[part.start : part.end]
        if placed.contain(part):
            continue  # inside a phrase with commas
        if not part_phrases and _claims_nothing(sentence, start, part, parts, asked):
            continue
        is_before = part is parts[0] and [*parts[1:2]] == refusing[:1]
        if is_before and (
            _only_hedges(clause) or _labels_refusal(sentence, part, statement_phrases)
        ):
            continue  # "Perhaps, the page was not uploaded", "latency_p95: no samples"
        # "It cannot be determined: …" is followed by the reason.
        is_reason = is_reason or (had_phrase and ":" in sentence[part.start - 2 : part.start])
        is_reason = is_reason or (had_phrase and context.CAUSE.search(clause) is not None)
        had_phrase = bool(part_phrases)
        is_after = is_after or had_phrase
        if part_phrases:
            before = sentence[part.start : part_phrases[0].start]
            after = sentence[part_phrases[-1].end : part.end]
            if _gives_value(before) or _guesses(after) or _is_main_clause(before):
                yield part
        elif asked is not None and _leads_to_quotation(clause, asked):
            continue  # "The report only says “at some depth”, it gives no metres."
        elif (
            (is_after and context.INFERENCE.search(clause))
            or (is_after and is_inexact and context.CONCESSION.search(clause))
            or (
                asked is not None
                and part is parts[0]
                and not _is_label(sentence, part, statement_phrases)
                and not context.CONTRAST_START.match(sentence, part.end)
                and is_fragment(clause)
                and not content_words(clause) <= asked.words
            )
            or (asked is not None and asked.is_dated_by(clause))
            or (context.POLAR.match(clause))
            or (
                (
                    not is_report(clause, has_text_before=lambda: True)
                    or (asked is not None and not is_after and asked.is_listed_in(clause))
                    or (asked is not None and asked.has_figure(clause) and _gives_value(clause))
                )
                and (
                    _gives_value_or_guess(clause)
                    or (not is_reason and _asserts(clause))
                    or (is_aside and not _says_nothing(clause))
                    or (not is_reason and _may_answer_a_part(clause, asked))
                    or (asked is not None and not is_after and asked.is_listed_in(clause))
                    or (is_open and is_after and not _says_nothing(clause))
                    or (is_open and context.FIGURE.search(clause))
                )
            )
        ):
            yield part


def _claims_nothing(
    sentence: str, start: int, part: Stretch, parts: Sequence[Stretch], asked: Focus | None
) -> bool:
    """Whether a part beside a refusal is about the request, refuses itself, or belongs to another.

    "Your question may touch on …", "The service is busy", "(3,914, versus 3,870 a year earlier)",
    "no place, only the date: 25 April".
    """
    clause = sentence[part.start : part.end]
    if context.REQUEST.match(clause) or context.SEARCH.match(clause):
        return True
    if context.RETRACTION.match(clause) and not content_words(context.RETRACTION.sub(" ", clause)):
        return not context.FIGURE.search(clause)  # "Wait, the document does not say"
    if _is_in_brackets(sentence, start, part) or has_refusing_sign(clause):
        return True
    if is_report_field(clause, asked):
        return True
    if asked is None:
        return False
    if _ends_limit(sentence, part, parts) and not asked.has_figure(clause):
        return True
    return any(next(found(clause, asked), None) is not None for found in (denials, gaps))


def _is_in_brackets(sentence: str, start: int, part: Stretch) -> bool:
    """Whether a part ends a pair of brackets that was opened before it."""
    if not sentence.endswith(")", part.start, part.end):
        return False
    opened = sentence.rfind("(", start, part.start)
    return opened >= 0 and sentence.rfind(")", opened, part.start) < 0


def _ends_limit(sentence: str, part: Stretch, parts: Sequence[Stretch]) -> bool:
    """Whether a part is the little that is there: "only the date: 25 April"."""
    index = bisect_left(parts, part)
    near = parts[max(0, index - 3) : index]
    before = next((p for p in near if p.end + 3 >= part.start), None)
    if before is None or context.LIMIT.search(sentence[slice(*before)]) is None:
        return False
    return sentence[before.end : part.start].strip() in {":", "-"}


def _is_label(sentence: str, part: Stretch, refusing: Sequence[Stretch]) -> bool:
    """Whether a part only names what follows it: "Search results: none", "Note: no answer"."""
    if ":" not in sentence[part.end : part.end + 2]:
        return False
    if any(part.end < phrase.start <= part.end + _LABEL for phrase in refusing):
        return True
    if is_empty_field(sentence[part.start :]):
        return True
    clause = sentence[part.start : part.end]
    return any(pattern.search(clause) for pattern in (context.SOURCE, context.STATUS, DETAIL))


def _labels_refusal(sentence: str, part: Stretch, refusing: Sequence[Stretch]) -> bool:
    """Whether a part without a verb is the label of what refuses directly after it."""
    if ":" not in sentence[part.end : part.end + 2]:
        return False
    if not any(part.end < phrase.start <= part.end + _LABEL for phrase in refusing):
        return False
    return not context.ASSERTION.search(sentence, part.start, part.end)


def _only_hedges(clause: str) -> bool:
    """Whether a part is nothing but "perhaps"."""
    return bool(context.HEDGE.search(clause)) and not content_words(context.HEDGE.sub(" ", clause))


def _leads_to_quotation(clause: str, asked: Focus) -> bool:
    """Whether a part about something else than the question only leads to what is quoted in it."""
    if context.QUOTED not in clause or context.POLAR.match(clause):
        return False
    return not content_words(clause) & asked.words


def _may_answer_a_part(clause: str, asked: Focus | None) -> bool:
    """Whether a part may be one of several things that are asked for, or the figure asked for."""
    if asked is None or _is_background(clause):
        return False
    if asked.has_figure(clause):
        return True
    if not asked.asks_several or supports(clause):
        return False
    about = content_words(clause)
    is_named = bool(about & asked.words) and bool(about - asked.words)
    return is_named or not context.LEAD.search(clause)


def _is_subordinate(clause: str) -> bool:
    return bool(context.CONCESSION.search(clause) or context.CAUSE.search(clause))


def _is_main_clause(before: str) -> bool:
    """Whether a phrase is only the reason: "The claim was rejected because the form does not …"."""
    cause = context.CAUSE_INSIDE.search(before)
    return cause is not None and context.ASSERTION.search(before, 0, cause.start()) is not None


def _says_nothing(clause: str) -> bool:
    """Whether a part only leads up to a statement, or supports an abstention."""
    return bool(context.LEAD.search(clause)) or supports(clause)


def _asserts(clause: str) -> bool:
    """Whether a part without a phrase states something by itself."""
    if _is_background(clause) or _says_nothing(clause):
        return False
    return context.ASSERTION.search(clause) is not None


def _gives_value_or_guess(clause: str) -> bool:
    """Whether a part without a phrase gives a number as a value, or guesses."""
    if _is_background(clause) and not _guesses(clause):
        return False
    if context.BARE_VALUE.fullmatch(clause) or context.HEDGE.search(clause):
        return True
    if context.NOMINAL_VALUE.match(clause):
        return True
    amount = context.AMOUNT.search(clause) and not context.LEAD.search(clause)
    return bool(amount) or _gives_value(clause)


def _is_background(clause: str) -> bool:
    """Whether a part concedes something, limits what the text has, or repeats the question."""
    patterns = (context.CONCESSION, context.LIMIT, context.QUESTION)
    return any(pattern.search(clause) for pattern in patterns)


def _gives_value(clause: str) -> bool:
    """Whether a number is given as the value of something, and not only mentioned."""
    return any(
        context.COPULA.search(clause[: number.start])
        and not context.QUESTION.search(clause[: number.start])
        for number in numbers(clause)
    )


def _guesses(clause: str) -> bool:
    """Whether a guess is announced and a figure follows it."""
    hedge = context.HEDGE.search(clause)
    return hedge is not None and context.FIGURE.search(clause, hedge.start()) is not None


def supports(statement: str) -> bool:
    """Whether a statement without a phrase is compatible with an abstention beside it."""
    patterns = (context.CONCESSION, context.LIMIT, context.ADVICE)
    if any(pattern.search(statement) for pattern in patterns):
        return True
    if context.FIGURE.search(statement):
        return False
    if context.SUPPORT.search(statement) or context.SEARCH.match(statement):
        return True
    is_speaker = context.SPEAKER.search(statement) is not None
    return is_speaker and not context.DOCUMENT.search(statement)
