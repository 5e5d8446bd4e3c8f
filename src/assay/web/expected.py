"""What was expected of an answer, as facts with their names: for the rows of all jobs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from assay.web.api import Text
from assay.web.language import page_text, same

LONGEST = 4_000
Fact = tuple[Text, str]


def expected_facts(row: Mapping[str, Any]) -> Iterator[Fact]:
    """What the row says about the right answer."""
    if row.get("answerable") is False:
        yield page_text("expected"), "∅"
    if "correct_answer" in row:
        yield from _choice(row)
    for name in ("expected", "ground_truth", "gold"):
        fields = row.get(name)
        if isinstance(fields, Mapping):
            yield from _fields(fields)


def _choice(row: Mapping[str, Any]) -> Iterator[Fact]:
    """The choices and the place of the evidence of a depth test."""
    right = row["correct_answer"]
    listed = right if isinstance(right, list) else [right]
    yield page_text("right answer"), ", ".join(map(str, listed))
    choices = row.get("choice")
    if isinstance(choices, Mapping):
        for letter, text in choices.items():
            yield same(str(letter)), str(text)[:LONGEST]
    for name, field in (("depth", "depth_bin"), ("context length", "test_context_length")):
        if row.get(field) is not None:
            yield page_text(name), str(row[field])


def _fields(fields: Mapping[str, Any]) -> Iterator[Fact]:
    """The fields of a question file that are not empty, under their own names."""
    for name, value in fields.items():
        if name in {"id", "question", "type", "metadata"} or value in (None, [], {}, ""):
            continue
        if isinstance(value, Mapping) and name == "expected":
            yield from _fields(value)
        else:
            yield same(str(name)), _shown(value)[:LONGEST]


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        return " · ".join(value)
    return msgspec.json.encode(value).decode()
