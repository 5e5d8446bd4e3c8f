"""Two models on the same questions, cell by cell: differences, tested and corrected.

Answers are paired by question inside a cell: by id where both files give ids, otherwise by
content, since a real set repeats a question's text. Holm's correction runs over all cells in
which an answer changed (the others cannot pass whatever the level); over rows and columns,
which pool the cells, it runs on its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.jobs.depth.map.mean import View, counted_replies, mean_score
from assay.jobs.depth.map.results import ModelResults, Place, Reply
from assay.stats import differences, holm, mcnemar_exact, paired_permutation

LEVEL: Final = 0.05


class CellDifference(Struct, frozen=True, kw_only=True):
    """The model's score minus the other's over paired answers; undefined without any.

    ``gained`` and ``lost`` count the answers that scored higher and lower. ``p_value`` is
    undefined where no answer changed.
    """

    pairs: int = 0
    difference: float | None = None
    gained: int = 0
    lost: int = 0
    p_value: float | None = None
    p_adjusted: float | None = None

    @property
    def significant(self) -> bool:
        """Whether the difference stands after correction."""
        return self.p_adjusted is not None and self.p_adjusted < LEVEL


class DifferenceMap(Struct, frozen=True, kw_only=True):
    """Where ``model`` differs from ``baseline``. ``pairs`` hold each cell's paired answers.

    ``tested`` cells have an answer that changed. ``fewest_changes`` is how many must change in
    one of them, all one way, before any can be significant.
    """

    model: str
    baseline: str
    view: View
    cells: Mapping[Place, CellDifference]
    by_length: Mapping[int, CellDifference]
    by_depth: Mapping[str, CellDifference]
    overall: CellDifference
    pairs: Mapping[Place, Sequence[tuple[Reply, Reply]]]
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
    """Compare one model with another over a grid."""
    pairs = _pairs(results, baseline, view)
    grid = [(length, label) for length in lengths for label in depth_bins]
    cells = dict(zip(grid, (_compared(pairs.get(place, [])) for place in grid), strict=True))
    rows = [_pooled(pairs, [(length, label) for label in depth_bins]) for length in lengths]
    columns = [_pooled(pairs, [(length, label) for length in lengths]) for label in depth_bins]
    corrected = _corrected([*rows, *columns])
    overall = _pooled(pairs, grid)
    tested = sum(cell.p_value is not None for cell in cells.values())
    return DifferenceMap(
        model=results.model,
        baseline=baseline.model,
        view=view,
        cells=dict(zip(grid, _corrected(list(cells.values())), strict=True)),
        by_length=dict(zip(lengths, corrected, strict=False)),
        by_depth=dict(zip(depth_bins, corrected[len(rows) :], strict=True)),
        overall=_corrected([overall])[0],
        pairs=pairs,
        tested=tested,
        fewest_changes=fewest_changes(tested),
    )


def fewest_changes(cells: int) -> int:
    """How many answers of a cell must change, all one way, to be significant among ``cells``.

    The smallest ``m`` with ``cells · 2 / 2^m`` below 0.05.

    >>> fewest_changes(1), fewest_changes(35)
    (6, 11)
    """
    changes = 1
    while max(1, cells) * 2 / 2**changes >= LEVEL:
        changes += 1
    return changes


def _pairs(
    results: ModelResults, baseline: ModelResults, view: View
) -> dict[Place, list[tuple[Reply, Reply]]]:
    """Answers of both to one question in one cell, in the baseline's order."""
    by_id = all(
        question.id is not None for one in (results, baseline) for question in one.questions
    )
    others = dict(_named(results, view, by_id=by_id))
    paired: dict[Place, list[tuple[Reply, Reply]]] = {}
    for name, reply in _named(baseline, view, by_id=by_id):
        other = others.get(name)
        if other is not None:
            paired.setdefault((reply.length, reply.depth_bin), []).append((other, reply))
    return paired


def _named(results: ModelResults, view: View, *, by_id: bool) -> Iterable[tuple[Any, Reply]]:
    for reply in counted_replies(results.replies, view):
        question = results.questions[reply.question]
        name = question.id if by_id else question.content
        yield (reply.length, reply.depth_bin, name), reply


def _compared(pairs: Sequence[tuple[Reply, Reply]]) -> CellDifference:
    """The difference over pairs; a question asked more than once moves as one."""
    if not pairs:
        return CellDifference()
    apart = differences(
        np.array([reply.score for reply, _ in pairs]), np.array([reply.score for _, reply in pairs])
    )
    gained, lost = int(np.count_nonzero(apart > 0)), int(np.count_nonzero(apart < 0))
    questions = np.array([reply.question for _, reply in pairs])
    if len(np.unique(questions)) < len(questions):
        p_value = paired_permutation(apart, clusters=questions)
    elif np.isin(apart, (-1.0, 0.0, 1.0)).all():
        p_value = mcnemar_exact(gained, lost)
    else:
        p_value = paired_permutation(apart)
    return CellDifference(
        pairs=len(pairs),
        difference=mean_score(apart),
        gained=gained,
        lost=lost,
        p_value=p_value,
    )


def _pooled(
    pairs: Mapping[Place, Sequence[tuple[Reply, Reply]]], places: Sequence[Place]
) -> CellDifference:
    return _compared([pair for place in places for pair in pairs.get(place, [])])


def _corrected(found: Sequence[CellDifference]) -> list[CellDifference]:
    adjusted = holm([one.p_value for one in found])
    return [replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True)]
