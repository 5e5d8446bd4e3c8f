"""Which statements of an answer refuse the question, and which of those are its answer.

"It does not mention one" answers whether the contract mentions a fee, and "Because the form was not
signed" tells why it was sent back.
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.abstention import context
from assay.scorers.abstention.question import Focus, content_words
from assay.scorers.abstention.sign import has_absence, has_refusing_sign
from assay.scorers.abstention.statement import Statement
from assay.scorers.abstention.world import tells_world
from assay.text import Ranges

_QUOTED_ANSWER: Final = re.compile("(?:«[^«»]+»|“[^“”]+”|「[^「」]+」)[.。,，]?[\\s\\d%.,]*")
_PLAIN_QUOTATION: Final = re.compile('"[^"]+"[.。]?')
_CODE: Final = re.compile("`[^`\n]+`")
_LACK: Final = 3
"""A statement of so many words that are not of the question may be a reason."""
_NO_THEN_REASON: Final = re.compile(r"(?:^\W*|,\s)no\.\s+[^\W\d]")


def refusals_of(all_statements: Sequence[Statement], asked: Focus | None) -> list[Statement]:
    """The statements that refuse to answer the question."""
    refusals = [statement for statement in all_statements if statement.refuses]
    if not refusals:
        return []
    facts = [statement for statement in refusals if _is_unknown_fact(statement)]
    if facts and any(tells_world(statement.form) for statement in all_statements):
        # "The author is unknown. Scholars have never identified him."
        refusals = [statement for statement in refusals if statement not in facts]
    if asked is not None:
        refusals = [statement for statement in refusals if not _is_answer(statement, asked)]
    if asked is not None and not asked.is_polar and _is_quotation(all_statements[0].answer, asked):
        return []  # what a sign says, what somebody wrote
    if asked is not None and (asked.asks_meaning or asked.asks_code):
        refusals = [s for s in refusals if not _is_shown_text(s)]
    if asked is not None and asked.is_polar:
        # "No. The seller said nothing about the leak": the point after "No" ends no sentence.
        refusals = [s for s in refusals if not _NO_THEN_REASON.search(s.form)]
    if asked is not None and asked.expects_absence:
        # "Does the contract mention a fee?" – "It does not mention one" tells; "I don't know" not.
        refusals = [s for s in refusals if _is_open(s, asked)]
    if asked is not None and (asked.expects_absence or asked.denies):
        # "What is unclear?" – "It is unclear who gave the order."
        refusals = [s for s in refusals if not _repeats_absence(s, asked)]
    return refusals


def _is_unknown_fact(refusal: Statement) -> bool:
    """Whether a refusal says that a thing is unknown, and speaks of no text and no speaker."""
    if not context.UNKNOWN_FACT.search(refusal.refusing_parts):
        return False
    patterns = (context.DOCUMENT, context.SOURCE, context.SPEAKING)
    return not any(pattern.search(refusal.form) for pattern in patterns)


def _is_open(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal is about the whole question, though it asks for what is absent.

    "The reviewers say that there are too few data" tells what is wrong with the study.
    """
    if not context.WHOLE.search(refusal.form):
        return False
    if asked.is_polar or context.SPEAKING.search(refusal.form):
        return True
    return not content_words(refusal.first_part) & asked.words


def _repeats_absence(refusal: Statement, asked: Focus) -> bool:
    """Whether the words that refuse are those of the question, other than a negation.

    "I cannot say whether it has a fee" names them too, but leaves the question open.
    """
    if asked.is_polar and context.CANNOT_TELL.search(refusal.form):
        return False
    if asked.denies and context.SPEAKING.search(refusal.form):
        return False
    spans = (span.of(refusal.answer) for span in refusal.phrases)
    shared = (content_words(text) & asked.words for text in spans)
    return any(not has_absence(word) for words in shared for word in words)


def _is_quotation(answer: str, asked: Focus) -> bool:
    """Whether an answer begins and ends with one quotation in printed marks; a share may follow.

    Plain marks count if the question is what something says.
    """
    if asked.asks_meaning and _PLAIN_QUOTATION.fullmatch(answer.strip()):
        return True
    return _QUOTED_ANSWER.fullmatch(answer.strip()) is not None


def _is_shown_text(refusal: Statement) -> bool:
    """Whether all that refuses is a message that is quoted as code: "It prints `no such file`"."""
    shown = Ranges([match.span() for match in _CODE.finditer(refusal.answer)])
    return bool(refusal.phrases) and all(
        shown.overlap(phrase.start, phrase.end) for phrase in refusal.phrases
    )


def _is_answer(refusal: Statement, asked: Focus) -> bool:
    """Whether what refuses elsewhere is the answer here: why it was rejected, what was found."""
    if asked.is_explained_by(refusal.text) or _says_none(refusal):
        return True
    if context.COMPLEMENT.match(refusal.form) and not asked.is_polar:
        return True
    is_no = asked.is_polar and (_decides(refusal, asked) or _denies_existence(refusal, asked))
    if is_no or _is_told_by_others(refusal, asked):
        return True
    has_sign = has_refusing_sign(refusal.form)
    if asked.denies and not has_sign and asked.is_touched_by(refusal.first_part):
        return True  # "Who did not come?" – "The agent did not come, the reasons are not known"
    is_own = context.DOCUMENT.search(refusal.form) or context.SOURCE.search(refusal.form)
    if is_cause(refusal, asked):
        return True
    is_about_text = is_own or refusal.follows_text
    if asked.asks_meaning and not is_about_text and not refusal.is_whole:
        return True  # "NULL marks a value that is unknown"
    if asked.asks_code and _tells_failure(refusal, asked):
        return True
    if asked.asks_outcome and not refusal.follows_text and _tells_outcome(refusal, asked):
        return True
    if not asked.asks_findings or refusal.is_whole or context.DOCUMENT.search(refusal.form):
        return False
    return context.FOUND.search(refusal.form) is not None


def _says_none(refusal: Statement) -> bool:
    """Whether an answer to who, what or how many begins with "none", and the speaker knows it."""
    return context.NONE.match(refusal.form) is not None and not context.SPEAKING.search(
        refusal.form
    )


def _tells_failure(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal is what an error or a state is: "The file could not be found"."""
    if refusal.follows_text or content_words(refusal.form) & asked.words:
        return False
    if context.SPEAKING.search(refusal.form) or context.EXPLAINING.search(refusal.form):
        return False
    if context.ANSWER_WORD.search(refusal.form) or context.NO_RECORD.search(refusal.form):
        return False  # "Answer not found in the sources"
    state = refusal.lead.rstrip()
    if state.endswith(":") and not context.STATUS.match(state):
        return True  # "Rejected: no permission"
    return any(p.search(refusal.form) for p in (context.DOCUMENT, context.SOURCE))


def _tells_outcome(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal is how something ended: "The inquiry could not establish who set the fire"."""
    told = refusal.lead + context.PAUSE.split(refusal.form[len(refusal.lead) :])[0]
    if context.SPEAKING.search(told) or not context.UNSOLVED.search(refusal.form):
        return False
    # A search that is asked about is no search of a text: "The wreck was not found, and the search …"
    texts = (m for p in (context.SOURCE, context.DOCUMENT) for m in p.finditer(told))
    if any(not content_words(text.group()) <= asked.words for text in texts):
        return False
    return bool(content_words(context.UNSOLVED.sub(" ", refusal.form)) - asked.words)


def _is_told_by_others(refusal: Statement, asked: Focus) -> bool:
    """Whether not the text or the speaker is silent, but somebody who is asked about."""
    if asked.asks_meaning:
        return context.MEANS.match(refusal.form) is not None or _is_declined(refusal)
    if asked.asks_discovery and _is_undiscovered(refusal):
        return True
    return asked.is_polar and _is_personal_no(refusal, asked)


def _is_undiscovered(refusal: Statement) -> bool:
    """Whether a refusal says no to whether something was found out: "The thief was not identified".

    It speaks neither of a text nor of the speaker, and names what is not known.
    """
    texts = (context.SPEAKING, context.SOURCE, context.DOCUMENT, context.WHETHER)
    for part in refusal.parts:
        if any(pattern.search(part) for pattern in texts):
            continue
        if context.UNSOLVED.search(part):
            return True
        rest = context.UNKNOWN_FACT.sub(" ", part)
        if rest != part and any(map(str.isalpha, rest)):
            return True
    return False


def _is_personal_no(refusal: Statement, asked: Focus) -> bool:
    """Whether somebody did not do what is asked: "Did he explain it?" – "He gave no explanation"."""
    texts = (context.SPEAKING, context.SOURCE, context.DOCUMENT, context.WHETHER)
    if any(pattern.search(refusal.form) for pattern in texts):
        return False
    return context.PERSON.search(refusal.form) is not None and asked.has_root_in(refusal.form)


def _is_declined(refusal: Statement) -> bool:
    """Whether somebody else than the speaker would not tell, and that is the answer asked for."""
    if context.SPEAKING.search(refusal.form):
        return False
    return context.DECLINED.search(refusal.form) is not None


def _denies_existence(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal says no to whether there is something, or to whether a text tells it.

    "There is no such clause", "The son is not mentioned"; but not "I cannot tell whether it is".
    """
    if asked.is_denied_by(refusal.first_part):
        return True
    if refusal.is_whole or context.QUESTION.search(refusal.form):
        return False
    if asked.asks_existence and content_words(refusal.form) & asked.words:
        return True
    if _tells_absence(refusal, asked):
        return True
    return any(asked.is_decided_by(denial) for denial in refusal.denials)


def _tells_absence(refusal: Statement, asked: Focus) -> bool:
    """Whether a thing of the question is not there: "No: the scanner is missing on this model"."""
    if not any(map(context.ABSENT.search, refusal.denials)) or not content_words(refusal.lead):
        return False
    texts = (context.SOURCE, context.DOCUMENT, context.OWN_TEXT, context.INFORMATION)
    if any(pattern.search(refusal.form) for pattern in texts):
        return False
    return bool(content_words(refusal.lead) & asked.words)


def _decides(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal begins with yes or no and does not speak of a text: "No: not found there".

    If the question is whether there is something, it may: "No, the contract has no such clause".
    """
    if not context.POLAR.match(refusal.form):
        return False
    if re.match(r"\W*\w+\s*:", refusal.form):
        return True
    if asked.asks_existence and content_words(refusal.form) & asked.words:
        return not context.CANNOT_TELL.search(refusal.form)
    return not context.SOURCE.search(refusal.form) and not context.DOCUMENT.search(refusal.form)


def is_cause(refusal: Statement, asked: Focus) -> bool:
    """Whether a refusal is the reason that is asked for: "Because the runway could not be seen"."""
    if not asked.asks_reason:
        return False
    if context.CAUSE.match(refusal.form) and not context.SOURCE.search(refusal.form):
        return True
    if _is_told_with_cause(refusal, asked):
        return True
    if context.WHOLE.search(refusal.form):
        return False
    is_rejection = asked.asks_rejection and not refusal.follows_text
    if is_rejection and not asked.is_refused_reason(refusal.form):
        return bool(content_words(refusal.form) - asked.words)
    if _tells_what_was_lacking(refusal, asked):
        return True
    return _explains_question(refusal, asked) or context.CAUSE.search(refusal.form) is not None


def _explains_question(refusal: Statement, asked: Focus) -> bool:
    """Whether what refuses is the cause of what the statement tells about the question."""
    cause = context.CAUSE_INSIDE.search(refusal.lead)
    if cause is None or context.SOURCE.search(refusal.lead):
        return False
    return bool(asked.words & content_words(refusal.lead[: cause.start()]))


def _is_told_with_cause(refusal: Statement, asked: Focus) -> bool:
    """Whether only the reason refuses: "The clerk left it empty because the owner was not known"."""
    form = refusal.form
    if asked.is_refused_reason(form) or context.SPEAKING.search(form):
        return False
    cause = context.CAUSE_INSIDE.search(refusal.lead)
    if cause and content_words(refusal.lead[: cause.start()]) & asked.words:
        # "The insurer rejected it because there was too little information"
        told = refusal.lead[: cause.start()]
        return not context.SOURCE.search(told) and not context.DOCUMENT.search(told)
    if context.SOURCE.search(form) or context.DOCUMENT.search(form):
        return False
    parts = context.PAUSE.split(refusal.lead)[1:]
    return bool(cause) or any(map(context.CAUSE.match, parts))


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
