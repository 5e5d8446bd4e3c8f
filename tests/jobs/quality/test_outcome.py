"""The lines that a terminal shows at the end of a quality run."""

from pathlib import Path

from assay.jobs.quality.outcome import outcome_lines

COUNTS = {"scored": 2, "failed": 0, "skipped": 0, "not_asked": 0}


def test_a_metric_has_its_title_and_its_name():
    """The title is for people, and the name is the one that the results file has."""
    means = {name: {"mean": 0.5, "n": 2} for name in ("score", "citation_supported", "elapsed_s")}
    content = {"summary": {"weighted_score": 0.5, "counts": COUNTS, "means": means}, "results": []}
    lines = outcome_lines(content, Path("out.json"), [])
    assert "Question score, unweighted  score               0.5000 (n 2)" in lines
    assert "Supported citation rate     citation_supported  0.5000 (n 2)" in lines
    assert "Mean latency, s             elapsed_s           0.5000 (n 2)" in lines


def test_an_id_with_a_line_break_begins_no_line():
    """An id is data: it cannot look like a line of ours."""
    entry = {"id": "q1\nweighted score  1.0", "status": "scored", "metrics": {"score": 0.3}}
    summary = {"weighted_score": 0.3, "counts": COUNTS, "means": {}}
    lines = outcome_lines({"summary": summary, "results": [entry]}, Path("out.json"), [])
    assert [line for line in lines if "q1" in line] == [
        r"  q1\nweighted score  1.0  0.300  in some of its runs"
    ]
