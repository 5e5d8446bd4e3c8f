"""The recall of each cell, and two means: of cells, as in published maps, and of questions.

There are two views. In ``all``, an answer that could not be parsed counts as 0, as in published
maps. In ``parsed``, only answers that could be parsed count.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.jobs.depth.map.results import CellKey, ModelResults, Reply
from assay.stats.interval import Interval
from assay.stats.mean_interval import mean_interval

View: TypeAlias = Literal["all", "parsed"]
VIEWS: tuple[View, ...] = ("all", "parsed")


class DepthCell(Struct, frozen=True, kw_only=True):
    """One cell. ``accuracy`` is the mean score of ``n`` answers, None without answers.

    ``n`` includes the ``unparsed`` answers in the view ``all`` only.
    """

    context_length: int
    depth_bin: str
    accuracy: float | None
    n: int
    unparsed: int
    interval: Interval | None
    failed: int = 0
    skipped: int = 0
    answered: int = 0


class MeanRecall(Struct, frozen=True, kw_only=True):
    """The mean recall of a row, a column or a whole map, over cells and over answers.

    ``of_cells`` gives each cell the same weight, whatever its number of answers, and leaves out
    cells without answers; ``cells`` is the number of the others. ``of_questions`` is the mean of
    all ``n`` answers, and ``interval`` is its confidence interval. Means without data are None.
    """

    of_cells: float | None
    cells: int
    of_questions: float | None
    n: int
    unparsed: int
    interval: Interval | None


class DepthMap(Struct, frozen=True, kw_only=True):
    """All cells of the grid, also empty ones, shortest context first, and the means."""

    view: View
    cells: tuple[DepthCell, ...]
    by_length: Mapping[int, MeanRecall]
    by_depth: Mapping[str, MeanRecall]
    overall: MeanRecall


class _Scores(Struct, frozen=True):
    """The scores that count in a view, their questions, and the number of unparsed answers."""

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
    """The map of one model, on its own grid or on the given lengths and depths."""
    rows = results.lengths if lengths is None else lengths
    columns = results.depth_bins if depth_bins is None else depth_bins
    replies: dict[CellKey, list[Reply]] = defaultdict(list)
    for reply in results.replies:
        replies[reply.length, reply.depth_bin].append(reply)
    keys = [(length, label) for length in rows for label in columns]
    scores = {key: _scores(replies.get(key, []), view) for key in keys}
    cells = {key: _cell(results, key, scores[key]) for key in keys}

    def mean(chosen: list[CellKey]) -> MeanRecall:
        return _mean([cells[key] for key in chosen], [scores[key] for key in chosen])

    return DepthMap(
        view=view,
        cells=tuple(cells.values()),
        by_length={row: mean([(row, column) for column in columns]) for row in rows},
        by_depth={column: mean([(row, column) for row in rows]) for column in columns},
        overall=mean(keys),
    )


def overall_mean(results: ModelResults, view: View = "all") -> MeanRecall:
    """The mean of all answers; those without a depth are in no cell, but count as answers."""
    scores = _scores(results.replies, view)
    return replace(
        depth_map(results, view).overall,
        of_questions=mean_score(scores.values),
        n=len(scores.values),
        unparsed=scores.unparsed,
        interval=score_interval(scores.values, scores.questions),
    )


def counted_replies(replies: Sequence[Reply], view: View) -> Sequence[Reply]:
    """The answers that count in a view."""
    return replies if view == "all" else [reply for reply in replies if reply.parsed]


def mean_score(scores: NDArray[np.float64]) -> float | None:
    """The exactly rounded mean of the scores; None without scores.

    >>> mean_score(np.array([1.0, 0.0, 0.5])), mean_score(np.array([]))
    (0.5, None)
    """
    return math.fsum(scores.tolist()) / len(scores) if len(scores) else None


def score_interval(
    scores: NDArray[np.float64], clusters: NDArray[np.int64] | None = None
) -> Interval | None:
    """The interval of the mean score.

    ``clusters`` has the number of each score's question. If a question was asked several times,
    its answers are not independent, and the interval is about new questions: each question is
    one observation. Returns None without scores.

    >>> score_interval(np.array([1.0] * 8 + [0.0] * 2)).method
    'wilson'
    >>> score_interval(np.array([0.5, 1.0, 0.0])).method
    'gaffke'
    >>> round(score_interval(np.ones(8), np.array([1, 2, 3, 4] * 2)).low, 2)
    0.4
    """
    if clusters is not None and len(np.unique(clusters)) == len(clusters):
        clusters = None
    return mean_interval(scores, clusters=clusters)


def _scores(replies: Sequence[Reply], view: View) -> _Scores:
    counted = counted_replies(replies, view)
    return _Scores(
        np.array([reply.score for reply in counted], dtype=np.float64),
        np.array([reply.question for reply in counted], dtype=np.int64),
        sum(not reply.parsed for reply in replies),
    )


def _cell(results: ModelResults, key: CellKey, scores: _Scores) -> DepthCell:
    return DepthCell(
        context_length=key[0],
        depth_bin=key[1],
        accuracy=mean_score(scores.values),
        n=len(scores.values),
        unparsed=scores.unparsed,
        interval=score_interval(scores.values),
        failed=results.failed.get(key, 0),
        skipped=results.skipped.get(key, 0),
        answered=results.answered.get(key, 0),
    )


def _mean(cells: Sequence[DepthCell], scores: Sequence[_Scores]) -> MeanRecall:
    if not cells:
        return MeanRecall(of_cells=None, cells=0, of_questions=None, n=0, unparsed=0, interval=None)
    accuracies = np.array([cell.accuracy for cell in cells if cell.accuracy is not None])
    values = np.concatenate([cell_scores.values for cell_scores in scores])
    questions = np.concatenate([cell_scores.questions for cell_scores in scores])
    return MeanRecall(
        of_cells=mean_score(accuracies),
        cells=len(accuracies),
        of_questions=mean_score(values),
        n=len(values),
        unparsed=sum(cell_scores.unparsed for cell_scores in scores),
        interval=score_interval(values, questions),
    )
