"""The statements of an answer, and what each of them does in an answer that abstains.

The answer is cut into sentences, each sentence into statements (at semicolons, "but", "so"), and
each statement into parts (at commas). A statement

* *refuses* if it contains a phrase that says that the information is not there or cannot be
  given ("the contract is silent on", "из документа не следует", "材料未载明"). A statement whose
  subject is carried over counts too: "The text discusses A and B, but does not mention C".
* *supports* a refusal if it says nothing about the matter: regret, advice, an offer, a request to
  upload or rephrase, what the text covers in general, a quotation that shows the gap.
* *reports* what the text says: "The article states that the mill employed 300 people".
* is *plain* otherwise.

These are not refusals: a rule about what is left open ("if the term is not specified…",
"没有约定的，…"), a prohibition ("must not be mentioned"), and the silence of a person.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from assay.scorers.abstention import context
from assay.scorers.abstention.phrase import carried_phrases, phrases, phrases_across_commas
from assay.text import (
    Normalised,
    Span,
    articles,
    citation_spans,
    normalise,
    normalised,
    numbers,
    sentences,
)
from assay.text.lexicon import ScriptPattern

Role: TypeAlias = Literal["refusal", "support", "report", "plain"]

_NEAR: Final = 200
"""How many characters around a phrase may change its meaning; clauses are shorter than that."""


class Part(Struct, frozen=True, kw_only=True):
    """A part of a statement that claims something beside a refusal."""

    text: str
    span: Span


class Statement(Struct, frozen=True, kw_only=True):
    """One statement of an answer. All spans are offsets in the answer.

    ``phrases`` are the words that refuse, ``claims`` the parts beside them that claim something.
    ``is_whole`` is true if the refusal is about the question as a whole ("I cannot answer").
    ``contrasts`` is true after "but" or "however", ``concludes`` after "so" or "therefore".
    ``is_limited`` is true if only a part of something is missing ("but not the amount"),
    ``is_guess`` if the statement guesses, ``is_attributed`` if it names the text as its source.
    ``quoted`` is what a report quotes.
    """

    text: str
    span: Span
    role: Role
    phrases: tuple[Span, ...] = ()
    claims: tuple[Part, ...] = ()
    is_whole: bool = False
    contrasts: bool = False
    concludes: bool = False
    is_limited: bool = False
    is_guess: bool = False
    is_attributed: bool = False
    quoted: str = ""

    @property
    def full_text(self) -> str:
        """The statement with what it quotes."""
        return f"{self.text} {self.quoted}" if self.quoted else self.text


class _Stretch(NamedTuple):
    """A piece of a sentence, as offsets in the sentence."""

    start: int
    end: int


class _Sentence(NamedTuple):
    """A sentence without citations, and how to find its place in the answer."""

    text: str
    form: Normalised
    start: int
    offset: int

    def span(self, start: int, end: int) -> Span:
        """The span in the answer of a stretch of this sentence."""
        span = self.form.original_span(self.start + start, self.start + end)
        return Span(start=self.offset + span.start, end=self.offset + span.end)


def statements(text: str) -> list[Statement]:
    """The statements of ``text`` in order; a quotation is no statement.

    >>> text = "The text discusses rivers, but does not mention the capital. Please ask again."
    >>> [(statement.role, statement.span.of(text)) for statement in statements(text)]
    [('report', 'The text discusses rivers'), ('refusal', 'does not mention the capital'), ('support', 'Please ask again')]
    """
    collected: list[Statement] = []
    is_about_text = False
    for sentence in _sentences(text):
        for statement in _statements_of(sentence, is_about_text=is_about_text):
            collected.append(statement)
            is_about_text = statement.role in {"report", "refusal"} or bool(
                context.DOCUMENT.search(statement.text)
            )
    return [_with_quotation(text, *pair) for pair in pairwise([*collected, None])]


def _with_quotation(text: str, statement: Statement | None, after: Statement | None) -> Statement:
    """A report with the quotations in it and directly after it."""
    assert statement is not None
    if statement.role != "report":
        return statement
    segment = text[statement.span.start : after.span.start if after else len(text)]
    quoted = " ".join(match.group() for match in context.QUOTATION.finditer(segment))
    return replace(statement, quoted=normalised(quoted)) if quoted else statement


def _sentences(text: str) -> Iterator[_Sentence]:
    unquoted = _without_quotations(text)
    for outer in sentences(unquoted):
        form = normalise(outer.of(unquoted))
        # A full-width stop ends a sentence only after it is normalised.
        for inner in sentences(form.text):
            plain = _without_references(inner.of(form.text))
            yield _Sentence(plain, form, inner.start, outer.start)


def _without_quotations(text: str) -> str:
    """The text with its quotations replaced by spaces: they only show what the answer rests on.

    A text that consists of quotations alone is returned unchanged.
    """
    unquoted = context.QUOTATION.sub(lambda match: " " * len(match.group()), text)
    return unquoted if any(map(str.isalpha, _without_references(unquoted))) else text


def _without_references(sentence: str) -> str:
    """The sentence with simplified characters, and with citations replaced by spaces.

    The number of a citation or of an article claims nothing.
    """
    plain = sentence.translate(context.to_simplified())
    references = [
        *citation_spans(plain),
        *(Span(start=a.start, end=a.end) for a in articles(plain)),
    ]
    for span in references:
        plain = plain[: span.start] + " " * (span.end - span.start) + plain[span.end :]
    return plain


def _statements_of(sentence: _Sentence, *, is_about_text: bool) -> Iterator[Statement]:
    """The statements of one sentence.

    ``is_about_text`` says whether the sentence before is about the text, so that a pronoun at
    the beginning of this one means the text.
    """
    text = sentence.text
    label = context.LABEL.match(text)
    begin = label.end() if label else 0
    previous_end = begin
    subject = False
    for start, end in _cut(text, context.BREAK, begin, len(text)):
        clause = text[start:end]
        joint = text[previous_end:start]
        begins = previous_end == begin
        has_text_before = subject or (begins and is_about_text)
        is_report = _is_report(clause, has_text_before=has_text_before)
        subject = subject or is_report or context.DOCUMENT.search(clause) is not None
        found = _abstaining_phrases(text, start, end, has_text_before=has_text_before)
        limited = bool(not found and has_text_before and context.CARRIED_PART.search(clause))
        if limited:
            found = [_Stretch(start, end)]
        claims = list(_claims_beside(text, start, end, found)) if found else []
        role: Role = "refusal" if found else _role(clause, has_text_before=has_text_before)
        if text[end:].lstrip(" *_)").startswith("?") and role != "refusal":
            role = "support"  # a question that is asked back
        yield Statement(
            text=clause,
            span=sentence.span(start, end),
            role=role,
            phrases=tuple(sentence.span(*stretch) for stretch in found),
            claims=tuple(
                Part(text=text[first:last], span=sentence.span(first, last))
                for first, last in claims
            ),
            is_whole=bool(found) and context.WHOLE.search(clause) is not None,
            contrasts=context.CONTRAST.search(joint if not begins else text[:start]) is not None
            or (begins and context.CONTRAST_START.match(clause) is not None),
            concludes=(not begins and context.CONCLUSION.search(joint) is not None)
            or (begins and context.CONCLUSION_START.match(text) is not None),
            is_limited=limited,
            is_guess=context.HEDGE.search(clause) is not None,
            is_attributed=context.ATTRIBUTION.match(clause) is not None,
        )
        previous_end = end


def _cut(
    sentence: str, mark: re.Pattern[str] | ScriptPattern, start: int, end: int
) -> Iterator[_Stretch]:
    """The stretches between the marks that contain a letter or a digit, without outer spaces."""
    begin = start
    for match in [*mark.finditer(sentence, start, end), None]:
        stop = match.start() if match else end
        piece = sentence[begin:stop]
        if any(map(str.isalnum, piece)):
            left = begin + len(piece) - len(piece.lstrip())
            yield _Stretch(left, left + len(piece.strip()))
        begin = match.end() if match else end


def _role(clause: str, *, has_text_before: bool) -> Role:
    """The role of a statement that does not refuse."""
    if context.POLAR.match(clause):
        return "plain"
    if context.QUOTATION_LABEL.match(clause) or clause.rstrip(" *_").endswith(":"):
        return "support"
    if _supports(clause):
        return "support"
    if _is_report(clause, has_text_before=has_text_before):
        return "report"
    return "plain"


def _is_report(clause: str, *, has_text_before: bool) -> bool:
    if context.REPORT.search(clause):
        return True
    return has_text_before and context.CARRIED_REPORT.match(clause) is not None


def _abstaining_phrases(
    sentence: str, start: int, end: int, *, has_text_before: bool
) -> list[_Stretch]:
    """The phrases of the statement from ``start`` to ``end`` that do abstain."""
    if not context.TRIGGER.search(sentence, start, end):
        return []
    stretches: list[_Stretch] = []
    parts = list(_cut(sentence, context.PAUSE, start, end))
    for index, part in enumerate(parts):
        clause = sentence[part.start : part.end]
        if context.TRIGGER.search(clause):
            is_rule = index + 1 < len(parts) and context.CONDITION_START.search(clause)
            matches = [] if is_rule else phrases(clause)
            if not matches and has_text_before and not is_rule:
                matches = carried_phrases(clause)
            for match in matches:
                before = clause[max(0, match.start() - _NEAR) : match.start()]
                after_start = part.start + match.end()
                after = sentence[after_start : min(end, after_start + _NEAR)]
                if not _is_no_abstention(before, match.group(), after):
                    stretches.append(_Stretch(part.start + match.start(), part.start + match.end()))
        has_text_before = has_text_before or context.DOCUMENT.search(clause) is not None
    across = phrases_across_commas(sentence, start, end)
    return sorted([*stretches, *(_Stretch(match.start(), match.end()) for match in across)])


def _is_no_abstention(before: str, phrase: str, after: str) -> bool:
    """Whether a phrase belongs to a rule, describes something, or is about a person."""
    if context.CONDITION.search(before + phrase) or context.RELATIVE.search(before):
        return True
    if context.ATTRIBUTE.match(after) or context.REPORTED.search(before):
        return True
    return bool(context.PARTY.search(before)) and not context.DOCUMENT.search(phrase)


def _claims_beside(
    sentence: str, start: int, end: int, statement_phrases: Sequence[_Stretch]
) -> Iterator[_Stretch]:
    """The parts of a statement with a phrase that say more than the phrase."""
    parts = list(_cut(sentence, context.PAUSE, start, end))
    phrases_by_part = {
        part: [phrase for phrase in statement_phrases if part.start <= phrase.start < part.end]
        for part in parts
    }
    # "Although it is not stated, …", "…, as it is unknown": what counts is the rest.
    is_aside = any(
        part_phrases and _is_subordinate(sentence[part.start : part.end])
        for part, part_phrases in phrases_by_part.items()
    )
    is_reason = had_phrase = False
    for part, part_phrases in phrases_by_part.items():
        clause = sentence[part.start : part.end]
        # "It cannot be determined: …" is followed by the reason.
        is_reason = is_reason or (had_phrase and ":" in sentence[part.start - 2 : part.start])
        is_reason = is_reason or (had_phrase and context.CAUSE.search(clause) is not None)
        had_phrase = bool(part_phrases)
        if part_phrases:
            before = sentence[part.start : part_phrases[0].start]
            after = sentence[part_phrases[-1].end : part.end]
            if _gives_value(before) or _guesses(after) or _is_main_clause(before):
                yield part
        elif context.POLAR.match(clause) or (
            not _is_report(clause, has_text_before=True)
            and (
                _gives_value_or_guess(clause)
                or (not is_reason and _asserts(clause))
                or (is_aside and not _says_nothing(clause))
            )
        ):
            yield part


def _is_subordinate(clause: str) -> bool:
    return bool(context.CONCESSION.search(clause) or context.CAUSE.search(clause))


def _is_main_clause(before: str) -> bool:
    """Whether a phrase is only the reason: "The claim was rejected because the form does not …"."""
    cause = context.CAUSE_INSIDE.search(before)
    return cause is not None and context.ASSERTION.search(before, 0, cause.start()) is not None


def _says_nothing(clause: str) -> bool:
    """Whether a part only leads up to a statement, or supports an abstention."""
    return bool(context.LEAD.search(clause)) or _supports(clause)


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


def _supports(statement: str) -> bool:
    """Whether a statement without a phrase is compatible with an abstention beside it."""
    patterns = (context.CONCESSION, context.LIMIT, context.ADVICE)
    if any(pattern.search(statement) for pattern in patterns):
        return True
    if context.FIGURE.search(statement):
        return False
    if context.SUPPORT.search(statement):
        return True
    is_speaker = context.SPEAKER.search(statement) is not None
    return is_speaker and not context.DOCUMENT.search(statement)
