"""Whether the time of a function grows with the length of a text, and not with its square."""

import time
from collections.abc import Callable

LARGEST_RATIO = 9.0
"""Of the times for four times the length; it is 4 for linear growth and 16 for quadratic."""
TOO_FAST = 0.5
"""Seconds below which a ratio is noise."""


def grows_linearly(function: Callable[[str], object], unit: str, length: int = 100_000) -> bool:
    """Whether a text of ``length`` repeats takes at most nine times as long as a quarter of it."""

    def seconds(size: int, attempt: int) -> float:
        text = f"{attempt} " + (unit * size)[:size]  # a text that the function has not seen
        begun = time.process_time()
        function(text)
        return time.process_time() - begun

    for attempt in range(3):
        long = seconds(length, attempt)
        if long <= TOO_FAST or long <= LARGEST_RATIO * seconds(length // 4, attempt):
            return True
    return False
