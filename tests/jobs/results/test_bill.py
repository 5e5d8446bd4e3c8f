"""What the rows of a variant cost together."""

from types import SimpleNamespace

from assay.jobs.results.bill import BillSums


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
