"""Questions along the novel: how many there are in each stretch, and how well they are found.

The stretches are of equal length in tokens, their ends rounded down. The novel's length is
what the file says it is, otherwise the end of the last evidence.
"""

import itertools
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from assay.errors import UseError
from assay.jobs.depth.map.mean import View, counted_replies, mean_score, score_interval
from assay.jobs.depth.map.results import ModelResults, Reply
from assay.stats import Interval

STRETCHES: Final = 40


class Stretch(Struct, frozen=True, kw_only=True):
    """Part of the novel from token ``start`` to ``end``.

    ``questions`` have their evidence's first token here. ``covered`` is the share of its tokens
    that belong to any evidence. ``coverage`` is the number of evidence tokens in it (counted for
    each question) relative to the stretch that has most, as published maps show it.
    ``accuracy`` is over the ``n`` answers to its questions.
    """

    start: int
    end: int
    questions: int
    covered: float
    coverage: float | None
    accuracy: float | None
    n: int
    unparsed: int
    interval: Interval | None


def stretches(
    results: ModelResults, view: View = "all", *, number: int = STRETCHES, tokens: int | None = None
) -> list[Stretch]:
    """The novel in so many stretches; questions without a position are in none."""
    whole = tokens or novel_tokens(results)
    edges = [whole * place // number for place in range(number + 1)]
    by_place: list[list[Reply]] = [[] for _ in range(number)]
    asked: list[set[int]] = [set() for _ in range(number)]
    for reply in results.replies:
        position = results.questions[reply.question].position
        if position is not None:
            place = stretch_of(position[0], edges[:-1])
            by_place[place].append(reply)
            asked[place].add(reply.question)
    spans = sorted(
        position
        for question in {reply.question for reply in results.replies}
        if (position := results.questions[question].position) is not None
    )
    most = max((_overlap(spans, *ends) for ends in itertools.pairwise(edges)), default=0)
    return [
        _stretch(ends, spans, most, len(asked[place]), by_place[place], view)
        for place, ends in enumerate(itertools.pairwise(edges))
    ]


def novel_tokens(results: ModelResults) -> int:
    """How long the novel is, in tokens."""
    last = max((q.position[1] for q in results.questions if q.position), default=0)
    if not last:
        raise UseError(
            f"{results.path}: its rows have no position in the novel; --mode depth needs none"
        )
    return max(last, _stated_tokens(results.metadata))


def stretch_of(token: int, starts: Sequence[int]) -> int:
    """The place of the stretch that holds a token; one past the end belongs to the last.

    >>> stretch_of(10, [0, 10, 20]), stretch_of(99, [0, 10, 20])
    (1, 2)
    """
    return max(0, bisect_right(starts, token) - 1)


def _stated_tokens(metadata: Mapping[str, Any]) -> int:
    inner = metadata.get("question_set_metadata")
    for holder in (metadata, inner if isinstance(inner, Mapping) else {}):
        for name in ("novel_tokens", "total_tokens"):
            if isinstance(holder.get(name), int):
                return int(holder[name])
    return 0


def _stretch(
    ends: tuple[int, int],
    spans: Sequence[tuple[int, int]],
    most: int,
    questions: int,
    replies: Sequence[Reply],
    view: View,
) -> Stretch:
    these = counted_replies(replies, view)
    scores = np.array([reply.score for reply in these], dtype=np.float64)
    size = ends[1] - ends[0]
    return Stretch(
        start=ends[0],
        end=ends[1],
        questions=questions,
        covered=_union(spans, *ends) / size if size else 0.0,
        coverage=_overlap(spans, *ends) / most if most else None,
        accuracy=mean_score(scores),
        n=len(scores),
        unparsed=sum(not reply.parsed for reply in replies),
        interval=score_interval(scores, np.array([reply.question for reply in these])),
    )


def _overlap(spans: Sequence[tuple[int, int]], start: int, end: int) -> int:
    return sum(max(0, min(stop, end) - max(begin, start)) for begin, stop in spans)


def _union(spans: Sequence[tuple[int, int]], start: int, end: int) -> int:
    """Tokens of a stretch that any span covers, each counted once; spans come in order."""
    total, reached = 0, start
    for begin, stop in spans:
        begin, stop = max(begin, reached), min(stop, end)  # noqa: PLW2901 - clipped to what is new
        if stop > begin:
            total += stop - begin
            reached = stop
    return total
