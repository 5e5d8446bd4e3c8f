"""The cost of a call, from its tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.config.system import Price
from assay.models.meter import cost

TOKENS = st.integers(0, 10**9)
PRICES = st.floats(0, 1000)


@given(PRICES, PRICES, TOKENS, TOKENS)
def test_cost_is_tokens_times_price_per_million(
    prompt: float, completion: float, tokens_in: int, tokens_out: int
):
    """Prompt and completion tokens are each multiplied by their own price per million."""
    total = cost(Price(prompt=prompt, completion=completion), tokens_in, tokens_out)
    assert total == pytest.approx(prompt * tokens_in / 1e6 + completion * tokens_out / 1e6)


@given(TOKENS, TOKENS)
def test_without_a_price_the_cost_is_unknown(tokens_in: int, tokens_out: int):
    """Without a price the cost is None, not zero."""
    assert cost(None, tokens_in, tokens_out) is None


def test_a_price_of_zero_is_free():
    """With a price of zero, as for a local model, the cost is zero and not None."""
    assert cost(Price(), 10, 10) == 0.0
