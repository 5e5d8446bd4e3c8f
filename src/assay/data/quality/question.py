"""``questions.jsonl`` of the quality job: what to ask, and what the answer must and must not say.

Every problem of the file is reported at once, each with its line; a file with one is not used.
"""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.config import nearest
from assay.data.line import numbered_lines
from assay.errors import DatasetError
from assay.records import Question
from assay.scorers.quality import Expectation
from assay.text import normalised

MOST_PROBLEMS: Final = 20
"""More problems than this are counted, not shown."""


class QualityQuestion(Question, frozen=True, kw_only=True):
    """A question, what its answer is held to, and how much it weighs."""

    expected: Expectation
    weight: float = 1.0


def read_quality_questions(path: Path) -> list[QualityQuestion]:
    """The questions of a file in order; ``DatasetError`` names every problem and its line."""
    problems: list[str] = []
    lines: dict[str, int] = {}
    questions: list[QualityQuestion] = []
    for number, line in numbered_lines(path):
        row, found = _row(line)
        name = row.get("id")
        if isinstance(name, str) and name.strip():
            first = lines.setdefault(name, number)
            if first != number:
                found.append(f"the id {name!r} stands already on line {first}")
        problems.extend(f"{path}:{number}: {what}" for what in found)
        if not found:
            questions.append(_question(row))
    if problems:
        shown = problems[:MOST_PROBLEMS]
        if len(problems) > len(shown):
            shown.append(f"{path}: and {len(problems) - len(shown)} more problems")
        raise DatasetError("\n".join(shown))
    if not questions:
        raise DatasetError(f"{path}: there are no questions in it")
    return questions


def _row(line: bytes) -> tuple[dict[str, Any], list[str]]:
    """A line's fields and what is wrong with them."""
    try:
        row = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        return {}, [f"not JSON: {error}; put one JSON object on each line"]
    if not isinstance(row, dict):
        return {}, ['not a JSON object; write {"id": …, "question": …}']
    return row, list(_problems(row))


def _problems(row: dict[str, Any]) -> Iterator[str]:
    for key in row:
        if key not in _CHECKS:
            yield f"unknown key {key!r}{nearest(key, _CHECKS)}"
    for key, check in _CHECKS.items():
        if key in row:
            yield from check(key, row[key])
        elif key in _REQUIRED:
            yield f"`{key}` is missing"
    required, forbidden = row.get("must_include"), row.get("must_not_include")
    if isinstance(required, list) and isinstance(forbidden, list):
        clashing = _folded(forbidden)
        for phrase in required:
            if _folded([phrase]) & clashing:
                yield f"{phrase!r} is both in `must_include` and in `must_not_include`"


def _folded(phrases: list[Any]) -> set[str]:
    return {normalised(one, fold_case=True).strip() for one in phrases if isinstance(one, str)}


def _text(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        quotes = "; put it in quotes" if isinstance(value, int | float) else ""
        yield f"`{key}` must be text, not {_kind(value)}{quotes}"
    elif not value.strip():
        yield f"`{key}` is empty"


def _texts(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"`{key}` must be a list of texts, not {_kind(value)}"
        return
    for place, one in enumerate(value):
        yield from _text(f"{key}[{place}]", one)


def _groups(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"`{key}` must be a list of groups, each a text or a list of texts, not {_kind(value)}"
        return
    for place, group in enumerate(value):
        if not isinstance(group, list):
            yield from _text(f"{key}[{place}]", group)
        elif not group:
            yield f"`{key}[{place}]` is an empty group, which no answer can meet"
        else:
            yield from _texts(f"{key}[{place}]", group)


def _flag(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"`{key}` must be true or false, not {_kind(value)}"


def _weight(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"`{key}` must be a number, not {_kind(value)}"
    elif not math.isfinite(value):
        yield f"`{key}` must be a finite number"
    elif value < 0:
        yield f"`{key}` is {value:g}; a weight cannot be negative"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null (leave the key out)"
        case bool():
            return "true or false"
        case str():
            return "text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


_CHECKS: Final[dict[str, Callable[[str, Any], Iterator[str]]]] = {
    "id": _text,
    "question": _text,
    "must_include": _texts,
    "must_include_any": _groups,
    "must_not_include": _texts,
    "require_citation": _flag,
    "weight": _weight,
}
_REQUIRED: Final = ("id", "question")


def _question(row: dict[str, Any]) -> QualityQuestion:
    groups = row.get("must_include_any", [])
    return QualityQuestion(
        id=row["id"],
        text=row["question"],
        expected=Expectation(
            must_include=tuple(row.get("must_include", ())),
            must_include_any=tuple(
                (group,) if isinstance(group, str) else tuple(group) for group in groups
            ),
            must_not_include=tuple(row.get("must_not_include", ())),
            require_citation=row.get("require_citation", False),
        ),
        weight=float(row.get("weight", 1.0)),
    )
