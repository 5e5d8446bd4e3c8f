"""The price of a call, from its tokens."""

from assay.config import Price


def cost(
    price: Price | None, prompt_tokens: int | None, completion_tokens: int | None
) -> float | None:
    """The cost of a call: tokens × price per million tokens. None if price or tokens are unknown.

    >>> cost(Price(prompt=2.0, completion=8.0), 1_000_000, 500_000)
    6.0
    >>> cost(None, 10, 10) is None
    True
    >>> cost(Price(prompt=2.0), 10, None) is None
    True
    """
    if price is None or prompt_tokens is None or completion_tokens is None:
        return None
    return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1_000_000
