"""What describes the questions of a run: document, language, type, and other fields of their file.

The rows are the record: what they say about a question counts. Other fields are read from the file of
questions that the header names, if it still has the content that was asked.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct

from assay.data.answer_log import read_log
from assay.data.question import read_describing_fields
from assay.data.question_set import IdsBy
from assay.errors import AssayError, UseError
from assay.mask import mask_identifier, same_hash
from assay.registry import nearest
from assay.results.decoded_row import item_name
from assay.results.results import Results
from assay.results.run_cases import found_files
from assay.runs.read import read_fields, scan_journal
from assay.runs.summary import Summary
from assay.stats.resample import quantiles
from assay.stats.subgroup import Grouping
from assay.systems.logged import LOG
from assay.words.message import Message, message

Value: TypeAlias = str | float

DOCUMENT: Final = "document"
NONE: Final = "(none)"
"""The group of questions without the field."""
MOST_GROUPS: Final = 20
"""A field with more different values has no groups, or those of ranges if they are numbers."""
_RANGES: Final = 4
_FIRST_ROWS: Final = 1_000
"""So many rows show which fields the rows of a job have."""
_ANSWERABLE: Final = "answerable"
_ROW_FIELDS: Final = (
    "question_type",
    "category",
    "difficulty",
    "language",
    "depth_bin",
    "test_context_length",
)


class QuestionFields(Struct, frozen=True, kw_only=True):
    """The values of each field by the name of the item; items without a value are left out.

    ``doubt`` says why the fields of the file of questions are not known, if they are not.
    """

    values: Mapping[str, Mapping[str, Value]]
    doubt: Message | str = ""

    def counts(self) -> dict[str, int]:
        """The number of different values of each field."""
        return {name: len(set(values.values())) for name, values in sorted(self.values.items())}

    def grouping(self, name: str, items: Sequence[str]) -> Grouping:
        """The groups of a field; raises ``UseError`` if there is no such field, or no sensible groups."""
        if name not in self.values:
            known = ", ".join(f"{field} ({count})" for field, count in self.counts().items())
            close = nearest(name, self.values).partition("; valid names")[0]
            doubt = f"; {self.doubt}" if self.doubt else ""
            raise UseError(
                f"--by {name}: no question has this field{close}; fields, with the number of their "
                f"values: {known or 'none'}{doubt}"
            )
        return _grouping(name, self.values[name], items)

    def offered(self, items: Sequence[str]) -> dict[str, int]:
        """The fields that make at least two groups, with the number of their values."""
        found = {}
        for name, count in self.counts().items():
            with suppress(UseError):
                if len(self.grouping(name, items).labels) > 1:
                    found[name] = count
        return found

    def small(self, items: Sequence[str], most: int) -> list[Grouping]:
        """The groupings with 2 to ``most`` groups; of two that divide the items alike, the first.

        A document is the last resort.
        """
        found: dict[bytes, Grouping] = {}
        last = {DOCUMENT: 1}
        for name, count in sorted(self.counts().items(), key=lambda each: last.get(each[0], 0)):
            if count <= most:
                made = _grouping(name, self.values[name], items)
                if 2 <= len(made.labels) <= most:
                    firsts = np.unique(made.codes, return_index=True, return_inverse=True)
                    found.setdefault(firsts[1][firsts[2]].tobytes(), made)
        return list(found.values())


def read_question_fields(results: Results, most_documents: int | None = None) -> QuestionFields:
    """The fields of the questions of a run; the rows are read for them once more.

    With ``most_documents``, the names of more documents than that are not read.
    """
    values, doubt = _file_values(results)
    values |= _row_values(results, most_documents)
    return QuestionFields(values=values, doubt=doubt)


def file_fields(results: Results) -> QuestionFields:
    """The fields that are known without reading the rows; documents have numbers in place of names."""
    scores = results.scores
    values, doubt = _file_values(results)
    if scores.clusters is not None and results.documents > 1:
        numbered = zip(scores.items, scores.clusters.tolist(), strict=True)
        values[DOCUMENT] = {item: str(number) for item, number in numbered}
    return QuestionFields(values=values, doubt=doubt)


def _row_values(results: Results, most_documents: int | None) -> dict[str, dict[str, Value]]:
    """The fields that rows have, by item."""
    scores = results.scores
    values: dict[str, dict[str, Value]] = {}
    said = scores.values.get(_ANSWERABLE)
    if said is not None:
        most = np.fmax.reduce(said, axis=0, initial=np.nan)
        words = {1.0: "yes", 0.0: "no"}
        values[_ANSWERABLE] = {
            item: words[value]
            for item, value in zip(scores.items, most.tolist(), strict=True)
            if value in words
        }
    first = next(read_fields(results.path), [])[:_FIRST_ROWS]
    names = [name for name in _ROW_FIELDS if any(row.get(name) is not None for row in first)]
    has_documents = 1 < results.documents <= (most_documents or results.documents)
    if names or has_documents:
        known = set(scores.items)
        for _, (rows,) in scan_journal(results.path, _FieldRow):
            for row in rows:
                item, _ = item_name(row.key, row.question_id, row.config, results.label)
                if item in known:
                    _take(values, item, {name: getattr(row, name) for name in names})
                    _take(values, item, {DOCUMENT: row.source if has_documents else None})
    return {name: of_items for name, of_items in values.items() if of_items}


class _FieldRow(Struct, frozen=True, gc=False):
    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    config: str = ""
    source: Any = None
    question_type: Any = None
    category: Any = None
    difficulty: Any = None
    language: Any = None
    depth_bin: Any = None
    test_context_length: Any = None


_IDS_BY: Final[Mapping[Any, IdsBy]] = {"text": "plain text", "masked text": "text"}
"""What the ids of a file without ids follow from, by what the header says about them."""


def _file_values(results: Results) -> tuple[dict[str, dict[str, Value]], Message | str]:
    """The fields of the questions in their file, by item, or why they are not known."""
    summary = results.summary
    if summary is None or not summary.questions_path or not summary.questions_sha256:
        return {}, ""
    if summary.system.startswith(LOG):
        return _log_values(results, summary), ""
    doubt = message("{questions} was not found", questions=summary.questions_path)
    for path in found_files(results.path, summary.questions_path):
        try:
            content = path.read_bytes()
            doubt = message(
                "{questions} has changed since this run", questions=summary.questions_path
            )
            if not same_hash(summary.questions_sha256, hashlib.sha256(content).hexdigest()):
                continue
            doubt = message(
                "{questions} cannot be read as questions", questions=summary.questions_path
            )
            ids_by = _IDS_BY.get(summary.extra.get("question_ids"), "number")
            columns = summary.extra.get("columns")
            read = read_describing_fields(path, columns, ids_by=ids_by)
            told = {mask_identifier(name): fields for name, fields in read.items()}
        except (AssayError, OSError):
            continue
        values: dict[str, dict[str, Value]] = {}
        for item in results.scores.items:
            fields = told.get(item) or told.get(item.rpartition("::")[0]) or {}
            _take(values, item, dict(_flat(fields)))
        return values, ""
    # other jobs have files of their own, whose fields are in their rows
    return {}, doubt if "questions_version" in summary.extra else ""


def _log_values(results: Results, summary: Summary) -> dict[str, dict[str, Value]]:
    """The columns of a log that have no role; it may have grown since, because ids follow from its rows."""
    values: dict[str, dict[str, Value]] = {}
    for path in found_files(results.path, str(summary.questions_path)):
        with suppress(AssayError, OSError):
            known = set(results.scores.items)
            for row in read_log(path, summary.extra.get("columns")).rows:
                if (item := mask_identifier(row.question.id)) in known:
                    _take(values, item, dict(_flat(row.further)))
            break
    return values


def _flat(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields, and those of an object under both names: ``metadata.topic``."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", each) for inner, each in value.items())
        else:
            yield name, value


def _take(values: dict[str, dict[str, Value]], item: str, found: Mapping[str, Any]) -> None:
    """Add the values of an item that can make groups: words, numbers, yes or no, lists of words."""
    for name, value in found.items():
        if (shown := _value(value)) not in {None, ""}:
            values.setdefault(name, {})[item] = shown


def _value(value: Any) -> Value | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    if isinstance(value, list):
        words = [str(each) for each in value if isinstance(each, str | int | float)]
        return ", ".join(words) if len(words) == len(value) else None
    return value.strip() if isinstance(value, str) else None


def _grouping(name: str, values: Mapping[str, Value], items: Sequence[str]) -> Grouping:
    distinct = set(values.values())
    numbers = {value: number for value in distinct if (number := _number(value)) is not None}
    are_numbers = len(numbers) == len(distinct)
    note: Message | str = ""
    if len(distinct) <= MOST_GROUPS:
        order = sorted(distinct, key=numbers.__getitem__ if are_numbers else str)
        group_of = {value: place for place, value in enumerate(order)}
        labels = [f"{value:g}" if isinstance(value, float) else str(value) for value in order]
    elif are_numbers:
        group_of, labels = _ranges(numbers, [numbers[value] for value in values.values()])
        note = message(
            "{field} has {n} different numbers; the groups are ranges with about as many questions.",
            field=name,
            n=len(distinct),
        )
    else:
        raise UseError(
            f"--by {name}: it has {len(distinct)} different values, and there can be "
            f"{MOST_GROUPS} groups; choose a field with fewer values"
        )
    codes = np.array(
        [group_of[values[item]] if item in values else len(labels) for item in items], np.int64
    )
    without = [NONE] if (codes == len(labels)).any() else []
    return Grouping(field=name, labels=(*labels, *without), codes=codes, note=note)


def _number(value: Value) -> float | None:
    try:
        number = float(value.removesuffix("%") if isinstance(value, str) else value)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _ranges(
    numbers: Mapping[Value, float], of_items: Iterable[float]
) -> tuple[dict[Value, int], list[str]]:
    """The range of each number, and the ends of the ranges as labels."""
    ends = quantiles(np.array(list(of_items)), *(part / _RANGES for part in range(1, _RANGES)))
    places = {value: int(np.searchsorted(ends, number)) for value, number in numbers.items()}
    used = sorted(set(places.values()))
    inside = [[numbers[value] for value in places if places[value] == place] for place in used]
    labels = [f"{min(each):g} … {max(each):g}" for each in inside]
    return {value: used.index(place) for value, place in places.items()}, labels
