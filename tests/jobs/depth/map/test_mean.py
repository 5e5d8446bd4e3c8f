"""Cells and means, compared with a published map and with an independent count."""

from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.jobs.depth.map.mean import VIEWS, DepthMap, View, depth_map, overall_mean
from assay.jobs.depth.map.results import read_cells
from assay.results.job import job_spec
from assay.stats.difference import share_of_others
from assay.study.analysis import analyse_results, read_run
from assay.study.table import quality_table
from tests.support.depth_results import (
    BINS,
    LENGTHS,
    UNPARSED,
    published_row,
    published_rows,
    small,
    write_results,
)

PUBLISHED: dict[tuple[int, str], float] = {
    (4000, "75%"): 0.890909090909091,
    (8000, "75%"): 0.890909090909091,
    (8000, "100%"): 0.890909090909091,
    (16000, "50%"): 0.9818181818181819,
    (32000, "25%"): 0.9818181818181819,
    (32000, "50%"): 0.9818181818181819,
    (32000, "75%"): 0.987012987012987,
    (32000, "100%"): 0.9666666666666668,
    (64000, "75%"): 0.9,
    (128000, "0%"): 0.9,
    (128000, "25%"): 0.8,
    (128000, "50%"): 0.6,
    (128000, "75%"): 0.78,
    (128000, "100%"): 0.9,
    (163840, "25%"): 0.8,
    (163840, "50%"): 0.8666666666666666,
    (163840, "75%"): 0.9,
    (163840, "100%"): 0.7,
}
"""The cells of the published map that are not 1; the other of its 35 cells are 1."""

AVERAGES = (
    0.9781818181818182,
    0.9563636363636364,
    0.9963636363636365,
    0.9834632034632035,
    0.9800000000000001,
    0.796,
    0.8533333333333333,
)
"""The average row of the published map, shortest context first."""


def map_of(path: Path, view: View = "all") -> DepthMap:
    """The map of the only model in a file."""
    (results,) = read_cells([path])
    return depth_map(results, view)


def test_the_cells_and_averages_of_a_published_map_come_out(tmp_path: Path):
    """All cells and averages are reproduced: unparsed counts as 0, Avg is the mean of cells."""
    recall_map = map_of(write_results(tmp_path / "r.jsonl", published_rows()))
    assert len(recall_map.cells) == 35
    for cell in recall_map.cells:
        expected = PUBLISHED.get((cell.context_length, cell.depth_bin), 1.0)
        assert cell.accuracy == pytest.approx(expected, abs=1e-9)
    averages = [recall_map.by_length[length].of_cells for length in LENGTHS]
    assert averages == pytest.approx(AVERAGES, abs=1e-9)
    assert recall_map.overall.of_cells != recall_map.overall.of_questions


def test_parsed_only_leaves_the_unreadable_out(tmp_path: Path):
    """Without unparsed answers a cell's accuracy rises, and its count falls."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    cells = {(c.context_length, c.depth_bin): c for c in map_of(path, "parsed").cells}
    cell = cells[8000, "100%"]
    assert cell.accuracy == pytest.approx(0.98, abs=1e-9)
    assert (cell.n, cell.unparsed) == (10, 1)
    assert cells[128000, "50%"].accuracy == pytest.approx(0.6)


def test_an_empty_cell_is_undefined(tmp_path: Path):
    """An empty cell has no accuracy and no interval, and does not count in means."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 0.0)])
    recall_map = map_of(path)
    empty = recall_map.cells[1]
    assert (empty.depth_bin, empty.accuracy, empty.n, empty.interval) == ("100%", None, 0, None)
    assert recall_map.by_depth["100%"].of_cells is None
    assert (recall_map.overall.of_cells, recall_map.overall.cells) == (0.0, 1)


def test_the_interval_fits_the_scores(tmp_path: Path):
    """Binary scores get Wilson's interval, others that of scores; repeats are clustered."""
    binary = [published_row(n, 1000, "0%", float(n > 2)) for n in range(9)]
    parts = [published_row(n, 1000, "100%", n / 20) for n in range(9)]
    recall_map = map_of(small(tmp_path / "r.jsonl", [*binary, *parts]))
    methods = [cell.interval.method for cell in recall_map.cells if cell.interval]
    assert methods == ["wilson", "gaffke"]
    assert recall_map.overall.interval is not None
    assert recall_map.overall.interval.method == "cluster-t"


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_unanimous_answers_leave_room_for_doubt(tmp_path: Path, score: float):
    """Four questions asked at two depths, all alike, get Clopper and Pearson's for four questions."""
    rows = [published_row(n, 1000, label, score) for label in ("0%", "100%") for n in range(4)]
    overall = map_of(small(tmp_path / "r.jsonl", rows)).overall
    assert overall.n == 8
    assert overall.interval is not None
    assert overall.interval.method == "clopper-pearson"
    width = share_of_others(4)
    ends = (overall.interval.low, overall.interval.high)
    assert ends == pytest.approx((1 - width, 1.0) if score else (0.0, width))


answers = st.lists(
    st.tuples(
        st.sampled_from(LENGTHS[:3]),
        st.sampled_from(BINS),
        st.sampled_from([0.0, 1.0, 0.8, 2 / 3, UNPARSED]),
    ),
    min_size=1,
    max_size=60,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=answers)
def test_means_agree_with_a_plain_count(tmp_path: Path, answers: list[tuple[int, str, float]]):
    """For any answers, n and both means in both views equal those of a simple loop."""
    rows = [published_row(n, length, label, s) for n, (length, label, s) in enumerate(answers)]
    (results,) = read_cells([write_results(tmp_path / "r.jsonl", rows)])
    for view in VIEWS:
        recall_map = depth_map(results, view)
        by_cell: dict[tuple[int, str], list[float]] = {}
        for length, label, score in answers:
            if view == "all" or score != UNPARSED:
                by_cell.setdefault((length, label), []).append(max(score, 0.0))
        for cell in recall_map.cells:
            scores = by_cell.get((cell.context_length, cell.depth_bin), [])
            assert cell.n == len(scores)
            expected = fmean(scores) if scores else None
            assert cell.accuracy == (None if expected is None else pytest.approx(expected))
            if cell.interval and expected is not None:
                assert cell.interval.low - 1e-9 <= expected <= cell.interval.high + 1e-9
        if by_cell:
            assert recall_map.overall.of_cells == pytest.approx(fmean(map(fmean, by_cell.values())))
            flat = [score for scores in by_cell.values() for score in scores]
            assert recall_map.overall.of_questions == pytest.approx(fmean(flat))


def test_the_report_has_the_interval_of_the_map(tmp_path: Path):
    """Ten questions in all cells: map and report count a question once, and the report says so."""
    rows = [
        published_row(
            number,
            length,
            label,
            float(number % 2),
            key=f"q{number}::uniform::length={length},depth={label}",
            question_id=f"q{number}",
            config="uniform",
            status="scored",
        )
        for number in range(10)
        for length in LENGTHS[:4]
        for label in BINS
    ]
    path = write_results(tmp_path / "a.jsonl", rows)
    (results,) = read_cells([path])
    expected = overall_mean(results).interval
    spec = job_spec("depth")
    findings = analyse_results(read_run(path, spec), spec)
    (variant,) = findings.analysis.variants
    cell = variant.cells["accuracy"]
    assert cell.n == 200
    assert cell.interval == expected
    assert expected is not None
    assert (round(expected.low, 3), round(expected.high, 3)) == (0.199, 0.801)
    for lang, words in (("en", "about 10 questions"), ("zh", "10 个问题"), ("ru", "вопросов 10")):
        assert any(words in note for note in quality_table(findings, lang).notes)
