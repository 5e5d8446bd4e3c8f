"""Fields of a results file that contradict each other: the reader is told which one is used.

Other tools write a score at several places, or a verdict such as ``passed`` beside it. Nobody but
the author of the file knows which of the two is right.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any, Final

from assay.data.foreign_value import as_flag
from assay.text import Count

_TOLERANCE: Final = 5e-4
"""The same number may be rounded to three digits at one of its places."""
_VERDICTS: Final = ("passed", "correct", "is_correct")

Places = Sequence[tuple[str, Any]]
"""The values of a metric in one result with the names of their fields; the first one is used."""


def other_values(places: Sequence[Places]) -> Iterator[str]:
    """A sentence for each field that has another value than the one that is used."""
    pairs = Counter(
        (name, each[0][0])
        for each in places
        for name, value in each[1:]
        if not _is_same(each[0][1], value)
    )
    for (name, used), count in pairs.items():
        n = Count(count)
        yield f"{n} {n:result has|results have} another value in {name} than in {used}, which is used"


def other_verdicts(entries: Sequence[tuple[Mapping[str, Any], Any]]) -> Iterator[str]:
    """A sentence for each field with a verdict that contradicts the score, the second of a pair.

    Only the ends of the scale contradict a verdict: where a score passes is not known. Where the
    scale ends is not known either, if a score is above 1.
    """
    scores = [score for _, score in entries if _is_number(score)]
    has_other_scale = max(scores, default=0) > 1
    counts = Counter(
        name
        for entry, score in entries
        for name in _VERDICTS
        if _is_number(score)
        and (verdict := as_flag(entry.get(name))) is not None
        and (score <= 0 if verdict else score >= 1 and not has_other_scale)
    )
    for name, count in counts.items():
        n = Count(count)
        yield (
            f"{n} {n:result has|results have} another verdict in {name} than in the score, "
            "which is used"
        )


def _is_same(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return isclose(one, other, abs_tol=_TOLERANCE)
    return bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)
