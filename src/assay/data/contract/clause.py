"""Clauses of contracts with what a reviewer should find: a JSON array or JSON lines.

``id``, ``text`` (or ``contract_text``), and either ``ground_truth`` (``risk_level`` in Chinese,
English or Russian; optional ``rules``, ``risk_id``, ``laws``, ``reason_keywords``) or
``expected_risks`` (``[{risk_id, risk_level, laws}]``; an empty list says low). Other keys are
passed over. Every fault names its line, or in an array its index from 0.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.data.line import check_utf8, numbered_lines, open_data_file
from assay.errors import DatasetError
from assay.records import Question
from assay.scorers.risk import Level, highest_level, level_of_word

MAX_ARRAY_BYTES = 256 << 20
"""An array is read whole; a larger file should be JSON lines."""


class ClauseQuestion(Question, frozen=True, kw_only=True):
    """A clause to review: ``text`` is the clause, the rest what is true of it.

    ``rules`` are the ids of the rules that should fire, ``None`` where the file does not say;
    ``risk_id`` is the main one.
    """

    risk_level: Level
    rules: tuple[str, ...] | None = None
    risk_id: str | None = None
    laws: tuple[str, ...] = ()
    reason_keywords: tuple[str, ...] = ()
    language: str | None = None


class _Truth(Struct):
    risk_level: str | None = None
    rules: list[str | int] | None = None
    risk_id: str | int | None = None
    laws: list[str] | None = None
    reason_keywords: list[str] | None = None


class _Expected(Struct):
    risk_id: str | int | None = None
    risk_level: str | None = None
    laws: list[str] | None = None


class _Row(Struct):
    id: str | int | None = None
    text: str | None = None
    contract_text: str | None = None
    source: str | None = None
    language: str | None = None
    ground_truth: _Truth | None = None
    expected_risks: list[_Expected] | None = None


def read_clauses(path: Path) -> list[ClauseQuestion]:
    """The clauses of a file in order.

    Raises:
        DatasetError: the file cannot be read, or a clause is not in order.
    """
    places: dict[str, str] = {}
    clauses: list[ClauseQuestion] = []
    for where, row in _rows(path):
        clause = _clause(row, where)
        if (first := places.setdefault(clause.id, where)) != where:
            raise DatasetError(f"{where}: clause {clause.id!r} stands already at {first}")
        clauses.append(clause)
    if not clauses:
        raise DatasetError(f"{path}: there are no clauses in it")
    return clauses


def _rows(path: Path) -> Iterator[tuple[str, _Row]]:
    """Each row with where it stands: ``file:line``, or ``file: item N`` of an array."""
    with open_data_file(path) as file:
        is_array = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
    if not is_array:
        decoder = msgspec.json.Decoder(_Row)
        for number, line in numbered_lines(path):
            where = f"{path}:{number}"
            try:
                yield where, decoder.decode(line)
            except msgspec.DecodeError as error:
                raise DatasetError(f"{where}: not a clause: {error}") from None
        return
    for index, item in enumerate(_array(path)):
        where = f"{path}: item {index}"
        try:
            yield where, msgspec.convert(item, _Row)
        except msgspec.ValidationError as error:
            raise DatasetError(f"{where}: not a clause: {error}") from None


def _array(path: Path) -> list[Any]:
    with open_data_file(path) as file:
        data = file.read(MAX_ARRAY_BYTES + 1)
    if len(data) > MAX_ARRAY_BYTES:
        raise DatasetError(f"{path}: an array this large is better kept as JSON lines")
    text = check_utf8(data, path).removeprefix("\ufeff")
    try:
        return msgspec.json.decode(text, type=list[Any])
    except msgspec.DecodeError as error:
        raise DatasetError(f"{path}: not a JSON array: {error}") from None


def _clause(row: _Row, where: str) -> ClauseQuestion:
    if row.id is None or not str(row.id).strip():
        raise DatasetError(f"{where}: the clause has no `id`")
    name = f"clause {row.id!r}"
    text = row.text if row.text is not None else row.contract_text
    if text is None or not text.strip():
        raise DatasetError(f"{where}: {name} has no text; give it as `text`")
    if row.ground_truth is not None and row.expected_risks is not None:
        raise DatasetError(
            f"{where}: {name} has `ground_truth` and `expected_risks`; keep one of the two"
        )
    if row.ground_truth is not None:
        truth = _told(row.ground_truth, f"{where}: {name}")
    elif row.expected_risks is not None:
        truth = _expected(row.expected_risks, f"{where}: {name}")
    else:
        raise DatasetError(f"{where}: {name} has neither `ground_truth` nor `expected_risks`")
    return ClauseQuestion(
        id=str(row.id), text=text, source=row.source, language=row.language, **truth
    )


def _told(truth: _Truth, where: str) -> dict[str, Any]:
    rules = None if truth.rules is None else tuple(dict.fromkeys(map(str, truth.rules)))
    risk_id = None if truth.risk_id is None else str(truth.risk_id)
    return {
        "risk_level": _level(truth.risk_level, where),
        "rules": rules,
        "risk_id": risk_id or None,
        "laws": tuple(truth.laws or ()),
        "reason_keywords": tuple(truth.reason_keywords or ()),
    }


def _expected(risks: list[_Expected], where: str) -> dict[str, Any]:
    levels = [_level(risk.risk_level, where) for risk in risks]
    ids = [str(risk.risk_id) for risk in risks if risk.risk_id is not None]
    laws = [law for risk in risks for law in risk.laws or ()]
    return {
        "risk_level": highest_level(levels) or "low",
        # a risk without an id leaves open which rules should fire
        "rules": tuple(dict.fromkeys(ids)) if len(ids) == len(risks) else None,
        "risk_id": ids[0] if ids else None,
        "laws": tuple(dict.fromkeys(laws)),
    }


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
