"""Read the rules of a contract review: YAML or JSON, a list or an object with ``rules``.

A rule has ``risk_id``, ``level``, and ``keywords`` or ``patterns`` (regular expressions) or
both. It may have ``name``, ``laws`` and ``suggestion``. Each text or list applies to all
languages, or is an object with an entry for each language (``zh``, ``ru``, ``en``). Each error
gives the line of the rule.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, get_args

import msgspec
from msgspec import Struct

from assay.config import Document, parse_document
from assay.data.line import check_utf8, open_data_file
from assay.errors import ConfigError, DatasetError
from assay.scorers.evidence import simplified_han
from assay.scorers.risk import Level, level_of_word
from assay.text import Language

_LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Rule(Struct, frozen=True, kw_only=True):
    """A rule with its texts by language. ``patterns`` include the keywords, escaped."""

    risk_id: str
    level: Level
    name: Mapping[Language, str]
    patterns: Mapping[Language, tuple[re.Pattern[str], ...]]
    laws: Mapping[Language, tuple[str, ...]]
    suggestion: Mapping[Language, str]


class RuleBook(Struct, frozen=True, kw_only=True):
    """The rules of a file in order, and the hash of its bytes."""

    rules: tuple[Rule, ...]
    sha256: str


class _Rule(Struct, forbid_unknown_fields=True):
    risk_id: str | int
    level: str
    name: str | dict[str, str] = ""
    keywords: list[str] | dict[str, list[str]] = []
    patterns: list[str] | dict[str, list[str]] = []
    laws: list[str] | dict[str, list[str]] = []
    suggestion: str | dict[str, str] = ""


class _File(Struct, forbid_unknown_fields=True):
    rules: list[_Rule]


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
        raise DatasetError(str(error)) from None
    locations: dict[str, str] = {}
    rules: list[Rule] = []
    for where, row in _rows(document):
        rule = _rule(row, where)
        if (first := locations.setdefault(rule.risk_id, where)) != where:
            raise DatasetError(
                f"{where}: rule {rule.risk_id!r} is already at {first}; ids are unique"
            )
        rules.append(rule)
    if not rules:
        raise DatasetError(f"{path}: the file has no rules")
    return RuleBook(rules=tuple(rules), sha256=hashlib.sha256(data).hexdigest())


def folded_text(text: str) -> str:
    """The text in the form that rules are matched against.

    ё becomes е, and traditional Chinese characters become simplified ones. The position of
    every character stays the same.

    >>> folded_text("Расчёт"), folded_text("違約金")
    ('Расчет', '违约金')
    """
    return simplified_han(text).replace("ё", "е").replace("Ё", "Е")


def _document(text: str, path: Path) -> Document[list[_Rule]] | Document[_File]:
    if path.suffix.lower() == ".json":
        try:
            msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise DatasetError(f"{path}: not JSON: {error}") from None
        # JSON is valid YAML except for tabs, which cannot occur inside a JSON string
        text = text.replace("\t", " ")
    if re.match(r"(?:\s|#[^\n]*\n|---\s)*[\[-]", text):
        return parse_document(text, list[_Rule], path)
    return parse_document(text, _File, path)


def _rows(document: Document[list[_Rule]] | Document[_File]) -> Iterator[tuple[str, _Rule]]:
    if isinstance(document.value, _File):
        for index, row in enumerate(document.value.rules):
            yield document.where("rules", index), row
    else:
        for index, row in enumerate(document.value):
            yield document.where(index), row


def _rule(row: _Rule, where: str) -> Rule:
    risk_id = str(row.risk_id).strip()
    if not risk_id:
        raise DatasetError(f"{where}: the rule has no `risk_id`")
    level = level_of_word(row.level)
    if level is None:
        raise DatasetError(
            f"{where}: rule {risk_id!r} has the level {row.level!r}; write high, medium or low"
        )
    for field in (row.name, row.keywords, row.patterns, row.laws, row.suggestion):
        _check_languages(field, f"{where}: rule {risk_id!r}")
    patterns = {
        language: tuple(_patterns(row, language, f"{where}: rule {risk_id!r}"))
        for language in _LANGUAGES
    }
    if not any(patterns.values()):
        raise DatasetError(f"{where}: rule {risk_id!r} has neither `keywords` nor `patterns`")
    return Rule(
        risk_id=risk_id,
        level=level,
        name={language: _text(row.name, language) or risk_id for language in _LANGUAGES},
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


def _items(field: list[str] | dict[str, list[str]], language: Language) -> list[str]:
    return field.get(language, []) if isinstance(field, dict) else field


def _text(field: str | dict[str, str], language: Language) -> str:
    return field.get(language, "") if isinstance(field, dict) else field
