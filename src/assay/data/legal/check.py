"""All problems of a benchmark file at once, with line and JSON path.

Beyond the shape: a type that disagrees with its fields, ids that repeat, days that no calendar
has, evidence and quotes that do not stand where the file says, a document that is not there.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec.inspect as shape
from msgspec import Struct

from assay.data.document import PagedDocument, read_paged
from assay.data.legal.file import KINDS, Benchmark, convert_benchmark, document_path
from assay.data.legal.located_json import LocatedValue, NotJson, locate_values
from assay.data.legal.problem import KeyPath, Problem, json_path
from assay.data.legal.question import QUESTION_KINDS
from assay.data.legal.quote import misplaced_quotes
from assay.data.legal.shape import Deviation, deviations, json_type
from assay.data.line import read_text
from assay.errors import DatasetError
from assay.text.date import is_calendar_date

_FORM: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIELDS: Final = {
    kind: frozenset(model.__struct_encode_fields__) for kind, model in QUESTION_KINDS.items()
}


class CheckedFile(Struct, frozen=True, kw_only=True):
    """A file, what is wrong with it, and what it holds where nothing is."""

    path: Path
    problems: tuple[Problem, ...]
    ids: tuple[tuple[str, int], ...] = ()
    benchmark: Benchmark | None = None
    document: PagedDocument | None = None


def check_benchmark(path: Path) -> CheckedFile:
    """Read one file and find everything that is wrong with it.

    Raises:
        DatasetError: the file cannot be read at all.
    """
    text = read_text(path)
    try:
        whole = locate_values(text)
    except NotJson as error:
        line = text.count("\n", 0, error.offset) + 1
        problem = Problem(file=path, line=line, path="$", message=f"not JSON: {error.reason}")
        return CheckedFile(path=path, problems=(problem,))
    document, missing = _document(path, whole.value)
    found = [*_deviations(whole), *missing]
    if document is not None:
        found += misplaced_quotes(whole.value, document)
    found.sort(key=lambda one: (whole.line(one[0]), one[0] == ()))
    problems = tuple(
        Problem(file=path, line=whole.line(at), path=json_path(at), message=message)
        for at, message in dict.fromkeys(found)
    )
    return CheckedFile(
        path=path,
        problems=problems,
        ids=tuple(_ids(whole)),
        benchmark=None if problems else convert_benchmark(whole.value),
        document=document,
    )


def _ids(whole: LocatedValue) -> Iterator[tuple[str, int]]:
    for place, question in _questions(whole.value):
        if isinstance(question.get("id"), str):
            yield question["id"], whole.line(("questions", place, "id"))


def _questions(raw: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    found = raw.get("questions") if isinstance(raw, dict) else None
    for place, question in enumerate(found if isinstance(found, list) else []):
        if isinstance(question, dict):
            yield place, question


def _document(path: Path, raw: Any) -> tuple[PagedDocument | None, list[Deviation]]:
    name = raw.get("document") if isinstance(raw, dict) else None
    if not isinstance(name, str) or not name:
        return None, []
    try:
        return read_paged(document_path(path, name)), []
    except DatasetError as error:
        return None, [(("document",), f"the document is missing: {error}")]


def _deviations(whole: LocatedValue) -> Iterator[Deviation]:
    raw = whole.value
    for at in whole.repeated:
        yield at, "the key stands here twice"
    if not isinstance(raw, dict):
        yield (), f"must be an object, not {json_type(raw)}"
        return
    kind = raw.get("benchmark_type")
    if kind not in KINDS:
        said = "`benchmark_type` is missing" if kind is None else f"is {kind!r}"
        where = () if kind is None else ("benchmark_type",)
        yield where, f"{said}; it must be one of {', '.join(KINDS)}"
        return
    for at, message in deviations(raw, shape.type_info(KINDS[kind])):
        yield at, _of_other_type(at, message, kind)
    for place, question in _questions(raw):
        for at, message in _inconsistencies(kind, question):
            yield ("questions", place, *at), message
    yield from _repeated_ids(raw)


def _of_other_type(at: KeyPath, message: str, kind: str) -> str:
    """Say so where an unknown key of a question belongs to another type."""
    if len(at) == 3 and at[0] == "questions" and message.startswith("unknown key"):
        owners = [other for other, fields in _FIELDS.items() if at[2] in fields]
        if owners:
            return f"`{at[2]}` belongs to {' and '.join(owners)}, but this is {kind}"
    return message


def _repeated_ids(raw: dict[str, Any]) -> Iterator[Deviation]:
    first: dict[str, int] = {}
    for place, question in _questions(raw):
        name = question.get("id")
        if isinstance(name, str) and first.setdefault(name, place) != place:
            message = f"the id {name!r} is already that of $.questions[{first[name]}]"
            yield ("questions", place, "id"), message


def _inconsistencies(kind: str, question: dict[str, Any]) -> Iterator[Deviation]:
    expected = question.get("expected")
    scoring = question.get("scoring")
    expected = expected if isinstance(expected, dict) else {}
    scoring = scoring if isinstance(scoring, dict) else {}
    evidence = question.get("required_evidence")
    if kind == "fact_exact":
        yield from _fact(question, expected)
        if scoring.get("citation_required") is True and not evidence:
            yield ("scoring", "citation_required"), "a citation is required, but no evidence is"
    elif kind == "evidence_set":
        yield from _set(expected, evidence if isinstance(evidence, list) else [])
    else:
        wanted, required = question.get("should_abstain"), scoring.get("abstention_required")
        if isinstance(required, bool) and isinstance(wanted, bool) and required != wanted:
            at = ("scoring", "abstention_required")
            yield at, f"disagrees with `should_abstain`, which is {str(wanted).lower()}"
        if scoring.get("quote_required") is True and not question.get("required_quote"):
            yield (
                ("scoring", "quote_required"),
                "a quote is required, but there is no `required_quote`",
            )


def _fact(question: dict[str, Any], expected: dict[str, Any]) -> Iterator[Deviation]:
    if isinstance(question.get("expected"), dict) and not any(
        value is not None for value in expected.values()
    ):
        yield ("expected",), "nothing is expected; give at least one field"
    days: list[tuple[KeyPath, Any]] = [(("date",), expected.get("date"))]
    span = expected.get("date_range")
    if isinstance(span, dict):
        days += [(("date_range", end), span.get(end)) for end in ("start", "end")]
        start, end = span.get("start"), span.get("end")
        if _is_day(start) and _is_day(end) and str(start) > str(end):
            yield ("expected", "date_range"), f"ends ({end}) before it starts ({start})"
    for at, day in days:
        if isinstance(day, str) and _FORM.fullmatch(day) and not _is_day(day):
            yield ("expected", *at), f"{day!r} is no day of the calendar"


def _is_day(day: Any) -> bool:
    if not isinstance(day, str) or _FORM.fullmatch(day) is None:
        return False
    year, month, number = map(int, day.split("-"))
    return is_calendar_date(year, month, number)


def _set(expected: dict[str, Any], evidence: list[Any]) -> Iterator[Deviation]:
    points = expected.get("key_points")
    points = points if isinstance(points, list) else []
    total = max(len(points), len(evidence))
    least = expected.get("evidence_count_min")
    if not total:
        yield ("expected",), "there are neither `key_points` nor `required_evidence`"
    elif isinstance(least, int) and least > total:
        yield ("expected", "evidence_count_min"), f"is {least}, but only {total} items are given"


def repeated_across(checked: Iterable[CheckedFile]) -> Iterator[Problem]:
    """Ids that stand in several files."""
    first: dict[str, tuple[Path, int]] = {}
    for one in checked:
        for name, line in one.ids:
            path, at = first.setdefault(name, (one.path, line))
            if path != one.path:
                message = f"the id {name!r} stands already at {path}:{at}"
                yield Problem(file=one.path, line=line, path="$.questions[*].id", message=message)
