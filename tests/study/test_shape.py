"""The shape of rows: what was seen fits, and nothing grows without end."""

import json
import tempfile
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.study.query import query_rows
from assay.study.query_shape import ALWAYS, MOST_FIELDS, RowShape, columns_of, merged, shape_of

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES), min_size=1, max_size=6)


def lines(rows: list[dict[str, Any]]) -> bytes:
    """The rows as lines of JSON."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def encodable(rows: list[dict[str, Any]]) -> bool:
    """Whether the rows can be written as JSON; lone surrogates cannot."""
    try:
        lines(rows)
    except (UnicodeEncodeError, OverflowError):
        return False
    return True


@given(ROWS.filter(encodable))
def test_the_shape_is_that_of_all_rows(rows: list[dict[str, Any]]):
    """Whether rows come in one block or one by one, the shape is the same and holds them all."""
    together, single = RowShape(), RowShape()
    together.add(lines(rows))
    for row in rows:
        single.add(lines([row]))
    parsed = [json.loads(line) for line in lines(rows).splitlines()]
    for name in {name for row in parsed for name in row}:
        shapes = [shape_of(row[name]) for row in parsed if name in row]
        expected = reduce(merged, shapes)
        assert together.fields[name] == single.fields[name] == expected
    before = dict(together.fields)
    together.add(lines(rows))
    assert together.fields == before
    assert columns_of(together.fields)


@given(VALUES, VALUES, VALUES)
def test_the_order_of_values_does_not_matter(first: Any, second: Any, third: Any):
    """A shape is a property of the values and not of the order in which they were seen."""
    a, b, c = map(shape_of, (first, second, third))
    assert merged(a, a) == a
    assert merged(a, b) == merged(b, a)
    assert merged(merged(a, b), c) == merged(a, merged(b, c))


@pytest.mark.parametrize("count", [MOST_FIELDS, MOST_FIELDS + 1, 5000])
def test_keys_that_are_data_become_json(count: int):
    """An object with a new key in each row does not become a type with thousands of fields."""
    shape = RowShape()
    shape.add(lines([{"extra": {f"id{number}": number}} for number in range(count)]))
    is_json = shape.fields["extra"] == "JSON"
    assert is_json == (count > MOST_FIELDS)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), max_size=5))
def test_a_query_reads_rows_of_any_shape(rows: list[dict[str, Any]]):
    """Whatever a system put into its rows, every column can be selected and every row is there."""
    keyed = [{**row, "key": f"{number}"} for number, row in enumerate(rows)]
    for name in ALWAYS:
        for row in keyed:
            row.pop(name if name != "key" else "", None)
    if not encodable(keyed):
        return
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "run.jsonl"
        journal.write_bytes(lines(keyed))
        with query_rows(journal, "SELECT * FROM rows ORDER BY key") as result:
            assert len(list(result.rows)) == len(rows)


def test_blank_lines_are_passed_over():
    """A blank line has no shape."""
    shape = RowShape()
    shape.add(b'\n{"a": 1}\n\n{"a": 1.5, "b": null}\r\n\r\n')
    assert shape.fields == {"a": "DOUBLE", "b": "NULL"}
