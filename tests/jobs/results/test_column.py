"""Columns of numbers that grow while rows are read."""

import msgspec
import numpy as np

from assay.jobs.results.column import Columns
from assay.jobs.results.row import row_type


def test_a_field_gets_memory_with_its_first_value():
    """A field without values is NaN everywhere; a value in a later row leaves the others NaN."""
    fields = ["scores.late", "scores.never"]
    rows = [
        msgspec.convert({"key": "k", "status": "scored", "scores": scores}, row_type(fields))
        for scores in ({}, {"late": 0.5})
    ]
    columns = Columns(fields, {"scores.never"}, 0)
    for number, row in enumerate(rows):
        columns.grow(1, number + 1)
        columns.put([row], (np.array([0]), np.array([number])), np.array([0], np.int32))
    values = columns.take_values(slice(2))
    np.testing.assert_array_equal(values["scores.late"], [[np.nan, 0.5]])
    np.testing.assert_array_equal(values["scores.never"], [[np.nan, np.nan]])
    assert values["scores.never"].dtype == np.float32
    assert values["scores.never"].strides == (0, 0)
