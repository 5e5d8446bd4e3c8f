"""Rules of a contract review: YAML or JSON, a list or an object with ``rules``.

A rule has ``risk_id``, ``level``, ``keywords`` or ``patterns`` (regular expressions) or both,
and may have ``name``, ``laws`` and ``suggestion``. Each text or list is given once for all
languages or as an object by language (``zh``, ``ru``, ``en``). Every fault names its line.
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
    """One rule, its texts by language. ``patterns`` hold the keywords too, escaped."""

    risk_id: str
    level: Level
    name: Mapping[Language, str]
    patterns: Mapping[Language, tuple[re.Pattern[str], ...]]
    laws: Mapping[Language, tuple[str, ...]]
    suggestion: Mapping[Language, str]


class RuleBook(Struct, frozen=True, kw_only=True):
    """The rules of a file in order, and a hash of what it says."""

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
    """The rules of a file.

    Raises:
        DatasetError: the file cannot be read, or a rule is not in order.
    """
    with open_data_file(path) as file:
        data = file.read()
    text = check_utf8(data, path).removeprefix("\ufeff")
    try:
        document = _document(text, path)
    except ConfigError as error:
        raise DatasetError(str(error)) from None
    places: dict[str, str] = {}
    rules: list[Rule] = []
    for where, row in _rows(document):
        rule = _rule(row, where)
        if (first := places.setdefault(rule.risk_id, where)) != where:
            raise DatasetError(f"{where}: rule {rule.risk_id!r} stands already at {first}")
        rules.append(rule)
    if not rules:
        raise DatasetError(f"{path}: there are no rules in it")
    return RuleBook(rules=tuple(rules), sha256=hashlib.sha256(data).hexdigest())


def folded_text(text: str) -> str:
    """Text as rules are matched against it: ё as е, traditional characters as simplified.

    Every character stays at its place.

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
        # JSON is YAML but for tabs, and inside its strings none can stand
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
        language: tuple(_compiled(row, language, f"{where}: rule {risk_id!r}"))
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
        raise DatasetError(f"{where} has a language {unknown[0]!r}; there are zh, ru and en")


def _compiled(row: _Rule, language: Language, where: str) -> Iterator[re.Pattern[str]]:
    words = [re.escape(folded_text(word)) for word in _items(row.keywords, language) if word]
    for written in (*words, *map(folded_text, _items(row.patterns, language))):
        try:
            pattern = re.compile(written, re.IGNORECASE | re.DOTALL)
        except re.error as error:
            raise DatasetError(f"{where}: the pattern {written!r} is wrong: {error}") from None
        if pattern.search(""):
            raise DatasetError(f"{where}: the pattern {written!r} is found in any text")
        yield pattern


def _items(field: list[str] | dict[str, list[str]], language: Language) -> list[str]:
    return field.get(language, []) if isinstance(field, dict) else field


def _text(field: str | dict[str, str], language: Language) -> str:
    return field.get(language, "") if isinstance(field, dict) else field
