"""Whether an answer abstains, that is, says in any words that the text does not tell.

The answer is cut into sentences, each sentence into statements (at semicolons, "but", "so"),
and each statement into parts (at commas). A statement either contains a phrase that abstains
("the contract is silent on", "из документа не следует", "材料未载明"), or only supports one
(regret, advice, what else the text covers), or is a claim. In a statement that contains a
phrase, another part is a claim if it asserts something or guesses. The answer abstains if it
contains a phrase and no claim. "I don't know, but probably 5,000" is therefore an answer, and
so is one that gives a fact and then says that something else is not mentioned.

These are not abstentions: a rule about what is left open ("if the term is not specified…",
"没有约定的，…"), a prohibition ("must not be mentioned"), and the silence of a person. A quotation,
or the statement that somebody in the text has forgotten, supports an abstention but is not one
by itself. Two accounts that contradict each other are claims, whether or not the answer chooses
between them. The question is not considered.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from assay.scorers.abstention import context
from assay.scorers.abstention.phrase import phrases, phrases_across_commas
from assay.text import Span, articles, citation_spans, normalise, numbers, sentences

_NEAR: Final = 200
"""How many characters around a phrase may change its meaning; clauses are shorter than that."""


class Abstention(Struct, frozen=True, kw_only=True):
    """The phrases of an answer that abstain and its claims, as offsets in the answer.

    ``claims`` is empty if there are no ``phrases``: claims are not searched for in that case,
    because then the whole answer is a claim.
    """

    is_abstention: bool
    phrases: tuple[Span, ...] = ()
    claims: tuple[Span, ...] = ()


class _Stretch(NamedTuple):
    """A piece of a sentence, as offsets in the sentence."""

    start: int
    end: int


def abstains(text: str) -> bool:
    """Whether ``text`` as a whole says that there is no answer.

    >>> abstains("The contract is silent on subletting."), abstains("Не указано, вероятно 5000.")
    (True, False)

    An empty text says nothing, so it does not abstain.
    """
    return abstention(text).is_abstention


def abstention(text: str) -> Abstention:
    """The phrases of ``text`` that abstain, and the claims beside them.

    >>> text = "租金为5000元；文中没有说明押金。"
    >>> result = abstention(text)
    >>> result.is_abstention, result.phrases[0].of(text), result.claims[0].of(text)
    (False, '文中没有说明', '租金为5000元')
    """
    phrase_spans: list[Span] = []
    claim_spans: list[Span] = []
    unquoted = _without_quotations(text)
    for outer in sentences(unquoted):
        form = normalise(outer.of(unquoted))
        # A full-width stop ends a sentence only after it is normalised.
        for inner in sentences(form.text):
            sentence = _without_references(inner.of(form.text))
            stretches = _phrases_and_claims(sentence)
            for kind, spans in zip(stretches, (phrase_spans, claim_spans), strict=True):
                for start, end in kind:
                    span = form.original_span(inner.start + start, inner.start + end)
                    spans.append(Span(start=outer.start + span.start, end=outer.start + span.end))
    if not phrase_spans:
        return Abstention(is_abstention=False)
    return Abstention(
        is_abstention=not claim_spans, phrases=tuple(phrase_spans), claims=tuple(claim_spans)
    )


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


def _phrases_and_claims(sentence: str) -> tuple[list[_Stretch], list[_Stretch]]:
    """The phrases and the claims of one sentence."""
    all_phrases: list[_Stretch] = []
    claims: list[_Stretch] = []
    previous: _Stretch | None = None
    for start, end in _cut(sentence, context.BREAK, 0, len(sentence)):
        statement_phrases = _abstaining_phrases(sentence, start, end)
        all_phrases.extend(statement_phrases)
        if statement_phrases:
            # "The clock had stopped, so no times are known": the claim was only the reason.
            if previous and claims[-1:] == [previous] and _is_reason(sentence, previous, start):
                claims.pop()
            claims.extend(_claims_beside(sentence, start, end, statement_phrases))
        elif not _supports(sentence[start:end]):
            claims.append(_Stretch(start, end))
        previous = _Stretch(start, end)
    return all_phrases, claims


def _cut(sentence: str, mark: re.Pattern[str], start: int, end: int) -> Iterator[_Stretch]:
    """The stretches between the marks that contain a letter or a digit, without outer spaces."""
    begin = start
    for match in [*mark.finditer(sentence, start, end), None]:
        stop = match.start() if match else end
        piece = sentence[begin:stop]
        if any(map(str.isalnum, piece)):
            left = begin + len(piece) - len(piece.lstrip())
            yield _Stretch(left, left + len(piece.strip()))
        begin = match.end() if match else end


def _abstaining_phrases(sentence: str, start: int, end: int) -> list[_Stretch]:
    """The phrases of the statement from ``start`` to ``end`` that do abstain."""
    stretches: list[_Stretch] = []
    parts = list(_cut(sentence, context.PAUSE, start, end))
    for index, part in enumerate(parts):
        clause = sentence[part.start : part.end]
        for match in phrases(clause):
            before = clause[max(0, match.start() - _NEAR) : match.start()]
            after = sentence[part.start + match.end() : min(end, part.start + match.end() + _NEAR)]
            is_rule = index + 1 < len(parts) and context.CONDITION_START.search(clause)
            if not is_rule and not _is_no_abstention(before, match.group(), after):
                stretches.append(_Stretch(part.start + match.start(), part.start + match.end()))
    across = phrases_across_commas(sentence, start, end)
    return sorted([*stretches, *(_Stretch(match.start(), match.end()) for match in across)])


def _is_no_abstention(before: str, phrase: str, after: str) -> bool:
    """Whether a phrase belongs to a rule, describes something, or is about a person."""
    if context.CONDITION.search(before + phrase) or context.RELATIVE.search(before):
        return True
    if context.ATTRIBUTE.match(after):
        return True
    return bool(context.PARTY.search(before)) and not context.DOCUMENT.search(phrase)


def _claims_beside(
    sentence: str, start: int, end: int, statement_phrases: list[_Stretch]
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
        had_phrase = bool(part_phrases)
        if part_phrases:
            before = sentence[part.start : part_phrases[0].start]
            after = sentence[part_phrases[-1].end : part.end]
            if _gives_value(before) or _guesses(after):
                yield part
        elif (
            _gives_value_or_guess(clause)
            or (not is_reason and _asserts(clause))
            or (is_aside and not _says_nothing(clause))
        ):
            yield part


def _is_reason(sentence: str, statement: _Stretch, start: int) -> bool:
    """Whether ``statement`` is the reason for the statement that begins at ``start``.

    A statement with a figure or a guess is a claim, even if it is also a reason.
    """
    clause = sentence[statement.start : statement.end]
    if context.FIGURE.search(clause) or context.HEDGE.search(clause):
        return False
    return context.CONCLUSION.search(sentence[statement.end : start]) is not None


def _is_subordinate(clause: str) -> bool:
    return bool(context.CONCESSION.search(clause) or context.CAUSE.search(clause))


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
    if context.CONCESSION.search(statement) or context.LIMIT.search(statement):
        return True
    if context.FIGURE.search(statement):
        return False
    if context.SUPPORT.search(statement):
        return True
    is_speaker = context.SPEAKER.search(statement) is not None
    return is_speaker and not context.DOCUMENT.search(statement)
