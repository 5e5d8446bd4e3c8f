"""The stretches of the novel: how many questions each has, and how they are answered."""

from pathlib import Path

import pytest

from assay.errors import UseError
from assay.jobs.depth.map.position import Stretch, stretches
from assay.jobs.depth.map.results import read_cells
from tests.support.depth_results import published_row, small


def stretches_of(
    tmp_path: Path, spans: list[tuple[int, int, float]], number: int = 4
) -> list[Stretch]:
    """The stretches of a novel of 4000 tokens with this evidence and these scores."""
    rows = [
        published_row(n, 1000, "0%", score, position={"start_pos": start, "end_pos": end})
        for n, (start, end, score) in enumerate(spans)
    ]
    path = small(tmp_path / "r.jsonl", rows, question_set_metadata={"total_tokens": 4000})
    return stretches(read_cells([path])[0], number=number)


def test_questions_are_counted_where_their_evidence_begins(tmp_path: Path):
    """Each question belongs to one stretch; a stretch without questions has no accuracy."""
    parts = stretches_of(
        tmp_path, [(0, 500, 1.0), (400, 600, 0.0), (999, 1500, 1.0), (3999, 4000, 0.0)]
    )
    assert [part.questions for part in parts] == [3, 0, 0, 1]
    assert [part.accuracy for part in parts] == [pytest.approx(2 / 3), None, None, 0.0]
    assert [(part.start, part.end) for part in parts][-1] == (3000, 4000)


def test_coverage_is_relative_to_the_densest_stretch(tmp_path: Path):
    """Coverage counts evidence tokens for each question; the covered share counts them once."""
    parts = stretches_of(tmp_path, [(0, 500, 1.0), (0, 500, 1.0), (900, 1100, 1.0)])
    assert [part.coverage for part in parts] == [1.0, pytest.approx(100 / 1100), 0.0, 0.0]
    assert [part.covered for part in parts] == [0.6, 0.1, 0.0, 0.0]


def test_a_question_asked_at_several_depths_counts_once(tmp_path: Path):
    """A question asked at several depths counts once, and all its answers count."""
    rows = [published_row(1, 1000, label, score) for label, score in (("0%", 1.0), ("100%", 0.0))]
    (results,) = read_cells([small(tmp_path / "r.jsonl", rows)])
    (part,) = stretches(results, number=1)
    assert (part.questions, part.n, part.accuracy, part.end) == (1, 2, 0.5, 1500)


def test_without_positions_there_is_no_map_along_the_novel(tmp_path: Path):
    """The message names the file and the mode that needs no positions."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0, position=None)])
    with pytest.raises(UseError, match="no position"):
        stretches(read_cells([path])[0])
