"""The differences of two models on the same questions, cell by cell, tested and corrected.

Answers are paired by question inside a cell: by id if both files have ids, otherwise by content
(not by text only, because several questions of a set may have the same text). Holm's correction
covers all cells in which an answer changed; the other cells cannot be significant at any level.
A separate correction covers the rows and columns, which pool cells.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.jobs.depth.map.mean import View, counted_replies
from assay.jobs.depth.map.results import CellKey, ModelResults, Reply
from assay.records import Metric
from assay.stats.comparison import paired_effect
from assay.stats.effect import holm
from assay.stats.scores import method_of_units

LEVEL: Final = 0.05
SCORE: Final = Metric(name="score", field="score")


class CellDifference(Struct, frozen=True, kw_only=True):
    """The mean difference of the scores of two models over paired answers.

    ``difference`` is the model's score minus the baseline's; it is None without pairs.
    ``gained`` and ``lost`` are the numbers of answers that scored higher and lower. ``p_value``
    and ``p_adjusted`` are None if no answer changed.
    """

    pairs: int = 0
    difference: float | None = None
    gained: int = 0
    lost: int = 0
    p_value: float | None = None
    p_adjusted: float | None = None

    @property
    def significant(self) -> bool:
        """Whether the difference is significant after correction."""
        return self.p_adjusted is not None and self.p_adjusted < LEVEL


class DifferenceMap(Struct, frozen=True, kw_only=True):
    """The differences between ``model`` and ``baseline``. ``pairs`` are each cell's paired answers.

    ``tested`` is the number of cells in which an answer changed. ``fewest_changes`` is the number
    of answers that must change in a cell, all in one direction, before it can be significant.
    """

    model: str
    baseline: str
    view: View
    cells: Mapping[CellKey, CellDifference]
    by_length: Mapping[int, CellDifference]
    by_depth: Mapping[str, CellDifference]
    overall: CellDifference
    pairs: Mapping[CellKey, Sequence[tuple[Reply, Reply]]]
    tested: int
    fewest_changes: int


def difference_map(
    results: ModelResults,
    baseline: ModelResults,
    view: View = "all",
    *,
    lengths: Sequence[int],
    depth_bins: Sequence[str],
) -> DifferenceMap:
    """Compare one model with another in every cell, row and column of a grid."""
    pairs = _pairs(results, baseline, view)
    grid = [(length, label) for length in lengths for label in depth_bins]
    cells = dict(zip(grid, (_difference(pairs.get(key, [])) for key in grid), strict=True))
    rows = [
        _pooled_difference(pairs, [(length, label) for label in depth_bins]) for length in lengths
    ]
    columns = [
        _pooled_difference(pairs, [(length, label) for length in lengths]) for label in depth_bins
    ]
    corrected = _with_correction([*rows, *columns])
    overall = _pooled_difference(pairs, grid)
    tested = sum(cell.p_value is not None for cell in cells.values())
    return DifferenceMap(
        model=results.model,
        baseline=baseline.model,
        view=view,
        cells=dict(zip(grid, _with_correction(list(cells.values())), strict=True)),
        by_length=dict(zip(lengths, corrected, strict=False)),
        by_depth=dict(zip(depth_bins, corrected[len(rows) :], strict=True)),
        overall=_with_correction([overall])[0],
        pairs=pairs,
        tested=tested,
        fewest_changes=fewest_changes(tested),
    )


def fewest_changes(cells: int) -> int:
    """How many answers of a cell must change, all in one direction, to be significant.

    ``cells`` is the number of cells that are tested.

    The result is the smallest ``m`` for which ``cells / 2^m`` (its mid-p value) is below 0.05.

    >>> fewest_changes(1), fewest_changes(35)
    (5, 10)
    """
    changes = 1
    while max(1, cells) / 2**changes >= LEVEL:
        changes += 1
    return changes


def _pairs(
    results: ModelResults, baseline: ModelResults, view: View
) -> dict[CellKey, list[tuple[Reply, Reply]]]:
    """Pairs of answers of both models to the same question in a cell, in the baseline's order."""
    by_id = all(
        question.id is not None for model in (results, baseline) for question in model.questions
    )
    replies = dict(_identified_replies(results, view, by_id=by_id))
    pairs: dict[CellKey, list[tuple[Reply, Reply]]] = {}
    for identity, baseline_reply in _identified_replies(baseline, view, by_id=by_id):
        reply = replies.get(identity)
        if reply is not None:
            key = (baseline_reply.length, baseline_reply.depth_bin)
            pairs.setdefault(key, []).append((reply, baseline_reply))
    return pairs


def _identified_replies(
    results: ModelResults, view: View, *, by_id: bool
) -> Iterable[tuple[Any, Reply]]:
    for reply in counted_replies(results.replies, view):
        question = results.questions[reply.question]
        name = question.id if by_id else question.content
        yield (reply.length, reply.depth_bin, name), reply


def _difference(pairs: Sequence[tuple[Reply, Reply]]) -> CellDifference:
    """The difference over pairs; a question that occurs more than once counts once."""
    if not pairs:
        return CellDifference()
    scores, before = (np.array([pair[side].score for pair in pairs]) for side in (0, 1))
    questions = np.array([reply.question for _, reply in pairs])
    effect = paired_effect(
        SCORE, "model", "baseline", scores, before, method_of_units(None, questions)
    )
    return CellDifference(
        pairs=len(pairs),
        difference=effect.difference,
        gained=effect.gained or 0,
        lost=effect.lost or 0,
        p_value=effect.p_value,
    )


def _pooled_difference(
    pairs: Mapping[CellKey, Sequence[tuple[Reply, Reply]]], keys: Sequence[CellKey]
) -> CellDifference:
    return _difference([pair for key in keys for pair in pairs.get(key, [])])


def _with_correction(cells: Sequence[CellDifference]) -> list[CellDifference]:
    adjusted = holm([cell.p_value for cell in cells])
    return [replace(cell, p_adjusted=p) for cell, p in zip(cells, adjusted, strict=True)]
