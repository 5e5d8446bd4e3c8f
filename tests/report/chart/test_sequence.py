"""Sequence charts are drawn for any number of variants and steps."""

from pathlib import Path

import pytest

from assay.report.chart.effect import SequenceSeries, SequenceStep, sequence_chart


@pytest.mark.parametrize("variants", [1, 5])
@pytest.mark.parametrize("steps", [0, 1, 40])
def test_it_is_drawn_and_says_what_was_decided(tmp_path: Path, variants: int, steps: int):
    """The names with the decisions are in the drawing, in three scripts."""
    series = [
        SequenceSeries(
            name=f"вариант {number}: 更好 ({steps})",
            steps=[
                SequenceStep(
                    x=x + 1, difference=None if x == 0 else 0.1, low=-1 / (x + 1), high=0.5
                )
                for x in range(steps)
            ],
        )
        for number in range(variants)
    ]
    path = tmp_path / "s.svg"
    sequence_chart(series, path, x_label="questions", label="Recall", margin=0.02)
    assert path.stat().st_size > 1000
