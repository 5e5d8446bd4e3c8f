"""Read the values of a benchmark file as they are meant, where other tools write other types.

A number may be text (``"42,000"``), a list of one may be the value itself, a date may have any
usual form, and an object may be replaced by its main value. What cannot be understood stays as it
is, so that the check names it; what has to be left out is a remark.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from assay.data.foreign_value import as_flag, as_items, as_number, as_text, as_whole_number
from assay.data.legal.problem import KeyPath
from assay.data.legal.shape import Deviation
from assay.text.date import dates
from assay.text.number import numbers

_PAGE: Final = re.compile(r"\D*(\d+)\D*")
_NAMES: Final = ("file", "path", "filename", "name", "title", "text", "point", "content", "quote")
_SHARES: Final = frozenset({"min_score", "evidence_recall_min", "evidence_precision_min", "weight"})
_FLAGS: Final = frozenset(
    {"numeric_exact", "date_exact", "citation_required", "abstention_required", "quote_required"}
)
_TYPES: Final = frozenset({"fact_exact", "evidence_set", "conflict_gap"})
SCHEMA_VERSION: Final = "1.0.0"


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
    if version is not None and version != SCHEMA_VERSION:
        del content["schema_version"]
        remarks.append(((), f"`schema_version` is {version!r}; read as {SCHEMA_VERSION}"))
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
