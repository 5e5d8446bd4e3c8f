"""The lines that a terminal shows at the end of a quality run."""

from pathlib import Path

from assay.jobs.quality.outcome import outcome_lines


def test_a_metric_has_its_title_and_its_name():
    """The title is for people, and the name is the one that the results file has."""
    means = {name: {"mean": 0.5, "n": 2} for name in ("score", "citation_supported", "elapsed_s")}
    counts = {"scored": 2, "failed": 0, "skipped": 0, "not_asked": 0}
    content = {"summary": {"weighted_score": 0.5, "counts": counts, "means": means}, "results": []}
    lines = outcome_lines(content, Path("out.json"), [])
    assert "Question score, unweighted  score               0.5000 (n 2)" in lines
    assert "Supported citation rate     citation_supported  0.5000 (n 2)" in lines
    assert "Mean latency, s             elapsed_s           0.5000 (n 2)" in lines
