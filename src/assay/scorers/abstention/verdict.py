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

from itertools import compress
from operator import not_
from typing import Final

from msgspec import Struct

from assay.scorers.abstention.claim import claims_of
from assay.scorers.abstention.divide import statements
from assay.scorers.abstention.question import Focus, focus
from assay.scorers.abstention.refusal import refusals_of
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


def is_abstention(answer: str, question: str | None) -> bool:
    """Whether ``answer`` as a whole says that there is no answer; see ``abstains``."""
    asked = _focus(answer, question)
    all_statements = statements(answer, asked)
    refusals = refusals_of(all_statements, asked)
    return bool(refusals) and next(claims_of(all_statements, refusals, asked), None) is None


def assess_abstention(answer: str, question: str | None = None) -> Abstention:
    """Whether ``answer`` abstains, whether it is partial, and its statements by class.

    >>> text = "租金为5000元；文中没有说明押金。"
    >>> result = assess_abstention(text)
    >>> result.abstains, result.partial, result.claims[0].of(text), result.phrases[0].of(text)
    (False, True, '租金为5000元', '文中没有说明')
    """
    asked = _focus(answer, question)
    all_statements = statements(answer, asked)
    refusals = refusals_of(all_statements, asked)
    if not refusals:
        supports = [statement.role == "support" for statement in all_statements]
        return Abstention(
            abstains=False,
            claims=tuple(compress((s.span for s in all_statements), map(not_, supports))),
            scaffolding=tuple(compress((s.span for s in all_statements), supports)),
        )
    claims = list(claims_of(all_statements, refusals, asked))
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
    is_word = not any(map(str.isspace, answer.strip()))
    is_code = is_word or len(answer) <= _CODE or answer.lstrip()[:1] in {"{", "["}
    if language(question) != language(answer) and not is_code:
        return None
    return focus(question)
