"""Read ``questions.jsonl`` of the quality job: questions, and what an answer must and must not say.

A JSON list or a table is read too (``quality_table``).

All problems of a file are reported together, each with its line. A file with a problem is
refused as a whole. A key that is not known is no problem; a note names it. Values are read as they
are meant: a number for a text, a text for a list of one, null for a missing key.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields as struct_fields

from assay.config.document import ConfigDocument, parse_document
from assay.config.experiment import NAME_PATTERN
from assay.data.answered_set import taken_note
from assay.data.column_role import column_key
from assay.data.foreign_set import FORMATS, is_json_lines, refuse_other_format, table_rows
from assay.data.foreign_value import as_flag, as_items, as_number, as_text, ignored_fields_note
from assay.data.jsonl import (
    UNREADABLE,
    decode_problem,
    decoded_lines,
    limited,
    other_encoding,
    read_text,
    repeated_key,
)
from assay.data.question_set import accepted_answers, foreign_table, text_id, with_truth
from assay.data.question_table import parsed_cell
from assay.errors import ConfigError, DatasetError
from assay.jobs.quality.expectation import Expectation
from assay.records import Question
from assay.text.normalise import normalised
from assay.words.message import Message, message, message_n

# Questions of the quality job in a JSON list or a table, as rows of ``questions.jsonl``.
#
# Columns have the names of the keys; those of the question, its id and its expected answer are
# recognised by their other names too, as for ``assay run``. A cell has one phrase, or a JSON list of
# phrases. A question without an id gets one that follows from its text.

_ROLES: Final = ("id", "question", "answer")


def quality_table(path: Path, keys: Collection[str]) -> Iterator[tuple[int, dict[str, Any], str]]:
    """The line, the fields and the fault of each row of a table; the fault is usually empty.

    Raises:
        UseError: no column holds the questions.
        DatasetError: the file cannot be read.
    """
    roles = foreign_table(path).roles
    known = {column_key(key): key for key in keys}
    named = {roles[role]: role for role in _ROLES if role in roles}
    for row in table_rows(path):
        cells = {name: parsed_cell(value) for name, value in row.cells.items()}
        fields = {
            named.get(name) or known.get(column_key(name), name): value
            for name, value in cells.items()
            if value not in (None, "", [])
        }
        if not row.fault and not fields:
            continue
        if isinstance(fields.get("question"), str):
            fields.setdefault("id", text_id(fields["question"]))
        yield row.line, fields, row.fault


def table_notes(path: Path) -> Iterator[Message | str]:
    """The encoding of a table that is not UTF-8, and which column was taken as the expected answer."""
    table = foreign_table(path)
    if table.encoding:
        yield message("read as {encoding}", encoding=table.encoding)
    if note := taken_note(table.columns):
        yield note


class QualityQuestion(Question, frozen=True, kw_only=True):
    """A question with its weight, and what its answer must and must not contain."""

    expected: Expectation
    weight: float = 1.0
    answers: tuple[str, ...] = ()


class QualityFile(Struct, frozen=True, kw_only=True):
    """The questions of a file in order, and notes to show to the user."""

    questions: tuple[QualityQuestion, ...]
    notes: tuple[Message | str, ...] = ()


def read_quality_questions(path: Path) -> list[QualityQuestion]:
    """Read the questions of a file in order; raises as ``read_quality_file``."""
    return list(read_quality_file(path).questions)


def read_quality_file(path: Path) -> QualityFile:
    """Read the questions of a file in order.

    Raises:
        DatasetError: the file cannot be read, has no questions, or has problems; the message
            lists the problems, one on each line.
    """
    problems: list[str] = []
    lines: dict[str, int] = {}
    questions: list[QualityQuestion] = []
    ignored: set[str] = set()
    for number, row, row_problems in _numbered_rows(path):
        ignored.update(row.keys() - _CHECKS.keys())
        question_id = row.get("id")
        if isinstance(question_id, str) and question_id.strip():
            first = lines.setdefault(question_id, number)
            if first != number:
                row_problems.append(f"the id {question_id!r} is already on line {first}")
        problems.extend(f"{path}:{number}: {problem}" for problem in row_problems)
        if not row_problems:
            questions.append(_question(row))
    if problems:
        raise DatasetError(*limited(problems, path))
    if not questions:
        raise DatasetError(f"{path}: the file has no questions")
    notes = (
        *(_line_notes(path) if is_json_lines(path) else table_notes(path)),
        ignored_fields_note(sorted(ignored), _CHECKS),
        _unchecked_note(questions),
    )
    return QualityFile(questions=tuple(questions), notes=tuple(note for note in notes if note))


def refuse_unchecked(path: Path, file: QualityFile) -> None:
    """Raise ``DatasetError`` if no question requires anything: any answer would score 1."""
    if not all(question.expected.is_empty for question in file.questions):
        return
    remedy = "name what an answer must say in must_include"
    if any(question.answers for question in file.questions):
        remedy += f", or score by the expected answers: assay run --questions {path}"
    reasons = "".join(f" ({note})" for note in file.notes if str(note).startswith("ignored "))
    raise DatasetError(
        f"{path}: no question requires anything of its answer{reasons}, so any answer would "
        f"score 1; {remedy}"
    )


def _unchecked_note(questions: list[QualityQuestion]) -> Message | str:
    """How many questions require nothing; empty if all require something."""
    empty = [question.id for question in questions if question.expected.is_empty]
    if not empty:
        return ""
    return message_n(
        "{n} question requires nothing, so any answer scores 1 (first {id})",
        "{n} questions require nothing, so any answer scores 1 (first {id})",
        len(empty),
        id=empty[0],
    )


def _line_notes(path: Path) -> Iterator[Message | str]:
    if encoding := other_encoding(path):
        yield message("read as {encoding}", encoding=encoding)


def _numbered_rows(path: Path) -> Iterator[tuple[int, dict[str, Any], list[str]]]:
    """The line of each question, its fields, and a message for each problem."""
    if is_json_lines(path):
        refuse_other_format(path, FORMATS)
        for number, line in decoded_lines(path):
            yield number, *_row_and_problems(line)
        return
    for number, fields, fault in quality_table(path, _CHECKS):
        row = as_meant(fields)
        yield number, row, [fault] if fault else list(_problems(row))


def read_quality_line(line: bytes) -> tuple[QualityQuestion | None, list[str]]:
    """The question of one line, or ``None`` and a message for each of its problems."""
    row, problems = _row_and_problems(line)
    return (None if problems else _question(row)), problems


def _row_and_problems(line: bytes) -> tuple[dict[str, Any], list[str]]:
    """The fields of a line, and a message for each problem."""
    try:
        row = msgspec.json.decode(line)
    except UNREADABLE as error:
        return {}, [f"not JSON: {decode_problem(line, error)}; put one JSON object on each line"]
    if not isinstance(row, dict):
        return {}, ['not a JSON object; write {"id": …, "question": …}']
    row = as_meant(row)
    repeated = repeated_key(line)
    return row, [*([repeated.problem] if repeated else []), *_problems(row)]


def as_meant(row: dict[str, Any]) -> dict[str, Any]:
    """The fields with the types that they usually have; what cannot be converted stays.

    >>> as_meant({"id": 7, "must_include": "2023", "weight": "2", "require_citation": None})
    {'id': '7', 'must_include': ['2023'], 'weight': 2.0}
    """
    read = {key: _CONVERTERS.get(key, _same)(value) for key, value in row.items()}
    return {key: value for key, value in read.items() if value is not None or key not in _CHECKS}


def _same(value: Any) -> Any:
    return value


def _text(value: Any) -> Any:
    return str(as_text(value)) if isinstance(value, int | float) else value


def _texts(value: Any) -> Any:
    if isinstance(value, dict) or value is None:
        return value
    return [_text(item) for item in as_items(value)]


def _groups(value: Any) -> Any:
    if isinstance(value, dict) or value is None:
        return value
    return [_texts(item) if isinstance(item, list) else _text(item) for item in as_items(value)]


def _flag(value: Any) -> Any:
    flag = as_flag(value)
    return value if flag is None else flag


def _weight(value: Any) -> Any:
    number = as_number(value) if isinstance(value, str) else None
    return value if number is None else number


def _problems(row: dict[str, Any]) -> Iterator[str]:
    for key, check in _CHECKS.items():
        if key in row:
            yield from check(key, row[key])
        elif key in _REQUIRED:
            yield f"`{key}` is missing"
    required, forbidden = row.get("must_include"), row.get("must_not_include")
    if isinstance(required, list) and isinstance(forbidden, list):
        forbidden_forms = _comparison_forms(forbidden)
        for phrase in required:
            if _comparison_forms([phrase]) & forbidden_forms:
                yield f"{phrase!r} is both in `must_include` and in `must_not_include`"


def _comparison_forms(phrases: list[Any]) -> set[str]:
    texts = (phrase for phrase in phrases if isinstance(phrase, str))
    return {normalised(text, fold_case=True).strip() for text in texts}


def _text_problems(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"`{key}` must be text, not {_json_type(value)}"
    elif not value.strip():
        yield f"`{key}` is empty"


def _text_list_problems(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"`{key}` must be a list of texts, not {_json_type(value)}"
        return
    for index, item in enumerate(value):
        yield from _text_problems(f"{key}[{index}]", item)


def _group_problems(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list):
        yield (
            f"`{key}` must be a list of groups, each a text or a list of texts, "
            f"not {_json_type(value)}"
        )
        return
    for index, group in enumerate(value):
        if not isinstance(group, list):
            yield from _text_problems(f"{key}[{index}]", group)
        elif not group:
            yield f"`{key}[{index}]` is an empty group, which no answer can satisfy"
        else:
            yield from _text_list_problems(f"{key}[{index}]", group)


def _flag_problems(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"`{key}` must be true or false, not {_json_type(value)}"


def _weight_problems(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"`{key}` must be a number, not {_json_type(value)}"
    elif not math.isfinite(value):
        yield f"`{key}` must be a finite number"
    elif value < 0:
        yield f"`{key}` is {value:g}; a weight cannot be negative"


def _json_type(value: Any) -> str:
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
    "id": _text_problems,
    "question": _text_problems,
    "must_include": _text_list_problems,
    "must_include_any": _group_problems,
    "must_not_include": _text_list_problems,
    "require_citation": _flag_problems,
    "weight": _weight_problems,
    "answer": lambda _key, _value: iter(()),
}
_REQUIRED: Final = ("id", "question")
_CONVERTERS: Final[dict[str, Callable[[Any], Any]]] = {
    "id": _text,
    "question": _text,
    "must_include": _texts,
    "must_include_any": _groups,
    "must_not_include": _texts,
    "require_citation": _flag,
    "weight": _weight,
}


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
        answers=accepted_answers(with_truth(row.get("answer"), row["question"])),
    )


# Read ``config.v1.json``: several documents with questions that form one benchmark.
#
# The file comes with the benchmark, so a key that is not known is ignored, with a note. Values are
# read as they are meant: a weight may be text, and null is a missing key.

_UNFIT: Final = re.compile(r"[^\w.-]+")


class DatasetConfig(Struct, frozen=True, kw_only=True):
    """A document and its questions. ``kind`` is a free text that appears in the report."""

    id: Annotated[str, Meta(pattern=r"^\w[\w.-]*$(?!\n)", description="Names its results file.")]
    pdf: Annotated[str, Meta(min_length=1)]
    questions: Annotated[str, Meta(min_length=1)]
    kind: str = ""
    weight: Annotated[float, Meta(ge=0, le=1e9)] = 1.0


class BenchmarkConfig(Struct, frozen=True, kw_only=True):
    """The content of ``config.v1.json``, and a note about keys that are ignored."""

    name: Annotated[str, Meta(pattern=NAME_PATTERN)]
    datasets: Annotated[list[DatasetConfig], Meta(min_length=1)]
    description: str = ""
    note: Message | str = ""


def load_benchmark(path: Path) -> ConfigDocument[BenchmarkConfig]:
    """Read a configuration.

    Raises:
        ConfigError: a value is wrong; the message gives its line.
        DatasetError: the file cannot be read.
    """
    text = read_text(path)
    # JSON is valid YAML except for tabs. In JSON, tabs can only occur between tokens.
    document = parse_document(
        text.replace("\t", " "), BenchmarkConfig, path, lambda raw: _as_meant(raw, path)
    )
    first: dict[str, int] = {}
    for index, dataset in enumerate(document.value.datasets):
        if first.setdefault(dataset.id, index) != index:
            where = document.where("datasets", index, "id")
            raise ConfigError(f"{where}: two data sets have the id {dataset.id!r}")
    if not any(dataset.weight for dataset in document.value.datasets):
        raise ConfigError(
            f"{document.where('datasets')}: all weights are 0, so there is no score; "
            "set at least one above 0"
        )
    return document


def _as_meant(raw: Any, path: Path) -> Any:
    """The content without unknown keys, and with the usual types."""
    if not isinstance(raw, dict):
        return raw
    ignored: dict[str, None] = {}
    content = _known(raw, BenchmarkConfig, ignored)
    content["name"] = _file_name(content.get("name", path.stem))
    sets = content.get("datasets")
    if isinstance(sets, list):
        content["datasets"] = [_dataset(entry, ignored) for entry in sets]
    names = [
        field.name for kind in (BenchmarkConfig, DatasetConfig) for field in struct_fields(kind)
    ]
    content["note"] = ignored_fields_note(ignored, names)
    return content


def _dataset(entry: Any, ignored: dict[str, None]) -> Any:
    if not isinstance(entry, dict):
        return entry
    content = _known(entry, DatasetConfig, ignored)
    if "id" in content:
        content["id"] = _file_name(content["id"])
    if isinstance(content.get("weight"), str):
        weight = as_number(content["weight"])
        content["weight"] = content["weight"] if weight is None else weight
    return content


def _known(entry: dict[Any, Any], kind: type[Struct], ignored: dict[str, None]) -> dict[str, Any]:
    names = {field.name for field in struct_fields(kind)} - {"note"}
    ignored.update(dict.fromkeys(str(key) for key in entry if key not in names))
    return {key: value for key, value in entry.items() if key in names and value is not None}


def _file_name(value: Any) -> Any:
    """A name as a part of a file name: other characters than letters and digits become ``_``.

    >>> _file_name("годовой отчёт (2023)"), _file_name(7)
    ('годовой_отчёт_2023', '7')
    """
    text = as_text(value)
    if text is None or "/" in text or "\\" in text:
        return value
    return _UNFIT.sub("_", text).strip("_") or text
