"""Check a benchmark file and report all problems together, with line and JSON path.

Besides the structure, the check finds repeated ids, dates that do not exist, and evidence and
quotes that are not at the stated place. A file with a problem cannot be used, except for misplaced
quotes, which make their citation hard to earn. What a file may have, but what cannot be checked or understood, is a remark: unknown fields, a missing document, a
document without page marks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import msgspec.inspect as shape
from msgspec import Struct
from msgspec.structs import replace

from assay.checks.invention import SEVERITY
from assay.data.document.document import PagedDocument, read_paged
from assay.data.foreign_value import as_number
from assay.data.jsonl import read_text
from assay.errors import DatasetError
from assay.jobs.legal.document_lookup import (
    DocumentOutside,
    FileProblem,
    KeyPath,
    document_names,
    find_document,
    json_path,
    searched_folders,
)
from assay.jobs.legal.evidence import stands_in
from assay.jobs.legal.file import (
    KINDS,
    Benchmark,
    LocatedValue,
    NotJson,
    convert_benchmark,
    locate_values,
    loosened,
)
from assay.jobs.legal.question import QUESTION_KINDS, BenchQuestion
from assay.jobs.legal.shape import (
    Deviation,
    deviations,
    json_type,
    places_of,
    unknown_keys,
    without_nulls,
)
from assay.text.date import is_calendar_date

# The score with which a question passes.
#
# It is set by the question, else by its file, else by ``overall_pass_threshold`` of the benchmark.
# Benchmarks name it in several ways: ``min_score``, ``passing_threshold``, or ``passing_score``,
# which is a number or an object with a number for each difficulty or type.

_NAMES: Final = (
    "min_score", "passing_threshold", "passing_score", "threshold", "overall", "default", "minimum",
    "min", "score", "value",
)  # fmt: skip
"""The keys of a ``passing_score`` object that hold the threshold for all questions."""
_PERCENT: Final = 100


def passing_score(question: BenchQuestion, benchmark: Benchmark) -> float | None:
    """The score with which the question passes; ``None`` if nothing says when it does.

    >>> from assay.jobs.legal.file import EvaluationCriteria, GapBenchmark
    >>> from assay.jobs.legal.question import GapQuestion
    >>> question = GapQuestion(id="q", question="?", should_abstain=True)
    >>> criteria = EvaluationCriteria(passing_threshold=70)
    >>> passing_score(question, GapBenchmark(questions=(question,), evaluation_criteria=criteria))
    0.7
    """
    groups = (question.metadata.difficulty or "", question.type)
    for level in (question, question.scoring, benchmark.evaluation_criteria):
        for stated in (level.min_score, level.passing_threshold, level.passing_score):
            threshold = _threshold(stated, groups)
            if threshold is not None:
                return threshold
    return _threshold(benchmark.scoring_config.overall_pass_threshold, groups)


def unread_thresholds(benchmark: Benchmark) -> Iterator[str]:
    """The names of the thresholds of a file that set nothing, because they cannot be understood."""
    criteria, config = benchmark.evaluation_criteria, benchmark.scoring_config
    stated = {
        "evaluation_criteria.passing_threshold": criteria.passing_threshold,
        "evaluation_criteria.passing_score": criteria.passing_score,
        "scoring_config.overall_pass_threshold": config.overall_pass_threshold,
    }
    groups = [(q.metadata.difficulty or "", q.type) for q in benchmark.questions]
    for name, value in stated.items():
        if value is not None and all(_threshold(value, names) is None for names in groups):
            yield name


def _threshold(stated: Any, groups: Sequence[str]) -> float | None:
    """A threshold between 0 and 1; a number above 1 is a percentage."""
    if isinstance(stated, Mapping):
        names = [name for name in (*groups, *_NAMES) if name in stated]
        values = (_threshold(stated[name], groups) for name in names)
        return next((value for value in values if value is not None), None)
    number = as_number(stated)
    if number is None or number < 0:
        return None
    if number <= 1:
        return number
    return number / _PERCENT if number <= _PERCENT else None


# Find evidence and quotes of a benchmark file that are not at the stated place.


def misplaced_quotes(raw: dict[str, Any], document: PagedDocument) -> Iterator[Deviation]:
    """Each ``must_include`` and quote that is not on its page, on its lines, or in the document."""
    questions = raw.get("questions")
    for index, question in enumerate(questions if isinstance(questions, list) else []):
        if isinstance(question, dict):
            at = ("questions", index)
            yield from _evidence_deviations(question, document, at)
            yield from _quote_deviations(question, document, at)


def _evidence_deviations(
    question: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    evidence = question.get("required_evidence")
    for index, item in enumerate(evidence if isinstance(evidence, list) else []):
        if isinstance(item, dict) and isinstance(item.get("must_include"), str):
            item_at = (*at, "required_evidence", index)
            yield from _page_deviations(
                item["must_include"], item.get("page"), document, item_at, "must_include"
            )


def _page_deviations(
    quote: str, page: Any, document: PagedDocument, at: KeyPath, name: str, page_at: KeyPath = ()
) -> Iterator[Deviation]:
    if not quote.strip():
        return
    is_number = isinstance(page, int) and not isinstance(page, bool) and page >= 1
    if not is_number or not document.has_page_marks:
        yield from _document_deviations(quote, document, (*at, name))
        return
    text = document.page(page)
    if text is None:
        count = len(document.pages)
        yield (page_at or (*at, "page")), f"is {page}, but {document.name} has {count} pages"
    elif not stands_in(quote, text):
        others = [n for n, content in enumerate(document.pages, 1) if stands_in(quote, content)]
        where = (
            f"; it is on page {others[0]}" if others else f" and nowhere else in {document.name}"
        )
        yield (*at, name), f"{quote!r} is not on page {page}{where}"


def _document_deviations(quote: str, document: PagedDocument, at: KeyPath) -> Iterator[Deviation]:
    if quote.strip() and not stands_in(quote, "\n".join(document.pages)):
        yield at, f"{quote!r} is not in {document.name}"


def _quote_deviations(
    question: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    additional = question.get("additional_quotes")
    for index, quote in enumerate(additional if isinstance(additional, list) else []):
        if isinstance(quote, str):
            yield from _document_deviations(quote, document, (*at, "additional_quotes", index))
    location = question.get("evidence_location")
    location = location if isinstance(location, dict) else {}
    quote = question.get("required_quote")
    page = location.get("page")
    if isinstance(quote, str):
        on_page = list(
            _page_deviations(
                quote, page, document, at, "required_quote", (*at, "evidence_location", "page")
            )
        )
        yield from on_page
        if not on_page:
            lines_at = (*at, "evidence_location", "lines")
            yield from _line_deviations(quote, location, document, lines_at)


def _line_deviations(
    quote: str, location: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    lines = str(location.get("lines", ""))
    first, _, last = lines.partition("-")
    if len(lines) > 20 or not first.isdigit() or not (last or first).isdigit():
        return
    text = document.lines(int(first), int(last or first))
    if text is None:
        yield at, f"{lines!r} are not lines of {document.name}"
    elif not stands_in(quote, text):
        yield at, f"the required quote is not on lines {lines} of {document.name}"
    elif document.has_page_marks and location.get("page") not in (
        None,
        document.page_of_line(int(first)),
    ):
        page = document.page_of_line(int(first))
        yield at, f"line {first} is on page {page}, not {location['page']}"


MOST_PLACES: Final = 2
"""In how many places a field may be known for a message to name them."""
_DATE_FORM: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WITHOUT_DOCUMENT: Final = (
    "citations are compared with the required evidence only, and invented details are not checked"
)
_WITHOUT_PAGE_MARKS: Final = (
    "has no page marks: the page of a citation is compared with that of the required evidence, "
    "and its words are looked up in the whole document"
)
_FIELDS: Final = {
    kind: frozenset(model.__struct_encode_fields__) for kind, model in QUESTION_KINDS.items()
}


class CheckedFile(Struct, frozen=True, kw_only=True):
    """A file, its problems and remarks, and its content if there are no problems.

    ``ids`` are the ids of the questions with their lines, ``raw`` is the content with the usual
    types. ``benchmark`` is ``None`` if a problem blocks it, ``document`` is ``None`` if it could not
    be read. ``ignored`` are the unknown fields, without the numbers of the questions.
    """

    path: Path
    problems: tuple[FileProblem, ...]
    remarks: tuple[FileProblem, ...] = ()
    ignored: tuple[str, ...] = ()
    ids: tuple[tuple[str, int], ...] = ()
    raw: Any = None
    benchmark: Benchmark | None = None
    document: PagedDocument | None = None
    document_path: Path | None = None


def check_benchmark(
    path: Path, bounds: Path | None = None, given: Path | None = None
) -> CheckedFile:
    """Read a file and find all of its problems; ``bounds`` and ``given`` as in ``find_document``.

    Raises:
        DatasetError: the file cannot be opened, or is not UTF-8.
    """
    text = read_text(path)
    try:
        located = locate_values(text)
    except NotJson as error:
        line = text.count("\n", 0, error.offset) + 1
        problem = FileProblem(file=path, line=line, path="$", message=f"not JSON: {error.reason}")
        return CheckedFile(path=path, problems=(problem,))
    content, left_out = loosened(located.value)
    raw = with_type(without_nulls(content), path)
    faults = list(_deviations(raw, located.repeated))
    try:
        document, document_at, remarks = _read_document(path, raw, bounds, given)
    except DocumentOutside as error:
        document, document_at, remarks = None, None, []
        faults.append((("document",), str(error)))
    remarks += left_out
    misplaced = list(misplaced_quotes(raw, document)) if document is not None else []
    if document is not None and not document.has_page_marks:
        remarks, misplaced = [*remarks, *misplaced], []
    benchmark = None
    if not faults:
        try:
            benchmark = convert_benchmark(raw)
        except msgspec.ValidationError as error:  # a kind of value that no check above knows
            faults.append(((), str(error)))
    if benchmark is not None:
        remarks += _remarks(raw, benchmark)
    unplaced = (replace(problem, blocks=False) for problem in _problems(path, located, misplaced))
    problems = [*_problems(path, located, faults), *unplaced]
    return CheckedFile(
        path=path,
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        remarks=_problems(path, located, remarks),
        ignored=tuple(dict.fromkeys(_ignored(raw))),
        ids=tuple(_ids(content, located)),
        raw=content,
        benchmark=benchmark,
        document=document,
        document_path=document_at,
    )


def with_type(raw: Any, path: Path) -> Any:
    """The content with its ``benchmark_type``.

    If the file does not say it, it is the type of all its questions, or the name of the file.
    """
    if not isinstance(raw, dict) or "benchmark_type" in raw:
        return raw
    named = [question.get("type") for _, question in _questions(raw)]
    types = {name for name in named if isinstance(name, str)}
    kind = next(iter(types)) if len(types) == 1 else path.stem
    return {**raw, "benchmark_type": kind} if kind in KINDS else raw


def _problems(
    path: Path, located: LocatedValue, messages: Iterable[Deviation]
) -> tuple[FileProblem, ...]:
    ordered = sorted(
        dict.fromkeys(messages), key=lambda item: (located.line(item[0]), item[0] == ())
    )
    return tuple(
        FileProblem(file=path, line=located.line(at), path=json_path(at), message=message)
        for at, message in ordered
    )


def _ignored(raw: Any) -> Iterator[str]:
    """The unknown fields, each with the name that was perhaps meant or the type it belongs to."""
    kind = raw.get("benchmark_type") if isinstance(raw, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        return
    for at, close in unknown_keys(raw, shape.type_info(KINDS[kind])):
        if at[0] == "evaluation_criteria" and not _is_number(raw[at[0]][at[1]]):
            continue  # a description
        name = ".".join(str(step) for step in at if not isinstance(step, int))
        places = _right_places(at, KINDS[kind])
        owners = [other for other, fields in _FIELDS.items() if at[-1] in fields]
        if len(at) == 3 and at[0] == "questions" and owners:
            yield f"{name} (belongs to {' and '.join(owners)})"
        elif close or not places:
            yield f"{name} (did you mean {close}?)" if close else name
        else:
            yield f"{name} (write it as {' or '.join(places)})"


def _right_places(at: KeyPath, kind: type[Struct]) -> list[str]:
    """Where a field that is unknown at this place is known, within the questions if it is in one.

    A name with more than two places is too general to say that one of them was meant.
    """
    places = list(dict.fromkeys(places_of(str(at[-1]), shape.type_info(kind))))
    if at[0] == "questions":
        places = [place for place in places if place.startswith("questions.")]
    return places if len(places) <= MOST_PLACES else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _ids(content: Any, located: LocatedValue) -> Iterator[tuple[str, int]]:
    for index, question in _questions(content):
        if isinstance(question.get("id"), str):
            yield question["id"], located.line(("questions", index, "id"))


def _questions(raw: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    questions = raw.get("questions") if isinstance(raw, dict) else None
    for index, question in enumerate(questions if isinstance(questions, list) else []):
        if isinstance(question, dict):
            yield index, question


def _read_document(
    path: Path, raw: Any, bounds: Path | None, given: Path | None
) -> tuple[PagedDocument | None, Path | None, list[Deviation]]:
    """The document, its path, and what cannot be checked without it or without its page marks."""
    names = list(document_names(raw))
    found = find_document(path, raw, bounds, given)
    if found is None:
        missing = f"the document {names[0]!r} was not found" if names else "no document is named"
        folders = ", ".join(map(str, searched_folders(path)))
        missing = f"{missing} (looked in {folders}; --document names it)"
        return None, None, [(("document",), f"{missing}; {_WITHOUT_DOCUMENT}")]
    try:
        document = read_paged(found)
    except DatasetError as error:
        reason = f"the document cannot be used: {error}"
        return None, None, [(("document",), f"{reason}; {_WITHOUT_DOCUMENT}")]
    remarks: list[Deviation] = []
    if given is None and (not names or found.name != Path(names[0]).name):
        asked = repr(names[0]) if names else "the document, which the file does not name"
        remarks.append((("document",), f"{found} is read for {asked}"))
    if not document.has_page_marks and last_page(raw) > 1:
        remarks.append((("document",), f"{document.name} {_WITHOUT_PAGE_MARKS}"))
    if document.unread:
        remarks.append((("document",), _unread(document)))
    return document, found, remarks


def _unread(document: PagedDocument) -> str:
    """The remark about characters of a PDF that could not be read."""
    pages = ", ".join(f"page {page} ({count})" for page, count in document.unread.items())
    lost = f"{sum(document.unread.values())} characters of {document.name} could not be read"
    return f"{lost}, because the PDF does not say which they are: {pages}"


def last_page(raw: Any) -> int:
    """The highest page number that the questions name."""
    places: list[Any] = []
    for _, question in _questions(raw):
        evidence = question.get("required_evidence")
        places += [
            question.get("evidence_location"),
            *(evidence if isinstance(evidence, list) else []),
        ]
    pages = [place.get("page") for place in places if isinstance(place, dict)]
    return max([0, *(page for page in pages if isinstance(page, int))])


def _deviations(raw: Any, repeated: Iterable[KeyPath]) -> Iterator[Deviation]:
    for at in repeated:
        yield at, "the key occurs twice"
    if not isinstance(raw, dict):
        yield (), f"must be an object, not {json_type(raw)}"
        return
    kind = raw.get("benchmark_type")
    if not isinstance(kind, str) or kind not in KINDS:
        fault = "`benchmark_type` is missing" if kind is None else f"is {kind!r}"
        where = () if kind is None else ("benchmark_type",)
        yield where, f"{fault}; it must be one of {', '.join(KINDS)}"
        return
    yield from deviations(raw, shape.type_info(KINDS[kind]))
    for index, question in _questions(raw):
        for at, message in _inconsistencies(kind, question):
            yield ("questions", index, *at), message
    yield from _repeated_ids(raw)


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
    elif kind == "evidence_set":
        if not expected and not evidence:
            yield ("expected",), "there are neither `key_points` nor `required_evidence`"
    else:
        abstains, required = question.get("should_abstain"), scoring.get("abstention_required")
        if isinstance(required, bool) and isinstance(abstains, bool) and required != abstains:
            at = ("scoring", "abstention_required")
            yield at, f"disagrees with `should_abstain`, which is {str(abstains).lower()}"
        stated = (abstains, expected.get("should_abstain"), required)
        if all(value is None for value in (*stated, expected.get("conflict_detected"))):
            yield (), "`should_abstain` is missing"


def _remarks(raw: dict[str, Any], benchmark: Benchmark) -> Iterator[Deviation]:
    """What is unusual in a file without problems, and what it means for the scores."""
    for name in unread_thresholds(benchmark):
        yield tuple(name.split(".")), "is not understood as a threshold and sets none"
    for name, weight in benchmark.scoring_config.type_weights.items():
        if (
            number := as_number(weight)
        ) is not None and name not in benchmark.scoring_config.weights:
            words = f"the type weight {number:g} is negative and does not count"
            yield ("scoring_config", "type_weights", name), words
    for index, question in _questions(raw):
        for at, message in _question_remarks(raw["benchmark_type"], question):
            yield ("questions", index, *at), message


def _question_remarks(kind: str, question: dict[str, Any]) -> Iterator[Deviation]:
    expected, scoring = question.get("expected", {}), question.get("scoring", {})
    evidence = question.get("required_evidence", [])
    if not isinstance(scoring.get("partial_credit", False), bool):
        yield ("scoring", "partial_credit"), "is neither true nor false, and gives no credit"
    if kind == "fact_exact" and scoring.get("citation_required") and not evidence:
        at = ("scoring", "citation_required")
        yield at, "there is no `required_evidence`, so any valid citation is enough"
    if kind == "evidence_set":
        total = len(evidence) + len(expected.get("key_points", []))
        minimum = expected.get("evidence_count_min", 0)
        if minimum > total:
            at = ("expected", "evidence_count_min")
            yield at, f"is {minimum}, but there are only {total} items"
    if kind == "conflict_gap":
        quotes = (question.get("required_quote"), question.get("additional_quotes"))
        if scoring.get("quote_required") and not any(quotes):
            yield ("scoring", "quote_required"), "there is no quote, so none is required"
        penalties: list[tuple[KeyPath, Any]] = [
            (("hallucination_penalty",), question.get("hallucination_penalty")),
            (("scoring", "hallucination_penalty"), scoring.get("hallucination_penalty")),
        ]
        for where, penalty in penalties:
            if isinstance(penalty, str) and penalty.lower() not in SEVERITY:
                names = ", ".join(map(repr, SEVERITY))
                yield where, f"is {penalty!r}, which is none of {names}; one detail weighs 1"


def _fact_deviations(question: dict[str, Any], expected: dict[str, Any]) -> Iterator[Deviation]:
    if question.get("expected") == {}:
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


def repeated_across(checked: Iterable[CheckedFile]) -> Iterator[FileProblem]:
    """A problem for each question id that an earlier file already uses."""
    first: dict[str, tuple[Path, int]] = {}
    for file in checked:
        for question_id, line in file.ids:
            path, first_line = first.setdefault(question_id, (file.path, line))
            if path != file.path:
                message = f"the id {question_id!r} is already used at {path}:{first_line}"
                yield FileProblem(
                    file=file.path, line=line, path="$.questions[*].id", message=message
                )
