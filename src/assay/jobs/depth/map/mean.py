"""Recall by cell, and its means: of cells, as published maps have it, and of questions.

Two views are kept apart. In ``all`` an answer that could not be read counts as nothing found,
as the published maps count it; in ``parsed`` only what could be read counts.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.jobs.depth.map.results import ModelResults, Place, Reply
from assay.stats import Interval, bca_mean, wilson

View: TypeAlias = Literal["all", "parsed"]
VIEWS: tuple[View, ...] = ("all", "parsed")


class DepthCell(Struct, frozen=True, kw_only=True):
    """One cell. ``n`` answers count in ``accuracy``; without any it is undefined.

    ``unparsed`` answers count among ``n`` in the view ``all`` only.
    """

    context_length: int
    depth_bin: str
    accuracy: float | None
    n: int
    unparsed: int
    interval: Interval | None
    failed: int = 0
    skipped: int = 0


class MeanRecall(Struct, frozen=True, kw_only=True):
    """A row's, a column's or a whole map's recall, by its cells and by its answers.

    ``of_cells`` weighs cells alike however many answers each has, and leaves out those without
    any (``cells`` are the others). ``interval`` is that of ``of_questions``.
    """

    of_cells: float | None
    cells: int
    of_questions: float | None
    n: int
    unparsed: int
    interval: Interval | None


class DepthMap(Struct, frozen=True, kw_only=True):
    """Every cell of the grid, the empty ones too, shortest context first, and the means."""

    view: View
    cells: tuple[DepthCell, ...]
    by_length: Mapping[int, MeanRecall]
    by_depth: Mapping[str, MeanRecall]
    overall: MeanRecall


class _Scores(Struct, frozen=True):
    """The scores that count in a view, whose questions they are, and how many are unparsed."""

    values: NDArray[np.float64]
    questions: NDArray[np.int64]
    unparsed: int


def depth_map(
    results: ModelResults,
    view: View = "all",
    *,
    lengths: Sequence[int] | None = None,
    depth_bins: Sequence[str] | None = None,
) -> DepthMap:
    """The map of one model, over its own grid or over the one given."""
    rows = results.lengths if lengths is None else lengths
    columns = results.depth_bins if depth_bins is None else depth_bins
    replies: dict[Place, list[Reply]] = defaultdict(list)
    for reply in results.replies:
        replies[reply.length, reply.depth_bin].append(reply)
    places = [(length, label) for length in rows for label in columns]
    scores = {place: _scores(replies.get(place, []), view) for place in places}
    cells = {place: _cell(results, place, scores[place]) for place in places}

    def mean(these: list[Place]) -> MeanRecall:
        return _mean([cells[place] for place in these], [scores[place] for place in these])

    return DepthMap(
        view=view,
        cells=tuple(cells.values()),
        by_length={row: mean([(row, column) for column in columns]) for row in rows},
        by_depth={column: mean([(row, column) for row in rows]) for column in columns},
        overall=mean(places),
    )


def counted_replies(replies: Sequence[Reply], view: View) -> Sequence[Reply]:
    """The answers that count in a view."""
    return replies if view == "all" else [reply for reply in replies if reply.parsed]


def mean_score(scores: NDArray[np.float64]) -> float | None:
    """The mean, exactly rounded; undefined where there is none.

    >>> mean_score(np.array([1.0, 0.0, 0.5])), mean_score(np.array([]))
    (0.5, None)
    """
    return math.fsum(scores.tolist()) / len(scores) if len(scores) else None


def score_interval(
    scores: NDArray[np.float64], clusters: NDArray[np.int64] | None = None
) -> Interval | None:
    """Wilson's interval where scores are yes or no, the bootstrap's where some lie between.

    ``clusters`` numbers the questions; where one is asked several times its answers are no
    independent evidence, and whole questions are resampled. Resamples of answers that are all
    right, or all wrong, are all alike; Wilson's interval then counts the questions.

    >>> score_interval(np.array([1.0] * 8 + [0.0] * 2)).method
    'wilson'
    >>> score_interval(np.array([0.5, 1.0, 0.0])).method
    'bca'
    >>> round(score_interval(np.ones(8), np.array([1, 2, 3, 4] * 2)).low, 2)
    0.51
    """
    right = int(np.count_nonzero(scores == 1.0))
    questions = len(scores) if clusters is None else len(np.unique(clusters))
    if questions < len(scores):
        if right < len(scores) and scores.any():
            return bca_mean(scores, clusters=clusters)
        agreed = wilson(questions if right else 0, questions)
        return None if agreed is None else replace(agreed, method="cluster-wilson")
    if right + int(np.count_nonzero(scores == 0.0)) == len(scores):
        return wilson(right, len(scores))
    return bca_mean(scores)


def _scores(replies: Sequence[Reply], view: View) -> _Scores:
    these = counted_replies(replies, view)
    return _Scores(
        np.array([reply.score for reply in these], dtype=np.float64),
        np.array([reply.question for reply in these], dtype=np.int64),
        sum(not reply.parsed for reply in replies),
    )


def _cell(results: ModelResults, place: Place, scores: _Scores) -> DepthCell:
    return DepthCell(
        context_length=place[0],
        depth_bin=place[1],
        accuracy=mean_score(scores.values),
        n=len(scores.values),
        unparsed=scores.unparsed,
        interval=score_interval(scores.values),
        failed=results.failed.get(place, 0),
        skipped=results.skipped.get(place, 0),
    )


def _mean(cells: Sequence[DepthCell], scores: Sequence[_Scores]) -> MeanRecall:
    known = np.array([cell.accuracy for cell in cells if cell.accuracy is not None])
    values = np.concatenate([one.values for one in scores])
    questions = np.concatenate([one.questions for one in scores])
    return MeanRecall(
        of_cells=mean_score(known),
        cells=len(known),
        of_questions=mean_score(values),
        n=len(values),
        unparsed=sum(one.unparsed for one in scores),
        interval=score_interval(values, questions),
    )
