"""The layout that the options of ``assay depth`` describe."""

import pytest

from assay.errors import UseError
from assay.jobs.depth.plan import LayoutOptions, layout_of


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "fixed"}, "needs a depth"),
        ({"mode": "uniform", "depth": "50"}, "not uniform"),
        ({"depth": "50"}, "not legacy"),
        ({"mode": "fixed", "depth": "120%"}, "between 0 and 100"),
        ({"mode": "fixed", "depth": "-1"}, "between 0 and 100"),
        ({"mode": "fixed", "depth": "nan"}, "between 0 and 100"),
        ({"mode": "fixed", "depth": "half"}, "not a number"),
        ({"mode": "unifrom"}, "did you mean 'uniform'"),
        ({"per_cell": 3}, "--per-cell needs"),
        ({"mode": "fixed", "depth": "0", "min_per_cell": 3}, "--min-per-cell is for"),
        ({"mode": "uniform", "per_cell": 0}, "1 or more"),
        ({"padding": -1}, "0 or more"),
        ({"limit": -1}, "0 or more"),
        ({"context_length": "0"}, "not a number of tokens"),
        ({"context_length": "-5"}, "not a number of tokens"),
        ({"context_lengths": "4000,,8000"}, "not a number of tokens"),
        ({"context_length": "4000.5"}, "not a number of tokens"),
        ({"context_length": None}, "give the lengths of the contexts"),
    ],
)
def test_contradictory_options_are_refused_in_one_line(options: dict[str, object], message: str):
    """Each contradiction is refused with a message that names the option."""
    with pytest.raises(UseError, match=message) as refused:
        layout_of(LayoutOptions(**{"context_length": "8000", **options}))  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_several_lengths_win_over_one():
    """``--context-lengths`` is preferred to ``--context-length``; it is sorted, without repeats."""
    layout = layout_of(LayoutOptions(context_length="1000", context_lengths="64k,4000, 64000"))
    assert layout.lengths == (4_000, 64_000)
    assert layout.mode == "legacy"


def test_a_fixed_depth_is_a_share():
    """A depth may be written with or without the percent sign."""
    for depth in ("12.5", "12.5%", " 12.5 % ".replace(" %", "%")):
        layout = layout_of(LayoutOptions(mode="fixed", depth=depth, context_length="4k"))
        assert layout.depth == 0.125
        assert layout.bins == ("12.5%",)
