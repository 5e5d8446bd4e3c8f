"""Whether an answer abstains: whether it refuses, and no claim in it answers what was asked.

``assay.scorers.abstention.statement`` says what a refusal, a claim and the rest of an answer is.
An answer that gives a fact and then says that something else is not mentioned is an answer, and
so is "I don't know, but probably 5,000". If it answers a part of the question and says that the
rest is not there, it is *partial*; this counts as an answer.

Without the question, a plain statement is a claim, and a report of what the text says is one
unless the refusal is set against it ("The article says that …, but it does not explain why").
With the question, a statement is a claim if it could answer it (``question.Focus``): "The rent is
5,000; the deposit is not mentioned" answers a question about the rent and refuses one about the
deposit. And if the question is whether the text mentions something, "it does not mention it" is
the answer.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import compress, pairwise
from operator import not_
from typing import Final

from msgspec import Struct

from assay.scorers.abstention import context
from assay.scorers.abstention.divide import statements
from assay.scorers.abstention.question import Focus, content_words, focus
from assay.scorers.abstention.sign import has_refusing_sign
from assay.scorers.abstention.statement import Statement
from assay.text import Span, language

_QUOTED_ANSWER: Final = re.compile("(?:«[^«»]+»|“[^“”]+”|「[^「」]+」)[.。,，]?[\\s\\d%.,]*")
_CODE: Final = 12
"""An answer of so few characters may be a code in another language than the question: null."""
_LACK: Final = 3
"""A statement of so many words that are not of the question may be a reason."""
_NO_THEN_REASON: Final = re.compile(r"\W*no\.\s")


class Abstention(Struct, frozen=True, kw_only=True):
    """Whether an answer abstains, and why. All spans are offsets in the answer.

    ``refusals``, ``scaffolding`` and ``claims`` are the statements of the answer by class.
    ``phrases`` are the words of the refusals that refuse. ``decided_by`` is the statement that
    decided: the first claim, or the first refusal if there is no claim; ``None`` if the answer
    does not refuse at all, because then no statement was weighed. ``partial`` is true if the
    answer refuses and claims.
    """

    abstains: bool
    partial: bool = False
    decided_by: Span | None = None
    refusals: tuple[Span, ...] = ()
    scaffolding: tuple[Span, ...] = ()
    claims: tuple[Span, ...] = ()
    phrases: tuple[Span, ...] = ()


def is_abstention(answer: str, question: str | None) -> bool:
    """Whether ``answer`` as a whole says that there is no answer; see ``abstains``."""
    asked = _focus(answer, question)
    all_statements = statements(answer, asked)
    refusals = _refusals(all_statements, asked)
    return bool(refusals) and next(_claims(all_statements, refusals, asked), None) is None


def assess_abstention(answer: str, question: str | None = None) -> Abstention:
    """Whether ``answer`` abstains, whether it is partial, and its statements by class.

    >>> text = "租金为5000元；文中没有说明押金。"
    >>> result = assess_abstention(text)
    >>> result.abstains, result.partial, result.claims[0].of(text), result.phrases[0].of(text)
    (False, True, '租金为5000元', '文中没有说明')
    """
    asked = _focus(answer, question)
    all_statements = statements(answer, asked)
    refusals = _refusals(all_statements, asked)
    if not refusals:
        supports = [statement.role == "support" for statement in all_statements]
        return Abstention(
            abstains=False,
            claims=tuple(compress((s.span for s in all_statements), map(not_, supports))),
            scaffolding=tuple(compress((s.span for s in all_statements), supports)),
        )
    claims = list(_claims(all_statements, refusals, asked))
    refusal_spans = tuple(statement.span for statement in refusals)
    claim_set = set(claims)
    others = (statement for statement in all_statements if statement not in refusals)
    return Abstention(
        abstains=not claims,
        partial=bool(claims),
        decided_by=claims[0] if claims else refusals[0].span,
        refusals=refusal_spans,
        scaffolding=tuple(other.span for other in others if other.span not in claim_set),
        claims=tuple(claims),
        phrases=tuple(phrase for statement in refusals for phrase in statement.phrases),
    )


def _focus(answer: str, question: str | None) -> Focus | None:
    """What the question asks for; ``None`` if it is not known or in another language."""
    if not question:
        return None
    if language(question) != language(answer) and len(answer) > _CODE:
        return None
    return focus(question)


def _refusals(all_statements: Sequence[Statement], asked: Focus | None) -> list[Statement]:
    """The statements that refuse to answer the question."""
    refusals = [statement for statement in all_statements if statement.refuses]
    if not refusals:
        return []
    if asked is not None:
        refusals = [statement for statement in refusals if not _is_answer(statement, asked)]
    if asked is not None and not asked.is_polar and _is_quotation(all_statements[0].answer):
        return []  # what a sign says, what somebody wrote
    if asked is not None and asked.is_polar:
        # "No. The seller said nothing about the leak": the point after "No" ends no sentence.
        refusals = [s for s in refusals if not _NO_THEN_REASON.match(s.form)]
    if asked is not None and asked.expects_absence:
        # "Does the contract mention a fee?" – "It does not mention one" tells; "I don't know" not.
        refusals = [s for s in refusals if context.WHOLE.search(s.form)]
    return refusals


def _is_quotation(answer: str) -> bool:
    """Whether an answer begins and ends with one quotation in printed marks; a share may follow."""
    return _QUOTED_ANSWER.fullmatch(answer.strip()) is not None


def _is_answer(refusal: Statement, asked: Focus) -> bool:
    """Whether what refuses elsewhere is the answer here: why it was rejected, what was found."""
    if asked.is_explained_by(refusal.text):
        return True
    if context.COMPLEMENT.match(refusal.form) and not asked.is_polar:
        return True
    if asked.is_polar and _decides(refusal):
        return True
    if asked.denies and asked.is_touched_by(refusal.first_part):
        return True  # "Who did not come?" – "The agent did not come, the reasons are not known"
    is_own = context.DOCUMENT.search(refusal.form) or context.SOURCE.search(refusal.form)
    if _is_cause(refusal, asked):
        return True
    is_about_text = is_own or refusal.follows_text
    if asked.asks_meaning and not is_about_text and not refusal.is_whole:
        return True  # "NULL marks a value that is unknown"
    if not asked.asks_findings or refusal.is_whole or context.DOCUMENT.search(refusal.form):
        return False
    return context.FOUND.search(refusal.form) is not None


def _decides(refusal: Statement) -> bool:
    """Whether a refusal begins with yes or no and does not speak of a text: "No: not found there"."""
    if not context.POLAR.match(refusal.form):
        return False
    if re.match(r"\W*\w+\s*:", refusal.form):
        return True
    return not context.SOURCE.search(refusal.form) and not context.DOCUMENT.search(refusal.form)


def _is_cause(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal is the reason that is asked for: "Because the runway could not be seen"."""
    if not asked.asks_reason:
        return False
    if context.CAUSE.match(refusal.form) and not context.SOURCE.search(refusal.form):
        return True
    if context.WHOLE.search(refusal.form):
        return False
    if asked.asks_rejection and not asked.is_refused_reason(refusal.form):
        return bool(content_words(refusal.form) - asked.words)
    if _tells_what_was_lacking(refusal, asked):
        return True
    return refusal.is_in_cause or context.CAUSE.search(refusal.form) is not None


def _tells_what_was_lacking(refusal: Statement, asked: Focus) -> bool:
    """Whether a reason is asked for and the statement names a lack that is the reason.

    "Why was the form returned?" – "The tax number was missing." It speaks neither of a text that
    was given nor of reasons.
    """
    form = refusal.form
    if context.SOURCE.search(form) or context.DOCUMENT.search(form):
        return False
    if context.EXPLAINING.search(form) or context.OWN_TEXT.search(form):
        return False
    if has_refusing_sign(form):
        return False
    return len(content_words(form) - asked.words) >= _LACK


def _is_advice_or_cause(all_statements: Sequence[Statement], index: int, asked: Focus) -> bool:
    """Whether a statement is the cause that is asked for, or the advice before any refusal."""
    statement = all_statements[index]
    if statement.refuses:
        return _is_cause(statement, asked)
    if not asked.asks_advice or statement.role != "support":
        return False
    if any(other.refuses for other in all_statements[:index]):
        return False
    return bool(asked.named_by(statement.text))


def _claims(
    all_statements: Sequence[Statement], refusals: Sequence[Statement], asked: Focus | None
) -> Iterator[Span]:
    """The statements, and the parts of refusals, that answer what was asked."""
    missing = _missing_words(refusals, asked)
    excused = set(_reasons(all_statements))
    for index, statement in enumerate(all_statements):
        if statement in refusals:
            for part in statement.claims:
                if asked is None or _is_claim(part.text, statement, asked, missing):
                    yield part.span
        elif asked is not None and _is_advice_or_cause(all_statements, index, asked):
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


def _is_claim(part: str, refusal: Statement, asked: Focus, missing: frozenset[str]) -> bool:
    """Whether a part of a refusal answers the question all the same."""
    if _is_guess(part) and not context.DOCUMENT.search(part.lower()):
        return bool(content_words(part))
    is_inexact = context.EXACT.search(refusal.form) is not None
    if refusal.is_whole and not is_inexact and not refusal.begins_with_fragment(part):
        return asked.is_fully_answered_by(part, missing)
    if asked.is_answered_by(part, missing):
        return True
    if context.DOCUMENT.search(refusal.form):
        return False
    if asked.is_polar and context.POLAR.match(part.lower()):
        return True
    return _leaves_open(refusal) and asked.is_answered_by(part, frozenset())


def _leaves_open(refusal: Statement) -> bool:
    """Whether a refusal says that nobody knows; then what stands beside it may answer."""
    is_about_text = context.DOCUMENT.search(refusal.form) or refusal.is_whole
    return not is_about_text and context.UNKNOWN_FACT.search(refusal.form) is not None


def _is_guess(text: str) -> bool:
    return context.HEDGE.search(text.lower()) is not None


def _missing_words(refusals: Sequence[Statement], asked: Focus | None) -> frozenset[str]:
    """The words of the question about which the answer says that something is missing."""
    if asked is None:
        return frozenset()
    missing: frozenset[str] = frozenset()
    for refusal in refusals:
        text = context.DOCUMENT.sub(" ", refusal.form)
        missing |= content_words(text) & asked.words
    return missing


def _answers(
    all_statements: Sequence[Statement], index: int, asked: Focus, missing: frozenset[str]
) -> bool:
    """Whether a statement that does not refuse answers the question."""
    statement = all_statements[index]
    if context.POLAR.match(statement.form) or asked.is_denied_by(statement.text):
        return True
    refusals = [i for i, other in enumerate(all_statements) if other.refuses]
    is_whole = any(all_statements[other].is_whole for other in refusals)
    is_plain = statement.role == "plain" and not statement.is_attributed
    if index < refusals[0] and asked.is_partly_answered_by(statement.full_text, missing):
        return True
    if any(_denies_reason(all_statements[other], asked) for other in refusals):
        return asked.has_cause(statement.full_text)
    is_first = index < refusals[0] and not all_statements[refusals[0]].contrasts
    if (
        is_first
        and statement.role != "support"
        and _is_set_beside(statement, all_statements, asked)
    ):
        return True
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
    return _answers_beside(statement, asked, missing, is_whole)


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


def _is_set_beside(statement: Statement, all_statements: Sequence[Statement], asked: Focus) -> bool:
    """Whether ``statement`` is about the question, and all refusals after it about something else.

    "The capital is Lindau. I have no information about its population."
    """
    shared = asked.named_by(statement.full_text)
    if not shared:
        return _is_figure_first(statement, all_statements, asked)
    for refusal in all_statements:
        if refusal.refuses and not context.BEYOND.search(refusal.form):
            matter = refusal.matter
            if not matter - asked.words or not matter & asked.words < shared:
                return False
    return True


def _is_figure_first(
    statement: Statement, all_statements: Sequence[Statement], asked: Focus
) -> bool:
    """Whether an answer begins with the figure that is asked for, and lacks something else.

    "500 mg every 8 hours. There is not enough data on use in pregnancy."
    """
    if statement.is_about_text or not asked.has_figure(statement.full_text):
        return False
    if any(other.role != "support" for other in all_statements[: all_statements.index(statement)]):
        return False
    matters = [other.matter for other in all_statements if other.refuses]
    if statement.is_fragment:
        return all(matter - asked.words and asked.words - matter for matter in matters)
    return all(matter and not matter & asked.words for matter in matters)


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
