"""Columns of numbers that grow while rows are read."""

from typing import Any

import numpy as np
import pytest

from assay.results.column import RowColumns, numbers, whole_numbers


def test_a_field_gets_memory_with_its_first_value():
    """A field without values is NaN everywhere; a value in a later row leaves the others NaN."""
    fields = ["scores.late", "scores.never"]
    columns = RowColumns(fields, {"scores.never"}, 0)
    for number, late in enumerate((None, 0.5)):
        columns.grow(1, number + 1)
        found = {"key": ["k"], "status": ["scored"], "error": [None]}
        found |= {"scores.late": [late], "scores.never": [None]}
        columns.put(found, (np.array([0]), np.array([number])), np.array([0], np.int32))
    values = columns.take_values(slice(2))
    np.testing.assert_array_equal(values["scores.late"], [[np.nan, 0.5]])
    np.testing.assert_array_equal(values["scores.never"], [[np.nan, np.nan]])
    assert values["scores.never"].dtype == np.float32
    assert values["scores.never"].strides == (0, 0)


@pytest.mark.parametrize(
    "values",
    [
        [True, False, True],
        [True, 0, 1.0],
        [True, 0.5, 2],
        [0.1, 1e300, -3],
        [None, None],
        [False, None, 0.25],
        [None, True, 10**400],
        [7, 10**400],
    ],
)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_numbers_are_those_of_each_value_alone(values: list[Any], kind: Any):
    """However the values of a column are mixed, and also if a float cannot hold one of them."""

    def alone(value: Any) -> float:
        huge = isinstance(value, int) and value > 10**308
        return np.nan if value is None else np.inf if huge else float(value)

    with np.errstate(over="ignore"):
        expected = np.array([alone(value) for value in values]).astype(kind)
    found = numbers(values, kind)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == kind
    assert found.flags.writeable


def test_whole_numbers_may_be_negative_and_none_at_all():
    """Minus one is the number of a document that a row does not name."""
    assert whole_numbers([-1, 1 << 40], 2).tolist() == [-1, 1 << 40]
    assert whole_numbers([], 0).tolist() == []
