"""Check a benchmark file and report all problems together, with line and JSON path.

Besides the structure, the check finds fields that do not fit the type of the file, repeated
ids, dates that do not exist, evidence and quotes that are not at the stated place, and a
missing document.
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

_DATE_FORM: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIELDS: Final = {
    kind: frozenset(model.__struct_encode_fields__) for kind, model in QUESTION_KINDS.items()
}


class CheckedFile(Struct, frozen=True, kw_only=True):
    """A file, its problems, and its content if there are none.

    ``ids`` are the ids of the questions with their lines. ``benchmark`` is ``None`` if there
    is any problem, ``document`` is ``None`` if it could not be read.
    """

    path: Path
    problems: tuple[Problem, ...]
    ids: tuple[tuple[str, int], ...] = ()
    benchmark: Benchmark | None = None
    document: PagedDocument | None = None


def check_benchmark(path: Path) -> CheckedFile:
    """Read a file and find all of its problems.

    Raises:
        DatasetError: the file cannot be opened, or is not UTF-8.
    """
    text = read_text(path)
    try:
        located = locate_values(text)
    except NotJson as error:
        line = text.count("\n", 0, error.offset) + 1
        problem = Problem(file=path, line=line, path="$", message=f"not JSON: {error.reason}")
        return CheckedFile(path=path, problems=(problem,))
    document, unreadable = _read_document(path, located.value)
    all_deviations = [*_deviations(located), *unreadable]
    if document is not None:
        all_deviations += misplaced_quotes(located.value, document)
    all_deviations.sort(key=lambda deviation: (located.line(deviation[0]), deviation[0] == ()))
    problems = tuple(
        Problem(file=path, line=located.line(at), path=json_path(at), message=message)
        for at, message in dict.fromkeys(all_deviations)
    )
    return CheckedFile(
        path=path,
        problems=problems,
        ids=tuple(_ids(located)),
        benchmark=None if problems else convert_benchmark(located.value),
        document=document,
    )


def _ids(located: LocatedValue) -> Iterator[tuple[str, int]]:
    for index, question in _questions(located.value):
        if isinstance(question.get("id"), str):
            yield question["id"], located.line(("questions", index, "id"))


def _questions(raw: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    questions = raw.get("questions") if isinstance(raw, dict) else None
    for index, question in enumerate(questions if isinstance(questions, list) else []):
        if isinstance(question, dict):
            yield index, question


def _read_document(path: Path, raw: Any) -> tuple[PagedDocument | None, list[Deviation]]:
    name = raw.get("document") if isinstance(raw, dict) else None
    if not isinstance(name, str) or not name:
        return None, []
    try:
        return read_paged(document_path(path, name)), []
    except DatasetError as error:
        return None, [(("document",), f"the document cannot be used: {error}")]


def _deviations(located: LocatedValue) -> Iterator[Deviation]:
    raw = located.value
    for at in located.repeated:
        yield at, "the key occurs twice"
    if not isinstance(raw, dict):
        yield (), f"must be an object, not {json_type(raw)}"
        return
    kind = raw.get("benchmark_type")
    if kind not in KINDS:
        fault = "`benchmark_type` is missing" if kind is None else f"is {kind!r}"
        where = () if kind is None else ("benchmark_type",)
        yield where, f"{fault}; it must be one of {', '.join(KINDS)}"
        return
    for at, message in deviations(raw, shape.type_info(KINDS[kind])):
        yield at, _with_owner(at, message, kind)
    for index, question in _questions(raw):
        for at, message in _inconsistencies(kind, question):
            yield ("questions", index, *at), message
    yield from _repeated_ids(raw)


def _with_owner(at: KeyPath, message: str, kind: str) -> str:
    """The message, or a clearer one if the unknown key belongs to another type of question."""
    if len(at) == 3 and at[0] == "questions" and message.startswith("unknown key"):
        owners = [other for other, fields in _FIELDS.items() if at[2] in fields]
        if owners:
            return f"`{at[2]}` belongs to {' and '.join(owners)}, but this is {kind}"
    return message


def _repeated_ids(raw: dict[str, Any]) -> Iterator[Deviation]:
    first: dict[str, int] = {}
    for index, question in _questions(raw):
        question_id = question.get("id")
        if isinstance(question_id, str) and first.setdefault(question_id, index) != index:
            message = f"the id {question_id!r} is already used in $.questions[{first[question_id]}]"
            yield ("questions", index, "id"), message


def _inconsistencies(kind: str, question: dict[str, Any]) -> Iterator[Deviation]:
    expected = question.get("expected")
    scoring = question.get("scoring")
    expected = expected if isinstance(expected, dict) else {}
    scoring = scoring if isinstance(scoring, dict) else {}
    evidence = question.get("required_evidence")
    if kind == "fact_exact":
        yield from _fact_deviations(question, expected)
        if scoring.get("citation_required") is True and not evidence:
            yield (
                ("scoring", "citation_required"),
                "a citation is required, but there is no `required_evidence`",
            )
    elif kind == "evidence_set":
        yield from _evidence_set_deviations(
            expected, evidence if isinstance(evidence, list) else []
        )
    else:
        abstains, required = question.get("should_abstain"), scoring.get("abstention_required")
        if isinstance(required, bool) and isinstance(abstains, bool) and required != abstains:
            at = ("scoring", "abstention_required")
            yield at, f"disagrees with `should_abstain`, which is {str(abstains).lower()}"
        if scoring.get("quote_required") is True and not question.get("required_quote"):
            yield (
                ("scoring", "quote_required"),
                "a quote is required, but there is no `required_quote`",
            )


def _fact_deviations(question: dict[str, Any], expected: dict[str, Any]) -> Iterator[Deviation]:
    if isinstance(question.get("expected"), dict) and not any(
        value is not None for value in expected.values()
    ):
        yield ("expected",), "nothing is expected; set at least one field"
    days: list[tuple[KeyPath, Any]] = [(("date",), expected.get("date"))]
    span = expected.get("date_range")
    if isinstance(span, dict):
        days += [(("date_range", end), span.get(end)) for end in ("start", "end")]
        start, end = span.get("start"), span.get("end")
        if _is_day(start) and _is_day(end) and str(start) > str(end):
            yield ("expected", "date_range"), f"ends ({end}) before it starts ({start})"
    for at, day in days:
        if isinstance(day, str) and _DATE_FORM.fullmatch(day) and not _is_day(day):
            yield ("expected", *at), f"{day!r} is not in the calendar"


def _is_day(day: Any) -> bool:
    if not isinstance(day, str) or _DATE_FORM.fullmatch(day) is None:
        return False
    year, month, number = map(int, day.split("-"))
    return is_calendar_date(year, month, number)


def _evidence_set_deviations(expected: dict[str, Any], evidence: list[Any]) -> Iterator[Deviation]:
    points = expected.get("key_points")
    points = points if isinstance(points, list) else []
    total = max(len(points), len(evidence))
    minimum = expected.get("evidence_count_min")
    if not total:
        yield ("expected",), "there are neither `key_points` nor `required_evidence`"
    elif isinstance(minimum, int) and minimum > total:
        yield ("expected", "evidence_count_min"), f"is {minimum}, but there are only {total} items"


def repeated_across(checked: Iterable[CheckedFile]) -> Iterator[Problem]:
    """A problem for each question id that an earlier file already uses."""
    first: dict[str, tuple[Path, int]] = {}
    for file in checked:
        for question_id, line in file.ids:
            path, first_line = first.setdefault(question_id, (file.path, line))
            if path != file.path:
                message = f"the id {question_id!r} is already used at {path}:{first_line}"
                yield Problem(file=file.path, line=line, path="$.questions[*].id", message=message)
