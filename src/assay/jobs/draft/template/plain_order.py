"""Russian and Chinese questions: the words stay in the order of the sentence."""

from typing import Final

from assay.jobs.draft.template.part import capitalised, without, without_end
from assay.jobs.draft.template.statement import Letters, Statement
from assay.jobs.draft.template.wording import Rule, Wording
from assay.text import Span

_SHORT_CLAUSE: Final = 6
_SHORT_QUESTION: Final = 16
"""When something with fewer characters happened could mean too many things."""
_COMMA: Final = "，"


def fronted(
    statement: Statement, slot: Span, ask: str, letters: Letters, words: Wording
) -> str | None:
    """A Russian question for a phrase: the question word first, the rest as it is."""
    text = _shortened(statement.text, slot, words)
    if slot.start == 0:
        return f"{capitalised(ask)}{without_end(text[slot.end :])}?"
    rest = letters.inside(without(text, slot))
    if rest is None or "," in text[: slot.start]:
        return None
    return f"{capitalised(ask)} {_verb_first(rest, words)}?"


def _verb_first(clause: str, words: Wording) -> str:
    """A clause that a verb was left at the end of, because what it leads to is asked: verb first."""
    verb = words.statement["final_verb"].search(clause)
    if verb is None or not verb.start():
        return clause
    return f"{clause[verb.start() :].strip()} {clause[: verb.start()].rstrip()}"


def asked_at_end(
    statement: Statement, slot: Span, ask: str, letters: Letters, words: Wording
) -> str | None:
    """A Russian question for what the sentence ends with, put first together with its noun."""
    clause = letters.inside(without(statement.text, slot))
    if not clause or not statement.is_simple:
        return None
    return f"{capitalised(ask)} {_verb_first(clause, words)}?"


def _shortened(text: str, slot: Span, words: Wording) -> str:
    """The sentence up to where it can end, after the part that is asked for."""
    cut = words.statement["cut"].search(text, slot.end)
    if cut is None or len(text[: cut.start()].split()) < words.statement["shortest"] + 2:
        return text
    return f"{text[: cut.start()]}."


def in_situ(statement: Statement, rule: Rule, slot: Span, ask: str, words: Wording) -> str | None:
    """A Chinese question: the question word where the answer stands; later clauses are left out."""
    text = statement.text
    before, after = text[: slot.start], without_end(text[slot.end :])
    if rule.kind == "date" and words.statement["described"].search(after):
        return None
    own = before.rpartition(_COMMA)[2] + after.partition(_COMMA)[0]
    if (rule.kind == "number" and "、" in own) or before.count("《") > before.count("》"):
        return None
    if statement.is_simple:
        after = _own_clauses(before, after, rule, words)
    return f"{before}{ask}{after}？"


def _own_clauses(before: str, after: str, rule: Rule, words: Wording) -> str:
    """What follows in a Chinese sentence, up to the end of the clause that the question is about."""
    own = before.rpartition(_COMMA)[2]
    first, *later = after.split(_COMMA)
    if rule.kind == "number" and not own:
        return after
    introduces, leads_on = words.statement["introduces"], words.statement["leads_on"]
    kept = [first]
    is_long = len(own + first) >= _SHORT_CLAUSE
    ends_here = rule.kind == "fact" and not first and bool(own)  # its rule has the verb
    is_whole = (is_long or ends_here) and not introduces.search(own + first)
    for clause in later:
        continues = words.statement["continues"].search(clause)
        if is_whole and not continues and (before or len(_COMMA.join(kept)) >= _SHORT_QUESTION):
            break
        kept.append(clause)
        is_whole = not leads_on.search(clause) and not introduces.search(clause)
    return _COMMA.join(kept)
