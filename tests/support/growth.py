"""Whether the time of a function grows with the length of a text, and not with its square."""

import gc
import time
from collections.abc import Callable

LARGEST_RATIO = 9.0
"""Of the times for four times the length; it is 4 for linear growth and 16 for quadratic."""
TOO_FAST = 0.5
"""Seconds below which a ratio is noise."""
ATTEMPTS = 5


def grows_linearly(function: Callable[[str], object], unit: str, length: int = 100_000) -> bool:
    """Whether a text of ``length`` repeats takes at most nine times as long as a quarter of it.

    The best of several attempts counts on either side: what else the machine does only adds.
    """

    def seconds(size: int, attempt: int) -> float:
        text = f"{attempt} " + (unit * size)[:size]  # a text that the function has not seen
        gc.collect()
        gc.disable()  # a collection costs what the other tests have left, and long texts cause more
        begun = time.process_time()
        try:
            function(text)
            return time.process_time() - begun
        finally:
            gc.enable()

    long = short = float("inf")
    for attempt in range(ATTEMPTS):
        long = min(long, seconds(length, attempt))
        if long <= TOO_FAST:
            return True
        short = min(short, seconds(length // 4, attempt))
        if long <= LARGEST_RATIO * short:
            return True
    return False
