"""Which statements of an answer that refuses answer what was asked all the same."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assay.scorers.abstention import context
from assay.scorers.abstention.beside import (
    is_before_other_matter,
    is_labelled_value,
    is_listed_beside,
    is_one_of_two,
    is_quoted_value,
    is_set_beside,
    takes_back,
)
from assay.scorers.abstention.field import is_report_field
from assay.scorers.abstention.listing import is_bare_list
from assay.scorers.abstention.question import Focus, content_words
from assay.scorers.abstention.refusal import is_cause
from assay.scorers.abstention.statement import Statement
from assay.text import Span

_FINAL: Final = re.compile(r"\s*(?:[.!]\s*)?$|\.\s+[^\W\d]")
"""After yes or no: nothing, or another sentence; the point after "no" may end none."""


def _is_advice_or_cause(all_statements: Sequence[Statement], index: int, asked: Focus) -> bool:
    """Whether a statement is the cause that is asked for, or the advice before any refusal."""
    statement = all_statements[index]
    if statement.refuses:
        return is_cause(statement, asked)
    if not asked.asks_advice or any(other.refuses for other in all_statements[:index]):
        return False
    if statement.role == "plain" and not all_statements[index + 1].contrasts:
        return not statement.is_about_text
    if statement.role != "support":
        return False
    if context.INSTRUCTION.match(statement.form) and not context.ADVICE.search(statement.form):
        return not statement.is_about_text
    return bool(asked.named_by(statement.text))


def claims_of(
    all_statements: Sequence[Statement], refusals: Sequence[Statement], asked: Focus | None
) -> Iterator[Span]:
    """The statements, and the parts of refusals, that answer what was asked."""
    missing = _missing_words(refusals, asked)
    excused = {*_reasons(all_statements), *_presences(all_statements, asked)}
    for index, statement in enumerate(all_statements):
        if statement in refusals:
            is_led = _is_led_to_refusal(all_statements, index)
            for part in statement.claims:
                if asked is None or (
                    _is_claim(part.text, statement, asked, missing)
                    and (not is_led or asked.is_repeated_by(part.text))
                ):
                    yield part.span
        elif asked is not None and _answers_in_place(all_statements, index, asked, missing):
            yield statement.span
        elif statement.refuses or statement.role == "support" or index in excused:
            # A refusal that is none here only says what the text lacks: "There is nothing in it
            # about pipes, so I cannot say whether it covers them".
            continue
        elif asked is not None:
            if _answers(all_statements, index, asked, missing):
                yield statement.span
        elif not _is_background(all_statements, index):
            yield statement.span


def _answers_in_place(
    all_statements: Sequence[Statement], index: int, asked: Focus, missing: frozenset[str]
) -> bool:
    """Whether a statement answers because of its place: a cause, advice, a part before refusals."""
    if _is_advice_or_cause(all_statements, index, asked):
        return True
    return _tells_beside(all_statements, index, asked, missing)


def _is_claim(part: str, refusal: Statement, asked: Focus, missing: frozenset[str]) -> bool:
    """Whether a part of a refusal answers the question all the same."""
    if _is_presence(part, asked) or _points_elsewhere(part):
        return False
    if _is_guess(part) and not context.DOCUMENT.search(part.lower()):
        # "Probably, at the Azores, though …" guesses; ", probably, is described later" does not.
        return refusal.text.startswith(part) or bool(
            content_words(context.HEDGE.sub(" ", part.lower()))
        )
    is_told = asked.is_dated_by(part) or _is_conceded(part, refusal, asked)
    if is_told or _is_late_yes(part, refusal, asked) or is_one_of_two(part, refusal, asked):
        return True
    if context.CAVEAT.search(refusal.refusing_parts) and refusal.text.startswith(part):
        return asked.is_answered_by(part, frozenset())  # "45 euros, though I can't vouch for it"
    is_inexact = context.EXACT.search(refusal.form) is not None
    if refusal.is_whole and not is_inexact and not refusal.begins_with_fragment(part):
        return asked.is_fully_answered_by(part, missing)
    if asked.is_answered_by(part, missing):
        return True
    if asked.asks_two and missing < asked.words and asked.has_figure(part):
        return True  # "The sum is 320, the date is not given"
    if context.DOCUMENT.search(refusal.form):
        return False
    if asked.is_polar and context.POLAR.match(part.lower()):
        return True
    return _leaves_open(refusal) and asked.is_answered_by(part, frozenset())


def _is_late_yes(part: str, refusal: Statement, asked: Focus) -> bool:
    """Whether yes or no follows a refusal all the same: "I don't remember, probably yes"."""
    if not asked.is_polar or refusal.text.startswith(part):
        return False
    return context.POLAR.match(part.lower()) is not None


def _points_elsewhere(part: str) -> bool:
    """Whether a part only guesses where else to look: "maybe ask the host"."""
    return _is_guess(part) and context.ADVICE.search(part.lower()) is not None


def _is_conceded(part: str, refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal is only conceded, and ``part`` tells something else that was asked for.

    "Although long-term effects cannot be assessed, the treatment lowered the pain by a third."
    """
    if not context.CONCESSION.match(refusal.form) or refusal.text.startswith(part):
        return False
    shared = content_words(part) & asked.words
    return bool(shared - content_words(refusal.lead)) and asked.is_touched_by(part)


def _presences(all_statements: Sequence[Statement], asked: Focus | None) -> Iterator[int]:
    """The indexes of statements before a refusal that only tell what else is there."""
    for index, (statement, after) in enumerate(pairwise(all_statements)):
        if asked is not None and after.refuses and _is_presence(statement.parts[-1], asked):
            yield index


def _is_presence(text: str, asked: Focus) -> bool:
    """Whether ``text`` only tells that something else is there: "The start date is there (1 April)"."""
    if asked.asks_several or not context.PRESENCE.match(text.lower()):
        return False
    return not content_words(text) & asked.words


def _leaves_open(refusal: Statement) -> bool:
    """Whether a refusal says that nobody knows; then what stands beside it may answer."""
    if context.DOCUMENT.search(refusal.form) or not context.UNKNOWN_FACT.search(refusal.form):
        return False
    rest = context.UNKNOWN_FACT.sub(" ", refusal.form)
    return not refusal.is_whole or not context.WHOLE.search(rest)


def _is_guess(text: str) -> bool:
    return context.HEDGE.search(text.lower()) is not None


def _missing_words(refusals: Sequence[Statement], asked: Focus | None) -> frozenset[str]:
    """The words of the question about which the answer says that something is missing."""
    if asked is None:
        return frozenset()
    missing: frozenset[str] = frozenset()
    for refusal in refusals:
        text = context.DOCUMENT.sub(" ", refusal.form)
        missing |= asked.meant_by(text)
    return missing


def _answers(
    all_statements: Sequence[Statement], index: int, asked: Focus, missing: frozenset[str]
) -> bool:
    """Whether a statement that does not refuse answers the question."""
    statement = all_statements[index]
    refusals = [i for i, other in enumerate(all_statements) if other.refuses]
    is_told = asked.is_denied_by(statement.text) or asked.is_dated_by(statement.text)
    is_instead = takes_back(all_statements[refusals[-1] + 1 : index + 1])
    if is_told or is_instead or _decides(statement, asked):
        return True
    is_whole = any(all_statements[other].is_whole for other in refusals)
    is_elliptic = statement.is_fragment and not content_words(statement.text) & asked.words
    is_plain = statement.role == "plain" and (is_elliptic or not statement.is_attributed)
    if index < refusals[0] and asked.is_partly_answered_by(statement.full_text, missing):
        return True
    if not asked.asks_two and any(_denies_reason(all_statements[i], asked) for i in refusals):
        return asked.has_cause(statement.full_text)
    is_first = index < refusals[0] and not all_statements[refusals[0]].contrasts
    if is_first and statement.role != "support" and is_set_beside(statement, all_statements, asked):
        return True
    if _leads_to_refusal(all_statements, index):
        # "It is unclear. The authors write “at random”, but they describe no method."
        return asked.is_repeated_by(statement.full_text)
    if index - 1 in refusals and _goes_on(all_statements[index - 1], statement, asked, is_plain):
        return True
    if is_plain and index < refusals[0] and not all_statements[refusals[0]].contrasts:
        return _answers_first(statement, all_statements[refusals[0]], asked, missing, is_whole)
    if not is_plain and not missing:
        # "The report doesn't say. It does give the size of the fleet, 340 vans."
        follows = refusals[0] < index and not statement.contrasts
        is_afterthought = follows and statement.role == "report"
        if is_afterthought or _is_background(all_statements, index):
            return asked.is_repeated_by(statement.full_text)
    is_other = _is_about_another_matter(all_statements, index, asked)
    return not is_other and _answers_beside(statement, asked, missing, is_whole)


def _is_about_another_matter(all_statements: Sequence[Statement], index: int, asked: Focus) -> bool:
    """Whether an answer begins with what the text lacks, and the statement names nothing asked for.

    "Its height isn't in the text. It was built in 1887 and has 12 floors."
    """
    opener = next(other for other in all_statements if other.role != "support")
    statement = all_statements[index]
    if not opener.refuses or statement.contrasts or statement.concludes or statement.is_guess:
        return False
    if not context.SOURCE.search(opener.form) or context.EXACT.search(opener.form):
        return False
    return not statement.is_fragment and not content_words(statement.full_text) & asked.words


def _decides(statement: Statement, asked: Focus) -> bool:
    """Whether a statement begins with yes or no, or a part of it only is one: "By section B, no"."""
    if context.POLAR.match(statement.form):
        return True
    parts = statement.parts if asked.is_polar else []
    decisions = ((part, context.POLAR.match(part)) for part in parts)
    return any(polar and _FINAL.match(part, polar.end()) for part, polar in decisions)


def _leads_to_refusal(all_statements: Sequence[Statement], index: int) -> bool:
    """Whether a statement stands after a refusal, and another refusal is set against it."""
    if index == 0 or index + 1 == len(all_statements):
        return False
    before, statement, after = all_statements[index - 1 : index + 2]
    if statement.contrasts or statement.concludes:
        return False
    return before.refuses and after.refuses and after.contrasts


def _is_led_to_refusal(all_statements: Sequence[Statement], index: int) -> bool:
    """Whether an answer begins with a refusal, and another is set against what it tells.

    "Left blank: the letter is dated 4 May, but the date of receipt cannot be established."
    """
    after = all_statements[index + 1] if index + 1 < len(all_statements) else None
    return index == 0 and after is not None and after.refuses and after.contrasts


def _tells_beside(
    all_statements: Sequence[Statement], index: int, asked: Focus, missing: frozenset[str]
) -> bool:
    """Whether a statement before all refusals tells what was asked, and these are about the rest."""
    statement = all_statements[index]
    first = next((s for s in all_statements if s.refuses), None)
    if first is None or statement.refuses or any(s.refuses for s in all_statements[:index]):
        return False
    if statement.role == "support":
        # "The leaflet lists A, B and C. It does not write about D."
        if any(
            p.search(statement.form) for p in (context.ADVICE, context.LIMIT, context.CONCESSION)
        ) or is_report_field(statement.form, asked):
            return False
        is_list = not asked.is_polar and not first.contrasts
        return is_list and is_listed_beside(statement, all_statements, asked)
    if is_quoted_value(statement, asked, missing) or is_labelled_value(statement, asked, missing):
        return True
    if not asked.is_polar and is_before_other_matter(statement, all_statements, asked):
        return True
    if index == 0 and not asked.is_polar and is_bare_list(statement):
        is_new = not content_words(statement.text) & asked.words
        matters = (other.matter for other in all_statements if other.refuses)
        return is_new and all(matter - asked.words for matter in matters)
    return asked.asks_several and _answers_a_part(statement, first, asked, missing)


def _answers_a_part(
    statement: Statement, refusal: Statement, asked: Focus, missing: frozenset[str]
) -> bool:
    """Whether a statement tells one of several things that are asked for, and another is missing.

    "The drivers were Osei and Brandt, but I could not find their times."
    """
    about = content_words(statement.full_text)
    if not about - asked.words or context.TOPIC.search(statement.form):
        return False
    if asked.asks_two and asked.has_figure(statement.full_text):
        return True  # "Each household may keep one dog. What happens otherwise is not told."
    is_named = bool((about & asked.words) - missing)
    if statement.role == "plain" and not statement.is_about_text:
        return is_named or (asked.asks_two and bool(missing or refusal.matter))
    return asked.asks_two and is_named and bool(missing) and missing < asked.words


def _answers_beside(
    statement: Statement, asked: Focus, missing: frozenset[str], is_whole: bool
) -> bool:
    """Whether a statement answers that stands beside refusals and has no special place."""
    if statement.role == "report" and content_words(statement.news) <= asked.words:
        return False  # "The minutes say that it was rejected" only repeats the question
    if statement.role == "report" and context.TOPIC.search(statement.form):
        # "The article discusses the repainting in 1998; when it was built is not told."
        return asked.is_repeated_by(statement.full_text)
    if is_whole:
        return asked.is_fully_answered_by(statement.full_text, missing)
    return asked.is_answered_by(statement.full_text, missing)


def _answers_first(
    statement: Statement, refusal: Statement, asked: Focus, missing: frozenset[str], is_whole: bool
) -> bool:
    """Whether a plain statement before the first ``refusal`` answers: what is missing goes beyond it."""
    # An answer first, and then what is missing beyond it.
    is_list = asked.is_listed_by(statement.text) and not context.ASSERTION.search(statement.form)
    if (
        not asked.is_polar
        and statement.is_fragment
        and asked.is_answered_by(statement.text, frozenset())
    ):
        return True  # "Gate B7. I could not find the time."
    if refusal.adds and not asked.is_polar:
        return True  # "First, …; second, …. In addition, the report does not mention the costs."
    if is_whole and not asked.asks_several:
        return is_list or asked.is_fully_answered_by(statement.text, missing)
    is_touched = not missing and asked.is_touched_by(statement.text)
    return is_list or is_touched or asked.is_answered_by(statement.text, missing)


def _denies_reason(refusal: Statement, asked: Focus) -> bool:
    """Whether the reason that is asked for is missing, and not another one or one for something."""
    if not asked.is_refused_reason(refusal.form) or context.BEYOND.search(refusal.form):
        return False
    return not refusal.object_words - asked.words


def _goes_on(refusal: Statement, statement: Statement, asked: Focus, is_plain: bool) -> bool:
    """Whether a refusal announces the answer that the statement after it gives."""
    if is_plain and (statement.contrasts or statement.concludes):
        return True  # "It is not known for certain, but …"
    if statement.contrasts and context.INFERENCE.search(statement.form):
        return True  # "It is never proven, but the evidence points to the housekeeper"
    if is_plain and statement.is_guess and not statement.is_about_text:
        return asked.is_touched_by(statement.text) or asked.is_guessed_by(statement.text)
    if is_plain and _leaves_open(refusal) and not statement.is_about_text:
        # "Its author is unknown; scholars call him the Pearl Poet."
        return asked.is_answered_by(statement.text, frozenset())
    # "I see no exact distance. But it is described as a walk of two hours."
    is_inexact = context.EXACT.search(refusal.form) is not None and statement.contrasts
    return is_inexact and asked.has_figure(statement.full_text)


def _reasons(all_statements: Sequence[Statement]) -> Iterator[int]:
    """The indexes of statements that are only the reason for a refusal after them.

    "The clock had stopped, so no times are known." A statement with a figure or a guess is a
    claim, even if it is also a reason, unless the refusal is about the whole question.
    """
    for index, (statement, after) in enumerate(pairwise(all_statements)):
        if after.refuses and after.concludes and not statement.is_guess:
            has_figure = context.FIGURE.search(statement.full_text.lower()) is not None
            if not has_figure or after.is_whole:
                yield index


def _is_background(all_statements: Sequence[Statement], index: int) -> bool:
    """Whether a statement is only the background of a refusal, if the question is not known.

    Whatever stands between two refusals is, if the answer begins with a refusal. A report of
    what the text says is also background if the refusal is set against it, or if a refusal is
    about the whole question. A report that is itself set against a refusal is an answer.
    """
    statement = all_statements[index]
    before = [other for other in all_statements[:index] if other.refuses]
    after = [other for other in all_statements[index + 1 :] if other.refuses]
    opener = next(other for other in all_statements if other.role != "support")
    if opener.refuses and before and after and not statement.concludes:
        return True
    if statement.role == "plain":
        return False
    if before and statement.contrasts and all_statements[index - 1].refuses:
        return not context.FIGURE.search(statement.full_text.lower()) and not statement.is_guess
    if statement.is_guess:
        return False
    if any(other.is_limited for other in (*before, *after)):
        return False
    if after and not before and context.BEYOND.search(after[0].form):
        return False
    if any(other.contrasts for other in after) or (before and after):
        return True
    if any(other.is_whole for other in (*before, *after)):
        return True
    return not context.FIGURE.search(statement.full_text.lower())
