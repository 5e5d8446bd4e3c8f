"""From tokens to money."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.config import Price
from assay.models.price import cost

TOKENS = st.integers(0, 10**9)
PRICES = st.floats(0, 1000)


@given(PRICES, PRICES, TOKENS, TOKENS)
def test_cost_is_tokens_times_price_per_million(
    prompt: float, completion: float, tokens_in: int, tokens_out: int
):
    """Prompt and completion are priced apart."""
    made = cost(Price(prompt=prompt, completion=completion), tokens_in, tokens_out)
    assert made == pytest.approx(prompt * tokens_in / 1e6 + completion * tokens_out / 1e6)


@given(TOKENS, TOKENS)
def test_without_a_price_the_cost_is_unknown(tokens_in: int, tokens_out: int):
    """Unknown is not free."""
    assert cost(None, tokens_in, tokens_out) is None


def test_a_price_of_zero_is_free():
    """A model on one's own machine costs nothing, and that is known."""
    assert cost(Price(), 10, 10) == 0.0
