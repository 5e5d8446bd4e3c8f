"""English questions: the question word first and then the verb, if the sentence allows it."""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from assay.jobs.draft.template.inversion import inverted, verb_place
from assay.jobs.draft.template.part import EDGE, capitalised, without_end
from assay.jobs.draft.template.statement import Letters, Statement
from assay.jobs.draft.template.wording import Rule, Verbs, Wording
from assay.text import Span

_AND: Final = re.compile(r"\band\b")
_PHRASE: Final = re.compile(
    r" (?:in|on|at|of|for|from|to|with|across|during|by) [\w’'-]+(?: [\w’'-]+){0,4}(?=,|$)"
)


class _Asked(Struct, frozen=True, kw_only=True):
    """A sentence around the part that is asked for."""

    before: str
    after: str
    ask: str
    is_simple: bool

    @property
    def first(self) -> str:
        """What the question begins with, if the question word comes first."""
        return capitalised(self.ask)


def english_question(
    statement: Statement, rule: Rule, slot: Span, ask: str, letters: Letters, words: Wording
) -> str | None:
    """The question, or None if the sentence cannot be turned into one that is surely right."""
    assert words.verbs is not None
    text = without_end(statement.text)
    lead = words.statement["lead"].match(text, 0, slot.start)
    if lead is not None and rule.form == "what":
        return _after_lead(lead, statement, rule, slot, ask, letters, words)
    asked = _Asked(
        before=text[: slot.start].strip(),
        after=text[slot.end :],
        ask=ask,
        is_simple=statement.is_simple,
    )
    if not asked.before:
        return _of_beginning(asked, rule, letters, words)
    if not statement.is_simple or "," in asked.before:
        return None
    if _belongs_to_participle(asked.before, words.verbs):
        return None
    if rule.form == "when" or rule.is_fronted:
        return _of_time(asked, rule, letters, words.verbs)
    return _of_object(asked, rule, letters, words.verbs)


def _after_lead(
    lead: re.Match[str],
    statement: Statement,
    rule: Rule,
    slot: Span,
    ask: str,
    letters: Letters,
    words: Wording,
) -> str | None:
    """What the sentence begins with stays before the question: "In 1874, how many …"."""
    rest = replace(statement, text=capitalised(statement.text[lead.end() :]))
    moved = Span(start=slot.start - lead.end(), end=slot.end - lead.end())
    question = english_question(rest, rule, moved, ask, letters, words)
    if question is None or not question.startswith(capitalised(ask)):
        return None
    return f"{lead[0]}{question[0].lower()}{question[1:]}"


def _of_beginning(asked: _Asked, rule: Rule, letters: Letters, words: Wording) -> str | None:
    """A question for what the sentence begins with."""
    assert words.verbs is not None
    if rule.is_strict:
        return None
    if rule.form == "what":
        return f"{asked.first}{asked.after}?" if asked.is_simple else None
    clause = asked.after.strip(EDGE)
    order = inverted(_main(clause, words), words.verbs, letters)
    if order is not None:
        return f"{asked.first} {order}?"
    is_short = "," not in clause and asked.is_simple
    return f"{capitalised(clause)} {asked.ask}?" if is_short else None


def _of_time(asked: _Asked, rule: Rule, letters: Letters, verbs: Verbs) -> str | None:
    tail = asked.after.partition(",")[0].rstrip()
    order = inverted(f"{asked.before}{tail}", verbs, letters)
    if order is not None and not _AND.search(tail):
        return f"{asked.first} {order}?"
    return f"{asked.before} {asked.ask}?" if not asked.after and rule.form == "when" else None


def _of_object(asked: _Asked, rule: Rule, letters: Letters, verbs: Verbs) -> str | None:
    """The question word first for what stands right after the verb, otherwise at its place."""
    tail = asked.after.partition(",")[0].rstrip()
    order = inverted(f"{asked.before}{tail}", verbs, letters)
    if order is not None and not rule.replaces_answer and _is_object(asked.before, verbs):
        return f"{asked.first} {order}?"
    if asked.after and not asked.after.startswith(",") and not _PHRASE.match(asked.after):
        return None
    return None if rule.is_strict else f"{asked.before} {asked.ask}{tail}?"


def _is_object(before: str, verbs: Verbs) -> bool:
    """Whether a part that follows ``before`` stands right after the verb."""
    words = before.split()
    place = verb_place(before, verbs)
    if place is None:
        return False
    if place == len(words) - 1:
        return words[-1] not in verbs.auxiliaries
    return place == len(words) - 2 and verbs.participle.fullmatch(words[-1]) is not None


def _main(clause: str, words: Wording) -> str:
    """A clause without what only adds to it."""
    cut = words.statement["cut"].search(clause)
    if cut is None or words.statement["subordinate"].search(clause[: cut.start()]):
        return clause
    return clause[: cut.start()]


def _belongs_to_participle(before: str, verbs: Verbs) -> bool:
    """Whether a phrase after ``before`` describes a noun: "a market built in 1808"."""
    words = before.split()
    place = verb_place(before, verbs)
    is_participle = verbs.participle.fullmatch(words[-1]) is not None
    return is_participle and place is not None and len(words) - 1 - place not in {0, 1}
