"""Read the rules of a contract review: YAML or JSON, a list or an object with ``rules``.

A rule has ``risk_id``, and ``keywords`` or ``patterns`` (regular expressions) or both. It may have
``level``, ``name`` (or ``risk_name``), ``laws`` and ``suggestion``. Each text or list applies to
all languages, or is an object with an entry for each language (``zh``, ``ru``, ``en``). A note
names the other keys, which are ignored. Each error gives the line of the rule.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from assay.config.document import ConfigDocument, parse_document
from assay.data.foreign_value import ignored_fields_note
from assay.data.jsonl import UNREADABLE, check_utf8, open_data_file
from assay.errors import ConfigError, DatasetError
from assay.jobs.contract.level import LEVELS, Level, level_of_word
from assay.text.language import Language, simplified
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.sentence import sentences
from assay.words.message import Message, message_n

_KEYWORD_SEPARATOR: Final = re.compile(r"\s*[、,，;；|]\s*")
_LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Rule(Struct, frozen=True, kw_only=True):
    """A rule with its texts by language. ``patterns`` include the keywords, escaped.

    ``level`` is ``None`` if the rules do not say it.
    """

    risk_id: str
    level: Level | None
    name: Mapping[Language, str]
    patterns: Mapping[Language, tuple[re.Pattern[str], ...]]
    laws: Mapping[Language, tuple[str, ...]]
    suggestion: Mapping[Language, str]


class RuleBook(Struct, frozen=True, kw_only=True):
    """The rules of a file in order, the hash of its bytes, and notes to show to the user."""

    rules: tuple[Rule, ...]
    sha256: str
    notes: tuple[Message | str, ...] = ()

    def with_levels(self, levels: Mapping[str, Level]) -> "RuleBook":
        """The rules in which those without a level have the one that ``levels`` has for their id.

        The hash covers the levels that were added.
        """
        added = {
            rule.risk_id: levels[rule.risk_id]
            for rule in self.rules
            if rule.level is None and rule.risk_id in levels
        }
        if not added:
            return self
        rules = tuple(
            replace(rule, level=rule.level or added.get(rule.risk_id)) for rule in self.rules
        )
        content = f"{self.sha256} {sorted(added.items())}"
        note = message_n(
            "{n} rule has no level of its own; it is taken from the data set",
            "{n} rules have no level of their own; it is taken from the data set",
            len(added),
        )
        return replace(
            self,
            rules=rules,
            sha256=hashlib.sha256(content.encode()).hexdigest(),
            notes=(*self.notes, note),
        )


class _Rule(Struct):
    risk_id: str | int
    level: str | None = None
    risk_level: str | None = None
    name: str | dict[str, str] = ""
    risk_name: str | dict[str, str] = ""
    keywords: list[str] | dict[str, list[str]] = []
    patterns: list[str] | dict[str, list[str]] = []
    laws: list[str] | str | dict[str, list[str]] | None = None
    suggestion: str | dict[str, str] = ""
    contract_type: Any = None
    risk_type: Any = None
    analysis_logic: Any = None
    law_tag: Any = None


_KNOWN: Final = frozenset(field.name for field in fields(_Rule))


def read_rules(path: Path) -> RuleBook:
    """Read the rules of a file in order.

    Raises:
        DatasetError: the file cannot be read, has no rules, or a rule is not valid.
    """
    with open_data_file(path) as file:
        data = file.read()
    text = check_utf8(data, path).removeprefix("\ufeff")
    try:
        document = _document(text, path)
    except ConfigError as error:
        raise DatasetError(*error.lines) from None
    locations: dict[str, str] = {}
    rules: list[Rule] = []
    is_object = isinstance(document.value, dict)
    ignored = {str(name) for name in document.value if name != "rules"} if is_object else set()
    for where, item in _rows(document):
        row = _checked(item, where)
        ignored.update(map(str, item.keys() - _KNOWN))
        rule = _rule(row, where)
        first = locations.setdefault(rule.risk_id, where)
        # a rule may be repeated for another type of contract
        if first != where and row.contract_type is None:
            raise DatasetError(
                f"{where}: rule {rule.risk_id!r} is already at {first}; ids are unique"
            )
        rules.append(rule)
    if not rules:
        raise DatasetError(f"{path}: the file has no rules")
    return RuleBook(
        rules=tuple(rules),
        sha256=hashlib.sha256(data).hexdigest(),
        notes=tuple(filter(None, [ignored_fields_note(sorted(ignored))])),
    )


def folded_text(text: str) -> str:
    """The text in the form that rules are matched against.

    ё becomes е, and traditional Chinese characters become simplified ones. The position of
    every character stays the same.

    >>> folded_text("Расчёт"), folded_text("違約金")
    ('Расчет', '违约金')
    """
    return simplified(text).replace("ё", "е").replace("Ё", "Е")


def _document(text: str, path: Path) -> ConfigDocument[Any]:
    if path.suffix.lower() == ".json":
        try:
            msgspec.json.decode(text)
        except UNREADABLE as error:
            raise DatasetError(f"{path}: not JSON: {error}") from None
        # JSON is valid YAML except for tabs, which cannot occur inside a JSON string
        text = text.replace("\t", " ")
    return parse_document(text, Any, path)


def _rows(document: ConfigDocument[Any]) -> Iterator[tuple[str, Any]]:
    content = document.value
    rules = content.get("rules") if isinstance(content, dict) else content
    if not isinstance(rules, list):
        raise DatasetError(f"{document.where()}: not a list of rules, nor an object with `rules`")
    for index, row in enumerate(rules):
        place = (index,) if isinstance(content, list) else ("rules", index)
        yield document.where(*place), row


def _checked(row: Any, where: str) -> _Rule:
    if isinstance(row, dict):
        row = {name: value for name, value in row.items() if value is not None}
        if isinstance(row.get("keywords"), str):
            row["keywords"] = _KEYWORD_SEPARATOR.split(row["keywords"])
        for name in ("level", "risk_level"):
            if row.get(name) == "":
                del row[name]
    try:
        return msgspec.convert(row, _Rule)
    except msgspec.ValidationError as error:
        raise DatasetError(f"{where}: not a rule: {error}") from None


def _rule(row: _Rule, where: str) -> Rule:
    risk_id = str(row.risk_id).strip()
    if not risk_id:
        raise DatasetError(f"{where}: the rule has no `risk_id`")
    written = row.level if row.level is not None else row.risk_level
    level = None if written is None else level_of_word(written)
    if written is not None and level is None:
        raise DatasetError(
            f"{where}: rule {risk_id!r} has the level {written!r}; write high, medium or low"
        )
    for field in (row.name, row.risk_name, row.keywords, row.patterns, row.laws, row.suggestion):
        _check_languages(field, f"{where}: rule {risk_id!r}")
    patterns = {
        language: tuple(_patterns(row, language, f"{where}: rule {risk_id!r}"))
        for language in _LANGUAGES
    }
    # a rule of another tool may have no keywords; it never matches
    if not any(patterns.values()) and not row.risk_name:
        raise DatasetError(f"{where}: rule {risk_id!r} has neither `keywords` nor `patterns`")
    return Rule(
        risk_id=risk_id,
        level=level,
        name={
            language: _text(row.name or row.risk_name, language) or risk_id
            for language in _LANGUAGES
        },
        patterns=patterns,
        laws={language: tuple(_items(row.laws, language)) for language in _LANGUAGES},
        suggestion={language: _text(row.suggestion, language) for language in _LANGUAGES},
    )


def _check_languages(field: object, where: str) -> None:
    unknown = sorted(field.keys() - set(_LANGUAGES)) if isinstance(field, dict) else []
    if unknown:
        raise DatasetError(f"{where} has the language {unknown[0]!r}; use zh, ru or en")


def _patterns(row: _Rule, language: Language, where: str) -> Iterator[re.Pattern[str]]:
    words = [re.escape(folded_text(word)) for word in _items(row.keywords, language) if word]
    for expression in (*words, *map(folded_text, _items(row.patterns, language))):
        try:
            pattern = re.compile(expression, re.IGNORECASE | re.DOTALL)
        except re.error as error:
            raise DatasetError(
                f"{where}: the pattern {expression!r} is not valid: {error}"
            ) from None
        if pattern.search(""):
            raise DatasetError(f"{where}: the pattern {expression!r} matches every text")
        yield pattern


def _items(
    field: list[str] | str | dict[str, list[str]] | None, language: Language
) -> Sequence[str]:
    if isinstance(field, str):
        return [field] if field.strip() else []
    return field.get(language, []) if isinstance(field, dict) else field or []


def _text(field: str | dict[str, str], language: Language) -> str:
    return field.get(language, "") if isinstance(field, dict) else field


# The rule engine: which rules match a clause, where, and whether the match is negated.

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

    >>> from assay.jobs.contract.rule import Rule
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
