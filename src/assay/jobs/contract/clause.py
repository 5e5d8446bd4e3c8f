"""Read contract clauses and what a reviewer should find, from a JSON array or JSON lines.

A clause has ``id``, ``text`` (or ``contract_text``), and one of the following:

- ``ground_truth``: an object with ``risk_level`` (in Chinese, English or Russian) and
  optionally ``rules``, ``risk_id``, ``laws`` and ``reason_keywords``;
- ``expected_risks``: a list ``[{risk_id, risk_level, laws}]``. The highest level counts; an
  empty list means low, null that nobody has said. ``laws`` is a list, or one text.

An array may also be the only list of an object. A note names the other keys, which are ignored.
All errors are reported together; each gives the line, or in an array the index from 0.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields

from assay.config.document import load_document
from assay.data.foreign_set import refuse_other_format
from assay.data.foreign_value import as_items, as_text, ignored_fields_note, inner_list
from assay.data.jsonl import (
    UNREADABLE,
    check_utf8,
    limited,
    numbered_lines,
    open_data_file,
    refuse_repeated_key,
)
from assay.errors import ConfigError, DatasetError
from assay.jobs.contract.level import LEVELS, Level, highest_level, level_of_word
from assay.records import Question
from assay.words.message import Message

MAX_ARRAY_BYTES = 256 << 20
"""A JSON array is read into memory at once; a larger file must be JSON lines."""


class ClauseQuestion(Question, frozen=True, kw_only=True):
    """A clause to review: ``text`` is the clause, the other fields are the correct result.

    ``rules`` are the ids of the rules that should match, or ``None`` if the file does not say;
    ``risk_id`` is the main rule.
    """

    risk_level: Level
    rules: tuple[str, ...] | None = None
    risk_id: str | None = None
    laws: tuple[str, ...] = ()
    reason_keywords: tuple[str, ...] = ()
    language: str | None = None


class ClauseFile(Struct, frozen=True, kw_only=True):
    """The clauses of a file in order, and notes to show to the user.

    ``rule_levels`` are the levels that the file gives to the rules it names.
    """

    clauses: tuple[ClauseQuestion, ...]
    rule_levels: Mapping[str, Level] = {}
    notes: tuple[Message | str, ...] = ()


class _Truth(Struct):
    risk_level: str | None = None
    rules: list[str | int] | None = None
    risk_id: str | int | None = None
    laws: list[str] | str | None = None
    reason_keywords: list[str] | None = None


class _ExpectedRisk(Struct):
    risk_id: str | int | None = None
    risk_name: Any = None
    risk_type: Any = None
    contract_type: Any = None
    risk_level: str | None = None
    laws: list[str] | str | None = None


class _Row(Struct):
    id: str | int | float | None = None
    text: str | None = None
    contract_text: str | None = None
    source: str | None = None
    language: str | None = None
    ground_truth: _Truth | None = None
    expected_risks: list[_ExpectedRisk] | None = None
    case_type: Any = None
    source_domain: Any = None


_KNOWN: Final = frozenset(field.name for field in fields(_Row))
_KNOWN_IN_RISK: Final = frozenset(field.name for field in fields(_ExpectedRisk))


def read_clauses(path: Path) -> list[ClauseQuestion]:
    """Read the clauses of a file in order; raises as ``read_clause_file``."""
    return list(read_clause_file(path).clauses)


def read_clause_file(path: Path) -> ClauseFile:
    """Read the clauses of a file in order.

    Raises:
        DatasetError: the file cannot be read, has no clauses, or a clause is not valid.
    """
    locations: dict[str, str] = {}
    clauses: list[ClauseQuestion] = []
    ignored: dict[str, None] = {}
    levels: dict[str, Counter[Level]] = {}
    problems: list[str] = []
    for where, item in _read_items(path):
        try:
            row = _row(item, where)
            clause = _clause(row, where)
        except DatasetError as error:
            problems.append(str(error))
            continue
        if (first := locations.setdefault(clause.id, where)) != where:
            problems.append(f"{where}: clause {clause.id!r} is already at {first}; ids are unique")
        ignored.update(dict.fromkeys(_unknown_fields(item)))
        clauses.append(clause)
        for risk_id, level in _risk_levels(row):
            levels.setdefault(risk_id, Counter())[level] += 1
    if problems:
        raise DatasetError(*limited(problems, path))
    if not clauses:
        raise DatasetError(f"{path}: the file has no clauses")
    return ClauseFile(
        clauses=tuple(clauses),
        # the most frequent level; of several, the highest
        rule_levels={
            risk_id: min(LEVELS, key=lambda level: -counts[level])
            for risk_id, counts in levels.items()
        },
        notes=tuple(filter(None, [ignored_fields_note(sorted(ignored), _KNOWN)])),
    )


def _unknown_fields(item: Any) -> Iterator[str]:
    if not isinstance(item, dict):
        return
    yield from item.keys() - _KNOWN
    risks = item.get("expected_risks")
    for risk in risks if isinstance(risks, list) else ():
        if isinstance(risk, dict):
            yield from (f"expected_risks.{name}" for name in risk.keys() - _KNOWN_IN_RISK)


def _risk_levels(row: _Row) -> Iterator[tuple[str, Level]]:
    """The ids of the expected risks with their levels."""
    for risk in row.expected_risks or ():
        level = level_of_word(risk.risk_level) if risk.risk_level is not None else None
        if risk.risk_id is not None and level is not None:
            yield str(risk.risk_id), level


def _read_items(path: Path) -> Iterator[tuple[str, Any]]:
    """Read each item as it is, with its location.

    The location is ``file:line``, or ``file: item N`` in an array.
    """
    refuse_other_format(path, "use a .json or .jsonl file")
    with open_data_file(path) as file:
        beginning = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning[:1] == b"[" or _is_spread_object(beginning):
        for index, item in enumerate(_read_array(path)):
            yield f"{path}: item {index}", item
        return
    for number, line in numbered_lines(path):
        where = f"{path}:{number}"
        try:
            item = msgspec.json.decode(line)
        except UNREADABLE as error:
            raise DatasetError(f"{where}: not a clause: {error}") from None
        refuse_repeated_key(line, path, lines_before=number - 1)
        rows = inner_list(item) if isinstance(item, dict) and not _is_clause(item) else item
        if isinstance(rows, list):  # the only line is an object around the list
            yield from ((f"{path}: item {index}", row) for index, row in enumerate(rows))
        else:
            yield where, item


def _is_spread_object(beginning: bytes) -> bool:
    """Whether a file begins with an object that goes on in the next line."""
    first, newline, _ = beginning.partition(b"\n")
    return first[:1] == b"{" and bool(newline) and not first.rstrip().endswith(b"}")


def _is_clause(item: dict[str, Any]) -> bool:
    return "text" in item or "contract_text" in item


def _row(item: Any, where: str) -> _Row:
    """The fields of an item with the types that they usually have."""
    if isinstance(item, dict):
        item = {name: _READERS.get(name, _same)(value) for name, value in item.items()}
        if item.get("expected_risks") is not None:
            item["expected_risks"] = [_risk(risk) for risk in as_items(item["expected_risks"])]
    try:
        return msgspec.convert(item, _Row)
    except UNREADABLE as error:
        raise DatasetError(f"{where}: not a clause: {error}") from None


def _same(value: Any) -> Any:
    return value


def _ground_truth(value: Any) -> Any:
    return {"risk_level": value} if isinstance(value, str) else _risk(value)


def _risk(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    texts = {"laws": law_texts(value["laws"])} if "laws" in value else {}
    ids = {"risk_id": as_text(value["risk_id"])} if "risk_id" in value else {}
    return {**value, **texts, **ids}


def law_texts(value: Any) -> Any:
    """The laws of a field: a text, or a list of texts or of objects whose texts are joined.

    >>> law_texts([{"law": "《民法典》", "article": "第一条"}, "《劳动法》第三条"])
    ['《民法典》第一条', '《劳动法》第三条']
    """
    if not isinstance(value, list):
        return value
    return [
        "".join(str(as_text(part)) for part in item.values() if as_text(part))
        if isinstance(item, dict)
        else item
        for item in value
        if item is not None
    ]


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "text": as_text,
    "contract_text": as_text,
    "source": as_text,
    "language": as_text,
    "ground_truth": _ground_truth,
}


def _read_array(path: Path) -> list[Any]:
    with open_data_file(path) as file:
        data = file.read(MAX_ARRAY_BYTES + 1)
    if len(data) > MAX_ARRAY_BYTES:
        raise DatasetError(
            f"{path}: a JSON array may have at most {MAX_ARRAY_BYTES >> 20} MB; "
            "save the file as JSON lines"
        )
    text = check_utf8(data, path).removeprefix("\ufeff")
    try:
        items = msgspec.convert(inner_list(msgspec.json.decode(text)), list[Any])
    except UNREADABLE as error:
        raise DatasetError(f"{path}: not a JSON array: {error}") from None
    refuse_repeated_key(data, path)
    return items


def _clause(row: _Row, where: str) -> ClauseQuestion:
    clause_id = as_text(row.id)
    if clause_id is None or not clause_id.strip():
        raise DatasetError(f"{where}: the clause has no `id`")
    name = f"clause {clause_id!r}"
    text = row.text if row.text is not None else row.contract_text
    if text is None or not text.strip():
        raise DatasetError(f"{where}: {name} has no text; write it as `text`")
    if row.ground_truth is not None and row.expected_risks is not None:
        raise DatasetError(
            f"{where}: {name} has `ground_truth` and `expected_risks`; keep one of the two"
        )
    if row.ground_truth is not None:
        truth = _ground_truth_fields(row.ground_truth, f"{where}: {name}")
    elif row.expected_risks is not None:
        truth = _expected_risk_fields(row.expected_risks, f"{where}: {name}")
    else:
        raise DatasetError(
            f"{where}: {name} has neither `ground_truth` nor `expected_risks`; a clause without "
            "risks has an empty list, []"
        )
    return ClauseQuestion(
        id=clause_id, text=text, source=row.source, language=row.language, **truth
    )


def _ground_truth_fields(truth: _Truth, where: str) -> dict[str, Any]:
    rules = None if truth.rules is None else tuple(dict.fromkeys(map(str, truth.rules)))
    risk_id = None if truth.risk_id is None else str(truth.risk_id)
    return {
        "risk_level": _level(truth.risk_level, where),
        "rules": rules,
        "risk_id": risk_id or None,
        "laws": tuple(_texts(truth.laws)),
        "reason_keywords": tuple(truth.reason_keywords or ()),
    }


def _expected_risk_fields(risks: list[_ExpectedRisk], where: str) -> dict[str, Any]:
    levels = [_level(risk.risk_level, where) for risk in risks]
    ids = [str(risk.risk_id) for risk in risks if risk.risk_id is not None]
    laws = [law for risk in risks for law in _texts(risk.laws)]
    return {
        "risk_level": highest_level(levels) or "low",
        # if a risk has no id, it is not known which rules should match
        "rules": tuple(dict.fromkeys(ids)) if len(ids) == len(risks) else None,
        "risk_id": ids[0] if ids else None,
        "laws": tuple(dict.fromkeys(laws)),
    }


def _texts(field: Sequence[str] | str | None) -> Iterable[str]:
    """The texts of a field that is a list or one text."""
    texts = [field] if isinstance(field, str) else field or ()
    return [text for text in texts if text.strip()]


def _level(written: str | None, where: str) -> Level:
    if written is None:
        raise DatasetError(f"{where} has no `risk_level`")
    level = level_of_word(written)
    if level is None:
        raise DatasetError(
            f"{where} has the risk_level {written!r}; write 高, 中, 低, high, medium, low, "
            "высокий, средний or низкий"
        )
    return level


# Read a table of scores for risk levels, which replaces the default table: YAML or JSON.
#
# There is one row for each true level. A row gives the score, from 0 to 1, of each level that
# a reviewer may report.
#
# For example, the row ``high`` may give 1.0 for high, 0.4 for medium and 0.0 for low.

_Score: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class _RiskScoreRow(Struct, frozen=True, forbid_unknown_fields=True):
    high: _Score
    medium: _Score
    low: _Score


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    high: _RiskScoreRow
    medium: _RiskScoreRow
    low: _RiskScoreRow


def read_risk_scores(path: Path) -> tuple[tuple[float, ...], ...]:
    """Read the nine scores; rows and columns are in the order high, medium, low.

    Raises:
        DatasetError: the file cannot be read, or a score is missing or not from 0 to 1.
    """
    try:
        table = load_document(path, _Table).value
    except ConfigError as error:
        raise DatasetError(*error.lines) from None
    return tuple((row.high, row.medium, row.low) for row in (table.high, table.medium, table.low))
