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

What these rules find is weighed against the opinion of ``opinion.py``, which knows more wordings and
no statements; docs/decisions/0100 says how the weights were chosen.
"""

from collections.abc import Sequence
from itertools import islice
from math import inf
from typing import Final, NamedTuple

from msgspec import Struct

from assay.scorers.abstention.claim import claims_of
from assay.scorers.abstention.divide import statements
from assay.scorers.abstention.opinion import Balance, Opinion, opinion, weights
from assay.scorers.abstention.question import Focus, focus
from assay.scorers.abstention.refusal import refusals_of
from assay.scorers.abstention.statement import Statement
from assay.text import Span, language

_CODE: Final = 12
"""An answer of so few characters may be a code in another language than the question: null."""


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


class Reading(NamedTuple):
    """What the rules find in an answer."""

    statements: Sequence[Statement]
    refusals: Sequence[Statement]
    claims: Sequence[Span]
    has_question: bool
    asks_several: bool

    def weight(self, balance: Balance, view: Opinion) -> float:
        """What the rules add to the log odds that the answer abstains."""
        if not self.statements or (view.is_long and not self.refusals and not view.refuses):
            return -inf
        if not self.refusals:
            return balance.no_refusal_in_brief if view.is_brief else balance.no_refusal
        if not self.claims:
            return balance.refusal_in_long if view.is_long else balance.refusal
        if self.asks_several:
            return balance.claim_of_several
        if self.claims[0] > self.refusals[0].span:
            return balance.claim_later
        if view.is_brief:
            return balance.claim_first_in_brief
        return balance.claim_first if self.has_question else balance.claim_first_unasked


def is_abstention(answer: str, question: str | None) -> bool:
    """Whether ``answer`` as a whole says that there is no answer; see ``abstains``."""
    view, balance = opinion(answer, question), weights().balance
    if view.log_odds + balance.highest(is_long=view.is_long) <= 0:
        return False  # whatever the rules find
    if not view.is_brief and view.refuses and view.log_odds + balance.lowest > 0:
        return True
    reading = read(answer, question, first_claim_only=True)
    return reading.weight(balance, view) + view.log_odds > 0


def assess_abstention(answer: str, question: str | None = None) -> Abstention:
    """Whether ``answer`` abstains, whether it is partial, and its statements by class.

    >>> text = "租金为5000元；文中没有说明押金。"
    >>> result = assess_abstention(text)
    >>> result.abstains, result.partial, result.claims[0].of(text), result.phrases[0].of(text)
    (False, True, '租金为5000元', '文中没有说明')
    """
    reading = read(answer, question)
    view = opinion(answer, question)
    abstains = reading.weight(weights().balance, view) + view.log_odds > 0
    by_rule = bool(reading.refusals) and not reading.claims
    if abstains and not by_rule:
        return _refused(reading, view)
    if by_rule and not abstains:
        return _answered(reading, view)
    return _as_read(reading)


def read(answer: str, question: str | None, *, first_claim_only: bool = False) -> Reading:
    """What the rules find in an answer."""
    asked = _focus(answer, question)
    all_statements = statements(answer, asked)
    refusals = refusals_of(all_statements, asked)
    found = claims_of(all_statements, refusals, asked) if refusals else iter(())
    claims = list(islice(found, 1) if first_claim_only else found)
    asks_several = asked is not None and (asked.asks_several or asked.asks_two)
    return Reading(all_statements, refusals, claims, bool(question), asks_several)


def _as_read(reading: Reading) -> Abstention:
    """The verdict of the rules, with which the opinion agrees."""
    if not reading.refusals:
        supports = [s.span for s in reading.statements if s.role == "support"]
        others = [s.span for s in reading.statements if s.role != "support"]
        return Abstention(abstains=False, claims=tuple(others), scaffolding=tuple(supports))
    claims = set(reading.claims)
    others = [s.span for s in reading.statements if s not in reading.refusals]
    return Abstention(
        abstains=not claims,
        partial=bool(claims),
        decided_by=reading.claims[0] if claims else reading.refusals[0].span,
        refusals=tuple(statement.span for statement in reading.refusals),
        scaffolding=tuple(span for span in others if span not in claims),
        claims=tuple(reading.claims),
        phrases=_phrases(reading.refusals),
    )


def _refused(reading: Reading, view: Opinion) -> Abstention:
    """The verdict on an answer whose wording refuses, where the rules found an answer in it.

    What the rules took for a refusal refuses, or the statement that says so most.
    """
    spans = [statement.span for statement in reading.statements]
    refusals = [statement.span for statement in reading.refusals] or [
        max(spans, key=view.refusal_in)
    ]
    return Abstention(
        abstains=True,
        decided_by=refusals[0],
        refusals=tuple(refusals),
        scaffolding=tuple(span for span in spans if span not in refusals),
        phrases=_phrases(reading.refusals),
    )


def _answered(reading: Reading, view: Opinion) -> Abstention:
    """The verdict on an answer whose wording answers, where the rules found only refusals."""
    claims = [statement.span for statement in reading.statements]
    return Abstention(
        abstains=False, decided_by=min(claims, key=view.refusal_in), claims=tuple(claims)
    )


def _phrases(refusals: Sequence[Statement]) -> tuple[Span, ...]:
    return tuple(phrase for statement in refusals for phrase in statement.phrases)


def _focus(answer: str, question: str | None) -> Focus | None:
    """What the question asks for; ``None`` if it is not known or in another language."""
    if not question:
        return None
    is_word = not any(map(str.isspace, answer.strip()))
    is_code = is_word or len(answer) <= _CODE or answer.lstrip()[:1] in {"{", "["}
    if language(question) != language(answer) and not is_code:
        return None
    return focus(question)
