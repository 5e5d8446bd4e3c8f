"""The differences of two models: pairing, tests, correction."""

import itertools
from pathlib import Path

import pytest

from assay.jobs.depth.map.difference import DifferenceMap, difference_map, fewest_changes
from assay.jobs.depth.map.mean import View
from assay.jobs.depth.map.results import ModelResults, read_cells
from assay.stats.difference import mcnemar
from tests.support.depth_results import UNPARSED, published_row, small

GRID = {"lengths": (1000,), "depth_bins": ("0%", "100%")}


def results(tmp_path: Path, name: str, shallow: list[float], deep: list[float]) -> ModelResults:
    """A model with these scores at depth 0% and at depth 100%."""
    rows = [published_row(n, 1000, "0%", score) for n, score in enumerate(shallow)]
    rows += [published_row(100 + n, 1000, "100%", score) for n, score in enumerate(deep)]
    (read,) = read_cells([small(tmp_path / f"{name}.jsonl", rows, model=name)])
    return read


def compared(results: ModelResults, baseline: ModelResults, view: View = "all") -> DifferenceMap:
    """The differences between ``results`` and ``baseline`` on the small grid."""
    return difference_map(results, baseline, view, **GRID)


def test_a_clear_loss_is_significant_after_correction(tmp_path: Path):
    """A loss of twelve answers in one of two cells stays significant after Holm's correction."""
    base = results(tmp_path, "base", [1.0] * 12, [1.0] * 12)
    weak = results(tmp_path, "weak", [0.0] * 12, [1.0] * 11 + [0.0])
    differences = compared(weak, base)
    lost, kept = differences.cells[1000, "0%"], differences.cells[1000, "100%"]
    assert (lost.difference, lost.gained, lost.lost, lost.pairs) == (-1.0, 0, 12, 12)
    assert lost.p_value == mcnemar(0, 12)
    assert lost.p_adjusted == pytest.approx(2 * mcnemar(0, 12))
    assert lost.significant
    assert not kept.significant
    assert (kept.p_value, kept.p_adjusted) == (0.5, 0.5)


def test_only_cells_with_a_change_are_corrected_for(tmp_path: Path):
    """A cell without changes is not tested and not counted in the correction."""
    base = results(tmp_path, "base", [1.0] * 6, [1.0] * 6)
    weak = results(tmp_path, "weak", [0.0] * 6, [1.0] * 6)
    differences = compared(weak, base)
    assert (differences.tested, differences.fewest_changes) == (1, 5)
    assert differences.cells[1000, "0%"].p_adjusted == mcnemar(0, 6)
    assert differences.cells[1000, "0%"].significant
    assert differences.cells[1000, "100%"].p_adjusted is None


def test_differences_are_paired_by_question(tmp_path: Path):
    """Only questions that both models answered in the same cell are paired."""
    base = results(tmp_path, "base", [1.0, 0.0, 1.0], [1.0])
    other = results(tmp_path, "other", [1.0, 1.0], [])
    differences = compared(other, base)
    assert differences.cells[1000, "0%"].pairs == 2
    assert differences.cells[1000, "0%"].difference == 0.5
    empty = differences.cells[1000, "100%"]
    assert (empty.pairs, empty.difference, empty.p_value) == (0, None, None)
    assert not empty.significant


def test_equal_texts_of_different_questions_are_not_confused(tmp_path: Path):
    """Two questions with the same text are paired by their ids."""
    rows = [
        published_row(1, 1000, "0%", score, question_id=name, key=name, status="scored")
        for name, score in (("x", 1.0), ("y", 0.0))
    ]
    pair = [
        read_cells([small(tmp_path / f"{name}.jsonl", model_rows, model=name)])[0]
        for name, model_rows in (("a", rows), ("b", rows[::-1]))
    ]
    cell = compared(pair[0], pair[1]).cells[1000, "0%"]
    assert (cell.pairs, cell.gained, cell.lost) == (2, 0, 0)


def test_parsed_only_pairs_what_both_could_be_read(tmp_path: Path):
    """In the view ``parsed`` a pair with an unparsed reply is left out."""
    base = results(tmp_path, "base", [1.0, 1.0], [])
    other = results(tmp_path, "other", [UNPARSED, 1.0], [])
    assert compared(other, base).cells[1000, "0%"].difference == -0.5
    readable = compared(other, base, "parsed").cells[1000, "0%"]
    assert (readable.pairs, readable.difference) == (1, 0.0)


def test_models_without_a_common_question_have_no_pairs(tmp_path: Path):
    """Models without a common question have no pairs and no difference."""
    base = results(tmp_path, "base", [1.0], [])
    other = results(tmp_path, "other", [], [1.0])
    differences = compared(other, base)
    assert not differences.pairs
    assert differences.overall.difference is None


def test_parts_of_a_point_are_tested_by_permutation(tmp_path: Path):
    """Fractional scores use sign flips: five gains give a mid-p value of 1/32."""
    base = results(tmp_path, "base", [0.5] * 5, [])
    other = results(tmp_path, "other", [0.7, 0.6, 0.8, 0.7, 0.6], [])
    assert compared(other, base).cells[1000, "0%"].p_value == pytest.approx(1 / 32)


def test_margins_permute_repeated_questions_together(tmp_path: Path):
    """In the test of a row, the answers to one question at both depths are permuted together."""
    both = [("0%", 0.0), ("100%", 0.0)]
    rows = {
        name: [
            published_row(n, 1000, label, right)
            for n, (label, _) in itertools.product(range(6), both)
        ]
        for name, right in (("base", 1.0), ("weak", 0.0))
    }
    base, weak = (
        read_cells([small(tmp_path / f"{name}.jsonl", model_rows, model=name)])[0]
        for name, model_rows in rows.items()
    )
    row = compared(weak, base).by_length[1000]
    assert (row.pairs, row.lost) == (12, 12)
    assert row.p_value == pytest.approx(1 / 2**5)  # as the likelihood of no other among six


@pytest.mark.parametrize("cells", [1, 5, 35, 200])
def test_the_fewest_changes_are_the_fewest(cells: int):
    """That number of changes is significant after Holm's correction; one fewer is not."""
    fewest = fewest_changes(cells)
    p_values = [mcnemar(number, 0) for number in (fewest, fewest - 1)]
    assert p_values[0] is not None
    assert p_values[1] is not None
    assert p_values[0] * cells < 0.05 <= p_values[1] * cells
