"""The rule engine: which rules match a clause, where, and whether the match is negated."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.data.contract import Rule, folded_text
from assay.scorers.risk import LEVELS
from assay.text import Language, sentences
from assay.text.lexicon import alternatives, lazy_pattern

_MAX_TRIGGERS: Final = 20
"""The maximum for one rule in one clause; more would only repeat the evidence."""

_NEGATION_BEFORE: Final[Mapping[Language, re.Pattern[str]]] = {
    "zh": lazy_pattern(lambda: alternatives("negation.risk_before", "zh")),
    "ru": lazy_pattern(lambda: alternatives("negation.risk_before", "ru")),
    "en": lazy_pattern(lambda: alternatives("negation.risk_before", "en")),
}
"""Before a word of a rule: not, never. In English, "neither party" negates the whole sentence."""
_NEGATION_AFTER: Final[Mapping[Language, re.Pattern[str]]] = {
    "zh": lazy_pattern(lambda: alternatives("negation.risk_after", "zh")),
    "ru": lazy_pattern(lambda: alternatives("negation.risk_after", "ru")),
    "en": lazy_pattern(lambda: alternatives("negation.risk_after", "en")),
}
_SEGMENT: Final = re.compile(r"[,，。；;:：.!?！？]")
_REACH: Final = 60
"""How many characters before and after a match are searched for a negation."""


class Trigger(Struct, frozen=True, kw_only=True):
    """A match of a rule in a clause.

    ``words`` is the matched text, from ``start`` to ``end``; ``sentence`` is the part of the
    clause that contains it.
    """

    rule: Rule
    start: int
    end: int
    words: str
    sentence: str


def triggers(rules: Sequence[Rule], clause: str, language: Language) -> list[Trigger]:
    """All matches of the rules: rules of the highest level first, then in the rules' order."""
    folded = folded_text(clause)
    spans = sentences(clause)
    matches: list[Trigger] = []
    for rule in sorted(rules, key=_severity):
        ranges = {
            match.span()
            for pattern in rule.patterns[language]
            for match in pattern.finditer(folded)
            if match.group()
        }
        for start, end in sorted(ranges)[:_MAX_TRIGGERS]:
            touched = [span for span in spans if span.start < end and start < span.end]
            sentence = clause[touched[0].start : touched[-1].end] if touched else clause[start:end]
            matches.append(
                Trigger(rule=rule, start=start, end=end, words=clause[start:end], sentence=sentence)
            )
    return matches


def _severity(rule: Rule) -> int:
    """The place of a rule's level from high to low; rules without a level come last."""
    return LEVELS.index(rule.level) if rule.level else len(LEVELS)


def negated(trigger: Trigger, clause: str, language: Language) -> bool:
    """Whether the clause negates the matched text: ``不自动续约``, ``may not assign``.

    Only words near the match count, and only up to the next punctuation mark.

    >>> from assay.data.contract.rule import Rule
    >>> def trigger_at(text, word):
    ...     start = text.index(word)
    ...     rule = Rule(risk_id="R", level="low", name={}, patterns={}, laws={}, suggestion={})
    ...     return Trigger(rule=rule, start=start, end=start + len(word), words=word, sentence=text)
    >>> text = "The plan does not renew automatically."
    >>> negated(trigger_at(text, "renew automatically"), text, "en")
    True
    >>> text = "The plan is not cheap, and renews automatically."
    >>> negated(trigger_at(text, "renews automatically"), text, "en")
    False
    """
    clause = folded_text(clause)
    before = clause[max(0, trigger.start - _REACH) : trigger.start]
    before = before[max((cut.end() for cut in _SEGMENT.finditer(before)), default=0) :]
    after = clause[trigger.end : trigger.end + _REACH]
    cut = _SEGMENT.search(after)
    after = after[: cut.start()] if cut else after
    return bool(_NEGATION_BEFORE[language].search(before) or _NEGATION_AFTER[language].match(after))


def distinct_rules(matches: Sequence[Trigger]) -> list[Rule]:
    """The rules that matched, each once, in the order of their first match."""
    return list({trigger.rule.risk_id: trigger.rule for trigger in matches}.values())
