"""What the rows of a variant cost together."""

from types import SimpleNamespace

import numpy as np
import pytest

from assay.results.column import BillSums, CaseSums


def test_counts_written_as_fractions_are_whole_in_the_bill():
    """A file from elsewhere may have 12.5 tokens in a row; the report must not fail."""
    usage = SimpleNamespace(calls=1, replayed_calls=0, prompt_tokens=12.5, completion_tokens=3.0)
    row = SimpleNamespace(
        config="base", usage=usage, cost=0.1, paid=None, judge_cost=None, judge_paid=None
    )
    sums = BillSums()
    sums.add([row, row])
    bill = sums.bills(["base"])["base"]
    assert (bill.prompt_tokens, bill.completion_tokens, bill.cost) == (25, 6, 0.2)


def test_the_cost_of_a_case_is_that_of_all_its_rows():
    """A row that scores an answer again does not repeat its cost."""
    answered = {"cost": [0.1, 0.1], "usage.calls": [2, 2]}
    judged = {"cost": [None], "usage.calls": [None]}
    sums = CaseSums()
    sums.add(answered, (np.array([0, 0]), np.array([0, 0])), (1, 2))
    sums.add(judged, (np.array([0]), np.array([0])), (1, 3))
    columns = sums.columns(slice(0, 2), (1, 3))
    assert columns["bill.cost"].tolist() == [[0.2, pytest.approx(np.nan, nan_ok=True)]]
    assert columns["bill.calls"][0, 0] == 4
