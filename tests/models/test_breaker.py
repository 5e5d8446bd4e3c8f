"""The circuit breaker: it detects an outage, and separate failures do not trip it."""

from hypothesis import given
from hypothesis import strategies as st

from assay.models.limit import CircuitBreaker


@given(st.integers(1, 8), st.lists(st.booleans(), max_size=60))
def test_it_trips_exactly_after_so_many_outages_in_a_row(limit: int, outages: list[bool]):
    """The breaker trips after ``limit`` outages in a row; any reply resets the count."""
    breaker = CircuitBreaker(limit)
    in_a_row = 0
    for number, is_outage in enumerate(outages):
        if is_outage:
            in_a_row += 1
            assert breaker.outage(f"outage {number}") is (in_a_row >= limit)
            assert breaker.last == f"outage {number}"
        else:
            in_a_row = 0
            breaker.alive()
        assert breaker.in_a_row == in_a_row


def test_it_begins_closed():
    """A new breaker has counted no outage."""
    assert (CircuitBreaker(3).in_a_row, CircuitBreaker(3).last) == (0, "")
