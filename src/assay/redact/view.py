"""A text with some stretches replaced, in which values are found at their places in the text."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from assay.redact.finding import Finding

Replaced: TypeAlias = tuple[int, int, str]
"""A stretch from a start to an end, and what is read in its place."""


def found_in_view(
    text: str, replaced: Sequence[Replaced], find: Callable[[str], Iterable[Finding]]
) -> list[Finding]:
    """What ``find`` finds if the stretches are replaced, with places and values of ``text``.

    >>> found_in_view("a - b", [(1, 4, "-")], lambda plain: [Finding(0, len(plain), "OWN", plain)])
    [Finding(start=0, end=5, kind='OWN', value='a - b')]
    """
    if not replaced:
        return list(find(text))
    parts: list[str] = []
    starts: list[int] = []  # where each replacement begins and ends in the plain text
    ends: list[int] = []
    at = length = 0
    for start, end, instead in replaced:
        parts += (text[at:start], instead)
        length += start - at
        starts.append(length)
        length += len(instead)
        ends.append(length)
        at = end
    parts.append(text[at:])

    def place(plain: int, passed: int) -> int:
        return plain if passed == 0 else replaced[passed - 1][1] + plain - ends[passed - 1]

    found: list[Finding] = []
    for each in find("".join(parts)):
        start = place(each.start, bisect_right(ends, each.start))
        end = place(each.end, bisect_left(starts, each.end))
        found.append(Finding(start, end, each.kind, text[start:end]))
    return found
