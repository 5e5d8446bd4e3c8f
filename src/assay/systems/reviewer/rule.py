"""The rule engine: which rules a clause fires, where, and whether what fired was negated."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.data.contract import Rule, folded_text
from assay.scorers.risk import LEVELS
from assay.text import Language, sentences

_MOST_TRIGGERS: Final = 20
"""Of one rule in one clause; more would only repeat the evidence."""

_NEGATION_BEFORE: Final[Mapping[Language, re.Pattern[str]]] = {
    "zh": re.compile(
        r"(?:不得|不会|不能|不可|不应|不再|并非|并不|无权|禁止|严禁|没有|未|不)[^，。；：]{0,4}$"
    ),
    "ru": re.compile(
        r"(?:\bне\s(?:\w+\s){0,2}|\bни одна (?:из сторон )?(?:\w+\s){0,3}|\bнельзя\s(?:\w+\s){0,2}"
        r"|\bзапреща\w+\s(?:\w+\s){0,2}|\bнедопустим\w+\s(?:\w+\s){0,2})$",
        re.IGNORECASE,
    ),
    "en": re.compile(
        # "not" turns the verb right after it round, "neither party" any verb of its sentence
        r"(?:\b(?:not|never|cannot)\s(?:\w+ly\s)?|n't\s|\b(?:neither|no)\sparty\s(?:[\w']+\s){0,4})$",
        re.IGNORECASE,
    ),
}
_NEGATION_AFTER: Final[Mapping[Language, re.Pattern[str]]] = {
    "zh": re.compile(r"[^，。；：]{0,4}(?:不适用|不发生效力|无效|除外|不予适用|不被允许)"),
    "ru": re.compile(
        r"(?:\s\w+){0,2}\sне\s(?:допуска\w+|применя\w+|предусм\w+|производит\w+)"
        r"|(?:\s\w+){0,2}\s(?:запрещ\w+|исключа\w+|исключен\w*)",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"(?:\s\w+){0,2}\s(?:is|are|shall be|will be)\s(?:not\s(?:permitted|allowed)|excluded|prohibited|void)"
        r"|(?:\s\w+){0,2}\s(?:does|do|shall|will)\snot\sapply",
        re.IGNORECASE,
    ),
}
_SEGMENT: Final = re.compile(r"[,，。；;:：.!?！？]")
_REACH: Final = 60
"""Characters to either side of a trigger in which a negation is looked for."""


class Trigger(Struct, frozen=True, kw_only=True):
    """Where a rule fired, the words that fired it, and the part of the clause that holds them."""

    rule: Rule
    start: int
    end: int
    words: str
    sentence: str


def triggers(rules: Sequence[Rule], clause: str, language: Language) -> list[Trigger]:
    """Every place where a rule fires, gravest rules first, then in the order of the rules."""
    folded = folded_text(clause)
    spans = sentences(clause)
    found: list[Trigger] = []
    for rule in sorted(rules, key=lambda rule: LEVELS.index(rule.level)):
        places = {
            match.span()
            for pattern in rule.patterns[language]
            for match in pattern.finditer(folded)
            if match.group()
        }
        for start, end in sorted(places)[:_MOST_TRIGGERS]:
            holding = [span for span in spans if span.start < end and start < span.end]
            sentence = clause[holding[0].start : holding[-1].end] if holding else clause[start:end]
            found.append(
                Trigger(rule=rule, start=start, end=end, words=clause[start:end], sentence=sentence)
            )
    return found


def negated(trigger: Trigger, clause: str, language: Language) -> bool:
    """Whether the clause says the contrary of what fired: ``不自动续约``, ``may not assign``.

    Only the words next to the trigger count, within its part of the sentence.

    >>> from assay.data.contract.rule import Rule
    >>> def fired(text, word):
    ...     start = text.index(word)
    ...     rule = Rule(risk_id="R", level="low", name={}, patterns={}, laws={}, suggestion={})
    ...     return Trigger(rule=rule, start=start, end=start + len(word), words=word, sentence=text)
    >>> text = "The plan does not renew automatically."
    >>> negated(fired(text, "renew automatically"), text, "en")
    True
    >>> text = "The plan is not cheap, and renews automatically."
    >>> negated(fired(text, "renews automatically"), text, "en")
    False
    """
    clause = folded_text(clause)
    before = clause[max(0, trigger.start - _REACH) : trigger.start]
    before = before[max((cut.end() for cut in _SEGMENT.finditer(before)), default=0) :]
    after = clause[trigger.end : trigger.end + _REACH]
    cut = _SEGMENT.search(after)
    after = after[: cut.start()] if cut else after
    return bool(_NEGATION_BEFORE[language].search(before) or _NEGATION_AFTER[language].match(after))


def distinct_rules(found: Sequence[Trigger]) -> list[Rule]:
    """The rules that fired, each once, in order."""
    return list({trigger.rule.risk_id: trigger.rule for trigger in found}.values())
