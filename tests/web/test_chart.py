"""Charts as data, for runs that the samples do not have."""

from pathlib import Path

from assay.study.analysis import analyse_run
from assay.web.chart import charts
from assay.web.compare_view import difference_view, run_effects
from tests.support.journal import judged, write_header, write_rows

VARIANTS = ("d128", "d256", "d512")


def run(folder: Path, **fields: object) -> Path:
    """Three variants with an order; the largest is the best and the slowest."""
    rows = [
        judged(f"q{item}", name, (item + size) % 3 / 2, elapsed_s=1.0 + size, **fields)
        for item in range(9)
        for size, name in enumerate(VARIANTS)
    ]
    journal = write_rows(folder / "a.jsonl", rows)
    order = {"d512": 512.0, "d128": 128.0, "d256": 256.0}
    write_header(journal, VARIANTS, baseline="d512", ordered=order, ablation_variable=["dim"])
    return journal


def test_a_variable_with_an_order_is_a_line(tmp_path: Path):
    """Its points are sorted by the variable, and have the values of the variants."""
    findings = analyse_run(run(tmp_path))
    chart = next(chart for chart in charts(findings) if chart.kind == "line")
    assert [point["x"] for point in chart.data["points"]] == [128.0, 256.0, 512.0]
    values = {point["variant"]: point["value"] for point in chart.data["points"]}
    assert values == {
        variant.name: variant.cells[chart.data["metric"]].value
        for variant in findings.analysis.variants
    }


def test_the_front_has_the_variants_that_no_other_beats(tmp_path: Path):
    """A variant that is slower and no better than another is not on it."""
    chart = next(chart for chart in charts(analyse_run(run(tmp_path))) if chart.kind == "tradeoff")
    points = chart.data["points"]
    for point in points:
        is_beaten = any(
            other["x"] <= point["x"]
            and other["y"] >= point["y"]
            and (other["x"], other["y"]) != (point["x"], point["y"])
            for other in points
        )
        assert point["is_front"] is not is_beaten


def test_the_cost_is_shown_if_something_was_metered(tmp_path: Path):
    """By variant, with calls and tokens; without calls there is no such chart."""
    usage = {"calls": 2, "prompt_tokens": 10, "completion_tokens": 5}
    metered = analyse_run(run(tmp_path, usage=usage, cost=0.5, paid=0.25))
    chart = next(chart for chart in charts(metered) if chart.kind == "cost")
    assert [(bar["variant"], bar["cost"], bar["calls"]) for bar in chart.data["bars"]] == [
        (name, 4.5, 18) for name in VARIANTS
    ]
    other = tmp_path / "other"
    other.mkdir()
    assert "cost" not in {chart.kind for chart in charts(analyse_run(run(other)))}


def early_run(folder: Path) -> Path:
    """A run that stopped early: one variant is clearly worse, the other the same as the baseline."""
    rows = [
        judged(f"q{item:02d}", name, value)
        for item in range(40)
        for name, value in (("base", 1.0), ("bad", 0.0), ("same", 1.0))
    ]
    journal = write_rows(folder / "early.jsonl", rows)
    rule = {"metric": "avg_gold_coverage", "level": 0.05, "margin": 0.3, "about": "questions",
            "seed": 0}  # fmt: skip
    write_header(journal, ("base", "bad", "same"), baseline="base", early_stop=rule)
    return journal


def test_the_sequence_of_a_run_that_stopped_early_ends_with_its_decision(tmp_path: Path):
    """Its last interval is that of the verdict, which has a word of its own and no p-value."""
    findings = analyse_run(early_run(tmp_path))
    chart = next(chart for chart in charts(findings) if chart.kind == "sequence")
    assert chart.data["margin"] == 0.3
    lines = {line["variant"]: line for line in chart.data["lines"]}
    shown = {
        each.variant: each
        for each in map(difference_view, run_effects(findings))
        if each.metric == chart.data["metric"]
    }
    assert [(name, shown[name].verdict) for name in lines] == [
        ("bad", "worse"),
        ("same", "equivalent"),
    ]
    for name, line in lines.items():
        last, difference = line["points"][-1], shown[name]
        assert last["questions"] == line["questions"] == difference.decided_after
        assert difference.interval is not None
        assert (last["low"], last["high"]) == (difference.interval.low, difference.interval.high)
        assert difference.p is None


def test_other_runs_have_no_sequence(tmp_path: Path):
    """Their number of questions was fixed in advance."""
    assert "sequence" not in {chart.kind for chart in charts(analyse_run(run(tmp_path)))}
