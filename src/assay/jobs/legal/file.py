"""The structure of a legal benchmark file, and its JSON Schema.

A file has a type, questions of that type, and usually the name of a document. Files are read by
``assay.jobs.legal.benchmark_check``, which reports all problems together. Class docstrings and
descriptions become part of the JSON Schema. Fields that are not listed here are allowed; they are
ignored.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from assay.config.yaml_tree import with_plain_descriptions
from assay.data.foreign_value import as_flag, as_items, as_number, as_text, as_whole_number
from assay.jobs.legal.document_lookup import KeyPath
from assay.jobs.legal.question import (
    EvidenceQuestion,
    FactQuestion,
    GapQuestion,
    QuestionType,
    Share,
)
from assay.jobs.legal.shape import Deviation
from assay.text.date import read_dates as dates
from assay.text.number import numbers

# Read the values of a benchmark file as they are meant, where other tools write other types.
#
# A number may be text (``"42,000"``), a list of one may be the value itself, a date may have any
# usual form, and an object may be replaced by its main value. What cannot be understood stays as it
# is, so that the check names it; what has to be left out is a remark.

_PAGE: Final = re.compile(r"\D*(\d+)\D*")
_NAMES: Final = ("file", "path", "filename", "name", "title", "text", "point", "content", "quote")
_SHARES: Final = frozenset({"min_score", "evidence_recall_min", "evidence_precision_min", "weight"})
_FLAGS: Final = frozenset(
    {"numeric_exact", "date_exact", "citation_required", "abstention_required", "quote_required"}
)
_TYPES: Final = frozenset({"fact_exact", "evidence_set", "conflict_gap"})
READ_VERSION: Final = "1.0.0"


def loosened(raw: Any) -> tuple[Any, list[Deviation]]:
    """The content with the usual types, and remarks about what was left out.

    >>> loosened({"questions": [{"id": 1, "expected": {"amount_total": "42,000元"}}]})[0]
    {'questions': [{'id': '1', 'expected': {'amount_total': 42000}}]}
    """
    if not isinstance(raw, dict):
        return raw, []
    remarks: list[Deviation] = []
    content = dict(raw)
    if isinstance(content.get("questions"), dict):
        content["questions"] = [
            {"id": name, **item} if isinstance(item, dict) else item
            for name, item in content["questions"].items()
        ]
    if "document" in content:
        content["document"] = _name(content["document"])
    _replace_described(content, ("evaluation_criteria", "scoring_config"), (), remarks)
    if isinstance(content.get("evaluation_criteria"), dict):
        content["evaluation_criteria"] = _numbers(content["evaluation_criteria"])
    version = content.get("schema_version")
    if version is not None and version != READ_VERSION:
        del content["schema_version"]
        remarks.append(((), f"`schema_version` is {version!r}; read as {READ_VERSION}"))
    questions = content.get("questions")
    if isinstance(questions, list):
        content["questions"] = [
            _question(item, ("questions", index), remarks) for index, item in enumerate(questions)
        ]
    return content, remarks


def _question(raw: Any, at: KeyPath, remarks: list[Deviation]) -> Any:
    if not isinstance(raw, dict):
        return raw
    content = _numbers(raw)
    for name in ("id", "question", "required_quote", "expected_behavior"):
        if isinstance(content.get(name), int | float):
            content[name] = as_text(content[name])
    _drop_unknown_type(content, at, remarks)
    _replace_described(content, ("metadata", "scoring"), at, remarks)
    if isinstance(content.get("metadata"), dict):
        content["metadata"] = _metadata(content["metadata"])
    if isinstance(content.get("scoring"), dict):
        content["scoring"] = _flags(_numbers(content["scoring"]), _FLAGS)
    content = _with_quotes(_flags(content, frozenset({"should_abstain"})))
    if "required_evidence" in content and not _is_gap(content):
        content["required_evidence"] = list(_evidence(content["required_evidence"], at, remarks))
    if "expected" in content and not _is_gap(content):
        content["expected"] = _expected(content["expected"])
    elif isinstance(content.get("expected"), dict):
        content["expected"] = _flags(
            content["expected"], frozenset({"should_abstain", "conflict_detected"})
        )
    return content


def _drop_unknown_type(content: dict[str, Any], at: KeyPath, remarks: list[Deviation]) -> None:
    kind = content.get("type")
    if kind is not None and (not isinstance(kind, str) or kind not in _TYPES):
        del content["type"]
        remarks.append(((*at, "type"), f"is {kind!r}, which is no type; the file's type is used"))


def _with_quotes(content: dict[str, Any]) -> dict[str, Any]:
    """The question with one required quote; further ones are additional quotes."""
    first, *others = as_items(content.get("required_quote")) or [None]
    more = [_name(quote) for quote in (*others, *as_items(content.get("additional_quotes")))]
    quotes = {"required_quote": first} if "required_quote" in content else {}
    return content | quotes | ({"additional_quotes": more} if more else {})


def _is_gap(question: Mapping[str, Any]) -> bool:
    names = {"should_abstain", "required_quote", "evidence_location", "expected_behavior"}
    return question.get("type") == "conflict_gap" or bool(names & question.keys())


def _replace_described(
    content: dict[str, Any], names: tuple[str, ...], at: KeyPath, remarks: list[Deviation]
) -> None:
    """Leave out what should be an object and is a text or a list: a description."""
    for name in names:
        if name in content and not isinstance(content[name], dict | None):
            del content[name]
            remarks.append(((*at, name), "is a description; nothing is read from it"))


def _numbers(content: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _share(name, value) if name in _SHARES else value for name, value in content.items()
    }


def _share(name: str, value: Any) -> Any:
    """A number; a threshold of 2 or more is in percent."""
    number = as_number(value)
    if number is None:
        return value
    return number / 100 if name != "weight" and 2 <= number <= 100 else number


def _flags(content: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {
        name: _or_same(as_flag(value), value) if name in names else value
        for name, value in content.items()
    }


def _or_same(read: Any, value: Any) -> Any:
    return value if read is None else read


def _name(value: Any) -> Any:
    """A text: the value, the first of a list, or the name that an object has."""
    if isinstance(value, list) and value:
        return _name(value[0])
    if isinstance(value, dict):
        return next((value[key] for key in _NAMES if isinstance(value.get(key), str)), value)
    return _or_same(as_text(value), value)


def _metadata(content: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: as_text(value) if name in {"difficulty", "category"} else value
        for name, value in content.items()
    }


def _evidence(value: Any, at: KeyPath, remarks: list[Deviation]) -> Iterator[Any]:
    """The items of evidence: a text is its words, and several words are several items."""
    for index, item in enumerate(as_items(value)):
        if isinstance(item, str):
            yield {"must_include": item}
        elif not isinstance(item, dict):
            yield item
        elif item.get("must_include") is None:
            where = (*at, "required_evidence", index)
            remarks.append((where, "has no `must_include`, so nothing can be looked for"))
        else:
            content = _flags(item, frozenset({"is_critical"}))
            if "page" in content:
                content["page"] = _page(content["page"])
            for words in as_items(content["must_include"]):
                yield {**content, "must_include": _or_same(as_text(words), words)}


def _page(value: Any) -> Any:
    """The number of a page; several pages are no page, and the words may be on any."""
    pages = as_items(value)
    if len(pages) != 1:
        return None
    number = as_whole_number(pages[0])
    if number is None and isinstance(pages[0], str):
        match = _PAGE.fullmatch(pages[0])
        return int(match[1]) if match else None
    return _or_same(number, pages[0])


def _expected(value: Any) -> Any:
    """The expected fields; a single value is a text, an amount or yes or no."""
    if isinstance(value, bool):
        return {"boolean_answer": value}
    if isinstance(value, str):
        return {"text_answer": value}
    if isinstance(value, int | float):
        return {"amount_total": value}
    if not isinstance(value, dict):
        return value
    return {name: _FIELDS.get(name, _same)(field) for name, field in value.items()}


def _same(value: Any) -> Any:
    return value


def _amount(value: Any) -> Any:
    """An amount, also with its unit: ``42,000元`` or ``4.2万``."""
    if not isinstance(value, str):
        return value
    number = as_number(value)
    if number is None:
        found = numbers(value)
        number = float(found[0].value) if len(found) == 1 else None
    if number is None:
        return value
    return int(number) if number == int(number) else number


def _amounts(value: Any) -> Any:
    if isinstance(value, dict) and "amount" not in value:
        return [{"amount": _amount(part), "description": name} for name, part in value.items()]
    return [
        {**part, "amount": _amount(part["amount"])}
        if isinstance(part, dict) and "amount" in part
        else _amount(part)
        for part in as_items(value)
    ]


def _count(value: Any) -> Any:
    return _or_same(as_whole_number(_amount(value)), value)


def _day(value: Any) -> Any:
    """A date as ``YYYY-MM-DD``; what is no complete date stays as it is."""
    found = dates(value) if isinstance(value, str) else []
    complete = [day for day in found if day.year and day.month and day.day]
    if len(complete) != 1:
        return value
    return f"{complete[0].year:04}-{complete[0].month:02}-{complete[0].day:02}"


def _days(value: Any) -> Any:
    """The first and the last day; also from a list of two, or a text with two dates."""
    if isinstance(value, str):
        found = [day for day in dates(value) if day.year and day.month and day.day]
        value = [f"{day.year:04}-{day.month:02}-{day.day:02}" for day in found]
    if isinstance(value, list) and len(value) == 2:
        value = {"start": value[0], "end": value[1]}
    if not isinstance(value, dict):
        return value
    return {name: _day(day) if name in {"start", "end"} else day for name, day in value.items()}


def _texts(value: Any) -> Any:
    return [_name(item) for item in as_items(value)]


def _flag(value: Any) -> Any:
    return _or_same(as_flag(value), value)


def _one_text(value: Any) -> Any:
    items = as_items(value)
    first = items[0] if len(items) == 1 else value
    return _or_same(as_text(first), first)


_FIELDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "amount_total": _amount,
    "amount_breakdown": _amounts,
    "date": _day,
    "date_range": _days,
    "count": _count,
    "text_answer": _one_text,
    "entity": _one_text,
    "boolean_answer": _flag,
    "should_abstain": _flag,
    "conflict_detected": _flag,
    "evidence_count_min": _count,
    "key_points": _texts,
}


SCHEMA_VERSION: Final = "1.0.0"
"""The version of the file format."""


class EvaluationCriteria(Struct, frozen=True, kw_only=True):
    """When a question counts as passed. Other keys, for example descriptions, are allowed."""

    min_score: Annotated[
        Share | None, Meta(description="A question passes if its score is at least this.")
    ] = None
    passing_threshold: Annotated[
        Any, Meta(description="Another name of min_score; 70 means 0.7.")
    ] = None
    passing_score: Annotated[
        Any, Meta(description="A number, or an object with one for each type or difficulty.")
    ] = None


class ScoringConfig(Struct, frozen=True, kw_only=True):
    """How the scores of the whole benchmark are combined."""

    overall_pass_threshold: Annotated[
        Any,
        Meta(description="A question passes with this score if nothing else says when."),
    ] = None
    type_weights: Annotated[
        Mapping[str, Any],
        Meta(description="The weight of each type of question in the overall percentage."),
    ] = {}

    @property
    def weights(self) -> dict[str, float]:
        """The weights that are numbers; descriptions beside them are left out.

        >>> ScoringConfig(type_weights={"fact_exact": 2, "note": "…"}).weights
        {'fact_exact': 2.0}
        """
        numbers = {name: as_number(weight) for name, weight in self.type_weights.items()}
        return {
            name: weight for name, weight in numbers.items() if weight is not None and weight >= 0
        }


class _Benchmark(Struct, frozen=True, kw_only=True):
    document: Annotated[
        str, Meta(description="A file in the same folder, in a folder above it or beside it.")
    ] = ""
    description: Any = ""
    benchmark_name: Any = None
    version: Any = None
    document_info: Any = None
    system_instructions: Any = None
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION
    evaluation_criteria: EvaluationCriteria = EvaluationCriteria()
    scoring_config: ScoringConfig = ScoringConfig()


class FactBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="fact_exact"
):
    """A file of questions about facts."""

    questions: Annotated[tuple[FactQuestion, ...], Meta(min_length=1)]


class EvidenceBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="evidence_set"
):
    """A file of questions that ask for all relevant passages."""

    questions: Annotated[tuple[EvidenceQuestion, ...], Meta(min_length=1)]


class GapBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="conflict_gap"
):
    """A file of questions that the document does not answer, or answers in two ways."""

    questions: Annotated[tuple[GapQuestion, ...], Meta(min_length=1)]


Benchmark: TypeAlias = FactBenchmark | EvidenceBenchmark | GapBenchmark

KINDS: Final[dict[QuestionType, type[FactBenchmark | EvidenceBenchmark | GapBenchmark]]] = {
    "fact_exact": FactBenchmark,
    "evidence_set": EvidenceBenchmark,
    "conflict_gap": GapBenchmark,
}
"""The struct of a file for each ``benchmark_type``."""


def convert_benchmark(raw: Any) -> Benchmark:
    """Convert a decoded JSON value, which must have no problems, to a benchmark."""
    benchmark: Benchmark = msgspec.convert(raw, Benchmark)
    return benchmark


def benchmark_schema() -> str:
    """The JSON Schema (2020-12) of a benchmark file, indented, with a newline at the end."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay legal benchmark",
        "description": f"Schema version {SCHEMA_VERSION}.",
        **with_plain_descriptions(msgspec.json.schema(Benchmark)),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


# Read JSON together with the line of every value, so that a message can name the line.
#
# Existing decoders report where a file is not valid JSON, but not on which line a value is.

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_ATOM: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_DECODER: Final = json.JSONDecoder()
DEEPEST: Final = 100
"""A file with more levels of nesting is refused."""


class NotJson(Exception):
    """The text is not valid JSON at ``offset``."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class LocatedValue(Struct, frozen=True, kw_only=True):
    """A decoded value, with the line of each part by its key path.

    ``repeated`` are the paths of keys that occur twice in an object.
    """

    value: Any
    lines: dict[KeyPath, int]
    repeated: tuple[KeyPath, ...]

    def line(self, at: KeyPath) -> int:
        """The line of a part; if it has none, the line of the nearest part that contains it."""
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)


def locate_values(text: str) -> LocatedValue:
    r"""Parse ``text`` and record the line of every value.

    Raises:
        NotJson: the text is not exactly one JSON value.

    >>> locate_values('{"a": [1,\n 2]}').line(("a", 1))
    2
    """
    reader = _Reader(text)
    value, end = reader.read(_past_space(text, 0), ())
    end = _past_space(text, end)
    if end < len(text):
        raise NotJson("there is more text after the end of the JSON value", end)
    return LocatedValue(value=value, lines=reader.lines, repeated=tuple(reader.repeated))


def _past_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


class _Reader:
    """Reads the values recursively and records the line on which each begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: dict[KeyPath, int] = {}
        self.repeated: list[KeyPath] = []
        self._last_line = (0, 1)  # an offset and its line, so that lines are counted only once

    def read(self, offset: int, at: KeyPath) -> tuple[Any, int]:
        """Read the value at ``offset``; return it with the offset of its end."""
        self.lines.setdefault(at, self._line(offset))
        first = self.text[offset : offset + 1]
        if len(at) > DEEPEST:
            raise NotJson("the value is nested too deeply", offset)
        if first == "{":
            return self._read_object(offset + 1, at)
        if first == "[":
            return self._read_list(offset + 1, at)
        if first == '"':
            return self._read_text(offset)
        match = _ATOM.match(self.text, offset)
        if match is None:
            reason = "a value is expected here" if first else "the file ends too early"
            raise NotJson(reason, offset)
        try:
            return json.loads(match.group()), match.end()
        except ValueError:  # Python converts at most 4300 digits
            raise NotJson("the number has too many digits", offset) from None

    def _read_text(self, offset: int) -> tuple[str, int]:
        try:
            value, end = _DECODER.raw_decode(self.text, offset)
        except json.JSONDecodeError as error:
            raise NotJson(error.msg[:1].lower() + error.msg[1:], error.pos) from None
        return str(value), end

    def _read_list(self, offset: int, at: KeyPath) -> tuple[list[Any], int]:
        items: list[Any] = []
        offset = _past_space(self.text, offset)
        if self.text[offset : offset + 1] == "]":
            return items, offset + 1
        while True:
            value, offset = self.read(_past_space(self.text, offset), (*at, len(items)))
            items.append(value)
            offset, ended = self._read_delimiter(offset, "]")
            if ended:
                return items, offset

    def _read_object(self, offset: int, at: KeyPath) -> tuple[dict[str, Any], int]:
        members: dict[str, Any] = {}
        offset = _past_space(self.text, offset)
        if self.text[offset : offset + 1] == "}":
            return members, offset + 1
        while True:
            offset = _past_space(self.text, offset)
            if self.text[offset : offset + 1] != '"':
                raise NotJson("a key in double quotes is expected here", offset)
            line = self._line(offset)
            key, offset = self._read_text(offset)
            offset = _past_space(self.text, offset)
            if self.text[offset : offset + 1] != ":":
                raise NotJson("a colon is expected here", offset)
            if key in members:
                self.repeated.append((*at, key))
            self.lines[*at, key] = line
            members[key], offset = self.read(_past_space(self.text, offset + 1), (*at, key))
            offset, ended = self._read_delimiter(offset, "}")
            if ended:
                return members, offset

    def _read_delimiter(self, offset: int, end: str) -> tuple[int, bool]:
        offset = _past_space(self.text, offset)
        delimiter = self.text[offset : offset + 1]
        if delimiter not in {",", end} or not delimiter:
            raise NotJson(f"a comma or {end} is expected here", offset)
        return offset + 1, delimiter == end

    def _line(self, offset: int) -> int:
        last_offset, line = self._last_line
        line += self.text.count("\n", last_offset, offset)
        self._last_line = (offset, line)
        return line
